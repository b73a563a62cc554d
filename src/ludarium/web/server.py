"""The process around the application: its address, its start with what the lobby needs compiled, its end without anything lost."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from types import FrameType
from typing import Any, cast

import uvicorn
from fastapi import FastAPI
from rich.console import Console

from ludarium.arena.clocks import TimeControl
from ludarium.arena.ladder import Ladder, WhenNamed
from ludarium.arena.store import open_database
from ludarium.core.compiling import on_compile
from ludarium.core.data_folder import data_folder
from ludarium.core.game import Game
from ludarium.core.hosts import in_url, without_brackets
from ludarium.core.open_files import allow_many_files
from ludarium.core.registry import list_games
from ludarium.core.running_time import run_by_running_time
from ludarium.core.stopping import noticed
from ludarium.errors import BadOption
from ludarium.players.programs import USUAL, Conditions
from ludarium.players.programs.sandbox import chosen_way

from .addresses import at, serve_below
from .app import make_app
from .competitions import Archive, Store
from .compiling.warming import Warming
from .compiling.warmup import all_parts
from .disk.folder import Folder
from .games import Games
from .ladder import LADDER_TIME, Ladders, ladder_games
from .lobby.game_of_the_day import GameOfTheDay
from .organiser.organiser import token_in
from .people.people import People
from .people.routes import reserved_names
from .sessions import Sessions
from .table.messages import LIMIT
from .table.offers import read_offers
from .table.thinking import Thinkers
from .visitors.bans import Bans
from .visitors.connection import Connection, ConnectionLimits, WebSocketConnection
from .visitors.guard import is_loopback
from .visitors.limits import Limits
from .visitors.log import Moderation

SWITCH = 0.001
"""Seconds after which a thread that runs Python gives way to another: pages come before thoughts."""
SWEEP = 60.0
"""Seconds between two looks for idle games."""
GOODBYE = 0.3
"""Seconds that connections get to end, once their clients know that the server stops."""
OTHER_FILES = 100
"""Open files of the process besides connections and the records of games."""
CONVERSATIONS = 8
"""That programs which are offered carry on at least, over all games."""
TOKEN = "organiser-token"
UNREAD = 30_000
"""Milliseconds after which the system gives a connection up whose other side takes nothing."""

ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}
"""Addresses that stand for all of this computer's, and how it calls itself."""


