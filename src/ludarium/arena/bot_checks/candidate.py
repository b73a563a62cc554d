"""The program that is checked: what it is told, what it answers, and in words what is wrong with that."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from ludarium.core.game import Action, State
from ludarium.core.running_time import running_time
from ludarium.errors import PlayerCrashed, PlayerFailed, PlayerTimeout
from ludarium.players import TimeLeft, never
from ludarium.players.base import first_legal
from ludarium.players.programs import messages
from ludarium.players.programs.bots import Address, Bot
from ludarium.players.programs.building import build
from ludarium.players.programs.commands import Command
from ludarium.players.programs.conditions import Conditions
from ludarium.players.programs.player import LONGEST_SILENCE
from ludarium.players.programs.process import Interrupted, Process, shown
from ludarium.players.programs.program import LONGEST_START, LONGEST_TO_TAKE
from ludarium.players.programs.websocket import WebSocket

IDLE = 5.0
"""Seconds after which a program that has used no processor time meanwhile is not waited for any longer, where no clock runs."""

NOTHING = 0.1
"""Seconds of processor time that are as good as none: what a language's own threads use while the program waits."""

PAUSE = 0.15
"""Seconds that a slow host lets pass."""

READY = '{"type":"ready"}'

TO_END = 2.0
"""Seconds that a program has to end when its input is closed. The judge gives it less, but what is found wrong here is to be wrong on busy computers too."""


class Fault(Exception):
    """Something that the bot does wrong."""

    def __init__(self, words: str, *, sent: bytes = b"", right: str = "", asked: Mapping[str, Any] | None = None) -> None:
        super().__init__(words)
        self.words = words
        self.sent = shown(sent) if sent else ""
        self.right = right
        self.asked = messages.encoded(asked).decode().strip() if asked else ""


class RoughProcess(Process):
    """A process whose judge is slow and in the way, when it is told to be."""

    is_slow_as: ClassVar[str] = "lines came in two parts, and it was stopped while it thought"
    ends_as: ClassVar[str] = "it ended when its input was closed"
    goes_on_as: ClassVar[str] = f"its input was closed, and it still runs after {TO_END:g} s: it will be killed"
    in_pieces = False
    """Whether lines come in two parts."""
    in_jolts = False
    """Whether the program is stopped while it thinks."""

    def send(self, message: bytes, until: float, interrupted: Callable[[], bool]) -> None:
        if self.in_pieces:
            middle = len(message) // 2
            super().send(message[:middle], until, interrupted)
            time.sleep(PAUSE)
            message = message[middle:]
        super().send(message, until, interrupted)

    def receive(self, until: float, interrupted: Callable[[], bool]) -> bytes:
        for _ in range(3 if self.in_jolts else 0):
            self.stop()
            time.sleep(PAUSE / 3)
            self.go()
            time.sleep(PAUSE / 30)
        return super().receive(until, interrupted)


class RoughWebSocket(WebSocket):
    """A connection to a bot on another computer, which cannot be stopped from here."""

    is_slow_as: ClassVar[str] = "messages came in two frames"
    ends_as: ClassVar[str] = "it agreed that the connection was closed"
    goes_on_as: ClassVar[str] = f"the connection was closed, and it did not answer that within {TO_END:g} s"
    in_pieces = False
    in_jolts = False

    def send(self, message: bytes, until: float, interrupted: Callable[[], bool]) -> None:
        if not self.in_pieces:
            super().send(message, until, interrupted)
            return

        async def frames(text: str) -> AsyncGenerator[str]:
            middle = len(text) // 2
            yield text[:middle]
            await asyncio.sleep(PAUSE)
            yield text[middle:]

        self.send_text(frames(message.decode().rstrip("\n")), until, interrupted)

    def wait_for_end(self) -> None:
        """What is left of it is not for this computer to know."""


