"""A networked game as the page shows it: fed by the server of the game, and played by people who are clients there."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ludarium.core.game import Action
from ludarium.core.random import generator_from
from ludarium.core.record import Header
from ludarium.core.sight import Sight
from ludarium.errors import ProtocolError
from ludarium.games.hexabomb.notation.messages import NO_MOVEMENT
from ludarium.players import HUMAN
from ludarium.web.client import Client
from ludarium.web.messages import Act, Join, Plan
from ludarium.web.orders import joined
from ludarium.web.renderings import Renderings
from ludarium.web.seats import Seat
from ludarium.web.session import Session
from ludarium.web.thinking import Thinkers
from ludarium.web.turn_clock import Later, call_later

from . import feed
from .timeline import ServedTimeline

__all__ = ["GRACE", "ServedSession"]

GRACE = 5.0
"""Seconds for which a person who has left the page is still expected to come back; afterwards its characters do nothing until it does."""
POSITIONS_A_SECOND = 5
"""At most that a client is sent by itself. Between two of them a fast game plays hundreds of turns."""
LONGEST_COURSE = 5000
"""Turns up to which a client that joins is told of every move and measure; of longer games only how many turns there were."""
UNKNOWN = (Action((), ""), 0.0)
"""What somebody else has chosen; all that is known is that it has."""


@dataclass
class Awaited:
    """A person's orders are awaited."""

    seconds: float | None
    """That there were; None: as many as it takes."""
    end: float


