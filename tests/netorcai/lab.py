"""An orchestrator without a network and without time: connections are objects, the clock is moved by hand."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import json
import random
from collections.abc import Callable, Sequence
from typing import Any

from ludarium.netorcai.connection import Connection
from ludarium.netorcai.events import Event
from ludarium.netorcai.logic import GameLogic, State
from ludarium.netorcai.messages import PlayerActions
from ludarium.netorcai.orchestrator import Orchestrator
from ludarium.netorcai.settings import Settings
from ludarium.netorcai.wire import Deframer, frame

Message = dict[str, Any]


class HandTimer:
    def __init__(self) -> None:
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True


class HandClock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0
        self._number = itertools.count()
        self._queue: list[tuple[float, int, HandTimer, Callable[..., object], tuple[Any, ...]]] = []

    def time(self) -> float:
        return self.now

    def call_soon(self, callback: Callable[..., object], *args: Any) -> HandTimer:
        return self.call_later(0, callback, *args)

    def call_later(self, delay: float, callback: Callable[..., object], *args: Any) -> HandTimer:
        timer = HandTimer()
        heapq.heappush(self._queue, (self.now + delay, next(self._number), timer, callback, args))
        return timer

    def advance(self, seconds: float = 0.0) -> None:
        """Let time pass, with all that happens in it."""
        end = self.now + seconds
        while self._queue and self._queue[0][0] <= end + 1e-9:
            self.now, _, timer, callback, args = heapq.heappop(self._queue)
            if not timer.is_cancelled:
                callback(*args)
        self.now = end


class Wire(asyncio.Transport):
    """The network between a connection and its peer, which reads all at once unless it is told to stall."""

    def __init__(self, address: tuple[str, int]) -> None:
        super().__init__({"peername": address})
        self.connection: Connection | None = None
        self.sent = bytearray()
        self.unsent = bytearray()
        self.is_stalled = False
        self.is_ended = False

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        assert high == 0

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.is_ended
        if self.is_stalled:
            self.unsent += data
            assert self.connection is not None
            self.connection.pause_writing()
        else:
            self.sent += data

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.is_ended = True

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return len(self.unsent)

    def abort(self) -> None:
        assert self.connection is not None
        self.is_ended = True
        self.connection.connection_lost(None)


class Peer:
    """The other side of a connection."""

    ports = itertools.count(40_000)

    def __init__(self, orchestrator: Orchestrator, clock: HandClock, *, port: int | None = None) -> None:
        self.address = ("127.0.0.1", next(Peer.ports) if port is None else port)
        self.wire = Wire(self.address)
        self.connection = self.wire.connection = Connection(orchestrator, clock)
        self._deframer = Deframer()
        self.connection.connection_made(self.wire)

    def send(self, message: Message | str | None = None, **fields: Any) -> None:
        """Send a message, given as an object, as text, or by its fields."""
        text = message if isinstance(message, str) else json.dumps(fields if message is None else message)
        self.send_bytes(frame(text.encode()))

    def send_bytes(self, data: bytes) -> None:
        self.connection.take(data)

    def ack(self, number: int, *actions: Any) -> None:
        self.send(message_type="TURN_ACK", turn_number=number, actions=list(actions))

    def read(self) -> list[Message]:
        """All messages since the last time."""
        self._deframer.feed(bytes(self.wire.sent))
        self.wire.sent.clear()
        return [json.loads(content) for content in iter(self._deframer.next, None)]

    def read_one(self) -> Message:
        (message,) = self.read()
        return message

    def read_kick(self) -> str:
        """The reason of a kick, which is all that came, and after which the connection ends."""
        message = self.read_one()
        assert self.wire.is_ended
        assert message["message_type"] == "KICK"
        return message["kick_reason"]

    def leave(self) -> None:
        self.connection.connection_lost(None)

    def stall(self) -> None:
        self.wire.is_stalled = True

    def catch_up(self) -> None:
        """Read all that could not be sent."""
        self.wire.is_stalled = False
        self.wire.sent += self.wire.unsent
        self.wire.unsent.clear()
        self.connection.resume_writing()


class Counter:
    """A game in which a state is the number of turns played and what was done in the last one."""

    def __init__(self) -> None:
        self.turns: list[list[PlayerActions]] = []
        self.begun: tuple[int, int, int] | None = None

    def initial_state(self, players: int, special_players: int, turns: int) -> State:
        self.begun = (players, special_players, turns)
        return {"turns": 0}

    def turn(self, players_actions: Sequence[PlayerActions]) -> tuple[State, int]:
        self.turns.append(list(players_actions))
        return {"turns": len(self.turns)}, -1

    def seen(self) -> list[list[tuple[int, int]]]:
        """For each turn, who was heard and which TURN it answered."""
        return [[(one.player_id, one.turn_number) for one in turn] for turn in self.turns]


class Lab:
    """One game. By default everything is as in the recorded probe: short delays, no visualization."""

    def __init__(self, *, logic: GameLogic | None = None, seed: int = 0, **settings: Any) -> None:
        given = {"turns": 6, "players": 2, "visualizations": 0, "delay_first_turn": 50, "delay_turns": 200, **settings}
        self.clock = HandClock()
        self.events: list[Event] = []
        self.codes: list[int] = []
        self.orchestrator = Orchestrator(
            Settings(**given), self.clock, logic=logic, seed=seed, observers=[self.events.append], on_over=self.codes.append
        )

    def connect(self) -> Peer:
        return Peer(self.orchestrator, self.clock)

    def log_in(self, role: str = "player", nickname: str = "bob") -> Peer:
        """A client that logged in and read its LOGIN_ACK."""
        peer = self.connect()
        peer.send(message_type="LOGIN", nickname=nickname, role=role, metaprotocol_version="2.0.0")
        acknowledged = peer.read()[0]
        assert acknowledged == {"message_type": "LOGIN_ACK", "metaprotocol_version": "2.0.0"}
        return peer

    def first_turn(self) -> None:
        """Let the delay before the first turn pass."""
        self.clock.advance(self.orchestrator.settings.delay_first_turn / 1000)

    def next_turn(self) -> None:
        """Let the delay between turns pass."""
        self.clock.advance(self.orchestrator.settings.delay_turns / 1000)


def seed_for_login_order(players: int) -> int:
    """A seed with which the first login is player 0, the second player 1, and so on."""
    for seed in itertools.count():
        order = list(range(players))
        random.Random(seed).shuffle(order)
        if order == sorted(order):
            return seed
    raise AssertionError
