"""Programs that play for whoever chooses them: each has its share of few conversations, and takes up its own again when it is to move."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from ludarium.core.course import Course
from ludarium.core.game import Action, State
from ludarium.core.sight import Sight
from ludarium.errors import PlayerFailed
from ludarium.players import Player, TimeLeft, never
from ludarium.players.base import first_legal
from ludarium.players.programs import Conditions
from ludarium.players.programs.bots import Bot
from ludarium.players.programs.player import ProgramPlayer
from ludarium.players.programs.pool import Pool, end_all
from ludarium.players.programs.process import Interrupted

from .turns import LONGEST_THOUGHT

LATE = 0.1
"""Seconds by which a program's answer may be late."""

LAST_WORDS = "; it last wrote to its standard error: "


class SeenCourse(Course):
    """A course as it was when somebody looked at it: the one that is played changes meanwhile, on another thread."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self.look()

    def look(self) -> None:
        self.steps, self.outcome = list(self._course.steps), self._course.outcome


class Conversations:
    """Those that go on. Threads may use it, as many as programs may think at once."""

    def __init__(self, most: int) -> None:
        """``most``: how many there may be, each with a process or a connection of its own."""
        self.most = most
        self._idle: dict[OfferedProgram, ProgramPlayer] = {}
        """Those in which nobody is to say anything now, longest first."""
        self._taken = 0
        self._lock = threading.Lock()
        self.is_closed = False

    def take(self, program: OfferedProgram) -> ProgramPlayer | None:
        """A program's conversation, if it goes on; else there is room for a new one now. Either is given back, or dropped."""
        with self._lock:
            mine = self._idle.pop(program, None)
            self._taken += 1
            too_many = mine is None and len(self._idle) + self._taken > self.most and self._idle
            other = self._idle.pop(next(iter(self._idle))) if too_many else None
        if other is not None:
            other.close()
        return mine

    def give_back(self, program: OfferedProgram, talk: ProgramPlayer) -> None:
        with self._lock:
            self._taken -= 1
            self._idle[program] = talk

    def drop(self) -> None:
        """One that was taken has ended."""
        with self._lock:
            self._taken -= 1

    def end(self, program: OfferedProgram) -> None:
        """A program's game is over, or left."""
        with self._lock:
            talk = self._idle.pop(program, None)
        if talk is not None:
            talk.close()

    def close(self) -> None:
        """End all programs. What asks one for an answer is interrupted before."""
        self.is_closed = True
        for program in list(self._idle):
            self.end(program)
        end_all()


class OfferedProgram(Player):
    """A program in one game on the pages. Between its turns another game may have its process; then it is told its own game from the beginning again."""

    sees_clock: ClassVar[bool] = True

    def __init__(self, bot: Bot, conditions: Conditions, conversations: Conversations, seed: int) -> None:
        self._bot = bot
        self._conditions = conditions
        self._conversations = conversations
        self._seed = seed
        self._seat: int | None = None
        self._course: SeenCourse | None = None
        self._time_left: TimeLeft | None = None

    def sit(self, sight: Sight, log: Path | None = None) -> None:
        self._course, self._seat = SeenCourse(sight.course), sight.player

    def look(self) -> None:
        """Know the course as it stands. Called on the thread that changes it, before a thought and before the end."""
        if self._course is not None:
            self._course.look()

    def prepare(self, state: State, player: int, time_left: TimeLeft | None = None) -> None:
        self._time_left = time_left

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        def unwanted() -> bool:
            return interrupted() or self._conversations.is_closed

        talk = self._conversations.take(self)
        if talk is not None and talk.is_lost:  # a connection on which nothing was said for long
            talk = None
        try:
            talk = talk or self._begin(unwanted)
            talk.prepare(state, player, _bounded(self._time_left))
            action = talk.choose(state, player, unwanted)
        except BaseException as problem:
            self._conversations.drop()
            if talk is not None:
                talk.close()
            if isinstance(problem, Interrupted):
                return first_legal(state, player)
            if isinstance(problem, PlayerFailed):
                raise type(problem)(str(problem).partition(LAST_WORDS)[0]) from None  # which whoever plays need not read
            raise
        if talk.is_lost:  # it was interrupted
            self._conversations.drop()
        else:
            self._conversations.give_back(self, talk)
        return action

    def _begin(self, unwanted: Callable[[], bool]) -> ProgramPlayer:
        assert self._course is not None
        talk = ProgramPlayer(Pool(self._bot, self._conditions, unwanted), self._seed)
        try:
            talk.sit(Sight(self._course, self._seat))
        except BaseException:
            talk.close()
            raise
        return talk

    def close(self) -> None:
        self._conversations.end(self)


def _bounded(time_left: TimeLeft | None) -> TimeLeft:
    """What a program is told of its time, and how long it is waited for."""
    if time_left is None or (time_left.is_per_action and time_left.seconds > LONGEST_THOUGHT):
        return TimeLeft(LONGEST_THOUGHT, 0.0, is_per_action=True, patience=LONGEST_THOUGHT + LATE)
    return replace(time_left, patience=min(time_left.seconds, LONGEST_THOUGHT) + LATE)
