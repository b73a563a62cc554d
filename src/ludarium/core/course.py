"""How a game has gone so far, for whoever only reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .game import Action, Game, Outcome, State


@dataclass(frozen=True, slots=True)
class Step:
    """A state and what led to it: each player's action (``{CHANCE: outcome}`` at dice), nothing for the first."""

    state: State
    actions: Mapping[int, Action]

    @property
    def action(self) -> Action | None:
        """The action that led here, where one player or chance acted alone."""
        return next(iter(self.actions.values())) if len(self.actions) == 1 else None


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
