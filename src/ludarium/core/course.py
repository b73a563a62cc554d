"""How a game has gone so far, for whoever only reads it."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from .game import Action, Game, Outcome, State
from .leaving import LEAVING, still_to_move


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
    """A state and what led to it: each player's action (``{CHANCE: outcome}`` at dice), nothing for the first.

    Where players have left the game, their actions have the index ``LEAVING``, and no others are in the step.
    """

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
        """The action that led here, if one player or chance acted alone; None for several actions and after a player left."""
        return next(iter(self.actions.values())) if len(self.actions) == 1 and not self.is_leaving else None

    @property
    def is_leaving(self) -> bool:
        """True if players have left in this step."""
        return any(action.index == LEAVING for action in self.actions.values())

    def pack(self) -> None:
        """Compress the state, and forget the states to which the actions refer."""
        if isinstance(self._state, State):
            self.actions = {player: Action(action.index, action.text) for player, action in self.actions.items()}
            self._state = _Packed.of(self._state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Step) and (self.state, self.actions) == (other.state, other.actions)

    def __repr__(self) -> str:
        return f"Step(state={self.state!r}, actions={self.actions!r})"


def without_leaving(steps: Sequence[Step]) -> list[Step]:
    """Return steps without those in which players left, whose states take the places of the states before: as if they had left a step earlier."""
    found: list[Step] = []
    for step in steps:
        if step.is_leaving:
            found[-1] = Step(step.state, found[-1].actions)
        else:
            found.append(step)
    return found


class Course:
    """A game's steps from its first state on, wherever they come from: what :class:`~ludarium.core.sight.Sight` shows of, and pages.

    :class:`~ludarium.core.timeline.Timeline` is the one that is played here.
    """

    steps: Sequence[Step]
    opening: Sequence[Step] = ()
    """Steps from the initial position to the first state, for games without secrets that start after random plies."""
    outcome: Outcome | None = None
    out: Mapping[int, int] = MappingProxyType({})
    """The players who have left, with the ply of the step in which they did."""

    @property
    def state(self) -> State:
        """The latest state."""
        return self.steps[-1].state

    @property
    def game(self) -> Game:
        return self.state.game

    def has_acted(self, player: int) -> bool:
        """Return True if a player has acted before it left the game, if it did."""
        until = self.out.get(player, len(self.steps))
        return any(player in step.actions for step in self.steps[:until])

    @property
    def to_move(self) -> tuple[int, ...]:
        """The players to move in the latest state who have not left; ``(CHANCE,)`` at dice, ``()`` when the game is over."""
        return () if self.is_over else still_to_move(self.state, self.out)

    @property
    def ply(self) -> int:
        """How many steps have been taken and not taken back."""
        return len(self.steps) - 1

    @property
    def is_over(self) -> bool:
        return self.outcome is not None
