"""The players that know this game."""

from __future__ import annotations

from ludarium.players import PlayerKind

from .bots.greedy_player import GreedyPlayer
from .bots.planner_player import PlannerPlayer
from .bots.racer_player import RACER_OPTIONS, RacerPlayer

KINDS = (
    PlayerKind("greedy", "programs for the fewest commands to its finish, as if it were alone", (), GreedyPlayer),
    PlayerKind("planner", "makes the very best of its dice, as if it were alone", (), PlannerPlayer),
    PlayerKind("racer", "searches over sealed programs: pushes, shoots, hacks and gets out of the way", RACER_OPTIONS, RacerPlayer),
)
