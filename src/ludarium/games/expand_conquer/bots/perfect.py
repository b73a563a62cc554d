"""The player who plays perfectly as soon as the position can be solved in the time it has."""

from __future__ import annotations

import functools
import random
import time
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from ludarium.cgt import Value
from ludarium.cgt.solving.solver import Solver, first_that_wins
from ludarium.core.game import Action, Game, State
from ludarium.core.options import Option
from ludarium.errors import TooLarge
from ludarium.players import Player, TimeLeft, never
from ludarium.search import alphabeta

from ..components import Component
from ..rules import DTYPE, place
from .knowledge import Interrupted, Knowledge

SECONDS = 2.0

PERFECT_OPTIONS = (Option("time", "seconds", SECONDS, "time a turn", minimum=0.001),)

VALUING, SOLVING, FINDING = 0.2, 0.6, 0.9
"""The shares of the time after which it stops to value components (on larger boards), to solve the position, and to find an action that wins. What is left is
for alpha-beta."""

LEAST_SEARCH = 0.001
"""Seconds that alpha-beta gets in any case."""

MOST_SOLVED = 64
"""Empty squares beyond which there is no hope to solve a position."""

MOST_BYTES = 256 << 20
"""What the solver of one game remembers, at most."""


class PerfectPlayer(Player):
    """Solves the position as a sum of components and plays an action that wins; where none does, or none is found in time, it searches with alpha-beta.

    On boards of more than 64 squares components that are 0, alone or in pairs, are left out of both searches, and there is an attempt to solve what is left as
    soon as it has 64 empty squares or fewer.
    """

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        self._seconds: float = options["time"]
        self._knowledge = Knowledge(game)
        self._grid = self._knowledge.grid
        self._random = random.Random(seed)

    @functools.cached_property
    def _solver(self) -> Solver:
        """Made for the first choice: whoever only asks whether this player plays a game need not wait for it to be compiled."""
        return Solver(self._knowledge.ruleset, most_bytes=MOST_BYTES)

    def prepare(self, state: State, player: int, time_left: TimeLeft | None = None) -> None:
        """At first, load the machine code of all searches, which takes longer than a thought of some milliseconds."""
        if "_solver" not in self.__dict__:
            nearly_full = self._with_stones(state, [0] + [1] * (state.game.tables.cells - 1))
            for component in self._grid.components(nearly_full):
                self._wins([component], player, time.monotonic() + self._seconds, never)
                self._knowledge.value(component, never)
            alphabeta(state, depth=1)

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        started = time.monotonic()
        actions = state.actions(player)
        if len(actions) == 1:
            return actions[0]

        components = self._grid.components(state)
        if self._grid.rows * self._grid.columns > MOST_SOLVED:
            end = started + VALUING * self._seconds
            components = self._undecided(components, lambda: time.monotonic() > end or interrupted())
        try:
            winning = self._winning(state, player, components, started, interrupted)
        except Interrupted:
            return self._random.choice(actions)
        if winning is not None:
            return winning
        left = max(LEAST_SEARCH, started + self._seconds - time.monotonic())
        searched = self._reduced(state, components)
        if not searched.to_move:  # lost, if all that was left out is 0: any action does
            searched = state
        chosen = alphabeta(searched, seconds=left, interrupted=interrupted, seed=self._random.getrandbits(32)).action
        return state.action(chosen.index, player)

    def _winning(
        self, state: State, player: int, components: list[Component], started: float, interrupted: Callable[[], bool]
    ) -> Action | None:
        """An action that wins; None if there is none, or none is found in time."""
        end = started + FINDING * self._seconds
        if not self._wins(components, player, started + SOLVING * self._seconds, interrupted):
            return None
        actions = {self._grid.filled_by(state, cast(int, action.index)): action for action in reversed(state.actions(player))}
        after = [
            (
                action,
                [one for one in components if one is not component]
                + self._grid.after(component, player, filled, self._knowledge.all_small),
            )
            for filled, action in actions.items()
            for component in components
            if filled & component.empty
        ]
        self._random.shuffle(after)
        found = first_that_wins(after, lambda one, until: self._wins(one[1], 1 - player, until, interrupted), end)
        return None if found is None else found[0]

    def _wins(self, components: list[Component], player: int, until: float, interrupted: Callable[[], bool]) -> bool | None:
        """Whether the player to move wins a sum of components; None if that is not known in time."""

        def look(searched: int) -> None:
            if interrupted():
                raise Interrupted

        if not components:
            return False
        if sum(component.size for component in components) > MOST_SOLVED:
            return None
        positions = [words for component in components if (words := self._grid.words(component)) is not None]
        left = until - time.monotonic()
        if len(positions) < len(components) or left <= 0:
            return None
        try:
            return self._solver.wins(positions[0], player, others=positions[1:], seconds=left, progress=look)
        except TooLarge:
            return None

    def _undecided(self, components: list[Component], interrupted: Callable[[], bool]) -> list[Component]:
        """What is left of components without those that are 0, and pairs of which one is the other's negative."""
        known: dict[Value, list[Component]] = {}
        left: list[Component] = []
        for component in sorted(components, key=lambda one: one.size):
            exact = None if interrupted() else self._knowledge.value(component, interrupted)
            if exact is None:
                left.append(component)
            elif opposite := known.get(-exact):
                opposite.pop()
            elif exact != 0:
                known.setdefault(exact, []).append(component)
        return left + [component for same in known.values() for component in same]

    def _reduced(self, state: State, components: list[Component]) -> State:
        """The state with stones in all empty squares that belong to none of the components: they end no group's moves elsewhere."""
        kept = 0
        for component in components:
            kept |= component.empty
        squares = state.record.board[: state.game.tables.cells].tolist()
        board = [owner or int(not kept >> cell & 1) for cell, owner in enumerate(squares)]
        return state if board == squares else self._with_stones(state, board)

    def _with_stones(self, state: State, board: list[int]) -> State:
        """The same player to move on another board."""
        records = np.zeros(1, DTYPE)
        place(state.game.tables, records[0], board, state.to_move[0])
        return State(state.game, records)
