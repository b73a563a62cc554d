"""What a table's host does about the seats of others, and requests for seats. See "Host" in ``docs/protocol.md``."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from ludarium.core.clock import Clock
from ludarium.errors import LudariumError, ProtocolError
from ludarium.web.addresses import at
from ludarium.web.visitors.codes import new_code
from ludarium.web.visitors.rate import Rate
from ludarium.web.visitors.visitor import Visitor

from .audience import Audience
from .choices import has_chosen
from .client import Client
from .local_play import LocalPlay
from .messages import Answer, Ask, Invite, Substitute, error_of
from .seats import Seat, digest, with_seat
from .thinking import Thinker

MOST_REQUESTS = 8
"""Open requests for seats of one table."""
ASKS, ASK_SECONDS = 3, 600.0
"""Requests of one address at once, and seconds until the next one."""
ACTS, ACT_SECONDS = 20, 5.0
"""What a host may do at once, and seconds until the next time."""

MakeBot = Callable[[int, str, Visitor], Coroutine[Any, Any, tuple[str, Thinker]]]
"""Makes a bot for a seat from what the host has chosen, for a visitor: its spec, and itself."""


@dataclass(frozen=True)
class _Request:
    number: int
    client: Client
    seat: int


class Hosting:
    """Seats of one table: new links, bots in the place of people, requests of watchers. All methods are called on the event loop's thread."""

    def __init__(
        self,
        id: str,
        play: LocalPlay,
        *,
        keep_seat: Callable[[int], None],
        make_bot: MakeBot,
        do: Callable[[Coroutine[Any, Any, None]], None],
        clock: Clock,
    ) -> None:
        """Begin without requests.

        Args:
            id: the game's.
            keep_seat: is told the number of a seat that has changed.
            do: runs what takes time.
        """
        self._id = id
        self._play = play
        self._keep_seat = keep_seat
        self._make_bot = make_bot
        self._do = do
        self._audience: Audience
        self._note_unrated: Callable[[], None]
        self._requests: list[_Request] = []
        self._count = 0
        self._is_closed = False
        self._awaited = set[int]()
        """The seats whose bots are being made."""
        self._asks = Rate(ASKS, ASK_SECONDS, clock.time)
        self._acts = Rate(ACTS, ACT_SECONDS, clock.time)

    def begin(self, audience: Audience, note_unrated: Callable[[], None]) -> None:
        """Be told who is at the table. ``note_unrated`` is called when a bot begins to play for a person."""
        self._audience = audience
        self._note_unrated = note_unrated

    def welcome(self, client: Client) -> None:
        """Tell a host's client that has joined about open requests."""
        if self._is_host(client) and self._requests:
            self._tell([client])

    def forget(self, client: Client) -> None:
        """End the request of a client that has gone."""
        self._set([request for request in self._requests if request.client is not client])

    def handle(self, client: Client, message: Invite | Substitute | Ask | Answer) -> None:
        """Do what a client asks.

        Raises:
            ProtocolError: it may not; nothing has changed.
        """
        if isinstance(message, Ask):
            self._ask(client, message.token)
            return
        if not self._is_host(client):
            raise ProtocolError("not_host", "only the host of this table may do that")
        if wait := ceil(self._acts.wait(self._id)):
            raise ProtocolError("too_many", f"you have changed much at this table in a short time; go on in {wait} s", wait)
        self._acts.count(self._id)
        if isinstance(message, Answer):
            self._answer(message)
            return
        seat = self._seat(message.seat)
        if seat.is_host:
            raise ProtocolError("bad_message", "this seat is your own; take it along with a code instead")
        if isinstance(message, Invite):
            self._check_free(seat)
            self._tell_link(client, self._give(seat))
        elif message.player is not None:
            self._check_away(seat)
            if seat.number in self._awaited:
                raise ProtocolError("too_many", f"a bot for {seat.name} is being prepared already")
            self._awaited.add(seat.number)
            self._do(self._put_in(client, seat.number, message.player))
        else:
            if not seat.substitute:
                raise ProtocolError("no_such_offer", f"no bot plays for {seat.name}")
            self._play.stand_down(seat.number)

    def close(self) -> None:
        """Let no bot begin to play any more."""
        self._is_closed = True

    # Seats.

    def _seat(self, number: int) -> Seat:
        people = [seat for seat in self._play.seats if seat.token is not None]
        for seat in people:
            if seat.number == number:
                return seat
        told = ", ".join(str(seat.number) for seat in people)
        raise ProtocolError("bad_message", f"'seat' is that of a person ({told}), not {str(number)[:40]}")

    def _check_free(self, seat: Seat) -> None:
        """Raise the reason why a seat cannot be given to another person."""
        if seat.number in self._play.course.out:
            raise ProtocolError("out", f"{seat.name} has left this game")
        if seat.number in self._audience.present and has_chosen(self._play, seat.number):
            raise ProtocolError("here", f"{seat.name}'s player is here and keeps the seat")

    def _check_away(self, seat: Seat) -> None:
        """Raise the reason why no bot can play for a person."""
        if (outcome := self._play.course.outcome) is not None:
            raise ProtocolError("game_over", f"the game is over: {outcome.reason}")
        self._check_free(seat)
        if seat.number in self._audience.present:
            raise ProtocolError("here", f"{seat.name}'s player is here and plays")

    def _give(self, seat: Seat) -> Seat:
        """Return the seat with a new link; what opened it before does not any more."""
        given = replace(seat.with_token(secrets.token_urlsafe(18), is_taken=False), code=new_code(), nickname="")
        self._play.seats = with_seat(self._play.seats, given)
        self._keep_seat(seat.number)
        self._audience.dismiss(seat.number, f"the host has made a new link for {seat.name}")
        self._play.attend(self._audience.present)
        self._audience.tell_players()
        return given

    def _tell_link(self, client: Client, seat: Seat) -> None:
        client.tell(type="invitation", seat=seat.number, link=f"{at(f'/game/{self._id}')}#{seat.token}")

    async def _put_in(self, client: Client, number: int, player: str) -> None:
        """Make a bot and let it play, unless the seat's player is back meanwhile."""
        try:
            spec, bot = await self._make_bot(number, player, client.visitor)
            try:
                if self._is_closed:
                    raise ProtocolError("no_such_game", "the server has closed this game")
                self._check_away(self._play.seats[number])
            except ProtocolError:
                bot.player.close()
                raise
            self._note_unrated()
            self._play.substitute(number, spec, bot)
        except LudariumError as problem:
            client.tell(type="error", **error_of(problem))
        finally:
            self._awaited.discard(number)

    # Requests.

    def _ask(self, client: Client, token: str) -> None:
        if client.seat is not None:
            raise ProtocolError("bad_message", "ask: you have a seat already; only a client that watches asks for one")
        if wait := ceil(self._asks.wait(client.visitor.address)):
            raise ProtocolError("too_many", f"seats have been asked for from here often; the next request can be in {wait} s", wait)
        self._asks.count(client.visitor.address)
        found = digest(token)
        seat = next((seat for seat in self._play.seats if found in seat.dead), None)
        if seat is None:
            raise ProtocolError("bad_token", "this token never opened a seat of this game")
        if not any(one.is_host for one in self._play.seats):
            raise ProtocolError("not_host", "this table has no host whom one could ask")
        self._check_free(seat)
        others = [request for request in self._requests if request.client is not client]
        if len(others) >= MOST_REQUESTS:
            raise ProtocolError("too_many", f"{MOST_REQUESTS} requests wait for the host already; try again later")
        self._count += 1
        self._set([*others, _Request(self._count, client, seat.number)])
        client.tell(type="asked", seat=seat.number)

    def _answer(self, message: Answer) -> None:
        request = next((request for request in self._requests if request.number == message.ask), None)
        if request is None:
            raise ProtocolError("no_such_offer", f"request {str(message.ask)[:40]} has ended")
        seat = self._play.seats[request.seat]
        if message.accept:
            self._check_free(seat)
        self._set([one for one in self._requests if one is not request])
        if message.accept:
            self._tell_link(request.client, self._give(seat))
        else:
            refusal = ProtocolError("refused", f"the host has not given you the seat of {seat.name}")
            request.client.tell(type="error", **error_of(refusal))

    def _set(self, requests: list[_Request]) -> None:
        if requests != self._requests:
            self._requests = requests
            self._tell([client for client in self._audience.clients if self._is_host(client)])

    def _tell(self, clients: list[Client]) -> None:
        asks = [{"ask": one.number, "seat": one.seat, "name": one.client.name} for one in self._requests]
        for client in clients:
            client.tell(type="asks", asks=asks)

    def _is_host(self, client: Client) -> bool:
        return client.seat is not None and self._play.seats[client.seat].is_host
