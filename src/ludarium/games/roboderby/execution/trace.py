"""A log of what happens in a turn, written while rules are carried out if somebody asks for it.

A log is ``int64[rows, 6]``. Row 0 holds the number of rows in use; every other row is a kind and five numbers, see the kinds; unused ones are 0. The
rules are compiled once with None for a log, and then pay nothing for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.jit import compiled

__all__ = ["KINDS", "empty_log", "note"]  # and the kinds by name

KINDS = (
    "",
    "program",  # robot, what is in registers 1 to 4: 100 * die + 10 * face + slot each
    "register",  # 0, register
    "order",  # robot, die, face, slot, what became of it (flags)
    "roll-off",  # robot, die, face, priority
    "move",  # robot, from, to, direction, robot
    "push",  # robot, from, to, direction, by
    "carry",  # robot, from, to, direction, −1: a belt moves it
    "turn",  # robot, heading before, heading after
    "bump",  # robot, square, direction, square of the robot (itself, or one that it pushes) that stands at the wall
    "fall",  # robot, from, to (−1: off the board), direction, by (itself, the one who pushed, or −1, a belt)
    "hack",  # robot, target, command
    "waste",  # robot, command: a hack that hits nobody
    "skip",  # robot
    "idle",  # robot, flags: a NO-OP, or an inverted command that does nothing
    "salvo",  # 0, turn: from here on lasers are those at the end of the turn
    "fire",  # robot, from, direction, squares passed, target (−1: none)
    "beam",  # 0, square, direction, squares passed, target: a laser of the board hits a robot that is no wreck
    "damage",  # robot, health, hits
    "scrap",  # robot, square
    "lock",  # robot, register, die, face, was a NO-OP
    "unlock",  # robot, register, die, face
    "heal",  # robot, health
    "respawn",  # robot, square, heading
    "shutdown",  # robot
    "finish",  # robot, rank
    "end-of-turn",  # 0, turn
)
"""What the kinds are called, by number, and what their numbers in a row mean."""

(
    PROGRAM,
    REGISTER,
    ORDER,
    ROLL_OFF,
    MOVE,
    PUSH,
    CARRY,
    TURN,
    BUMP,
    FALL,
    HACK,
    WASTE,
    SKIP,
    IDLE,
    SALVO,
    FIRE,
    BEAM,
    DAMAGE,
    SCRAP,
    LOCK,
    UNLOCK,
    HEAL,
    RESPAWN,
    SHUTDOWN,
    FINISH,
    END_OF_TURN,
) = range(1, len(KINDS))

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
