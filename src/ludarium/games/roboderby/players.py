"""The players that know this game."""

from __future__ import annotations

from ludarium.players import Opponent, PlayerKind

from .bots.greedy_player import GreedyPlayer
from .bots.planner_player import PlannerPlayer
from .bots.racer_player import RACER_OPTIONS, RacerPlayer

KINDS = (
    PlayerKind("greedy", "programs for the fewest commands to its finish, as if it were alone", (), GreedyPlayer),
    PlayerKind("planner", "makes the very best of its dice, as if it were alone", (), PlannerPlayer),
    PlayerKind("racer", "searches over sealed programs: pushes, shoots, hacks and gets out of the way", RACER_OPTIONS, RacerPlayer),
)

OPPONENTS = (
    Opponent("Rusty", "greedy:slip=45", "Knows the way, but half of its dice end up anywhere."),
    Opponent("Clank", "greedy:slip=28", "Counts commands to its finish and misplaces every fourth die."),
    Opponent("Bolt", "greedy:slip=13", "A quick driver with a loose screw."),
    Opponent("Gizmo", "greedy", "Takes the fewest commands to its finish, as if it were alone."),
    Opponent("Sprocket", "planner", "Drives the best line there is for a robot that is alone on the road."),
    Opponent("Ratchet", "racer:sims=10", "Drives well, and shoves whoever stands in its way."),
    Opponent("Dynamo", "racer:sims=300", "Expects your program, and has a push or a shot ready for it."),
)
