"""Destroyed robots come back on their start squares, or as near as they can (rules 10 to 12)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.bits import bit
from ludarium.core.jit import compiled, subroutine

from ..execution.movement import robot_at
from ..execution.trace import KIND, note
from ..sheets.dice import DICE
from ..sheets.tiles import PIT
from ..tables import ACTIVE, EMPTY, FULL_HEALTH, NOT_HERE, OFF_BOARD, REGISTERS, WRECK

FAR = 1_000_000


@subroutine
def respawn_all(tables: Any, state: Any, log: Any) -> None:
    """Remove the wrecks, then place every destroyed robot, in seat order."""
    for robot in range(tables.players):
        if int(state.status[robot]) == WRECK:
            state.status[robot] = OFF_BOARD
            state.square[robot] = NOT_HERE
    for robot in range(tables.players):
        if int(state.status[robot]) == OFF_BOARD:
            square = _nearest_free(tables, state, int(state.start[robot]))
            if square >= 0:
                _place(tables, state, robot, square)
                note(log, KIND.RESPAWN, robot, square, int(state.heading[robot]), 0, 0)


@compiled
def _place(tables: Any, state: Any, robot: Any, square: Any) -> None:
    state.square[robot] = square
    state.heading[robot] = (int(state.start_edge) + 2) & 3
    state.health[robot] = FULL_HEALTH
    state.status[robot] = ACTIVE
    if tables.keep_progress == 0:
        state.lap[robot] = 0
    clear_mat(state, robot)


@compiled
def clear_mat(state: Any, robot: Any) -> None:
    """Empty all registers; the dice are in hand again, and show nothing."""
    for register in range(REGISTERS):
        state.register_die[robot, register] = 0
        state.register_face[robot, register] = 0
        state.register_slot[robot, register] = EMPTY
    for die in range(DICE):
        state.dice[robot, die] = 0


@compiled
def _nearest_free(tables: Any, state: Any, start: Any) -> Any:
    """The free square of the start tile that is nearest to a square of it, walking around walls and pits; −1 where there is none.

    Of several, the one whose way there goes north where another one goes east, south or west for the first time they differ, and so on.
    """
    distance = _distance_to_free(tables, state, start, FAR)
    if distance < 0:
        return -1
    square = start
    while distance > 0:
        distance -= 1
        for direction in range(4):
            if _can_walk(tables, state, square, direction):
                neighbour = square + tables.step[direction]
                if 0 <= _distance_to_free(tables, state, neighbour, distance) <= distance:
                    square = neighbour
                    break
    return square


@compiled
def _can_walk(tables: Any, state: Any, square: Any, direction: Any) -> Any:
    """Whether one can walk from a square of the start tile to the next in a direction and stays on the tile."""
    if (int(state.walls[square]) >> direction) & 1:
        return False
    neighbour = square + tables.step[direction]
    return int(state.lap_tiles[neighbour]) == 0 and int(state.kinds[neighbour]) != PIT


@compiled
def _distance_to_free(tables: Any, state: Any, start: Any, most: Any) -> Any:
    """How many steps it is to the nearest square without a robot; −1 where there is none within so many."""
    width, size = tables.width, tables.size
    corner_row, corner_column = start // width // size * size, start % width // size * size
    reached = bit((start // width - corner_row) * size + start % width - corner_column)
    for distance in range(most + 1):
        following = reached
        for inside in range(size * size):
            if reached & bit(inside) == np.uint64(0):
                continue
            row, column = inside // size, inside % size
            square = (corner_row + row) * width + corner_column + column
            if robot_at(tables, state, square) < 0:
                return distance
            for direction in range(4):
                if _can_walk(tables, state, square, direction):
                    neighbour = square + tables.step[direction]
                    following = following | bit((neighbour // width - corner_row) * size + neighbour % width - corner_column)
        if following == reached:
            return -1
        reached = following
    return -1
