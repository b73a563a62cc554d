"""A ladder's game on the pages: the judge plays it in a thread of its own, and who watches follows."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from typing import Any

from ludarium.arena.clocks import TimeControl
from ludarium.core.course import Course, Step
from ludarium.core.game import Action
from ludarium.core.record import Header
from ludarium.core.rules import CHANCE
from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline
from ludarium.errors import ProtocolError
from ludarium.web.table.messages import Accept, Decline, Offer, Resume
from ludarium.web.table.orders import Orders
from ludarium.web.table.play import Standing, Teller
from ludarium.web.table.seats import Seat

HIDDEN = "hidden"
"""Placeholder for a name that spectators do not see yet. It is a reserved name."""


class FollowedCourse(Course):
    """As much of a timeline that grows in another thread as has been looked at: it does not change while somebody is told of it."""

    def __init__(self, timeline: Timeline) -> None:
        self.steps = self._steps = list[Step](timeline.steps)
        self._timeline = timeline

    def follow(self) -> None:
        """Take what has happened since."""
        outcome = self._timeline.outcome  # first: once there is one, no step comes any more
        self._steps += self._timeline.steps[len(self._steps) :]
        self.outcome = outcome


class FollowedPlay:
    """See :class:`ludarium.web.table.play.Play`. Nobody has a seat. It is made in the judge's thread; all methods are called on the event loop's."""

    time_control: TimeControl | None = None
    counts_late_choices = False
    watching_elsewhere = 0

    def __init__(
        self, timeline: Timeline, header: Header, on_loop: Callable[[Callable[[], object]], None], *, hides_names: bool = False
    ) -> None:
        """Follow a game.

        Args:
            on_loop: has a function called on the event loop soon.
            hides_names: whether nobody is told who plays until the game is over.
        """
        self.course = FollowedCourse(timeline)
        self._hides_names = hides_names
        names = [HIDDEN] * len(header.players) if hides_names else header.players
        self.seats: Sequence[Seat] = [
            Seat(number, seat, name, is_connected=None)
            for number, (seat, name) in enumerate(zip(timeline.game.player_names, names, strict=True))
        ]
        self._timeline = timeline
        self._header = header
        self._teller: Teller
        self._is_watched = False
        timeline.listen(lambda event: on_loop(self.follow) if self._is_watched else None, known=len(timeline.events))

    @property
    def plies(self) -> int:
        """How many steps have been taken of which who watches knows."""
        self.follow()
        return Sight(self.course, None).ply

    def follow(self) -> None:
        """Tell of what has happened since."""
        known = len(self.course.steps), self.course.outcome
        self.course.follow()
        if self.course.is_over and self._hides_names:
            self._hides_names = False
            self.seats = [replace(seat, spec=name) for seat, name in zip(self.seats, self._header.players, strict=True)]
            self._teller.tell_players()
        if known != (len(self.course.steps), self.course.outcome):
            self._teller.tell_soon()

    @property
    def standing(self) -> Standing:
        if self.course.is_over:
            return Standing()
        thinking = [player for player in self.course.to_move if player != CHANCE]
        return Standing(thinking, thinking=thinking)

    def record(self) -> list[dict[str, Any]]:
        """Return the record so far. While the game runs, it lacks seeds, hidden names and secret events."""
        self.follow()
        header, events = self._header.as_json(), self._timeline.events
        if not self.course.is_over:
            events = events[: len(self.course.steps)]  # one each, for nothing is taken back
            header["seed"] = None
            del header["dice_seed"]
            if self._hides_names:
                header["players"] = [seat.spec for seat in self.seats]
            if self.course.game.secrets is not None:
                header["partial"] = True
        return [header, *Sight(self.course, None).recorded(events)]

    def begin(self, teller: Teller) -> None:
        self._teller = teller

    def attend(self, present: Set[int | None]) -> None:
        self._is_watched = bool(present)
        self.follow()

    def choose(self, player: int, action: Action) -> None:
        raise _nobody_plays()

    def plan(self, player: int, orders: Orders) -> None:
        raise _nobody_plays()

    def negotiate(self, player: int, message: Offer | Accept | Decline | Resume) -> None:
        raise _nobody_plays()

    def resign(self, player: int) -> None:
        raise _nobody_plays()

    def stop(self) -> None:
        self._is_watched = False


def _nobody_plays() -> ProtocolError:
    return ProtocolError("not_your_turn", "bots play here")