class Candidate:
    """A running bot. After a :class:`Fault` it has to be ended: it may be in the middle of anything."""

    def __init__(self, bot: Bot, conditions: Conditions, log: Path) -> None:
        """Start and greet it; its errors go to ``log``.

        Raises:
            Fault: it does not start, or does not greet.
        """
        self.seconds: list[float] = []
        """How long each answer to a turn took."""
        self._told: Mapping[str, Any] = messages.HELLO
        try:
            if isinstance(bot, Command):
                build(bot, conditions)  # not counted as part of its start
            started = running_time()
            self.process = RoughWebSocket(bot.url) if isinstance(bot, Address) else RoughProcess(bot, conditions)
        except PlayerCrashed as problem:
            raise Fault(str(problem).replace("\\n", "\n")) from None  # a compiler says it in several lines
        try:
            self.process.log_to(log)
            line = self._answer(messages.HELLO, LONGEST_START, True, READY)
            try:
                self.wishes = messages.read_ready(line)
            except PlayerFailed as problem:
                raise Fault(_reason(problem, line), sent=line, right=READY, asked=messages.HELLO) from None
        except BaseException:
            self.end()
            raise
        self.seconds_to_start = running_time() - started

    def end(self) -> None:
        """End it with all that it has started, and wait for that."""
        self.process.end()
        self.process.wait_for_end()

    def tell(self, message: Mapping[str, Any]) -> None:
        """Tell it something that is not answered."""
        self._told = message
        self.process.go()
        try:
            self.process.send(messages.encoded(message), running_time() + LONGEST_TO_TAKE, never)
        except PlayerTimeout:
            raise Fault("it does not read its input", asked=message) from None
        except PlayerFailed as problem:
            raise Fault(_crash(problem), asked=message) from None
        self.process.rest()

    def listen(self) -> None:
        """Give it time to say something more, where nothing more is to be said."""
        self.process.go()
        until = running_time() + PAUSE
        while running_time() < until:
            self._expect_silence()
            time.sleep(PAUSE / 20)
        self.process.rest()

    def _expect_silence(self) -> None:
        try:
            said = self.process.said_unasked()
        except PlayerFailed as problem:
            raise Fault(_crash(problem), asked=self._told) from None
        if said:
            kind = self._told["type"]
            what = f'more than one line to "{kind}"' if kind in ("hello", "turn") else f'an answer to "{kind}"'
            right = 'one line to each "hello" and "turn", and nothing else'
            raise Fault(f"out of turn: it sent {what}", sent=said, right=right, asked=self._told)

    @property
    def send(self) -> Collection[str]:
        return self.wishes.send

    def turn(self, message: Mapping[str, Any], state: State, seat: int, time_left: TimeLeft | None) -> tuple[Action, float]:
        """Its action, and the seconds that it took."""
        right = _right_answer(state, seat)
        started = running_time()
        line = self._answer(message, time_left.patience if time_left else LONGEST_SILENCE, time_left is None, right)
        seconds = running_time() - started
        if not (self.process.in_pieces or self.process.in_jolts):
            self.seconds.append(seconds)
        try:
            return messages.read_action(line, state, seat), seconds
        except PlayerFailed as problem:
            raise Fault(_reason(problem, line), sent=line, right=right, asked=message) from None

    def _answer(self, message: Mapping[str, Any], seconds: float, hurries: bool, right: str) -> bytes:
        self._expect_silence()
        self._told = message
        idle = _Idle(self.process) if hurries else never
        started = running_time()
        try:
            self.process.go()
            self.process.send(messages.encoded(message), started + seconds, idle)
            line = self.process.receive(started + seconds, idle)
        except (Interrupted, PlayerTimeout) as problem:
            words, late = self._why_late(message, started, isinstance(problem, Interrupted))
            raise Fault(words, sent=late, right=right, asked=message) from None
        except PlayerFailed as problem:
            raise Fault(_crash(problem), right=right, asked=message) from None
        self.process.rest()
        return line

    def _why_late(self, message: Mapping[str, Any], started: float, is_idle: bool) -> tuple[str, bytes]:
        """Why an answer did not come in time, and the answer if it comes at all."""
        waited = running_time() - started
        words = f'timeout: no answer to "{message["type"]}" in {waited:.1f} s'
        if not is_idle:
            with suppress(PlayerFailed):
                late = self.process.receive(running_time() + IDLE, never)
                return f"{words}, which is its time; it came after {running_time() - started:.2f} s", late
        late, _ = self.process.hang_up(TO_END)
        if late:
            return f"{words}. It came when the input was closed, so the output waits somewhere: flush it after every line", late
        return f"{words}, and it did nothing meanwhile" if is_idle else f"{words}, which is its time", late


class _Idle:
    """Asked while an answer does not come: whether the program has used no processor time for a while, and so thinks of nothing."""

    def __init__(self, process: Process | WebSocket) -> None:
        self._process = process
        self._since, self._used = 0.0, -1.0

    def __call__(self) -> bool:
        used = self._process.cpu_seconds()
        if self._used < 0 or used > self._used + NOTHING:
            self._since, self._used = running_time(), used
        return running_time() > self._since + IDLE


def _crash(problem: PlayerFailed) -> str:
    """How it ended, or what it wrote without an end. What it wrote to its standard error is told apart from that."""
    return str(problem).partition("; it last wrote to its standard error: ")[0]


def _reason(problem: PlayerFailed, line: bytes) -> str:
    """What is wrong with a line, which is told beside it."""
    return str(problem).removesuffix(f": {shown(line)}")


def _right_answer(state: State, seat: int) -> str:
    """A line that is one."""
    choice = first_legal(state, seat)
    if state.game.orders is None:
        return json.dumps({"type": "action", "action": choice.text})
    return json.dumps({"type": "action", "action": choice.index})
