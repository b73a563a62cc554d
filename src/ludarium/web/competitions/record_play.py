"""A game that is only looked at, from its record."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from typing import Any

from ludarium.arena.clocks import TimeControl
from ludarium.core.game import Action
from ludarium.core.record import Record
from ludarium.core.rules import CHANCE
from ludarium.core.timeline import Timeline
from ludarium.errors import ProtocolError
from ludarium.players import HUMAN
from ludarium.web.table.messages import Accept, Decline, Offer, Resume
from ludarium.web.table.orders import Orders
from ludarium.web.table.play import Standing, Teller
from ludarium.web.table.seats import Seat


class RecordPlay:
    """See :class:`ludarium.web.table.play.Play`. Nobody has a seat, so nothing is ever chosen."""

    time_control: TimeControl | None = None
    counts_late_choices = False
    watching_elsewhere = 0

    def __init__(self, record: Record, timeline: Timeline, players: Sequence[str]) -> None:
        """``timeline`` is the record's, played as far as it goes; ``players`` are the names of those who played, by seat."""
        self.course = timeline
        movers = timeline.to_move
        self.standing = Standing(to_move=[player for player in movers if player != CHANCE])
        self._record = record
        self.cut = record.cut
        """Why the record has no end, in a sentence; empty for one that has it."""
        self._players = list(players)
        seats = enumerate(zip(timeline.game.player_names, players, record.header.players, strict=True))
        self.seats: Sequence[Seat] = [
            Seat(number, seat, name, nickname="" if name in (spec, HUMAN) else name, is_connected=None)
            for number, (seat, name, spec) in seats
        ]

    def record(self) -> list[dict[str, Any]]:
        """All of it, but the players are called as on the pages: what they are on the organiser's computer is nobody else's affair."""
        return [replace(self._record.header, players=self._players).as_json(), *self._record.events]

    def begin(self, teller: Teller) -> None:
        pass

    def attend(self, present: Set[int | None]) -> None:
        pass

    def choose(self, player: int, action: Action) -> None:
        raise ProtocolError("game_over", "this is a record, in which nobody acts")

    def plan(self, player: int, orders: Orders) -> None:
        raise ProtocolError("game_over", "this is a record, in which nobody acts")

    def negotiate(self, player: int, message: Offer | Accept | Decline | Resume) -> None:
        raise ProtocolError("game_over", "this is a record, in which nobody acts")

    def resign(self, player: int) -> None:
        raise ProtocolError("game_over", "this is a record, in which nobody acts")

    def stop(self) -> None:
        pass
