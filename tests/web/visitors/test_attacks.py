"""What strangers may do to a server, done to one with real sockets. Each address of 127.0.0.0/8 is another one of theirs."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket as sockets
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import psutil
import pytest
import uvicorn
from uvicorn.server import ServerState

from ludarium.core.game import Game, State
from ludarium.core.open_files import allow_many_files
from ludarium.web.lobby import routes
from ludarium.web.visitors.connection import Connection, ConnectionLimits
from ludarium.web.visitors.limits import Limits
from tests.netorcai.lab import HandClock
from tests.web.live import PATIENCE, Live
from tests.web.visitors.test_visitors import visitor

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="all of 127.0.0.0/8 are addresses of this computer on Linux alone"),
    pytest.mark.xdist_group("attacks"),  # whose server is a process
]


def opened(live: Live | Process, sent: bytes, address: str = "127.0.0.9") -> sockets.socket:
    """A connection from an address, over which something was sent."""
    host, _, port = live.address.rpartition(":")
    connection = sockets.create_connection((host, int(port)), PATIENCE, source_address=(address, 0))
    connection.sendall(sent)
    return connection


def test_half_open_connections_are_closed_and_lock_nobody_out(tmp_path: Path) -> None:
    allow_many_files()
    with Live(tmp_path, Limits(people=10)) as live, ExitStack() as held:
        halves = [held.enter_context(opened(live, b"GET / HTTP/1.1\r\nHost: ")) for _ in range(130)]
        refused = [half for half in halves[100:] if half.recv(100).startswith(b"HTTP/1.1 429")]
        assert len(refused) == 30
        for address in ("127.0.0.1", "127.0.0.8"):
            with visitor(live, address) as client:
                assert client.get("/static/icon.svg").status_code == 200
        for half in halves[:50]:
            half.close()
        with visitor(live, "127.0.0.9") as client:
            assert client.get("/api/lobby/expendibots/waits").status_code == 200


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
        b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n\r\n{",
        b"GET /static/icon.svg HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\n",
    ],
)
def test_slow_requests_are_closed(tmp_path: Path, sent: bytes) -> None:
    with Live(tmp_path, Limits(request=0.2)) as live, opened(live, sent) as slow:
        while slow.recv(10_000):
            pass
        assert live.http.get("/static/icon.svg").status_code == 200


class Transport(asyncio.Transport):
    """The other side of a connection that a test holds in its hand."""

    def __init__(self) -> None:
        super().__init__({"peername": ("198.51.100.1", 4000), "sockname": ("127.0.0.1", 8000)})
        self.is_open = True

    def write(self, data: bytes | bytearray | memoryview) -> None:
        pass

    def is_closing(self) -> bool:
        return not self.is_open

    def close(self) -> None:
        self.is_open = False


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


def made_by(transport: Transport, limits: ConnectionLimits, state: ServerState, loop: asyncio.AbstractEventLoop) -> Connection:
    config = uvicorn.Config(app=lambda: None, log_config=None)
    connection = Connection(limits, config=config, server_state=state, app_state={}, _loop=loop)
    connection.connection_made(transport)
    return connection


@pytest.mark.parametrize(
    ("limits", "kept"),
    [((3, 9, 10.0), 3), ((9, 3, 10.0), 3), ((9, 3, 10.0, ["198.51.100.1"]), 5)],
)
def test_connections_are_counted_in_all_and_by_address(loop: asyncio.AbstractEventLoop, limits: tuple, kept: int) -> None:
    state, transports = ServerState(), [Transport() for _ in range(5)]
    for transport in transports:
        made_by(transport, ConnectionLimits(*limits, clock=HandClock()), state, loop)
    assert [transport.is_open for transport in transports] == [number < kept for number in range(5)]


def test_a_byte_now_and_then_is_too_slow_as_well(loop: asyncio.AbstractEventLoop) -> None:
    clock, transport = HandClock(), Transport()
    connection = made_by(transport, ConnectionLimits(10, 10, 10.0, clock=clock), ServerState(), loop)
    connection.data_received(b"GET / HTTP/1.1\r\n")
    for _ in range(9):
        clock.advance(1.0)
        connection.data_received(b"X: y\r\n")
    assert transport.is_open
    clock.advance(1.0)
    assert not transport.is_open


def test_a_connection_that_was_kept_alive_is_not_slow_either(tmp_path: Path) -> None:
    with Live(tmp_path, Limits(request=0.2)) as live, opened(live, b"HEAD /static/icon.svg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") as slow:
        assert slow.recv(10_000).endswith(b"\r\n\r\n")
        slow.sendall(b"GET ")  # before Uvicorn closes what is idle
        assert slow.recv(10_000) == b""


def test_sockets_and_idle_connections_outlive_the_time_of_requests(tmp_path: Path) -> None:
    with Live(tmp_path, Limits(request=0.2, pace=0.0)) as live:
        made = live.make("human", "human")
        with live.join(made["id"], made["seats"][0]["token"]) as white, opened(live, b"") as slow:
            assert slow.recv(100) == b""
            white.act("a2-a3")
            assert white.receive("position")["ply"] == 1


def test_boards_that_take_long_to_lay_delay_only_their_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages and files need threads too, of which there are 40."""
    may_end, dealt = threading.Event(), routes.dealt

    def lay(game: Game) -> State:
        assert game.id != "expendibots" or may_end.wait(PATIENCE)
        return dealt(game)

    monkeypatch.setattr(routes, "dealt", lay)
    with Live(tmp_path) as live, visitor(live) as other, ExitStack() as held:
        wish = f"POST /api/lobby/expendibots/deal HTTP/1.1\r\nHost: {live.address}\r\nContent-Length: 2\r\n\r\n{{}}".encode()
        deals = [held.enter_context(opened(live, wish)) for _ in range(50)]
        try:
            assert other.get("/static/icon.svg").status_code == 200
            assert "position" in other.post("/api/lobby/tic-tac-toe/deal", json={}).json()
        finally:
            may_end.set()
        assert all(deal.recv(15) == b"HTTP/1.1 200 OK" for deal in deals)


