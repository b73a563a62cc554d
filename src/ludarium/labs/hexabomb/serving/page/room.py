"""Who is at the page of a networked game: before its start in a waiting room, afterwards at the board."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

from pydantic import TypeAdapter
from starlette.websockets import WebSocket

from ludarium.core.clock import Clock
from ludarium.errors import LudariumError, ProtocolError
from ludarium.netorcai.events import Aborted, GameStarted
from ludarium.netorcai.settings import Settings
from ludarium.web.pulse import Pulse
from ludarium.web.socket import converse, next_text
from ludarium.web.table.client import Client
from ludarium.web.table.messages import Ping, checked, error_of, parse_object
from ludarium.web.table.renderings import Renderings
from ludarium.web.table.session import Session
from ludarium.web.visitors.limits import Limits
from ludarium.web.visitors.visitor import Visitor

from ..board_game import game_on
from . import feed
from .play import ServedPlay

_PING = TypeAdapter(Ping)

NOT_YET = 2.0
"""Seconds after which the page of the game looks again whether the game has started."""

INTERVAL = 0.2
"""Seconds between two positions that a client is sent by itself. Between them a fast game plays hundreds of turns."""


class Room:
    """See :class:`ludarium.web.games.Games`. ``tell`` hands messages on to the server of the game."""

    def __init__(
        self,
        setup: feed.Setup,
        tell: Callable[[feed.FromPage], None],
        clock: Clock | None = None,
    ) -> None:
        self.id = secrets.token_urlsafe(9)
        """Of the one game that there is, or will be."""
        self.limits = Limits()
        self.people = None
        self.table = feed.Table((), (), 0, Settings(players=0))
        self.session: Session | None = None
        self._play: ServedPlay | None = None
        self._setup = setup
        self._tell = tell
        self._clock = clock
        self._guests: dict[Client, str] = {}
        self._is_hidden = False
        self._record_problem: str | None = None

    # As pages and sockets use it.

    @property
    def clients(self) -> int:
        return len(self._guests) + (0 if self.session is None else len(self.session.clients))

    async def find(self, id: str, visitor: Visitor) -> Session:
        if self.session is None or id != self.id:
            if id == self.id:
                raise ProtocolError("no_such_game", "the game has not started yet", NOT_YET)
            raise ProtocolError("no_such_game", f"there is no game {id[:40]!r}")
        return self.session

    def sweep(self) -> None:
        """Nothing here grows old."""

    def close(self, reason: str) -> None:
        if self.session is not None:
            self.session.close(reason)
        for guest in self._guests:
            guest.tell(type="closed", reason=reason)
            guest.close(1001, "closed")

    # What the server tells.

    def take(self, messages: list[feed.ToPage]) -> None:
        """All that has happened since the last time."""
        for message in messages:
            if isinstance(message, feed.Table):
                self.table = message
            elif isinstance(message, GameStarted):
                self._start(message)
            elif isinstance(message, feed.Seated | feed.Unseated):
                self._tell_person(message)
            elif isinstance(message, feed.Unkept):
                self._record_problem = message.problem
                if self.session is not None:
                    self.session.tell_record(message.problem)
            elif isinstance(message, Aborted):
                self.close(f"the game was ended: {message.reason}")
                return
        if self._play is not None:
            self._play.take(messages)
        self._tell_guests()

    def _start(self, started: GameStarted) -> None:
        game = game_on(self._setup.board, started.players, started.special_players, started.turns)
        if game is None:
            self._is_hidden = True
            return
        clock = self._clock or asyncio.get_running_loop()
        self._play = ServedPlay(game, self.table, self._tell, clock)
        self.session = Session(self.id, self._play, Renderings(), interval=INTERVAL, clock=clock)
        if self._record_problem is not None:
            self.session.tell_record(self._record_problem)

    def _tell_person(self, message: feed.Seated | feed.Unseated) -> None:
        guest = next((guest for guest, person in self._guests.items() if person == message.person), None)
        if guest is None:
            if isinstance(message, feed.Seated):
                self._tell(feed.Leave(message.person))  # gone before there was an answer
        elif isinstance(message, feed.Seated):
            guest.tell(type="seated", token=message.person)
        else:
            self._guests[guest] = ""
            guest.tell(type="error", code="refused", message=message.reason)

    # The waiting room.

    async def wait(self, websocket: WebSocket) -> None:
        """Serve the socket of somebody in the waiting room until either side closes it."""
        guest = Client()
        await converse(websocket, guest, partial(self._talk, websocket, guest))

    async def _talk(self, websocket: WebSocket, guest: Client) -> None:
        self.enter(guest)
        pulse = Pulse(guest, self.limits.silence, asyncio.get_running_loop())
        address = websocket.client
        try:
            while (text := await next_text(websocket)) is not None:
                pulse.hear()
                try:
                    wish = parse_object(text)
                    if wish.get("type") == "ping":
                        pulse.answer(checked(_PING, wish, "ping"))
                    else:
                        self.handle(guest, wish, ("", 0) if address is None else (address.host, address.port))
                except LudariumError as problem:
                    guest.tell(type="error", **error_of(problem))
        finally:
            pulse.stop()
            self.leave(guest)

    def enter(self, guest: Client) -> None:
        """Let somebody in."""
        self._guests[guest] = ""
        if self.clients > self.limits.clients:
            guest.tell(type="error", code="busy", message=f"{self.limits.clients} people are here, which is all that this page serves")
            guest.close(1008, "refused")
            return
        guest.send(self.news())

    def handle(self, guest: Client, wish: dict[str, Any], address: tuple[str, int]) -> None:
        """Do what somebody in the waiting room asks: ``{"type":"sit","nickname":…,"special":…}`` or ``{"type":"stand"}``.

        Raises:
            ProtocolError: it is neither, or cannot be done.
        """
        person = self._guests.get(guest, "")
        if wish.get("type") == "sit":
            nickname, special = wish.get("nickname"), wish.get("special", False)
            if not isinstance(nickname, str) or not isinstance(special, bool):
                raise ProtocolError("bad_message", "sit: 'nickname' is a text, 'special' true or false")
            if person:
                raise ProtocolError("bad_message", "you have a seat already")
            self._guests[guest] = name = secrets.token_urlsafe(18)
            self._tell(feed.Sit(name, nickname, special, address))
        elif wish.get("type") == "stand":
            if person:
                self._guests[guest] = ""
                self._tell(feed.Leave(person))
        else:
            raise ProtocolError("bad_message", "'type' is one of sit, stand, ping")

    def leave(self, guest: Client) -> None:
        """Somebody is gone. A seat is given up with it, unless the game has begun."""
        person = self._guests.pop(guest, "")
        if person and self.session is None:
            self._tell(feed.Leave(person))

    def news(self) -> str:
        """What everybody in the waiting room is told."""
        players = [
            {"nickname": one.nickname, "special": one.is_special, "person": bool(person), "connected": one.is_connected}
            for one, person in zip(self.table.players, self.table.persons, strict=True)
        ]
        news = {
            "type": "room",
            "game": self.id,
            "players": players,
            "watching": self.table.visualizations,
            "limits": {name: getattr(self.table.settings, name) for name in ("players", "special_players", "autostart")},
            "waits": self._setup.waits_for_people,
            "started": self.session is not None,
            "hidden": self._is_hidden,
        }
        return json.dumps(news, separators=(",", ":"))

    def _tell_guests(self) -> None:
        news = self.news()
        for guest in self._guests:
            guest.send(news)
