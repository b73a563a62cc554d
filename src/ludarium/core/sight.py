"""What one player, or somebody who only watches, may know of a game's course while it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .course import Course
from .game import Action, State
from .presenting import Event

__all__ = ["Sight"]


@dataclass(frozen=True)
class Sight:
    """A course as ``player`` may know it (None: somebody who only watches).

    Up to the latest position that hides nothing everything is open, and all of it once the game is over. Later positions are as the player sees them, and
    of later steps the player knows only what it chose itself.
    """

    course: Course
    player: int | None

    def is_open(self, ply: int) -> bool:
        """Whether everybody may know a position and how it came about."""
        return ply <= self.course.public_ply

    def state(self, ply: int) -> State:
        """A position."""
        state = self.course.steps[ply].state
        return state if self.is_open(ply) else state.seen_by(self.player)

    @property
    def latest(self) -> State:
        """The latest position."""
        return self.state(self.course.ply)

    def actions(self, ply: int) -> Mapping[int, Action]:
        """What is known of the actions that led to a position: nobody's for the first one."""
        actions = self.course.steps[ply].actions
        if self.is_open(ply):
            return actions
        return {player: action for player, action in actions.items() if player == self.player}

    def action(self, ply: int) -> Action | None:
        """The action that led to a position, where one player or chance acted alone and it is known."""
        actions = self.actions(ply)
        return next(iter(actions.values())) if len(self.course.steps[ply].actions) == len(actions) == 1 else None

    def step_text(self, ply: int) -> str:
        """What a list of moves says of the step that led to a position (from 1)."""
        game, known = self.course.game, self.actions(ply)
        actions = self.course.steps[ply].actions
        before = self.state(ply - 1)
        if len(known) == len(actions):
            return game.step_text(before, actions)
        return ", ".join(known[player].text if player in known else game.secret(before, player) for player in actions)

    def opened(self, ply: int) -> range:
        """The earlier positions and this one, as far as they became open to everybody only with this one; empty where the one before was open already."""
        if not self.is_open(ply):
            return range(0)
        first = max(self.course.public_before(ply), 0) + 1
        return range(first, ply + 1) if first < ply or not self.course.steps[ply].state.is_public else range(0)

    def events(self, ply: int) -> tuple[Event, ...]:
        """What happened in the step that led to a position, as far as it is open to everybody."""
        if ply == 0 or not self.is_open(ply):
            return ()
        return self.course.game.events(self.course.steps[ply - 1].state, self.course.steps[ply].actions)