class Process:
    """``ludarium serve`` as people run it."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "ludarium", "serve", "--port", "0", "--data", str(folder)]
        usual = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=usual)
        assert self.process.stdout is not None
        line = next(line for line in self.process.stdout if "http://" in line)
        self.address = line.split("http://")[1].split()[0]
        self.http = httpx.Client(base_url=f"http://{self.address}", timeout=PATIENCE)

    make = Live.make
    socket = Live.socket
    join = Live.join

    def end(self) -> str:
        """What stands in the log."""
        self.http.close()
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.communicate(timeout=PATIENCE)[1]
        finally:
            self.process.kill()


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    process = Process(tmp_path_factory.mktemp("data"))
    yield process
    assert process.end() == ""


def test_a_visitor_who_lets_bots_think_long_delays_nobody(process: Process) -> None:
    """With one queue for all the second one waited 179 seconds: until each of the others had its answer."""
    with ExitStack() as held:
        others = [process.make("alphabeta:time=10s", "alphabeta:time=10s")["id"] for _ in range(8)]
        for id in others:
            held.enter_context(process.join(id))
        with httpx.Client(
            base_url=process.http.base_url, transport=httpx.HTTPTransport(local_address="127.0.0.8"), timeout=PATIENCE
        ) as other:
            made = other.post("/api/games", json={"game": "expendibots", "players": ["human", "greedy"]}).json()
        with process.join(made["id"], made["seats"][0]["token"]) as white:
            white.act("a2-a3")
            white.until(lambda position: position["ply"] == 2)
            assert sum(process.http.get(f"/api/games/{id}/record").text.count('"event":"action"') for id in others) < len(others)


@pytest.mark.parametrize(
    "sent",
    [
        b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n{",
        b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{}{\r\n",
        b"\xff\xfe\x00\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET /%ff HTTP/1.1\r\nHost: \xff\r\nCookie: visitor=\xff\xfe\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
    ],
)
def test_abandoned_and_broken_requests_leave_nothing_in_the_log(process: Process, sent: bytes) -> None:
    with opened(process, sent):
        pass
    assert process.http.get("/static/icon.svg").status_code == 200


def test_text_that_is_none_closes_the_socket_and_leaves_nothing_in_the_log(process: Process) -> None:
    made = process.make("human", "human")
    with process.join(made["id"]) as watcher:
        watcher.connection.send(b"\xff\xfe", text=True)
        assert watcher.status() == 1007


def test_nested_messages_delay_nobody(process: Process) -> None:
    made = process.make("human", "human")
    nested = ",".join(["[" * 900 + "]" * 900] * 36)
    text = f'{{"type":"act","ply":0,"orders":[{nested}]}}'
    with ExitStack() as held:
        flood = [held.enter_context(process.join(made["id"])) for _ in range(8)]
        for _ in range(5):
            for socket in flood:
                socket.connection.send(text)
        assert delay(process) < 1.0
        for socket in 5 * flood:
            assert socket.receive("error")["code"] == "bad_message"


HANDSHAKE = (
    "GET /api/games/{}/socket HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
CHUNKED = b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
NO_MASK = bytes(4)
PING, PONG, TEXT, PART = (bytes([first, 0x80]) + NO_MASK for first in (0x89, 0x8A, 0x01, 0x00))
"""Empty frames: of the control ones each, the beginning of a message, and what goes on with it."""


@contextmanager
def open_sockets(process: Process, number: int) -> Generator[list[sockets.socket]]:
    """Connections from one address that have become the WebSockets of a game."""
    with ExitStack() as held:
        id = process.make("human", "human")["id"]
        connections = [held.enter_context(opened(process, HANDSHAKE.format(id).encode())) for _ in range(number)]
        assert all(b" 101 " in connection.recv(10_000) for connection in connections)
        yield connections


@pytest.mark.parametrize("sent", [PING * 250, PONG * 250, TEXT + PART * 250], ids=["ping", "pong", "parts"])
def test_frames_that_say_nothing_close_the_socket(process: Process, sent: bytes) -> None:
    with open_sockets(process, 1) as [connection]:
        connection.sendall(sent)
        assert b"".join(iter(lambda: connection.recv(10_000), b"")).endswith(b"\x03\xf0too many frames")


def delay(process: Process) -> float:
    """The seconds that the server works until somebody at another address has a page."""
    server = psutil.Process(process.process.pid)
    before = server.cpu_times()
    with httpx.Client(base_url=process.http.base_url, transport=httpx.HTTPTransport(local_address="127.0.0.8"), timeout=PATIENCE) as other:
        assert other.get("/static/icon.svg").status_code == 200
    after = server.cpu_times()
    return after.user - before.user + after.system - before.system


def send_all(connections: list[sockets.socket], sent: bytes) -> None:
    """As much of it as the other side takes at once."""
    for connection in connections:
        connection.setblocking(False)
        with suppress(OSError):
            connection.send(sent)


def test_whoever_sends_much_over_sockets_delays_nobody(process: Process) -> None:
    """Twenty such sockets stopped the server for half a minute."""
    with open_sockets(process, 20) as connections:
        for sent in (PING, TEXT + 40_000 * PART):
            send_all(connections, 40_000 * sent if sent == PING else sent)
            assert delay(process) < 4.0


def test_requests_in_small_pieces_delay_nobody(process: Process) -> None:
    """Twenty of them took 16 seconds."""
    with ExitStack() as held:
        connections = [held.enter_context(opened(process, CHUNKED)) for _ in range(20)]
        send_all(connections, 40_000 * b"1\r\n{\r\n")
        assert delay(process) < 6.0


def test_many_clients_of_one_address_delay_others_no_more_than_one(process: Process) -> None:
    """With a turn for each of them it was 8 seconds."""
    join = json.dumps({"type": "join", "version": 1}).encode()
    wide = json.dumps({"type": "plan", "ply": 0, "orders": [["a"]] * 10_000}, separators=(",", ":")).encode()
    sent = bytes([0x81, 0x80 | len(join)]) + NO_MASK + join + 8 * (b"\x81\xfe" + len(wide).to_bytes(2, "big") + NO_MASK + wide)
    with open_sockets(process, 40) as connections:
        send_all(connections, sent)
        assert delay(process) < 4.0


def test_heads_have_few_lines(process: Process) -> None:
    with opened(process, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + 150 * b"a: b\r\n") as flood:
        assert flood.recv(100).startswith(b"HTTP/1.1 431")
    for _ in range(30):  # over one connection
        assert process.http.get("/static/icon.svg").status_code == 200
