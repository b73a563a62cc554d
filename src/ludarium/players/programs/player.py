"""A program as a player: it is told what happens, and asked when it is to move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, Protocol

from ludarium.core.course import Course
from ludarium.core.game import Action, State
from ludarium.core.sight import Sight
from ludarium.errors import PlayerFailed, PlayerTimeout
from ludarium.players.base import Player, TimeLeft, first_legal, never

from . import messages
from .process import Interrupted
from .program import Program

LONGEST_SILENCE = 60.0
"""Seconds that a program has for a turn where no clock runs."""


class Lender(Protocol):
    """Has programs that play: :class:`.pool.Pool`."""

    def borrow(self) -> Program:
        """One for a game. Raises: PlayerFailed: there is none."""
        ...

    def give_back(self, program: Program) -> None:
        """One that is well can play the next game. Those that are not are ended instead."""
        ...


class ProgramPlayer(Player):
    """A program, borrowed for one game."""

    sees_clock: ClassVar[bool] = True

    def __init__(
        self, lender: Lender, seed: int, also_told: Mapping[str, Any] | None = None, told_at_end: Mapping[str, Any] | None = None
    ) -> None:
        """Play with a program of a lender.

        Args:
            also_told: extra keys of the ``game`` message.
            told_at_end: extra keys of the ``result`` message.
        """
        self._lender = lender
        self._also_told = dict(also_told or {})
        self._told_at_end = dict(told_at_end or {})
        self._seed = seed
        self._program: Program | None = None
        self._news: messages.News | None = None
        self._course: Course | None = None
        self._log: Path | None = None
        self._message = b""
        self._patience = LONGEST_SILENCE

    def sit(self, sight: Sight, log: Path | None = None) -> None:
        assert sight.player is not None
        self._news, self._course = messages.News(sight), sight.course
        self._program = self._lender.borrow()
        self._log = log
        self._program.log_to(log)
        self._tell(messages.new_game(sight.state(0), sight.player, self._seed, sight.course.opening) | self._also_told)

    def _tell(self, message: Mapping[str, Any]) -> None:
        assert self._program is not None
        try:
            self._program.tell(message)
        except PlayerFailed:
            self._drop()
            raise

    def _drop(self) -> None:
        """End the program: what it may say next belongs to nothing any more."""
        assert self._program is not None
        self._program.log_to(self._log)  # all of it, before anybody reads it
        self._program.end()
        self._program = None

    def prepare(self, state: State, player: int, time_left: TimeLeft | None = None) -> None:
        assert self._news is not None
        assert self._program is not None
        self._message = messages.encoded(messages.turn(state, player, self._news, time_left, self._program.wishes.send))
        self._patience = LONGEST_SILENCE if time_left is None else time_left.patience

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        assert self._program is not None
        try:
            line = self._program.ask(self._message, self._patience, interrupted)
        except Interrupted:
            self._drop()
            return first_legal(state, player)
        except PlayerTimeout as problem:
            told = self._program.last_words()
            self._drop()
            raise PlayerTimeout(f"{problem}{told}") from None
        except PlayerFailed:
            self._drop()
            raise
        try:
            action = messages.read_action(line, state, player)
        except PlayerFailed as problem:
            told = self._program.last_words()
            if isinstance(problem, messages.GivenUp):
                self._drop()
            raise type(problem)(f"{problem}{told}") from None
        self.grown = messages.read_growth(line)
        return action

    @property
    def is_lost(self) -> bool:
        """Whether it is known that its program plays no longer."""
        return self._program is None or self._program.is_lost()

    def cpu_seconds(self) -> float:
        return self._program.cpu_seconds() if self._program else 0.0

    def close(self) -> None:
        if self._program is not None and self._news is not None and self._course is not None and self._course.outcome is not None:
            with suppress(PlayerFailed):  # the game is over: what a program does now costs it nothing
                self._tell(messages.result(self._course.outcome, self._news) | self._told_at_end)
        program, self._program = self._program, None
        if program is not None:
            program.log_to(self._log)
            self._lender.give_back(program)
