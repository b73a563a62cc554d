"""One game as it is on the pages: a play (``play``: where its steps come from), an audience (``audience``: who is told what), and what clients ask of them.

All methods are called on the event loop's thread; those that clients cause either raise and change nothing, or take effect.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

from ludarium.core.clock import Clock
from ludarium.core.course import Course
from ludarium.errors import ProtocolError
from ludarium.web.visitors.visitor import Visitor

from .audience import Audience
from .chat import Chat, Line
from .choices import has_chosen, position_to_choose_in
from .client import Client
from .foresight import foreseen
from .hosting import Hosting
from .messages import (
    Accept,
    Act,
    Ahead,
    Answer,
    Ask,
    Decline,
    Foresee,
    Invite,
    Join,
    Look,
    Message,
    Offer,
    Plan,
    Resign,
    Resume,
    Say,
    Substitute,
    View,
)
from .new_game import Lobby
from .orders import chosen_orders, joined
from .play import Play
from .renderings import Renderings
from .seats import Seat, seat_of, with_seat
from .telling import Telling


class Session:
    """A game in memory."""

    def __init__(
        self,
        id: str,
        play: Play,
        renderings: Renderings,
        *,
        interval: float = 0.0,
        keep_seat: Callable[[int], None] | None = None,
        hosting: Hosting | None = None,
        on_one_for_two: Callable[[], None] = lambda: None,
        lobby: Lobby = "private",
        clock: Clock | None = None,
    ) -> None:
        """``interval`` is how many seconds lie at least between two positions that everybody is told of, where the play lets some be left out.

        ``keep_seat`` is told the number of a seat whose token or name has changed. Without it neither may change.
        ``hosting`` does what the table's host asks for; None: the table has no host.
        ``on_one_for_two`` is called once somebody has chosen for two seats.
        ``clock`` is by default the running event loop.
        """
        self._keep_seat = keep_seat
        self._hosting = hosting
        self._on_one_for_two = on_one_for_two
        self.lobby: Lobby = lobby
        self.is_usual = False
        """Whether nobody chose where the game starts or what chance brings."""
        self.is_played_apart = True
        """Whether nobody, as far as browsers tell, has chosen for two seats."""
        self._entered = set[int]()
        self._chosen_by: dict[Visitor, int] = {}
        self.id = id
        self.play = play
        self.is_closed = False
        self._clock = clock or asyncio.get_running_loop()
        self._last_message = self._clock.time()
        self._audience = Audience(Telling(play, renderings), interval, self._clock)
        self.chat = Chat(self._clock.time)
        play.begin(self._audience)
        if hosting is not None:
            hosting.begin(self._audience, self.note_unrated)

    @property
    def course(self) -> Course:
        return self.play.course

    @property
    def clients(self) -> list[Client]:
        return self._audience.clients

    @property
    def free_seats(self) -> list[Seat]:
        """Those that whoever likes may take: of a game that is open, where somebody waits at the table."""
        if self.lobby != "open" or self.course.is_over or not any(client.seat is not None for client in self.clients):
            return []
        free = [seat for seat in self.play.seats if seat.token and not seat.is_taken and not seat.dead]  # a new link is for one person
        return [seat for seat in free if seat.number not in self._entered and not seat.substitute]

    @property
    def last_used(self) -> float:
        """When a client did something, or was told of something."""
        return max(self._last_message, self._audience.last_told)

    def join(self, client: Client, message: Join, name: str | None = None) -> None:
        """Seat a client, or let it watch. ``name`` is that of who is there, if they have one.

        Raises:
            ProtocolError: ``bad_token``.
        """
        if message.token is not None:
            seat = seat_of(self.play.seats, message.new_token, message.token)
            self._entered.add(seat.number)
            client.seat = client.bottom = seat.number
            if self._keep_seat is not None:
                changed = seat
                if message.new_token is not None and not seat.is_taken:
                    changed = changed.with_token(message.new_token, is_taken=True)
                if name is not None and not seat.nickname and not has_chosen(self.play, seat.number):
                    changed = replace(changed, nickname=name)
                if changed != seat:
                    self.play.seats = with_seat(self.play.seats, changed)
                    self._keep_seat(seat.number)
        self._last_message = self._clock.time()
        self.play.attend(self._audience.present | {client.seat})
        self._audience.welcome(client)
        if self.chat.lines:
            client.tell(**_said(*self.chat.lines))
        if self._hosting is not None:
            self._hosting.welcome(client)

    def leave(self, client: Client) -> None:
        """Forget a client that joined."""
        if client in self.clients:
            self._last_message = self._clock.time()
            self._audience.leave(client)
            if self._hosting is not None:
                self._hosting.forget(client)
            if not self.is_closed:
                self.play.attend(self._audience.present)

    def look_on(self) -> None:
        """Somebody looks on without being a client, so bots go on."""
        if not self.is_closed:
            self.play.attend(self._audience.present | {None})

    def handle(self, client: Client, message: Message) -> None:
        """Do what a client that joined asks.

        Raises:
            LudariumError: it may not; nothing has changed.
        """
        self._last_message = self._clock.time()
        if isinstance(message, Act | Plan):
            player = self._player(client)
            if self._chosen_by.setdefault(client.visitor, player) != player:
                self.note_unrated()
            state = position_to_choose_in(self.play, player, message)
            if isinstance(message, Plan):
                chosen_orders(state, player, message.orders)  # refuses those that cannot be given
                self.play.plan(player, message.orders)
                self._audience.tell_plan(client, message)
            elif message.action is None:
                self.play.choose(player, joined(state, player, message.orders or ()))
            else:
                self.play.choose(player, state.action(message.action, player))
        elif isinstance(message, Foresee):
            client.tell(**foreseen(self.course, self.seat_of(client).number, message))
        elif isinstance(message, Offer | Accept | Decline | Resume):
            is_afterwards = not isinstance(message, Resume) and message.kind == "rematch"
            self.play.negotiate(self.seat_of(client).number if is_afterwards else self._player(client), message)
        elif isinstance(message, Invite | Substitute | Ask | Answer):
            if self._hosting is None:
                raise ProtocolError("not_host", "this table has no host")
            self._hosting.handle(client, message)
        elif isinstance(message, Resign):
            self.play.resign(self._player(client))
        elif isinstance(message, Say):
            line = self.chat.say(self.seat_of(client).number, message.text)
            for each in self.clients:
                each.tell(**_said(line))
        elif isinstance(message, Look):
            self._audience.show(client, message.ply)
        elif isinstance(message, Ahead):
            self._audience.tell_ahead(client, self.seat_of(client).number)
        elif isinstance(message, View):
            seats = len(self.play.seats)
            if not 0 <= message.seat < seats:
                raise ProtocolError("bad_message", f"view: the seats are 0 to {seats - 1}, not {str(message.seat)[:40]}")
            client.bottom = message.seat
            self._audience.show(client)
        else:
            raise ProtocolError("bad_message", "you have joined already; open another socket to join anew")

    def note_unrated(self) -> None:
        """The game counts for no rating, because one player, or a bot, has chosen for another."""
        if self.is_played_apart:
            self.is_played_apart = False
            self._on_one_for_two()

    def unsay(self, by: int, text: str) -> None:
        """Nobody reads any more what a seat has said."""
        self.chat.remove(by, text)
        for each in self.clients:
            each.tell(**_said(*self.chat.lines), anew=True)

    def tell_players(self) -> None:
        """Tell everybody who plays."""
        self._audience.tell_players()

    def tell_record(self, problem: str | None) -> None:
        """Tell everybody, and whoever joins, why the game is not kept; None: that it is again."""
        self._audience.tell_record(problem)

    def tell_error(self, code: str, message: str) -> None:
        """Tell everybody what went wrong with something that all had wished."""
        for client in self.clients:
            client.tell(type="error", code=code, message=message)

    def _player(self, client: Client) -> int:
        """The seat of a client that asks for something that only a player of a running game may."""
        seat = self.seat_of(client).number
        if self.course.outcome is not None:
            raise ProtocolError("game_over", f"the game is over: {self.course.outcome.reason}")
        if seat in self.course.out:
            raise ProtocolError("out", "you have left this game; the others play on")
        return seat

    def seat_of(self, client: Client) -> Seat:
        """The seat of a client that asks for something that only a player may.

        Raises:
            ProtocolError: ``not_your_turn``: it watches.
        """
        if client.seat is None:
            raise ProtocolError("not_your_turn", "you are watching; only the players act")
        return self.play.seats[client.seat]

    def close(self, reason: str, *, come_back: bool = False) -> None:
        """Tell the clients, and whether they should come back by themselves. The record stays as it is."""
        self.is_closed = True
        if self._hosting is not None:
            self._hosting.close()
        self.play.stop()
        self._audience.close(reason, come_back=come_back)


def _said(*lines: Line) -> dict[str, Any]:
    return {"type": "said", "lines": [asdict(line) for line in lines]}
