"""The programs of this process: those that wait for their next game."""

from __future__ import annotations

import atexit
import threading
from dataclasses import dataclass

from .commands import Command
from .conditions import Conditions
from .process import Process
from .program import Program

MOST_WAITING = 8
"""Programs that may wait."""

_waiting: list[tuple[Command, Conditions, Program]] = []
_lock = threading.Lock()


def borrow(command: Command, conditions: Conditions) -> Program:
    """A program that waits, or a new one.

    Raises:
        PlayerFailed: it cannot be started, or does not answer as it should.
    """
    with _lock:
        for one in _waiting:
            if one[:2] == (command, conditions):
                _waiting.remove(one)
                return one[2]
    return Program(Process(command, conditions))


def give_back(command: Command, conditions: Conditions, program: Program) -> None:
    """Let a program that is well wait for its next game."""
    program.stop()
    with _lock:
        _waiting.append((command, conditions, program))
        too_many = _waiting.pop(0)[2] if len(_waiting) > MOST_WAITING else None
    if too_many is not None:
        too_many.end()


@atexit.register
def end_all() -> None:
    """End all that wait."""
    with _lock:
        ended = [program for _, _, program in _waiting]
        _waiting.clear()
    for program in ended:
        program.end()


@dataclass(frozen=True)
class Pool:
    """Lends those of one command."""

    command: Command
    conditions: Conditions

    def borrow(self) -> Program:
        return borrow(self.command, self.conditions)

    def give_back(self, program: Program) -> None:
        give_back(self.command, self.conditions, program)
