"""The programs of this process: those that wait for their next game."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from multiprocessing.util import Finalize

from ludarium.players.base import never

from .bots import Address, Bot
from .commands import Command
from .conditions import Conditions
from .process import Process
from .program import Link, Program

MOST_WAITING = 8
"""Programs that may wait."""

_waiting: list[tuple[Bot, Conditions, Program]] = []
_lock = threading.Lock()


@dataclass(frozen=True)
class Pool:
    """Lends those of one spec."""

    bot: Bot
    conditions: Conditions
    interrupted: Callable[[], bool] = never
    """Asked while one is started."""

    def borrow(self) -> Program:
        """A program that waits, or a new one.

        Raises:
            PlayerFailed: it cannot be started, or does not answer as it should.
            Interrupted: nobody wants it any more.
        """
        while program := self._taken():
            if not program.is_outdated():
                return program
            program.end()
        return Program(link_to(self.bot, self.conditions, self.interrupted), interrupted=self.interrupted)

    def _taken(self) -> Program | None:
        """Remove a program of this spec from those that wait, and return it."""
        with _lock:
            _waiting[:] = [one for one in _waiting if not one[2].is_lost()]
            for one in _waiting:
                if one[:2] == (self.bot, self.conditions):
                    _waiting.remove(one)
                    return one[2]
        return None

    def give_back(self, program: Program) -> None:
        """Let a program that is well wait for its next game, unless that needs a fresh one."""
        if isinstance(self.bot, Command) and self.bot.is_fresh:
            program.end()
            return
        _register_end()
        with _lock:
            _waiting.append((self.bot, self.conditions, program))
            too_many = _waiting.pop(0)[2] if len(_waiting) > MOST_WAITING else None
        if too_many is not None:
            too_many.end()


def link_to(bot: Bot, conditions: Conditions, interrupted: Callable[[], bool] = never) -> Link:
    """A program that is started for this, or a connection.

    Raises:
        PlayerCrashed: it cannot be started, or nobody be reached.
        Interrupted: nobody wants it any more.
    """
    if not isinstance(bot, Address):
        return Process(bot, conditions)
    from .websocket import WebSocket  # with its library, which takes a while, only for who needs it

    return WebSocket(bot.url, interrupted, called=bot.text)


def end_all() -> None:
    """End all that wait."""
    with _lock:
        ended = [program for _, _, program in _waiting]
        _waiting.clear()
    for program in ended:
        program.end()


@cache
def _register_end() -> None:
    """Those that wait end in order with this process, also where it is a worker, which knows nothing of ``atexit``."""
    Finalize(None, end_all, exitpriority=0)
