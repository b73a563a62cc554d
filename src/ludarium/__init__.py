"""A laboratory and an arena for board games: play, compete, train, solve.

>>> import ludarium
>>> state = ludarium.game("expendibots").start()
>>> state.play("a2-a3").play("h7-h6").text
'BB.BB.BB/BB.BB.B./.......B/......../......../W......./.W.WW.WW/WW.WW.WW w 2'
"""

from .core.game import Action, Game, Outcome, State
from .core.registry import game, list_games
from .core.rules import CHANCE
from .errors import (
    BadNotation,
    BadOption,
    BadRecord,
    IllegalAction,
    LudariumError,
    PlayerCrashed,
    PlayerFailed,
    PlayerIllegal,
    PlayerTimeout,
    ProtocolError,
    StoreError,
)

__all__ = [
    "CHANCE",
    "Action",
    "BadNotation",
    "BadOption",
    "BadRecord",
    "Game",
    "IllegalAction",
    "LudariumError",
    "Outcome",
    "PlayerCrashed",
    "PlayerFailed",
    "PlayerIllegal",
    "PlayerTimeout",
    "ProtocolError",
    "State",
    "StoreError",
    "game",
    "list_games",
]