def _say(line: str) -> None:
    """Also to a log or another program, which are waiting for it."""
    print(line, flush=True)


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    data: Path | None = None,
    *,
    open_browser: bool = False,
    limits: Limits | None = None,
    names: Sequence[str] = (),
    proxies: Sequence[str] = (),
    root_path: str = "",
    competitions: bool = False,
    ladders: Sequence[str] = (),
    ladder_time: str = LADDER_TIME,
    ladder_names: WhenNamed = "after",
    submit: bool = False,
    players: Sequence[str] = (),
    conditions: Conditions = USUAL,
    say: Callable[[str], None] = _say,
) -> None:
    """Serve until Ctrl-C or SIGTERM; then clients are told, records are whole and the function returns.

    Args:
        host: the address to listen on. On a loopback address only requests for loopback names are answered.
        port: the port, 0 for any free one.
        data: the folder that keeps games; by default :func:`~ludarium.core.data_folder.data_folder`.
        open_browser: open the lobby in a browser where there is a screen. The address is said in any case.
        limits: how much it takes on; by default as much as is usual.
        names: further host names by which the server may be reached (behind a proxy).
        proxies: addresses whose ``X-Forwarded-For`` and ``X-Forwarded-Proto`` say where a request really comes from, and by which scheme.
        root_path: the path, such as ``/ludarium``, below which a proxy serves everything; the proxy takes it off before it passes a request on.
        competitions: whether everybody may see the competitions of the store (:mod:`ludarium.arena.store`), where others than this computer's users can come.
        ladders: the games, such as ``expendibots`` or ``roboderby:players=4,turn_limit=50``, in which bots that connect play each other without end.
        ladder_time: the time control of their games.
        ladder_names: whether bots and spectators are told who plays a game after it or before it.
        submit: whether the server takes uploads of bots for the ladders, and runs them in the sandbox.
        players: further players that can be chosen, each as ``NAME=SPEC`` or ``GAME:NAME=SPEC``; see :mod:`.offers`.
        conditions: how programs among them play.
        say: told each line that the person who started the server should read.

    Raises:
        BadNotation, BadOption: no such player; the address cannot be listened on, or a ladder is none.
        StoreError: the data folder cannot be written to, or is another server's; with ladders, the store cannot be used.
    """
    limits = limits or Limits()
    host = without_brackets(host)
    names = [_host_name(name) for name in names]
    proxies = [_address(proxy) for proxy in proxies]
    root = serve_below(root_path)
    played, control = ladder_games(ladders), TimeControl.parse(ladder_time)
    if submit:
        _check_submissions(played, conditions)
    folder = Folder(data or data_folder())
    with folder.claimed(), listen(host, port) as listener, ExitStack() as closed_last:
        sys.setswitchinterval(SWITCH)
        thinkers = Thinkers()
        database = closed_last.enter_context(open_database()) if played else None
        kept = [
            closed_last.enter_context(closing(Ladder(game, control, folder.ladders, database, ladder_names))) for game in played if database
        ]
        offers = read_offers(players, replace(conditions, hidden=(folder.games.parent.resolve(),)), max(CONVERSATIONS, thinkers.at_once))
        with Console(stderr=True).status("Loading the games") as status:

            def progress(name: str) -> None:
                status.update(f"Compiling {name}")

            on_compile.append(progress)
            try:
                warming = Warming(all_parts())
                rooms = Ladders(kept, warming, people=limits.people, submissions=conditions if submit else None) if kept else None
                everything = competitions or is_private(host, names)
                store = Store(only=None if everything else {ladder.id for ladder in kept}) if everything or kept else None
                archive = Archive(store, warming, limits) if store else None
                bans = closed_last.enter_context(closing(Bans(folder.people / "bans.jsonl")))
                named = closed_last.enter_context(closing(People(folder.people, limits.people, reserved_names(list_games()), bans)))
                token = token_in(folder.people / TOKEN)
                sessions = Sessions(folder, thinkers, limits, warming=warming, archive=archive, others=rooms, offers=offers, people=named)
                app = make_app(
                    sessions,
                    loopback_only=is_loopback(host),
                    names=names,
                    store=store,
                    ladders=rooms,
                    day=GameOfTheDay(sessions),
                    bans=bans,
                    token=token,
                )
            finally:
                on_compile.remove(progress)

        def opened() -> None:
            url = _announce(listener, say, open_browser)
            there = address_for_others(url, host, names, is_behind_proxy=bool(proxies))
            if there != url:
                say(f"Others reach it at {there}; invite them from there, for links have the address at which you are")
            say(f"Its organiser keeps order at {there if proxies else url}/organiser, with the token in {folder.people / TOKEN}")
            for ladder in kept:
                say(f"Bots join with: ludarium join {there}/ladder/{ladder.game.id} ./mybot.py --name NAME")
                if submit:
                    say(f"To submit a bot: ludarium submit {there}/ladder/{ladder.game.id} ./mybot.py --name NAME")
            warming.start(say)
            if rooms is not None:
                rooms.open()

        server = Server(app, sessions, opened, proxies=proxies, root_path=root)
        try:
            server.run(sockets=[listener])
        finally:
            thinkers.close()
            offers.close()
            if store is not None:
                store.close()
            if rooms is not None:
                rooms.close()
    if server.ended_by == signal.SIGTERM:
        signal.raise_signal(signal.SIGTERM)


