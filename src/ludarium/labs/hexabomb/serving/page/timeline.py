"""The course of a networked game as the page keeps it: what was carried out on each turn, and a state now and then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast, overload

import numpy as np

from ludarium.core import faces
from ludarium.core.course import Step
from ludarium.core.game import Action, Outcome, State
from ludarium.core.timeline import Event, Timeline
from ludarium.games.hexabomb.game import Hexabomb
from ludarium.games.hexabomb.notation.messages import message_text

__all__ = ["ServedTimeline"]

BETWEEN = 64
"""Turns from one state that is kept to the next. Those between them are played again when they are looked at, which takes microseconds a turn."""


class _Steps(Sequence[Step]):
    """The steps of a game: tens of bytes a turn, so that the longest game fits."""

    def __init__(self, game: Hexabomb) -> None:
        self.game = game
        self._turns: list[bytes] = []
        self._kept = [game.start()]
        self._latest = self._kept[0]

    def append(self, orders: bytes) -> None:
        """One turn more: what was carried out, ``int16[players, slots]``."""
        self._turns.append(orders)
        self._latest = self._after(self._latest, orders)
        if len(self._turns) % BETWEEN == 0:
            self._kept.append(self._latest)

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
        return Step(self.state(ply), self.actions(ply, with_text=True) if ply else {})

    def state(self, ply: int) -> State:
        if ply == len(self._turns):
            return self._latest
        state = self._kept[ply // BETWEEN]
        for orders in self._turns[ply - ply % BETWEEN : ply]:
            state = self._after(state, orders)
        return state

    def states(self, first: int) -> Iterator[State]:
        """From a ply on, one after the other."""
        state = self.state(first)
        yield state
        for orders in self._turns[first:]:
            state = self._after(state, orders)
            yield state

    def actions(self, ply: int, *, with_text: bool) -> dict[int, Action]:
        """What led to the position of a ply."""
        tables = self.game.tables
        found: dict[int, Action] = {}
        for player, orders in enumerate(self._joint(self._turns[ply - 1]).tolist()):
            found[player] = Action(
                tuple(orders) if self.game.dimensions.slots > 1 else orders[0], message_text(tables, player, orders) if with_text else ""
            )
        return found

    def _joint(self, orders: bytes) -> np.ndarray[Any, Any]:
        return np.frombuffer(orders, np.int16).reshape(self.game.players, self.game.dimensions.slots).astype(np.int64)

    def _after(self, state: State, orders: bytes) -> State:
        """Without a look at whether the orders are legal: they have been carried out already."""
        records = state.copy_records()
        faces.apply_actions_face(self.game.tables, records, self._joint(orders))
        return State(self.game, records)


class ServedTimeline(Timeline):
    """A timeline that is told what has happened elsewhere, and computes what is asked of it."""

    def __init__(self, game: Hexabomb) -> None:
        self.steps = cast("list[Step]", _Steps(game))
        self._served = cast("_Steps", self.steps)
        self._moves: list[str] = []
        self._measures: dict[str, list[tuple[float, ...]]] = {
            name: [numbers] for name, numbers in game.show.measures_of(game.start()).items()
        }

    @property
    def game(self) -> Hexabomb:
        return self._served.game

    @property
    def state(self) -> State:
        return self._served.state(self.ply)

    @property
    def outcome(self) -> Outcome | None:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.state.outcome

    @property
    def events(self) -> list[Event]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Made anew each time."""
        found: list[Event] = [{"event": "start", "position": self.steps[0].state.text}]
        for ply in range(1, len(self.steps)):
            actions = self._served.actions(ply, with_text=True)
            found.append({"event": "action", "actions": {str(player): action.text for player, action in actions.items()}})
        if self.outcome is not None:
            found.append({"event": "end", "returns": list(self.outcome.returns), "reason": self.outcome.reason})
        return found

    def advance(self, orders: bytes) -> None:
        """A turn was played: ``int16[players, slots]``."""
        self._served.append(orders)

    def course(self) -> tuple[list[str], dict[str, list[tuple[float, ...]]]]:
        """What the list of moves says of every step, and the game's measures in every position."""
        done = len(self._moves)
        for ply, state in enumerate(self._served.states(done), start=done):
            if ply == done:
                before = state
                continue
            self._moves.append(self.game.show.text_of(before, self._served.actions(ply, with_text=False)))
            for name, numbers in self.game.show.measures_of(state).items():
                self._measures[name].append(numbers)
            before = state
        return self._moves, self._measures
