"""The players that know this game."""

from __future__ import annotations

from ludarium.players import PlayerKind

from .bots.search_player import SEARCH_OPTIONS, SearchPlayer
from .bots.team_players import BomberPlayer, HunterPlayer, PainterPlayer

KINDS = (
    PlayerKind("painter", "walks to the nearest cells that are not its own", (), PainterPlayer),
    PlayerKind("bomber", "drops bombs where they gain most, never to its own harm, and paints on the way", (), BomberPlayer),
    PlayerKind(
        "search", "plans ten turns ahead for all its characters, and improves the plan as long as it has time", SEARCH_OPTIONS, SearchPlayer
    ),
    PlayerKind("hunter", "the special player of sudden death: leaves the others the fewest ways to survive", (), HunterPlayer),
)
