"""A bot on a ladder that this server runs itself, in the sandbox: its connection is a process."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from ludarium.arena.submissions import Version, trim_log
from ludarium.core.pickling import Unpicklable
from ludarium.errors import PlayerCrashed
from ludarium.players.programs import Conditions
from ludarium.players.programs.commands import Command
from ludarium.players.programs.process import Process
from ludarium.players.programs.program import Program
from ludarium.web.table.client import Client
from ludarium.web.visitors.visitor import HOUSE

from .link import BotLink
from .room import GONE, NORMAL, Bot

MAX_IDLE = 16
"""Processes that wait for the next game of their bots; the server ends those that have waited longest."""

_ERRORS = "; it last wrote to its standard error: "


class NoClient(Client):
    """Stands in for the socket of a bot without connection."""

    def __init__(self) -> None:
        super().__init__(HOUSE)

    def send(self, text: str) -> None:
        """Drop a message between games."""


class HostedLink:
    """See :class:`ludarium.players.programs.program.Link`. The program's standard error goes to its owner's log only."""

    def __init__(self, process: Process, log: Path, is_gone: Callable[[], bool]) -> None:
        """Connect to a process. Its calls fail once ``is_gone()`` returns True."""
        self._process = process
        self._is_gone = is_gone
        self.is_lost = process.is_lost
        self.go = process.go
        self.rest = process.rest
        self.cpu_seconds = process.cpu_seconds
        self.end = process.end
        process.log_to(log)

    def send(self, message: bytes, until: float, interrupted: Callable[[], bool]) -> None:
        with _without_errors():
            self._process.send(message, until, self._unless_gone(interrupted))

    def receive(self, until: float, interrupted: Callable[[], bool]) -> bytes:
        with _without_errors():
            return self._process.receive(until, self._unless_gone(interrupted))

    def said_unasked(self) -> bytes:
        with _without_errors():
            return self._process.said_unasked()

    def _unless_gone(self, interrupted: Callable[[], bool]) -> Callable[[], bool]:
        def asked() -> bool:
            if self._is_gone():
                raise PlayerCrashed(f"crash: {GONE}")
            return interrupted()

        return asked

    def is_outdated(self) -> bool:
        return False

    def log_to(self, path: Path | None) -> None:
        """Keep the owner's log."""

    def last_words(self) -> str:
        return ""


@contextmanager
def _without_errors() -> Generator[None]:
    """Remove the program's standard error from the reason of a crash, which opponents and spectators see."""
    try:
        yield
    except PlayerCrashed as problem:
        raise PlayerCrashed(str(problem).partition(_ERRORS)[0]) from None


class IdlePrograms:
    """Programs between their games. Threads may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._programs: OrderedDict[int, Program] = OrderedDict()
        self._is_closed = False

    def take(self, of: int) -> Program | None:
        """Remove the program of a bot, and return it."""
        with self._lock:
            return self._programs.pop(of, None)

    def put(self, of: int, program: Program) -> None:
        """Let a program wait."""
        with self._lock:
            self._programs[of] = program
            ended = [
                self._programs.popitem(last=False)[1]
                for _ in range(len(self._programs) if self._is_closed else len(self._programs) - MAX_IDLE)
            ]
        for one in ended:
            one.end()

    def drop(self, of: int) -> None:
        """End the program of a bot, if it waits."""
        if (program := self.take(of)) is not None:
            program.end()

    def close(self) -> None:
        """End all programs, also those that come later."""
        with self._lock:
            self._is_closed = True
            ended = list(self._programs.values())
            self._programs.clear()
        for program in ended:
            program.end()


@dataclass(frozen=True)
class Ready(Unpicklable):
    """A version that can play."""

    send_instead: ClassVar[str] = "send the version"

    version: Version
    command: Command
    log: Path


@dataclass(eq=False)
class HostedBot(Bot):
    """A bot whose process is started when it first plays. The newest version plays the next game."""

    ready: Ready = field(kw_only=True)
    conditions: Conditions = field(kw_only=True)
    idle: IdlePrograms = field(kw_only=True)
    on_quit: Callable[[HostedBot], None] = field(kw_only=True)
    """Called after the bot has left the ladder."""
    played: Version | None = None
    """The version that played the latest game."""

    def borrow(self) -> Program:
        """Return the bot's program, and start it if necessary. Called in the judge's thread.

        Raises:
            PlayerFailed: it cannot be started, or does not greet.
        """
        ready, before = self.ready, self.played
        self.played = ready.version
        program = self.idle.take(self.entrant)
        if program is not None and before is not None and before.number == ready.version.number:
            return program
        if program is not None:
            program.end()
        trim_log(ready.log)
        process = Process(ready.command, self.conditions)
        return Program(HostedLink(process, ready.log, self.link.is_lost))

    def give_back(self, program: Program) -> None:
        """Keep a working program for its next game."""
        self.idle.put(self.entrant, program)

    def quit(self, reason: str, status: int = NORMAL, *, come_back: bool) -> None:
        """End the bot's program. The bot returns later if the ladder allows it."""
        self.idle.drop(self.entrant)
        self.on_quit(self)


def hosted(entrant: int, now: float, **given: Any) -> HostedBot:
    """Return a bot that may enter a room.

    Args:
        now: the event loop's time.
        given: fields of :class:`HostedBot`.
    """
    ready: Ready = given["ready"]
    return HostedBot(entrant, ready.version.name, NoClient(), BotLink(lambda text: None, 0), now, **given)
