"""A client in the orchestrator's own process, such as a person at a page: it says and is told what any client does, but no network lies between."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any, Protocol

from ludarium.core.clock import Clock

from .connection import Connection, Host
from .messages import PLAYER, VERSION, message
from .wire import Deframer

_START = re.compile(rb'\{"message_type":"GAME_STARTS","player_id":(-?[0-9]+),')
_TURN = re.compile(rb'\{"message_type":"TURN","turn_number":([0-9]+),')
_KICK = re.compile(rb'\{"message_type":"KICK",')
_LOGIN_ACK = re.compile(rb'\{"message_type":"LOGIN_ACK",')
"""How the orchestrator's messages begin. What they say of the game is not read: whoever is inside knows it already."""


class Insider(Protocol):
    """Who is told what a client of this process is told, each time after the orchestrator has done all that it was doing."""

    def logged_in(self) -> None: ...

    def started(self, player_id: int) -> None: ...

    def turn(self, number: int) -> None: ...

    def kicked(self, reason: str) -> None:
        """The orchestrator has ended the connection."""
        ...


class InsideClient:
    """One client. It answers each TURN once."""

    def __init__(
        self, host: Host, clock: Clock, insider: Insider, *, nickname: str, role: str = PLAYER, address: tuple[str, int] = ("inside", 0)
    ) -> None:
        """Connect and log in.

        Args:
            host: the orchestrator.
            clock: its clock.
            insider: is told what comes back.
            nickname: 1 to 10 characters without spaces.
            role: as what.
            address: host and port that others are shown.
        """
        self._insider = insider
        self.turn_number: int | None = None
        """Of the TURN that waits for an answer."""
        self.connection = Connection(host, clock)
        self._transport = _Transport(self.connection, clock, address, self._take)
        self.connection.connection_made(self._transport)
        self._send(message(message_type="LOGIN", nickname=nickname, role=role, metaprotocol_version=VERSION))

    def answer(self, actions: list[Any]) -> None:
        """Answer the TURN that waits for it."""
        assert self.turn_number is not None
        number, self.turn_number = self.turn_number, None
        self._send(message(message_type="TURN_ACK", turn_number=number, actions=actions))

    def leave(self) -> None:
        """Close the connection from this side; nothing more is told."""
        self._transport.close()

    def _send(self, data: bytes) -> None:
        if not self._transport.is_closing():
            self.connection.take(data)

    def _take(self, content: bytes) -> None:
        if found := _TURN.match(content):
            self.turn_number = int(found[1])
            self._insider.turn(self.turn_number)
        elif found := _START.match(content):
            self._insider.started(int(found[1]))
        elif _LOGIN_ACK.match(content):
            self._insider.logged_in()
        elif _KICK.match(content):
            self._insider.kicked(str(json.loads(content)["kick_reason"]))


class _Transport(asyncio.Transport):
    """What takes the place of the network: what is written is read at once, as soon as nothing else is being done."""

    def __init__(self, connection: Connection, clock: Clock, address: tuple[str, int], read: Callable[[bytes], None]) -> None:
        super().__init__({"peername": address})
        self._connection = connection
        self._clock = clock
        self._read = read
        self._deframer = Deframer()
        self._is_closed = False

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Nothing ever waits here."""

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        self._clock.call_soon(self._deliver, bytes(data))

    def _deliver(self, data: bytes) -> None:
        if self._is_closed:
            return
        self._deframer.feed(data)
        while (content := self._deframer.next()) is not None:
            self._read(content)

    def write_eof(self) -> None:
        """The orchestrator has nothing more to say; the connection ends once the last of it has been read."""
        self._clock.call_soon(self.close)

    def can_write_eof(self) -> bool:
        return True

    def is_closing(self) -> bool:
        return self._is_closed

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._connection.connection_lost(None)

    def abort(self) -> None:
        self.close()
