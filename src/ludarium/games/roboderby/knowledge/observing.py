"""What a player may know, as planes of numbers over the squares of the board."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled
from ludarium.core.rules import observe

from ..execution.damage import laser_place
from ..sheets.dice import DICE
from ..sheets.tiles import BELTS, PIT, VOID
from ..tables import DROP, LOCKED, NOOP, PHASE, REGISTERS, RoboDerbyTables
from .hiding import is_hidden

BOARD_PLANES = 21
"""Walls to the N, E, S and W (none where the board ends in a pit), squares, pits, belts that run N, E, S and W, how many of the board's lasers shine over a
square to the N, E, S and W where no robot stands in their way, the first to fourth tile of the lap, the player's start square and finish, and one plane whose
first four numbers in reading order are the turn as a part of the turn limit, the phase and the register executed (both as they are in the state) and the start
edge."""

SQUARES, PITS, BELTS_NORTH, LASERS_NORTH, FIRST_TILE, START, FINISH, NUMBERS = 4, 5, 6, 10, 14, 18, 19, 20
"""Which planes of the board are which, after the walls."""

PLANES_OF_A_ROBOT = 6
"""Where the robot stands: heading N, E, S, W (1), its health in sixths; and a plane of numbers in reading order: whether it is on the board, health in
sixths, lap in quarters, letter, status, rank, whether it has declared (as far as one may know, what: 1 to run, 2 to shut down), whether its program is locked
in; for each register die, face, whether it is a NO-OP, whether it is locked; the faces of the dice in hand; whether a die was placed since the last roll; and
while a register is executed, its place in the order (from 1) and what became of its die there, bits of flags.py. Seats come in order from the player on."""


@observe.implement(RoboDerbyTables)
def write_observation(tables: Any, state: Any, player: Any, out: Any) -> None:
    """Write the planes into ``out`` (``float32[planes, height, width]`` of zeros)."""
    for square in range(tables.squares if int(state.dealt) == 1 else 0):
        row, column = square // tables.width, square % tables.width
        kind = int(state.kinds[square])
        if kind == VOID:
            continue
        for direction in range(4):
            out[direction, row, column] = (int(state.walls[square]) >> direction) & (1 << DROP | 1) == 1
        out[SQUARES, row, column] = 1.0
        out[PITS, row, column] = 1.0 if kind == PIT else 0.0
        if BELTS[0] <= kind <= BELTS[3]:
            out[BELTS_NORTH + kind - BELTS[0], row, column] = 1.0
        out[FIRST_TILE + int(state.lap_tiles[square]), row, column] = 1.0
    for laser in range(len(tables.board_lasers) if int(state.dealt) == 1 else 0):
        _observe_laser(tables, state, laser, out)
    if int(state.turn) > 0:
        out[START, int(state.start[player]) // tables.width, int(state.start[player]) % tables.width] = 1.0
        out[FINISH, int(state.finish[player]) // tables.width, int(state.finish[player]) % tables.width] = 1.0
    _put(out, NUMBERS, 0, int(state.turn) / tables.turn_limit)
    _put(out, NUMBERS, 1, int(state.phase))
    _put(out, NUMBERS, 2, int(state.register))
    _put(out, NUMBERS, 3, int(state.start_edge))
    for seat in range(tables.players):
        robot = (player + seat) % tables.players
        _observe_robot(tables, state, player, robot, BOARD_PLANES + seat * PLANES_OF_A_ROBOT, out)


@compiled
def _observe_laser(tables: Any, state: Any, laser: Any, out: Any) -> None:
    """The line of one of the board's lasers, from its own square to the wall where it ends."""
    square, direction = laser_place(tables, state, laser)
    out[LASERS_NORTH + direction, square // tables.width, square % tables.width] += 1.0
    while (int(state.walls[square]) >> direction) & 1 == 0:
        square += tables.step[direction]
        out[LASERS_NORTH + direction, square // tables.width, square % tables.width] += 1.0


@compiled
def _observe_robot(tables: Any, state: Any, player: Any, robot: Any, plane: Any, out: Any) -> None:
    square = int(state.square[robot])
    on_board = int(state.turn) > 0 and square >= 0
    health = int(state.health[robot]) / 6
    if on_board:
        out[plane + int(state.heading[robot]), square // tables.width, square % tables.width] = 1.0
        out[plane + 4, square // tables.width, square % tables.width] = health
    declared = int(state.declared[robot])
    secret = int(state.phase) == PHASE.SHUTDOWN and tables.seat_order == 0 and robot != player
    _put(out, plane + 5, 0, 1.0 if on_board else 0.0)
    _put(out, plane + 5, 1, health)
    _put(out, plane + 5, 2, int(state.lap[robot]) / 4)
    _put(out, plane + 5, 3, int(state.letter[robot]))
    _put(out, plane + 5, 4, int(state.status[robot]))
    _put(out, plane + 5, 5, int(state.rank[robot]))
    _put(out, plane + 5, 6, min(declared, 1) if secret else declared)
    _put(out, plane + 5, 7, int(state.ready[robot]))
    hidden = is_hidden(tables, state, robot, player)
    for register in range(REGISTERS):
        slot = int(state.register_slot[robot, register])
        if hidden and slot != LOCKED:
            continue
        _put(out, plane + 5, 8 + 4 * register, int(state.register_die[robot, register]))
        _put(out, plane + 5, 9 + 4 * register, int(state.register_face[robot, register]))
        _put(out, plane + 5, 10 + 4 * register, 1.0 if slot == NOOP else 0.0)
        _put(out, plane + 5, 11 + 4 * register, 1.0 if slot == LOCKED else 0.0)
    after = 8 + 4 * REGISTERS
    if not hidden:
        for die in range(DICE):
            _put(out, plane + 5, after + die, int(state.dice[robot, die]))
        _put(out, plane + 5, after + DICE, int(state.placed[robot]))
    for place in range(int(state.count)):
        if int(state.order[place]) == robot:
            _put(out, plane + 5, after + DICE + 1, 1 + place)
    _put(out, plane + 5, after + DICE + 2, int(state.fate[robot]))


@compiled
def _put(out: Any, plane: Any, place: Any, value: Any) -> None:
    """Write a number at its place, in reading order, of a plane."""
    width = out.shape[2]
    out[plane, place // width, place % width] = value
