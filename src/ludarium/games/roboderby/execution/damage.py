"""Lasers, damage, locked registers, repairs (rules 28 to 34; rule 45, ours)."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled, subroutine

from ..tables import ACTIVE, COMMAND, EMPTY, FULL_HEALTH, LOCKED, NOOP, REGISTERS, SHUT_DOWN, WRECK
from .movement import robot_at
from .trace import KIND, note

SHUTDOWN_REPAIR = 2


@subroutine
def fire(tables: Any, state: Any, shooters: Any, board: Any, log: Any) -> None:
    """The robots of a bit mask fire their lasers simultaneously, and with them those of the board: every hit is found before any damage is done."""
    hits = 0  # a byte a robot
    for laser in range(len(tables.board_lasers) if board else 0):
        target = _shone_at(tables, state, laser, log)
        if target >= 0:
            hits += 1 << (8 * target)
    for robot in range(tables.players):
        if (shooters >> robot) & 1:
            target = _hit(tables, state, robot, log)
            if target >= 0:
                hits += 1 << (8 * target)
    for robot in range(tables.players):
        if hits != 0 and (hits >> (8 * robot)) & 255:
            _damage(state, robot, (hits >> (8 * robot)) & 255, log)


@compiled
def laser_place(tables: Any, state: Any, laser: Any) -> Any:
    """The square of a laser of the board, and the direction in which it shines."""
    size = tables.size
    tile = tables.board_lasers[laser, 0, 0]
    place = 0
    while int(state.tile[place]) != tile:
        place += 1
    rotation = int(state.rotation[place])
    inside = tables.board_lasers[laser, rotation, 1]
    row, column = tables.place_row[place] * size + inside // size, tables.place_column[place] * size + inside % size
    return row * tables.width + column, tables.board_lasers[laser, rotation, 2]


@compiled
def _shone_at(tables: Any, state: Any, laser: Any, log: Any) -> Any:
    """The first robot in the line of a laser of the board, from its own square on; −1 none."""
    origin, direction = laser_place(tables, state, laser)
    square = origin
    target = robot_at(tables, state, square)
    passed = 0
    while target < 0 and (int(state.walls[square]) >> direction) & 1 == 0:
        square += tables.step[direction]
        passed += 1
        target = robot_at(tables, state, square)
    if target >= 0 and _can_be_hurt(state, target):
        note(log, KIND.BEAM, 0, origin, direction, passed, target)
    return target


@compiled
def _hit(tables: Any, state: Any, robot: Any, log: Any) -> Any:
    """The first robot in the line of a robot's laser, −1 none."""
    square = int(state.square[robot])
    direction = int(state.heading[robot])
    passed = 0
    while (int(state.walls[square]) >> direction) & 1 == 0:
        square += tables.step[direction]
        passed += 1
        target = robot_at(tables, state, square)
        if target >= 0:
            note(log, KIND.FIRE, robot, int(state.square[robot]), direction, passed, target)
            return target
    note(log, KIND.FIRE, robot, int(state.square[robot]), direction, passed, -1)
    return -1


@compiled
def _can_be_hurt(state: Any, robot: Any) -> Any:
    """Whether a robot on the board is no wreck."""
    return int(state.status[robot]) == ACTIVE or int(state.status[robot]) == SHUT_DOWN


@compiled
def _damage(state: Any, robot: Any, hits: Any, log: Any) -> None:
    if not _can_be_hurt(state, robot):
        return
    health = max(0, int(state.health[robot]) - hits)
    state.health[robot] = health
    note(log, KIND.DAMAGE, robot, health, hits, 0, 0)
    _set_locks(state, robot, log)
    if health == 0:
        state.status[robot] = WRECK
        note(log, KIND.SCRAP, robot, int(state.square[robot]), 0, 0, 0)


@compiled
def repair(state: Any, robot: Any, log: Any) -> None:
    """What a shutdown does for a robot."""
    health = min(FULL_HEALTH, int(state.health[robot]) + SHUTDOWN_REPAIR)
    state.health[robot] = health
    note(log, KIND.HEAL, robot, health, 0, 0, 0)
    _set_locks(state, robot, log)


@compiled
def _set_locks(state: Any, robot: Any, log: Any) -> None:
    """Lock and unlock registers by health: r4 at 4 and less, r3 at 3, r2 at 2, r1 at 1. A NO-OP that is locked goes live, one that is unlocked stays so."""
    health = int(state.health[robot])
    for register in range(REGISTERS):
        slot = int(state.register_slot[robot, register])
        die = int(state.register_die[robot, register])
        face = int(state.register_face[robot, register])
        if health <= register + 1 and slot != LOCKED:
            state.register_slot[robot, register] = LOCKED
            note(log, KIND.LOCK, robot, register, die, face, 1 if slot == NOOP else 0)
        elif health > register + 1 and slot == LOCKED:
            state.register_slot[robot, register] = EMPTY if die == 0 else COMMAND
            note(log, KIND.UNLOCK, robot, register, die, face, 0)
