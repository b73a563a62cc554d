"""Every game in OpenSpiel; importing this module registers them: ``pyspiel.load_game("ludarium_expendibots(turn_limit=100)")``."""

from __future__ import annotations

import ludarium
from ludarium.errors import BadOption
from ludarium.open_spiel import register

for _id in ludarium.list_games():
    try:
        register(ludarium.game(_id))
    except BadOption:  # a broken package: `ludarium games` says what is wrong with it
        continue
