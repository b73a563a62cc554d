"""The player that searches over sealed programs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ludarium.core.game import Action, Game, State
from ludarium.core.jit import plain
from ludarium.core.options import Option
from ludarium.core.random import generator_from
from ludarium.core.slices import Slices
from ludarium.errors import BadOption
from ludarium.players import Player, TimeLeft, never

from ..actions import PLACE, PLACE_NOOP, ROLL, SAY_RUN, SAY_SHUTDOWN
from ..actions import TARGET as TARGET_ACTION
from ..phases.programming import hand
from ..solo.tables import SoloTables
from ..tables import PHASE, ROBOTS, are_placed
from .courses import Courses
from .planner_player import MOST_SHUTDOWNS
from .scratch import make_scratch
from .sealed import PREPARE, PRIOR_VISITS, PROGRAM, SHUTDOWN, TARGET, search_kernel
from .searching import make_search

SECONDS = 0.2

RACER_OPTIONS = (
    Option("time", "seconds", None, f"time a decision ({SECONDS * 1000:.0f}ms unless sims is given)", minimum=0.001),
    Option("sims", "whole number", None, "turns to simulate for a decision, instead of time", minimum=1, shared_maximum=1_000_000),
)

SLICE = 64
"""Simulations before the first look at the clock, or, without one, between questions whether to go on; some tenths of a millisecond."""

SOUND = 4
"""Health above which there is nothing that a shutdown could unlock."""


class RacerPlayer(Player):
    """Simulates turns with its own programs and those that others may have made, and takes what brings it the best chances in the race.

    It pushes, shoots, hacks, gets out of the way and shuts down where that is worth more than to drive on. Limited by ``sims``, equal seeds give equal games
    where the board was solved when the game began.
    """

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        """Prepare for a game.

        Raises:
            BadOption: both limits are given.
        """
        if options["sims"] is not None and options["time"] is not None:
            raise BadOption("player racer: sims and time are two limits; give one of them")
        self._sims: int | None = options["sims"]
        self._seconds: float = options["time"] or SECONDS
        self._random = random.Random(seed)
        self._generator = generator_from(seed)
        self._scratch, self._search = make_scratch(), make_search()
        self._courses = Courses()
        self._solos: tuple[SoloTables, ...] = ()
        self._plan: dict[tuple[int, bytes], int | None] = {}
        """What was decided on, by turn and dice in hand: an action that places a die, or None to roll."""
        self._shutdowns: list[int] = []
        """The turns of the latest shutdowns in a row."""

    def prepare(self, state: State, player: int, time_left: TimeLeft | None = None) -> None:
        if are_placed(state.record):
            self._courses.prepare(state, _own_first(state, player))

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        phase = int(state.record.phase)
        if phase == PHASE.PROGRAM:
            return state.action(self._program(state, player, interrupted), player)
        if phase == PHASE.SHUTDOWN and are_placed(state.record):
            return state.action(self._declare(state, player, interrupted), player)
        if phase == PHASE.HACK:
            return state.action(self._aim(state, player, interrupted), player)
        return self._random.choice(state.actions(player))

    def _declare(self, state: State, player: int, interrupted: Callable[[], bool]) -> int:
        turn = int(state.record.turn)
        if self._shutdowns and self._shutdowns[-1] != turn - 1:
            self._shutdowns.clear()
        if int(state.record.health[player]) > SOUND or len(self._shutdowns) == MOST_SHUTDOWNS:
            return SAY_RUN
        self._search.codes[:2] = (SAY_RUN, SAY_SHUTDOWN)
        action = self._compare(state, player, SHUTDOWN, 2, interrupted)
        if action == SAY_SHUTDOWN:
            self._shutdowns.append(turn)
        return action

    def _aim(self, state: State, player: int, interrupted: Callable[[], bool]) -> int:
        targets = [int(cast("int", action.index)) - TARGET_ACTION for action in state.actions(player)]
        self._search.codes[: len(targets)] = targets
        return TARGET_ACTION + self._compare(state, player, TARGET, len(targets), interrupted)

    def _compare(self, state: State, player: int, task: int, count: int, interrupted: Callable[[], bool]) -> int:
        """Simulate a few options equally often; the code of the one with the best mean."""
        search = self._search
        self._look_at(state, player)
        search.counts[:] = (count, 0)
        search.visits[:count] = 0
        search.sums[:count] = 0.0
        self._run(state, player, task, interrupted)
        return int(search.codes[int(np.argmax(search.sums[:count] / search.visits[:count]))])

    def _program(self, state: State, player: int, interrupted: Callable[[], bool]) -> int:
        record, search = state.record, self._search
        turn, hand_now = int(record.turn), record.dice[player].tobytes()
        if (turn, hand_now) not in self._plan or not state.game.tables.screens:
            self._look_at(state, player)
            self._simulate(state, player, PREPARE, 0)
            self._run(state, player, PROGRAM, interrupted)
            count = int(search.counts[0])
            visits = search.visits[:count]
            shift = search.surprise[0] / max(1, int(search.counts[1]))
            means = (PRIOR_VISITS * (search.prior[:count] + shift) + search.sums[:count]) / (PRIOR_VISITS + visits)
            best = int(np.argmax(np.where(visits > 0, means, -np.inf)))
            self._plan = {(turn, dice): action for dice, action in _placements(int(search.codes[best]), record.dice[player].copy())}
        action = self._plan.pop((turn, hand_now))
        return ROLL + (plain(hand)(record, player) if state.game.tables.reroll_any else 0) if action is None else action

    def _run(self, state: State, player: int, task: int, interrupted: Callable[[], bool]) -> None:
        """Simulate until the limit."""
        if self._sims is None:
            slices = Slices(self._seconds, SLICE)
            while size := slices.next():
                self._simulate(state, player, task, size)
                slices.did(size)
                if interrupted():
                    break
            return
        for done in range(0, self._sims, SLICE):
            self._simulate(state, player, task, min(SLICE, self._sims - done))
            if interrupted():
                return

    def _simulate(self, state: State, player: int, task: int, simulations: int) -> None:
        search_kernel(state.game.tables, player, self._solos, self._search, self._scratch, self._generator, task, simulations)

    def _look_at(self, state: State, player: int) -> None:
        """Take a new state in hand."""
        own_first = _own_first(state, player)
        racers = dict(zip(own_first, self._courses.of(state, own_first), strict=True))
        self._solos = tuple(racers[min(robot, state.game.players - 1)].tables for robot in range(ROBOTS))
        self._search.states[0] = state.record


def _own_first(state: State, player: int) -> list[int]:
    return sorted(range(state.game.players), key=lambda robot: robot != player)


def _placements(code: int, dice: NDArray[np.int8]) -> Iterator[tuple[bytes, int | None]]:
    """The actions of a way, each with the dice in hand then; None at the end rolls, if there is still something to fill."""
    while code:
        word = (code & 15) - 1
        yield dice.tobytes(), (PLACE_NOOP if word & 1 else PLACE) + (word >> 1)
        dice[word >> 1] = 0
        code >>= 4
    yield dice.tobytes(), None
