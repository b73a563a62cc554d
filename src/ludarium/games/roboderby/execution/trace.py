"""A log of what happens in a turn, written while rules are carried out if somebody asks for it.

A log is ``int64[rows, 6]``. Row 0 holds the number of rows in use; every other row is a kind and five numbers, see the kinds; unused ones are 0. The
rules are compiled once with None for a log, and then pay nothing for it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.core.jit import compiled


class Kinds(NamedTuple):
    """The numbers of the kinds, from 1, and what the five numbers of a row mean."""

    PROGRAM: int  # robot, what is in registers 1 to 4: 100 * die + 10 * face + slot each
    REGISTER: int  # 0, register
    ORDER: int  # robot, die, face, slot, what became of it (flags)
    ROLL_OFF: int  # robot, die, face, priority
    MOVE: int  # robot, from, to, direction, robot
    PUSH: int  # robot, from, to, direction, by
    CARRY: int  # robot, from, to, direction, −1: a belt moves it
    TURN: int  # robot, heading before, heading after
    BUMP: int  # robot, square, direction, square of the robot (itself, or one that it pushes) that stands at the wall
    FALL: int  # robot, from, to (−1: off the board), direction, by (itself, the one who pushed, or −1, a belt)
    HACK: int  # robot, target, command
    WASTE: int  # robot, command: a hack that hits nobody
    SKIP: int  # robot
    IDLE: int  # robot, flags: a NO-OP, or an inverted command that does nothing
    SALVO: int  # 0, turn: from here on lasers are those at the end of the turn
    FIRE: int  # robot, from, direction, squares passed, target (−1: none)
    BEAM: int  # 0, square, direction, squares passed, target: a laser of the board hits a robot that is no wreck
    DAMAGE: int  # robot, health, hits
    SCRAP: int  # robot, square
    LOCK: int  # robot, register, die, face, was a NO-OP
    UNLOCK: int  # robot, register, die, face
    HEAL: int  # robot, health
    RESPAWN: int  # robot, square, heading
    SHUTDOWN: int  # robot
    FINISH: int  # robot, rank
    END_OF_TURN: int  # 0, turn


KIND = Kinds(*range(1, len(Kinds._fields) + 1))

KINDS = ("", *(name.lower().replace("_", "-") for name in Kinds._fields))
"""What the kinds are called, by number."""

ROWS = 4096


def empty_log() -> np.ndarray:
    """A log with room for more than one turn can hold."""
    log = np.zeros((ROWS, 6), np.int64)
    log[0, 0] = 1
    return log


@compiled
def note(log: Any, kind: Any, robot: Any, first: Any, second: Any, third: Any, fourth: Any) -> None:
    """Add a row to a log, unless there is none."""
    if log is not None:
        row = log[0, 0]
        if row < len(log):
            log[row, 0] = kind
            log[row, 1] = robot
            log[row, 2] = first
            log[row, 3] = second
            log[row, 4] = third
            log[row, 5] = fourth
            log[0, 0] = row + 1