class Server(uvicorn.Server):
    """Calls ``on_open`` when it is open, looks for idle games, and tells the clients before it closes their connections."""

    def __init__(
        self, app: FastAPI, sessions: Games, on_open: Callable[[], None], *, proxies: Collection[str] = (), root_path: str = ""
    ) -> None:
        """``proxies``: the addresses of those that say whom they stand for. ``root_path``: where a proxy serves the application."""
        limits = sessions.limits
        in_all = max(1, min(limits.connections, allow_many_files() - limits.games - OTHER_FILES))
        connections = ConnectionLimits(in_all, limits.connections_of_address, limits.request, proxies)
        config = uvicorn.Config(
            app,
            http=cast("Any", partial(Connection, connections)),  # of h11: httptools cuts a WebSocket on a connection that was kept alive
            root_path=root_path,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=list(proxies),
            ws=WebSocketConnection,
            ws_max_size=2 * LIMIT,  # messages between the two limits get an answer, longer ones are not even read
            ws_per_message_deflate=False,
            log_level="error",  # warnings are about what clients send
            access_log=False,
            lifespan="off",  # this class does what a lifespan would, and a second Ctrl-C cannot tear it apart
            timeout_graceful_shutdown=1,
            server_header=False,
        )
        super().__init__(config)
        self._sessions = sessions
        self._on_open = on_open
        self._moderation = Moderation(time.monotonic)
        self.ended_by: int | None = None
        """The signal by which it was told to end, if it was."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Uvicorn's own keeps the signal and raises it anew before its event loop has ended. What counts signals would take that for a second
        one, and end the process at once."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit, self.ended_by = True, sig

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        run_by_running_time(asyncio.get_running_loop())
        self._moderation.begin()
        await super().startup(sockets)
        self._sweeper = asyncio.create_task(_sweep(self._sessions))
        self._on_open()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        noticed.set()
        self._sweeper.cancel()
        self._sessions.close("the server stops")
        await asyncio.sleep(0.1)  # lets the last messages out
        asyncio.get_running_loop().call_later(GOODBYE, setattr, self, "force_exit", True)
        await super().shutdown(sockets)
        self._moderation.end()


async def _sweep(sessions: Games) -> None:
    while True:
        await asyncio.sleep(SWEEP)
        sessions.sweep()


def _check_submissions(ladders: Collection[Game], conditions: Conditions) -> None:
    if not ladders:
        raise BadOption("--submit needs a ladder; add --ladder GAME")
    if conditions.sandbox == "off":
        raise BadOption("--submit builds and runs bots in the sandbox; leave out --sandbox off")
    chosen_way("require")


def is_private(host: str, names: Sequence[str]) -> bool:
    """Whether a server that listens on ``host`` and is reached by further names serves this computer's users alone."""
    return is_loopback(host) and not names


def _address(proxy: str) -> str:
    try:
        return str(ip_address(without_brackets(proxy)))
    except ValueError:
        raise BadOption(f"trusted-proxy={proxy} is not an address such as 127.0.0.1") from None


def _host_name(name: str) -> str:
    with suppress(ValueError):
        return str(ip_address(without_brackets(name)))
    if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?", name):
        raise BadOption(f"name={name} is not a host's name such as play.example.org, which has neither https:// nor a port")
    return name


def listen(host: str, port: int) -> socket.socket:
    """A socket bound to the address. Raises ``BadOption`` if it cannot be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD)
        listener.bind(address)
        listener.listen()
    except (OSError, OverflowError, UnicodeError) as problem:  # the last: what names no computer, such as 127..0.1
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        raise BadOption(f"cannot listen on {host}, port {port}: {reason}") from None
    return listener


def address_for_others(url: str, host: str, names: Sequence[str], *, is_behind_proxy: bool) -> str:
    """Where other computers reach a server that is at ``url`` for this one and listens on ``host``: by its first name, behind a proxy by HTTPS; without
    a name by the address that it has in its network, for few names of computers are known there."""
    if names and is_behind_proxy:
        return f"https://{in_url(names[0])}{at('')}"
    name = (
        in_url(names[0]) if names else _address_in_network(socket.AF_INET6 if ":" in host else socket.AF_INET) if host in ANYWHERE else None
    )
    return f"http://{name}:{url.rpartition(':')[2]}" if name else url


def _address_in_network(family: socket.AddressFamily) -> str:
    """From which this computer would send to others, although nothing is sent; without a network, what it is called."""
    with socket.socket(family, socket.SOCK_DGRAM) as asked, suppress(OSError):
        asked.connect(("2001:db8::1" if family == socket.AF_INET6 else "192.0.2.1", 9))  # addresses that nobody has
        address: str = asked.getsockname()[0]
        return in_url(address)
    return socket.gethostname()


def _announce(listener: socket.socket, say: Callable[[str], None], open_browser: bool) -> str:
    """Say the address, which is returned."""
    host, port = listener.getsockname()[:2]
    name = ANYWHERE.get(host, in_url(host))
    url = f"http://{name}:{port}"
    say(f"Ludarium is at {url} (Ctrl-C stops it)")
    if open_browser and (sys.platform == "darwin" or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ):
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
    return url
