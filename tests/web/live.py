"""A real server on a free loopback port for tests, and the clients that talk to it."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Self

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from ludarium.arena import TimeControl
from ludarium.arena.ladder import Ladder, WhenNamed
from ludarium.arena.store import open_database
from ludarium.core.clock import Clock
from ludarium.players.programs import Conditions
from ludarium.web.app import make_app
from ludarium.web.competitions import Archive, Store
from ludarium.web.compiling.warming import Warming
from ludarium.web.disk.folder import Folder
from ludarium.web.ladder import Ladders, ladder_games
from ludarium.web.organiser.organiser import token_in
from ludarium.web.people.people import People
from ludarium.web.server import Server, listen
from ludarium.web.sessions import Limits, Sessions
from ludarium.web.table.offers import NO_OFFERS, Offers
from ludarium.web.table.thinking import Thinkers
from ludarium.web.visitors.bans import Bans

PATIENCE = 30.0


class Live:
    """A running server. ``with Live(folder) as live:``"""

    def __init__(
        self,
        folder: Path,
        limits: Limits | None = None,
        clock: Clock | None = None,
        warming: Warming | None = None,
        port: int = 0,
        proxies: Sequence[str] = (),
        store: Store | None = None,
        ladders: Sequence[str] = (),
        ladder_time: str = "60",
        ladder_names: WhenNamed = "after",
        submissions: Conditions | None = None,
        offers: Offers = NO_OFFERS,
        **guard: Any,
    ) -> None:
        self._last = ExitStack()
        kept: list[Ladder] = []
        if ladders:
            database = self._last.enter_context(open_database(folder / "store.sqlite"))
            games, time_control = ladder_games(ladders), TimeControl.parse(ladder_time)
            kept = [
                self._last.enter_context(closing(Ladder(game, time_control, folder / "ladders", database, ladder_names))) for game in games
            ]
            store = Store(folder / "store.sqlite", only={ladder.id for ladder in kept})
            self._last.callback(store.close)
        self.thinkers = Thinkers(2, clock.time if clock else time.monotonic)
        self.said: list[str] = []
        warming = warming or Warming()
        limits = limits or Limits(pace=0.0)
        archive = Archive(store, warming, limits) if store else None
        self.ladders = Ladders(kept, warming, people=limits.people, submissions=submissions)
        bans = self._last.enter_context(closing(Bans(folder / "people" / "bans.jsonl")))
        self.people = self._last.enter_context(closing(People(folder / "people", limits.people, {"basalt"}, bans)))
        self.token = token_in(folder / "people" / "organiser-token")
        self.sessions = Sessions(
            Folder(folder),
            self.thinkers,
            limits,
            clock=clock,
            warming=warming,
            archive=archive,
            others=self.ladders,
            offers=offers,
            people=self.people,
        )
        self._listener = listen("127.0.0.1", port)
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        opened = threading.Event()
        app = make_app(self.sessions, store=store, ladders=self.ladders if kept else None, bans=bans, token=self.token, **guard)

        def on_open() -> None:
            warming.start(self.said.append)
            self.ladders.open()
            opened.set()

        self.server = Server(app, self.sessions, on_open, proxies=proxies)
        self._thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self._listener]})
        self._thread.start()
        assert opened.wait(PATIENCE)
        self.http = httpx.Client(base_url=f"http://{self.address}", timeout=PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def loop(self) -> asyncio.AbstractEventLoop:
        """The loop that all of the server's own work is done on."""
        return self.server.servers[0].get_loop()

    def stop(self) -> None:
        self.http.close()
        self.server.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        self.thinkers.close()
        self.ladders.close()
        self._last.close()

    def make(self, *players: str, game: str = "expendibots", **more: Any) -> dict[str, Any]:
        answer = self.http.post("/api/games", json={"game": game, "players": list(players), **more})
        assert answer.status_code == 201, answer.text
        return answer.json()

    @contextmanager
    def socket(self, id: str, **more: Any) -> Iterator[Socket]:
        with connect(f"ws://{self.address}/api/games/{id}/socket", max_size=None, **more) as connection:
            yield Socket(connection)

    @contextmanager
    def join(
        self, id: str, token: str | None = None, new_token: str | None = None, name: dict[str, str] | None = None, **more: Any
    ) -> Iterator[Socket]:
        """A client that has joined and read its welcome and its first position; ``name`` is a name with its key."""
        with self.socket(id, **more) as socket:
            socket.send(type="join", version=1, token=token, new_token=new_token, **(name or {}))
            socket.welcome = socket.receive("welcome")
            socket.position = socket.receive("position")
            yield socket


class Socket:
    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.welcome: dict[str, Any] = {}
        self.position: dict[str, Any] = {}

    def send(self, **message: Any) -> None:
        self.connection.send(json.dumps(message))

    def receive(self, *kinds: str) -> dict[str, Any]:
        """The next message of these types; others are skipped. An error that is not asked for fails."""
        while True:
            message = json.loads(self.connection.recv(PATIENCE))
            if message["type"] == "position":
                self.position = message
            if message["type"] in kinds:
                return message
            assert message["type"] != "error", message

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next position that is wanted, which may be the last one received."""
        while not wanted(self.position):
            self.receive("position")
        return self.position

    def act(self, action: str) -> None:
        self.send(type="act", ply=self.position["ply"], action=action)

    def code(self, **message: Any) -> str:
        """The code of the error that answers a message."""
        self.send(**message)
        return self.receive("error")["code"]

    def status(self) -> int:
        """The status of the close that comes."""
        with pytest.raises(ConnectionClosed) as closed:
            self._read_on()
        assert closed.value.rcvd is not None
        return closed.value.rcvd.code

    def _read_on(self) -> None:
        while True:
            self.connection.recv(PATIENCE)
