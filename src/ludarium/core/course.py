"""How a game has gone so far, for whoever only reads it."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .game import Action, Game, Outcome, State


class _Packed(NamedTuple):
    """A compressed state: a few hundred bytes, because most of a record is unused room for its history."""

    game: Game
    record: bytes
    movers: tuple[int, ...]

    @classmethod
    def of(cls, state: State) -> _Packed:
        return cls(state.game, zlib.compress(state.record.tobytes(), 1), state.to_move)

    def state(self) -> State:
        return State(self.game, np.frombuffer(bytearray(zlib.decompress(self.record)), self.game.dtype), self.movers)


class Step:
    """A state and what led to it: each player's action (``{CHANCE: outcome}`` at dice), nothing for the first."""

    __slots__ = ("_state", "actions")

    def __init__(self, state: State, actions: Mapping[int, Action]) -> None:
        self._state: State | _Packed = state
        self.actions = actions

    @property
    def state(self) -> State:
        """The state. A packed step returns a new, equal object each time."""
        held = self._state
        return held.state() if isinstance(held, _Packed) else held

    @property
    def action(self) -> Action | None:
        """The action that led here, where one player or chance acted alone."""
        return next(iter(self.actions.values())) if len(self.actions) == 1 else None

    def pack(self) -> None:
        """Compress the state, and forget the states to which the actions refer."""
        if isinstance(self._state, State):
            self.actions = {player: Action(action.index, action.text) for player, action in self.actions.items()}
            self._state = _Packed.of(self._state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Step) and (self.state, self.actions) == (other.state, other.actions)

    def __repr__(self) -> str:
        return f"Step(state={self.state!r}, actions={self.actions!r})"


class Course:
    """A game's steps from its first state on, wherever they come from: what :class:`~ludarium.core.sight.Sight` shows of, and pages.

    :class:`~ludarium.core.timeline.Timeline` is the one that is played here.
    """

    steps: Sequence[Step]
    opening: Sequence[Step] = ()
    """Steps from the initial position to the first state, for games without secrets that start after random plies."""
    outcome: Outcome | None = None

    @property
    def state(self) -> State:
        """The latest state."""
        return self.steps[-1].state

    @property
    def game(self) -> Game:
        return self.state.game

    @property
    def ply(self) -> int:
        """How many steps have been taken and not taken back."""
        return len(self.steps) - 1

    @property
    def is_over(self) -> bool:
        return self.outcome is not None
