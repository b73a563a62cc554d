"""One connection, whoever is at its other end: messages in, messages out, and an orderly end.

Nothing here waits for the other side. Reading stops mattering once it is kicked; what it does not read is bounded, since those who send look at
:attr:`Connection.is_writable` first.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

from ludarium.core.clock import Clock, Timer
from ludarium.core.hosts import in_url
from ludarium.errors import ProtocolError

from .messages import kick
from .wire import FIRST_LIMIT, Deframer

LINGER = 2.0
"""Seconds that the other side of a closed connection has to read what it was sent."""
QUIET = 0.05
"""Seconds in which somebody who still reads or answers what was sent before shows it."""
DISCARDED = 2**25
"""Bytes that may still come from it meanwhile. Were they not read, the system would throw away the reason of the kick along with them."""

_BUFFER = 16_384
"""Bytes that are read at once. The default of asyncio allocates a quarter of a megabyte anew for each of thousands of short messages a second."""


class Host(Protocol):
    """Who is told what happens on a connection. After :meth:`lost` nothing more is told of it."""

    def opened(self, connection: Connection) -> None: ...

    def received(self, connection: Connection, content: bytes) -> None: ...

    def unreadable(self, connection: Connection, problem: ProtocolError) -> None: ...

    def writable(self, connection: Connection) -> None: ...

    def lost(self, connection: Connection) -> None: ...

    def gone(self, connection: Connection) -> None: ...


class Connection(asyncio.BufferedProtocol):
    """A connection that was accepted. ``connection.send(message)`` for messages made by :mod:`.messages`."""

    def __init__(self, host: Host, clock: Clock) -> None:
        self.address = ""
        """``host:port`` of the other side."""
        self.is_writable = True
        """Whether all that was sent has left for the network."""
        self.is_open = False
        """Neither closed from here nor lost."""
        self.gone = asyncio.Event()
        """Set when nothing more can come or leave."""
        self._host = host
        self._clock = clock
        self._buffer = memoryview(bytearray(_BUFFER))
        self._deframer = Deframer(FIRST_LIMIT)
        self._discarded = 0
        self._linger: Timer | None = None
        self._transport: asyncio.Transport | None = None

    # What happens on the network.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.set_write_buffer_limits(high=0)  # any byte that waits says that the other side lags
        self.address = address_of(transport.get_extra_info("peername"))
        self.is_open = True
        self._host.opened(self)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self.take(self._buffer[:nbytes])

    def take(self, data: bytes | memoryview) -> None:
        """Data has arrived."""
        if not self.is_open:
            self._discarded += len(data)
            if self._discarded > DISCARDED:
                self.abort()
            return
        self._deframer.feed(data)
        while self.is_open:
            try:
                content = self._deframer.next()
            except ProtocolError as problem:
                self._host.unreadable(self, problem)
                return
            if content is None:
                return
            self._host.received(self, content)

    def pause_writing(self) -> None:
        self.is_writable = False

    def resume_writing(self) -> None:
        self.is_writable = True
        if self.is_open:
            self._host.writable(self)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._linger is not None:
            self._linger.cancel()
        if self.is_open:
            self.is_open = False
            self._host.lost(self)
        self._host.gone(self)
        self.gone.set()

    # What is done from here.

    def send(self, message: bytes) -> None:
        """Send a message, after all that was sent before."""
        if self.is_open and self._transport is not None:
            self._transport.write(message)

    def kick(self, reason: str) -> None:
        """Say why, and close."""
        self.send(kick(reason))
        self.close()

    def close(self) -> None:
        """Send what is left to send, and end the connection. The host has decided this; it is told only when it is gone."""
        if self._transport is None or not self.is_open:
            return
        self.is_open = False
        self._deframer = Deframer()
        self._linger = self._clock.call_later(LINGER, self.abort)
        if self._transport.is_closing():
            return
        try:
            self._transport.write_eof()
        except OSError:  # the other side has torn the connection down already
            self.abort()

    def hasten(self, before: tuple[int, int] | None = None) -> None:
        """End a closed connection as soon as nothing comes or leaves for :data:`QUIET` seconds. What the system has taken, it delivers all the same."""
        if self._transport is None or self.gone.is_set():
            return
        now = self._discarded, self._transport.get_write_buffer_size()
        if now == before:
            self.abort()
        else:
            self._clock.call_later(QUIET, self.hasten, now)

    def abort(self) -> None:
        """End the connection at once, whatever has not been sent."""
        if self._transport is not None:
            self._transport.abort()


def address_of(peer: object) -> str:
    """``host:port``, as netorcai writes it: an IPv4 address that came in by IPv6 as what it is, an IPv6 address in brackets."""
    if not isinstance(peer, tuple):
        return ""
    host, port = str(peer[0]).removeprefix("::ffff:"), peer[1]  # pyright: ignore[reportUnknownVariableType,reportUnknownArgumentType]
    return f"{in_url(host)}:{port}"
