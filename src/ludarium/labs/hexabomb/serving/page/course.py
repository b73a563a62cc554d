"""The course of a networked game as the page keeps it: what was carried out on each turn, and a state now and then."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, overload

import numpy as np

from ludarium.core import faces
from ludarium.core.course import Course, Step
from ludarium.core.game import Action, State
from ludarium.games.hexabomb.game import Hexabomb
from ludarium.games.hexabomb.notation.messages import message_text

BETWEEN = 64
"""Turns from one state that is kept to the next. Those between them are played again when they are looked at, which takes microseconds a turn."""


class _Steps(Sequence[Step]):
    """The steps of a game: tens of bytes a turn, so that the longest game fits."""

    def __init__(self, game: Hexabomb) -> None:
        self.latest = game.start()
        self._game = game
        self._turns: list[bytes] = []
        self._kept = [self.latest]
        self._block = lru_cache(2)(self._begun)

    def append(self, orders: bytes) -> None:
        """One turn more: what was carried out, ``int16[players, slots]``."""
        self._turns.append(orders)
        self.latest = self._after(self.latest, orders)
        if len(self._turns) % BETWEEN == 0:
            self._kept.append(self.latest)

    def __len__(self) -> int:
        return len(self._turns) + 1

    @overload
    def __getitem__(self, index: int) -> Step: ...

    @overload
    def __getitem__(self, index: slice) -> list[Step]: ...

    def __getitem__(self, index: int | slice) -> Step | list[Step]:
        if isinstance(index, slice):
            return [self[ply] for ply in range(*index.indices(len(self)))]
        ply = range(len(self))[index]
        block = self._block(ply // BETWEEN)
        for earlier in range(ply - ply % BETWEEN + len(block) - 1, ply):
            block.append(Step(self._after(block[-1].state, self._turns[earlier]), self._actions(earlier)))
        return block[ply % BETWEEN]

    def _begun(self, number: int) -> list[Step]:
        """The first of the steps from one state that is kept to the next; the others are appended when they are asked for."""
        return [Step(self._kept[number], self._actions(number * BETWEEN - 1) if number else {})]

    def _actions(self, turn: int) -> dict[int, Action]:
        several = self._game.dimensions.slots > 1
        orders = enumerate(self._joint(self._turns[turn]).tolist())
        return {
            player: Action(tuple(given) if several else given[0], message_text(self._game.tables, player, given))
            for player, given in orders
        }

    def _joint(self, orders: bytes) -> np.ndarray[Any, Any]:
        return np.frombuffer(orders, np.int16).reshape(self._game.players, self._game.dimensions.slots).astype(np.int64)

    def _after(self, state: State, orders: bytes) -> State:
        """Without a look at whether the orders are legal: they have been carried out already."""
        records = state.copy_records()
        faces.apply_actions_face(self._game.tables, records, self._joint(orders))
        return State(self._game, records)


class ServedCourse(Course):
    """A course that is told what has happened elsewhere; nothing is hidden in it."""

    def __init__(self, game: Hexabomb) -> None:
        self.steps = self._steps = _Steps(game)

    def advance(self, orders: bytes) -> None:
        """A turn was played: ``int16[players, slots]``."""
        self._steps.append(orders)
        self.outcome = self.state.outcome

    @property
    def state(self) -> State:
        return self._steps.latest