class ServedSession(Session):
    """See :class:`ludarium.web.session.Session`. Nothing happens here but what the server tells; what people choose goes there."""

    def __init__(
        self,
        id: str,
        timeline: ServedTimeline,
        table: feed.Table,
        thinkers: Thinkers,
        tell: Callable[[feed.FromPage], None],
        *,
        clock: Callable[[], float],
        later: Later = call_later,
    ) -> None:
        """``tell`` hands messages on to the server. The table has the players in the order of their ids."""
        self._table = table
        self._served = timeline
        self._tell = tell
        self._later = later
        self._awaited: dict[int, Awaited] = {}
        self._told_ply = 0
        self._known: dict[Client, int] = {}
        self._next_time = float("-inf")
        self._is_waiting = False
        self._is_last = False
        game = timeline.game
        header = Header.of(game, [one.nickname for one in table.players])
        seats = [Seat(number, game.player_names[number], one.nickname, one.person or None) for number, one in enumerate(table.players)]
        super().__init__(id, header, timeline, seats, generator_from(0), thinkers, Renderings(), clock=clock, later=later)

    # What the server tells.

    def take(self, messages: Sequence[feed.ToPage]) -> None:
        """All that has happened since the last time."""
        for message in messages:
            if isinstance(message, feed.Played):
                for orders in message.turns:
                    self._served.advance(orders)
                self._awaited.clear()
                self._choices.clear()
                self._plans.clear()
            elif isinstance(message, feed.Answered):
                self._choices |= dict.fromkeys(message.players, UNKNOWN)
            elif isinstance(message, feed.Asked):
                self._expect(message)
            elif isinstance(message, feed.Table):
                self._table = message
                self._tell_players()
        self._show_soon()

    def _expect(self, asked: feed.Asked) -> None:
        seat = next((seat.number for seat in self.seats if seat.token == asked.person), None)
        if seat is None:
            return
        self._awaited[seat] = Awaited(asked.seconds, self._clock() + (asked.seconds or 0.0))
        self._choices.pop(seat, None)

    def _show_soon(self) -> None:
        """Send everybody the latest position, now or as soon as enough time has passed since the last one."""
        if not self._is_waiting:
            self._is_waiting = True
            self._later(max(0.0, self._next_time - self._clock()), self._show)

    def _show(self) -> None:
        self._is_waiting = False
        if self.is_closed:
            return
        self._tell_position("action" if self.timeline.ply > self._told_ply else "notice")
        self._told_ply = self.timeline.ply

    def close(self, reason: str, *, come_back: bool = False) -> None:
        if self._is_waiting and not self.is_closed:
            self._is_last = True
            self._show()
        super().close(reason, come_back=come_back)

    def _tell_position(self, occasion: str) -> None:
        began = self._clock()
        ply = self.timeline.ply
        made: dict[tuple[int | None, int], str] = {}
        lagging = False
        for client in self.clients:
            if client.lags and not self._is_last:  # it would have to read positions that are old already
                lagging = True
                continue
            known = min(self._known.get(client, ply), ply)
            if (client.seat, known) not in made:
                made[client.seat, known] = self._with_moves(self._position(ply, client, occasion), known, ply)
            client.send(made[client.seat, known])
            self._known[client] = ply
        self._next_time = self._clock() + max(1 / POSITIONS_A_SECOND, self._clock() - began)
        if lagging:
            self._show_soon()

    def _with_moves(self, position: str, known: int, ply: int) -> str:
        """A position's message with the moves since another position, where some were left out: as if they had been hidden, and opened now."""
        if ply - known < 2 or ply > LONGEST_COURSE:
            return position
        moves, _ = self._served.course()
        opened = json.dumps({"from": known + 1, "moves": moves[known:ply]}, separators=(",", ":"))
        return position.replace('"opened":null', f'"opened":{opened}', 1)  # the key: inside of texts such marks are escaped

    # What people do.

    def join(self, client: Client, message: Join) -> None:
        super().join(client, message)
        self._known[client] = self.timeline.ply
        if client.seat is not None:
            self._tell(feed.Present(self._person(client.seat), True))

    def leave(self, client: Client) -> None:
        super().leave(client)
        self._known.pop(client, None)
        seat = client.seat
        if seat is not None and not self.is_closed:
            self._later(GRACE, lambda: self.leave_alone(seat))

    def leave_alone(self, seat: int) -> None:
        """Let the server go on without a person that is not here."""
        if not any(client.seat == seat for client in self.clients):
            self._tell(feed.Present(self._person(seat), False))

    def _choose(self, player: int, action: Action, seconds: float) -> None:
        self._plans.pop(player, None)
        self._awaited.pop(player, None)
        self._choices[player] = (action, seconds)
        self._tell(feed.Send(self._person(player), self.timeline.ply, _orders(action)))
        self._tell_position("notice")

    def _plan(self, client: Client, message: Plan) -> None:
        super()._plan(client, message)
        assert client.seat is not None
        action = joined(self.timeline.state, client.seat, message.orders)
        self._tell(feed.Draft(self._person(client.seat), self.timeline.ply, _orders(action)))

    def _act(self, client: Client, message: Act) -> None:
        player = self._chooser(client, self.timeline.ply)  # orders that come late count in the next turn
        state = self.timeline.state
        action = joined(state, player, message.orders or ()) if message.action is None else state.action(message.action, player)
        self._choose(player, action, 0.0)

    def _take_back(self, player: int) -> None:
        raise ProtocolError("nothing_to_take_back", "turns of a networked game are not taken back")

    def _resign(self, player: int) -> None:
        """Leave the game, which goes on."""
        self._awaited.pop(player, None)
        self._tell(feed.Leave(self._person(player)))

    def _person(self, seat: int) -> str:
        person = self.seats[seat].token
        assert person is not None
        return person

    # What is said of it.

    def _waiting_for(self) -> list[int]:
        if self.timeline.is_over or not self.timeline.ply:  # the first turn has no orders
            return []
        connected = [seat for seat, one in zip(self.seats, self._table.players, strict=True) if one.is_connected]
        return [seat.number for seat in connected if (seat.number in self._awaited if seat.token else seat.number not in self._choices)]

    def _wind_clock(self) -> None:
        """The server's clock counts."""

    def _clock_left(self) -> dict[str, float] | None:
        limited = [one for one in self._awaited.values() if one.seconds is not None]
        if not limited:
            return None
        least = min(limited, key=lambda one: one.end)
        return {"seconds": round(least.seconds or 0.0, 2), "left": round(max(0.0, least.end - self._clock()), 2)}

    def _players(self) -> list[dict[str, Any]]:
        here = {client.seat for client in self.clients}
        return [
            {
                "name": seat.name,
                "kind": HUMAN if seat.token else "program",
                "spec": one.nickname,
                "nickname": one.nickname,
                "connected": one.is_connected and (seat.token is None or seat.number in here),
            }
            for seat, one in zip(self.seats, self._table.players, strict=True)
        ]

    def _watching(self) -> int:
        return super()._watching() + self._table.visualizations

    def _course(self, sight: Sight) -> dict[str, Any]:
        if self.timeline.ply > LONGEST_COURSE:
            return {"moves": [""] * self.timeline.ply, "measures": {}}
        moves, measures = self._served.course()
        return {"moves": moves, "measures": measures}

    def record_lines(self) -> list[str]:
        return [json.dumps(line, separators=(",", ":")) for line in (asdict(self.header), *self.timeline.events)]


def _orders(action: Action) -> list[dict[str, Any]]:
    """An action as clients send it: without orders to do nothing."""
    orders = json.loads(action.text)
    return [order for order in (orders if isinstance(orders, list) else [orders]) if order["movement"] != NO_MOVEMENT]
