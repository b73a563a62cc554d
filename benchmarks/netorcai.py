"""``ludarium hexabomb serve`` in fast mode: turns a second with clients that do nothing, and what viewers get of them.

The original answers about 305 turns a second on such a map. What is compared with here is the game logic alone in this process: the rules and the state's
JSON, with nobody to send it to.
"""

from __future__ import annotations

import re
import selectors
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ludarium.games.hexabomb.maps import HexMap, map_json, read_map
from ludarium.labs.hexabomb.serving.logic import HexabombLogic
from ludarium.netorcai.messages import message

from .harness import Row, at_least, rate

CELLS = 415
PLAYERS = 4
CHARACTERS = 7
VIEWERS = 200
TURNS = 3000
TURNS_WITH_VIEWERS = 400

SIZE = struct.Struct("<I")
TURN = re.compile(rb'\{"message_type":"TURN","turn_number":([0-9]+),')


def rows() -> Iterator[Row]:
    least_delivered: list[float] = []

    def watched() -> float:
        turns_a_second, least = served(TURNS_WITH_VIEWERS, VIEWERS)
        least_delivered.append(least)
        return turns_a_second

    def worst_served() -> float:
        return statistics.median(least_delivered or [served(TURNS_WITH_VIEWERS, VIEWERS)[1]])

    name, alone = f"hexabomb served, {CELLS} cells, {PLAYERS} players that do nothing", "rules and JSON alone"
    yield Row(name, "turns/s", lambda: served(TURNS, 0)[0], alone, logic_alone, at_least(value=1000), rounds=5)
    yield Row(f"the same with {VIEWERS} viewers", "turns/s", watched, alone, logic_alone, at_least(value=100), rounds=5)
    worst = f"of these, what the worst-served of {VIEWERS} viewers gets"
    yield Row(worst, "turns", worst_served, "all turns", lambda: 1.0, at_least(value=0.9), rounds=1)


def board() -> HexMap:
    """A round map, with the teams at four of its ends."""
    near = sorted(((q, r) for q in range(-15, 16) for r in range(-15, 16)), key=lambda place: (_distance(place), place))
    cells = near[:CELLS]
    teams = [
        sorted(cells, key=lambda place, end=end: (_distance(_minus(place, end)), place))[:CHARACTERS]
        for end in ((10, 0), (0, 10), (-10, 0), (0, -10))
    ]

    def as_json(places: list[tuple[int, int]]) -> list[dict[str, int]]:
        return [{"q": q, "r": r} for q, r in places]

    positions = {str(team): as_json(places) for team, places in enumerate(teams)}
    return read_map({"cells": as_json(cells), "initial_positions": positions})


def _distance(place: tuple[int, int]) -> int:
    q, r = place
    return max(abs(q), abs(r), abs(q + r))


def _minus(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return one[0] - other[0], one[1] - other[1]


def served(turns: int, viewers: int) -> tuple[float, float]:
    """Turns a second of one game, and which part of them the viewer that got the fewest was sent."""
    with serving(turns, viewers) as port:
        seconds, delivered = play(port, viewers)
    between = turns - 1  # TURN is sent after all turns but the last
    return between / seconds, min(delivered, default=0) / between


def logic_alone() -> float:
    """Turns a second."""
    logic = HexabombLogic(board())
    logic.warm_up()

    def play_turns() -> int:
        logic.initial_state(PLAYERS, 0, TURNS)
        for _ in range(TURNS):
            logic.turn([])
        return TURNS

    return rate(play_turns)


@contextmanager
def serving(turns: int, viewers: int) -> Iterator[int]:
    """The server in a process of its own; its port."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "map.json"
        file.write_text(map_json(board()), encoding="utf-8")
        options = f"--players {PLAYERS} --turns {turns} --visualizations {viewers} --fast --autostart --delay-first-turn 50 --port 0"
        command = [sys.executable, "-m", "ludarium", "hexabomb", "serve", *options.split(), "--map", str(file), "--records", folder]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            try:
                yield next(int(match[1]) for line in process.stderr if (match := re.search(r"Listening  address=\S*:(\d+)", line)))
                process.communicate(timeout=60)
            finally:
                process.kill()


@dataclass
class Client:
    """A connection that answers every turn without looking at it."""

    connection: socket.socket
    is_viewer: bool
    received: bytearray = field(default_factory=bytearray)
    turns: int = 0
    ended: float = 0.0

    def take(self) -> bool:
        """Read what has come, and answer; whether there may be more."""
        data = self.connection.recv(1 << 18)
        self.received += data
        while len(self.received) >= SIZE.size:
            end = SIZE.size + SIZE.unpack_from(self.received)[0]
            if len(self.received) < end:
                break
            if turn := TURN.match(self.received, SIZE.size):
                self.turns += 1
                answer = b'{"message_type":"TURN_ACK","turn_number":%b,"actions":[]}\n' % turn[1]
                self.connection.sendall(SIZE.pack(len(answer)) + answer)
            elif self.received.startswith(b'{"message_type":"GAME_ENDS"', SIZE.size):
                self.ended = time.perf_counter()
            del self.received[:end]
        return bool(data)


def play(port: int, viewers: int) -> tuple[float, list[int]]:
    """Play one game; seconds from the first turn to its end, and how many turns each viewer was sent."""
    clients = [_log_in(port, "visualization") for _ in range(viewers)] + [_log_in(port, "player") for _ in range(PLAYERS)]
    began = 0.0
    with selectors.DefaultSelector() as selector:
        for client in clients:
            selector.register(client.connection, selectors.EVENT_READ, client)
        while selector.get_map():
            for key, _ in selector.select():
                if not key.data.take():
                    selector.unregister(key.data.connection)
                    key.data.connection.close()
                elif began == 0.0 and key.data.turns:
                    began = time.perf_counter()
    players = [client for client in clients if not client.is_viewer]
    assert all(client.ended for client in players)
    return max(client.ended for client in players) - began, [client.turns for client in clients if client.is_viewer]


def _log_in(port: int, role: str) -> Client:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.sendall(message(message_type="LOGIN", nickname="idle", role=role, metaprotocol_version="2.0.0"))
    return Client(connection, role == "visualization")
