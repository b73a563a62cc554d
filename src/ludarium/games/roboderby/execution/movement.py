"""Robots move in steps of one square, push whole lines of robots, fall, and make progress on their lap (rules 26, 27 and 36)."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled, subroutine

from ..sheets.tiles import PIT
from ..tables import DROP, NOT_HERE, OFF_BOARD
from .trace import KIND, note

BELT = -1
"""Who makes a robot move that is carried."""


@compiled
def robot_at(tables: Any, state: Any, square: Any) -> Any:
    """The robot on a square, −1 none. Wrecks are robots."""
    for robot in range(tables.players):
        if int(state.square[robot]) == square:
            return robot
    return -1


@compiled
def _lap_after(tables: Any, lap: Any, tile: Any) -> Any:
    """The lap index of a robot with this lap index that enters a tile (its number in lap order) from another one.

    Winding: one more on the next tile and one less on the previous one, so that a robot has to come back the way that it left. Checkpoints: one more on the
    next tile, up to 4. A robot that was placed on the start tile with its progress kept makes none, and loses none, until it enters one of these two.
    """
    if tables.s_race == 1:
        return lap
    if tables.checkpoints == 1:
        return lap + 1 if tile == ((lap + 1) & 3) and lap < 4 else lap
    if tile == ((lap + 1) & 3):
        return lap + 1
    return lap - 1 if tile == ((lap - 1) & 3) else lap


@subroutine
def move(tables: Any, state: Any, robot: Any, direction: Any, steps: Any, log: Any) -> None:
    """Move a robot up to so many squares in a direction; what stops it ends its command."""
    for _ in range(steps):
        if not _step(tables, state, robot, direction, log):
            return


@compiled
def _step(tables: Any, state: Any, robot: Any, direction: Any, log: Any) -> Any:
    """One step, pushing the line of robots ahead; whether the robot moved and is still on the board."""
    own = int(state.square[robot])
    step = tables.step[direction]
    last = own
    target = own
    while True:
        edge = int(state.walls[last]) >> direction
        if edge & 1:
            if (edge >> DROP) & 1 == 0:
                note(log, KIND.BUMP, robot, own, direction, last, 0)
                return False
            target = NOT_HERE
            break
        target = last + step
        if robot_at(tables, state, target) < 0:
            break
        last = target
    while True:
        mover = robot_at(tables, state, last)
        enter(tables, state, mover, last, target, direction, robot, log)
        if last == own:
            return int(state.square[robot]) != NOT_HERE
        target = last
        last -= step


@compiled
def enter(tables: Any, state: Any, robot: Any, origin: Any, target: Any, direction: Any, by: Any, log: Any) -> None:
    """A robot comes from one square to the next, of itself, pushed by another one or carried by a belt. A pit, or the end of the board, destroys it."""
    if target == NOT_HERE or int(state.kinds[target]) == PIT:
        note(log, KIND.FALL, robot, origin, target, direction, by)
        state.square[robot] = NOT_HERE
        state.status[robot] = OFF_BOARD
        return
    note(log, KIND.MOVE if by == robot else KIND.CARRY if by == BELT else KIND.PUSH, robot, origin, target, direction, by)
    state.square[robot] = target
    tile = int(state.lap_tiles[target])
    if tile != int(state.lap_tiles[origin]):
        state.lap[robot] = _lap_after(tables, int(state.lap[robot]), tile)
