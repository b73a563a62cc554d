"""A networked game on the pages: its steps are told by the server of the game, and people who choose are clients there."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from itertools import islice
from typing import Any, NamedTuple

from ludarium.arena.clocks import TimeControl
from ludarium.core.clock import Clock
from ludarium.core.game import Action
from ludarium.core.record import Header
from ludarium.errors import ProtocolError
from ludarium.games.hexabomb.game import Hexabomb
from ludarium.games.hexabomb.notation.messages import sent_orders
from ludarium.web.table.messages import Accept, Decline, Offer, Resume
from ludarium.web.table.orders import Orders, joined
from ludarium.web.table.play import Standing, Teller
from ludarium.web.table.seat_clocks import Countdown
from ludarium.web.table.seats import Seat

from . import feed
from .course import ServedCourse

GRACE = 5.0
"""Seconds for which a person who is not at the board is still expected to come; afterwards its characters do nothing until it does."""


class _Awaited(NamedTuple):
    """A person's orders are awaited."""

    seconds: float | None
    """That there were; None: as many as it takes."""
    end: float


class ServedPlay:
    """See :class:`ludarium.web.table.play.Play`. Nothing happens here but what the server tells; what people choose goes there."""

    counts_late_choices = True

    def __init__(self, game: Hexabomb, table: feed.Table, send: Callable[[feed.FromPage], None], clock: Clock) -> None:
        """``send`` hands messages on to the server. The table has the players in the order of their ids."""
        self.course = ServedCourse(game)
        self.time_control: TimeControl | None = None
        self._header = Header.of(game, [one.nickname for one in table.players])
        self._persons = table.persons
        self._sit(table)
        self._teller: Teller
        self._send = send
        self._clock = clock
        self._present: Set[int | None] = frozenset()
        self._awaited: dict[int, _Awaited] = {}
        self._chosen: set[int] = set()
        self._plans: dict[int, Orders] = {}

    # What the server tells.

    def take(self, messages: Sequence[feed.ToPage]) -> None:
        """All that has happened since the last time."""
        for message in messages:
            if isinstance(message, feed.Played):
                for orders in message.turns:
                    self.course.advance(orders)
                self._awaited.clear()
                self._chosen.clear()
                self._plans.clear()
            elif isinstance(message, feed.Answered):
                self._chosen |= message.players
            elif isinstance(message, feed.Asked):
                self._await(message)
            elif isinstance(message, feed.Table):
                self._sit(message)
                self._teller.tell_players()
        self._teller.tell_soon()

    def _sit(self, table: feed.Table) -> None:
        """Whoever has left keeps its seat, so that it can go on to look at the game from there."""
        self.watching_elsewhere = table.visualizations
        names = zip(self.course.game.player_names, self._persons, table.players, strict=True)
        self.seats: Sequence[Seat] = [
            Seat(number, name, one.nickname, person or None, None, one.nickname, one.is_connected)
            for number, (name, person, one) in enumerate(names)
        ]

    def _await(self, asked: feed.Asked) -> None:
        seat = next((seat.number for seat in self.seats if seat.token == asked.person), None)
        if seat is not None:
            self._awaited[seat] = _Awaited(asked.seconds, self._clock.time() + (asked.seconds or 0.0))
            self._chosen.discard(seat)

    # What people do.

    def begin(self, teller: Teller) -> None:
        self._teller = teller
        for seat in self.seats:
            if seat.token is not None:
                self._expect_back(seat.number)

    def attend(self, present: Set[int | None]) -> None:
        before, self._present = self._present, present
        for seat in self.seats:
            if seat.number in present - before:
                self._send(feed.Present(self._persons[seat.number], True))
            elif seat.number in before - present:
                self._expect_back(seat.number)

    def _expect_back(self, seat: int) -> None:
        """Let the server go on without a person that is not here for too long."""

        def look() -> None:
            if seat not in self._present:
                self._send(feed.Present(self._persons[seat], False))

        self._clock.call_later(GRACE, look)

    def choose(self, player: int, action: Action) -> None:
        self._plans.pop(player, None)
        self._awaited.pop(player, None)
        self._chosen.add(player)
        self._send(feed.Choice(self._persons[player], self.course.ply, sent_orders(action), is_sent=True))
        self._teller.tell("notice")

    def plan(self, player: int, orders: Orders) -> None:
        self._plans[player] = orders
        action = joined(self.course.state, player, orders)
        self._send(feed.Choice(self._persons[player], self.course.ply, sent_orders(action), is_sent=False))

    def negotiate(self, player: int, message: Offer | Accept | Decline | Resume) -> None:
        raise ProtocolError("no_such_offer", "turns of a networked game are not taken back, and rematches are its server's affair")

    def resign(self, player: int) -> None:
        """Leave the game, which goes on."""
        self._awaited.pop(player, None)
        self._send(feed.Leave(self._persons[player]))

    def stop(self) -> None:
        """The server of the game decides what goes on."""

    # What is said of it.

    @property
    def standing(self) -> Standing:
        return Standing(self._to_move, sorted(self._chosen), self._countdown, plans=self._plans)

    @property
    def _to_move(self) -> list[int]:
        if self.course.is_over or not self.course.ply:  # the first turn has no orders
            return []
        connected = [seat for seat in self.seats if seat.is_connected]
        return [seat.number for seat in connected if (seat.number in self._awaited if seat.token else seat.number not in self._chosen)]

    @property
    def _countdown(self) -> Countdown | None:
        limited = [(end, seconds) for seconds, end in self._awaited.values() if seconds is not None]
        if not limited:
            return None
        end, seconds = min(limited)
        return Countdown(round(seconds, 2), round(max(0.0, end - self._clock.time()), 2))

    def record(self) -> list[dict[str, Any]]:
        outcome = self.course.outcome
        steps = islice(self.course.steps, 1, None)
        actions = [{str(player): action.text for player, action in step.actions.items()} for step in steps]
        return [
            self._header.as_json(),
            {"event": "start", "position": self.course.steps[0].state.text},
            *({"event": "action", "actions": one} for one in actions),
            *([{"event": "end", "returns": list(outcome.returns), "reason": outcome.reason}] if outcome else []),
        ]
