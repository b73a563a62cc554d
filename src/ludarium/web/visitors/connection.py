"""Connections as Uvicorn has them, with a bound on their number and on the time that others take to say what they want."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Container
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

from ludarium.core.clock import Clock, Timer

from .rate import Rate
from .visitor import network_of

READ = 1024
"""Bytes that are read of a connection before it is another's turn. Of the smallest chunks and frames it takes milliseconds to make sense of so many."""
HEAD_LINES = 100
"""That a request may have before its body."""
FRAMES, FRAME_SECONDS = 200, 0.1
"""How many frames beside whole messages a WebSocket may send at once (pings, pongs, parts of messages), and how long it is then until the next one."""


def _refusal(status: HTTPStatus, code: str, message: str, *headers: str) -> bytes:
    """Return a complete HTTP response with a refusal as its body."""
    body = json.dumps({"code": code, "message": message})
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}",
        "Connection: close",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    )
    return "\r\n".join((*head, *headers, "", body)).encode("ascii")


NO_HTTP = _refusal(HTTPStatus.BAD_REQUEST, "bad_message", "the request is not valid HTTP/1.1")
TOO_MANY_LINES = _refusal(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "too_large", f"a request has at most {HEAD_LINES} lines of headers")
TOO_MANY = _refusal(HTTPStatus.TOO_MANY_REQUESTS, "too_many", "too many connections are open; try again later", "Retry-After: 10")


@dataclass(frozen=True)
class ConnectionLimits:
    """What all connections of a server share."""

    in_all: int
    of_address: int
    seconds: float
    """That a request's head and body may take together, from the connection's beginning or from the first byte on."""
    proxies: Container[str] = ()
    """Addresses whose connections are those of many."""
    clock: Clock | None = None
    """By default the event loop that runs."""


class SmallReads(asyncio.BufferedProtocol):
    """What comes is read little by little, so that whoever sends much at once delays the others no more than whoever sends little."""

    _buffer: bytearray | None = None

    def get_buffer(self, sizehint: int) -> bytearray:
        self._buffer = self._buffer or bytearray(READ)
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        assert self._buffer is not None
        self.data_received(bytes(self._buffer[:nbytes]))

    def data_received(self, data: bytes) -> None:
        """What has come, for the protocol that is read so."""
        raise NotImplementedError


class Connection(H11Protocol, SmallReads):
    """One of them, until it becomes a WebSocket. Those that are too many are told so and closed, those that are too slow are closed."""

    def __init__(self, limits: ConnectionLimits, **uvicorn: Any) -> None:
        super().__init__(**uvicorn)
        self._limits = limits
        self._deadline: Timer | None = None
        self._head_lines = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # Uvicorn's class narrows it, too
        super().connection_made(transport)
        if self._is_one_too_many():
            self._refuse(TOO_MANY)
        else:
            self._wait()

    def _is_one_too_many(self) -> bool:
        if len(self.connections) > self._limits.in_all:
            return True
        if self.client is None or self.client[0] in self._limits.proxies:
            return False
        network = network_of(self.client[0])
        return sum(_network(other) == network for other in self.connections) > self._limits.of_address

    def data_received(self, data: bytes) -> None:
        if self.conn.their_state is h11.IDLE:
            self._head_lines += data.partition(b"\r\n\r\n")[0].count(b"\n")
        if self._head_lines > HEAD_LINES:
            self._refuse(TOO_MANY_LINES)
            return
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._head_lines = 0
        self._look_on()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP. Uvicorn's own answer is plain text."""
        self._refuse(NO_HTTP)

    def _refuse(self, answer: bytes) -> None:
        self.transport.write(answer)
        self.transport.close()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look_on()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _look_on(self) -> None:
        """Wait for the rest of a request, unless it is there, or none has begun and Uvicorn waits for the next one."""
        is_receiving = self.conn.their_state is h11.SEND_BODY or (self.conn.their_state is h11.IDLE and not self.timeout_keep_alive_task)
        if not is_receiving or self not in self.connections:  # but a WebSocket
            self._stop_waiting()
        elif self._deadline is None:
            self._wait()

    def _wait(self) -> None:
        self._deadline = (self._limits.clock or self.loop).call_later(self._limits.seconds, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class WebSocketConnection(WebSocketsSansIOProtocol, SmallReads):
    """A WebSocket. Messages are read no faster than they are answered; other frames, which Uvicorn deals with by itself, are bounded here."""

    def __init__(self, **uvicorn: Any) -> None:
        super().__init__(**uvicorn)
        self._rate = Rate(FRAMES, FRAME_SECONDS, self.loop.time)

    def handle_cont(self, event: Frame) -> None:
        if self._may_send_frames():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        if self._may_send_frames():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._may_send_frames():
            super().handle_pong(event)

    def _may_send_frames(self) -> bool:
        if self.close_sent:
            return False
        if self._rate.wait(self) > 0:
            self.conn.fail(CloseCode.POLICY_VIOLATION, "too many frames")
            self.handle_parser_exception()
            return False
        self._rate.count(self)
        return True


def _network(connection: object) -> str:
    client: tuple[str, int] | None = getattr(connection, "client", None)  # HTTP or WebSocket: Uvicorn names no common class that has it
    return "" if client is None else network_of(client[0])
