"""Belts carry what stands on them, when all have executed a register (rule 44, ours)."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled, subroutine

from ..sheets.tiles import BELTS, PIT
from ..tables import DROP, NOT_HERE
from .movement import BELT, enter

STAYS = -2
"""Where a robot is carried that no belt carries."""


@subroutine
def run_belts(tables: Any, state: Any, log: Any) -> None:
    """Carry every robot on a belt one square, all at once. Belts do not push: who would come to where somebody else is or comes to stays where it is."""
    riders = 0
    for robot in range(tables.players):
        if _target(tables, state, robot) != STAYS:
            riders |= 1 << robot
    held = riders
    while held != 0:
        held = 0
        for robot in range(tables.players):
            if (riders >> robot) & 1 and _is_in_the_way(tables, state, robot, riders):
                held |= 1 << robot
        riders &= ~held
    if riders == 0:
        return
    for robot in range(tables.players):
        if (riders >> robot) & 1:
            origin = int(state.square[robot])
            target = _target(tables, state, robot)
            enter(tables, state, robot, origin, target, int(state.kinds[origin]) - BELTS[0], BELT, log)


@compiled
def _target(tables: Any, state: Any, robot: Any) -> Any:
    """The square to which the belt under a robot leads, NOT_HERE beyond the edge of a board where that is a pit; STAYS where there is no belt, or a wall."""
    square = int(state.square[robot])
    if square == NOT_HERE or not BELTS[0] <= int(state.kinds[square]) <= BELTS[3]:
        return STAYS
    direction = int(state.kinds[square]) - BELTS[0]
    edge = int(state.walls[square]) >> direction
    if edge & 1 == 0:
        return square + tables.step[direction]
    return NOT_HERE if (edge >> DROP) & 1 else STAYS


@compiled
def _is_in_the_way(tables: Any, state: Any, robot: Any, riders: Any) -> Any:
    """Whether somebody keeps a rider where it is: one who stays on the square ahead, comes to it too, or comes from there towards the rider."""
    target = _target(tables, state, robot)
    if target == NOT_HERE or int(state.kinds[target]) == PIT:
        return False
    for other in range(tables.players):
        if other == robot:
            continue
        rides = (riders >> other) & 1 == 1
        if int(state.square[other]) == target and (not rides or _target(tables, state, other) == int(state.square[robot])):
            return True
        if rides and _target(tables, state, other) == target:
            return True
    return False
