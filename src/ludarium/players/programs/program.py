"""A program that has been greeted and plays game after game, wherever it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from ludarium.core.pickling import Unpicklable
from ludarium.core.running_time import running_time
from ludarium.errors import PlayerIllegal, PlayerTimeout
from ludarium.players.base import never

from . import messages
from .process import shown

LONGEST_START = 30.0
"""Seconds until a program that has been started must have answered the greeting."""

LONGEST_TO_TAKE = 10.0
"""Seconds until it must have taken what it is told."""


class Link(Protocol):
    """What leads to a program: :class:`.process.Process`, :class:`.websocket.WebSocket`."""

    def send(self, message: bytes, until: float, interrupted: Callable[[], bool]) -> None: ...

    def receive(self, until: float, interrupted: Callable[[], bool]) -> bytes: ...

    def said_unasked(self) -> bytes: ...

    def is_lost(self) -> bool: ...

    def is_outdated(self) -> bool: ...

    def go(self) -> None: ...

    def rest(self) -> None: ...

    def log_to(self, path: Path | None) -> None: ...

    def cpu_seconds(self) -> float: ...

    def last_words(self) -> str: ...

    def end(self) -> None: ...


class Program(Unpicklable):
    """One program. Whoever has an error of it, or an interrupted answer, ends it: it may be in the middle of anything."""

    send_instead = "send the player's spec"

    def __init__(self, link: Link, wishes: messages.Wishes | None = None, interrupted: Callable[[], bool] = never) -> None:
        """Greet it, unless somebody has: then ``wishes`` are what it has answered.

        Raises:
            PlayerFailed: it does not answer as it should.
            Interrupted: nobody wants it any more.
        """
        self._link = link
        self.log_to = link.log_to
        self.is_lost = link.is_lost
        self.is_outdated = link.is_outdated
        self.cpu_seconds = link.cpu_seconds
        self.last_words = link.last_words
        try:
            self.wishes = wishes or messages.read_ready(self._answer(messages.encoded(messages.HELLO), LONGEST_START, interrupted))
        except BaseException as problem:
            link.end()
            if isinstance(problem, PlayerTimeout):
                raise PlayerTimeout(f"timeout: no answer to 'hello' within {LONGEST_START:g} s") from None
            raise

    def tell(self, message: Mapping[str, Any]) -> None:
        """Tell it something that it does not answer.

        Raises:
            PlayerFailed: it has ended, or takes nothing.
        """
        self._link.go()
        self._link.send(messages.encoded(message), running_time() + LONGEST_TO_TAKE, never)
        self._link.rest()

    def ask(self, message: bytes, seconds: float, interrupted: Callable[[], bool]) -> bytes:
        """Its answer to a turn.

        Args:
            message: see :func:`.messages.encoded`.
            seconds: how long it has.
            interrupted: asked now and then.

        Raises:
            PlayerFailed: it has ended, says nothing in time, or has said something before.
            Interrupted: nobody wants the answer any more.
        """
        if said := self._link.said_unasked():
            raise PlayerIllegal(f"out of turn: {shown(said)}")
        return self._answer(message, seconds, interrupted)

    def _answer(self, message: bytes, seconds: float, interrupted: Callable[[], bool]) -> bytes:
        until = running_time() + seconds
        self._link.go()
        self._link.send(message, until, interrupted)
        line = self._link.receive(until, interrupted)
        self._link.rest()
        return line

    def end(self) -> None:
        """Say goodbye, and have it ended."""
        self._link.end()
