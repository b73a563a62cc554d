"""A bot that listens somewhere, to which the judge connects: each message is one of the WebSocket's."""

from __future__ import annotations

import asyncio
import functools
import os
import re
import threading
from collections.abc import AsyncIterable, Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from ludarium.core.running_time import run_by_running_time, running_time
from ludarium.errors import PlayerCrashed, PlayerFailed, PlayerIllegal, printable
from ludarium.players.base import never

from .process import BETWEEN_LOOKS, LONGEST_LINE, go_on

LONGEST_TO_CONNECT = 10.0
"""Seconds that connecting may take."""

BETWEEN_PINGS = 20.0
"""Seconds: connections on which nothing is said for long are dropped on the way. A bot need not answer them in time, which is the clocks' affair."""

LONGEST_GOODBYE = 0.5
"""Seconds that the other side has to agree that a connection ends."""

TOO_LONG, NO_TEXT, NO_PROTOCOL = 1009, 1007, 1002
"""With which this side closes a connection whose other side sends what it may not."""

Result = TypeVar("Result")


class WebSocket:
    """A connection. Its methods are called by one thread at a time."""

    def __init__(
        self, url: str, interrupted: Callable[[], bool] = never, longest: int = LONGEST_LINE, called: str = "", silence: float | None = None
    ) -> None:
        """Connect.

        Args:
            longest: bytes of a message that comes.
            called: what reasons call the other side, in place of the URL.
            silence: seconds after which a ping without an answer means that the connection is lost; None: never.

        Raises:
            PlayerCrashed: nobody can be reached there.
            Interrupted: nobody wants the connection any more.
        """
        self._name = called or url
        self._longest = longest
        self._since = 0.0
        self._held = 0.0
        try:
            self._connection = self._wait(_submit(_connected(url, longest, silence)), running_time() + 2 * LONGEST_TO_CONNECT, interrupted)
        except (OSError, WebSocketException, ValueError, ImportError) as problem:  # the last: a proxy for which a package is missing
            raise PlayerCrashed(f"crash: {self._name} cannot be reached: {_why(problem)}") from None
        self._next = _submit(self._connection.recv())

    def send(self, message: bytes, until: float, interrupted: Callable[[], bool]) -> None:
        """Send a message.

        Raises:
            PlayerCrashed, PlayerTimeout, Interrupted: as :meth:`receive`.
        """
        self.send_text(message.decode().rstrip("\n"), until, interrupted)

    def send_text(self, message: str | AsyncIterable[str], until: float, interrupted: Callable[[], bool]) -> None:
        """The same with a text, or its parts, a frame each."""
        try:
            self._wait(_submit(self._connection.send(message)), until, interrupted)
        except ConnectionClosed as closed:
            raise self._end_of(closed) from None

    def receive(self, until: float, interrupted: Callable[[], bool]) -> bytes:
        """The next message.

        Args:
            until: when it comes too late, by :func:`.running_time`.
            interrupted: asked now and then while nothing comes.

        Raises:
            PlayerTimeout: nothing came in time.
            PlayerIllegal: a message that is too long, or no text.
            PlayerCrashed: the connection is closed or lost.
            Interrupted: nobody wants it any more.
        """
        try:
            message = self._wait(self._next, until, interrupted)
        except ConnectionClosed as closed:
            raise self._end_of(closed) from None
        self._next = _submit(self._connection.recv())
        if isinstance(message, bytes):
            raise PlayerIllegal(f"bad answer: a binary message of {len(message):,} bytes")
        return message.encode()

    def said_unasked(self) -> bytes:
        """What has come without being asked for, if anything. A look that does not wait."""
        return self.receive(0.0, never) if self.has_message() else b""

    def has_message(self) -> bool:
        """Whether a message has come that nobody has received, or the connection has ended."""
        return self._next.done()

    def is_lost(self) -> bool:
        """Whether the connection is known to have ended."""
        return self._next.done() and self._next.exception() is not None

    def is_outdated(self) -> bool:
        """Return False: what the bot is made of is on its own computer."""
        return False

    def go(self) -> None:
        """It is its turn."""
        self._since = running_time()

    def rest(self) -> None:
        """Its turn is over. What it does until the next one is not for this computer to say."""
        self._held += running_time() - self._since
        self._since = 0.0

    def log_to(self, path: Path | None) -> None:
        """What it writes besides its answers stays where it is."""

    def last_words(self) -> str:
        """What it writes besides its answers stays where it is."""
        return ""

    def cpu_seconds(self) -> float:
        """The time on the wall for which it was waited: another computer's processor cannot be looked at."""
        return self._held + (running_time() - self._since if self._since else 0.0)

    def end(self) -> None:
        """Close the connection. This waits only until the other side is told."""
        with suppress(TimeoutError):
            _submit(_goodbye(self._connection)).result(LONGEST_GOODBYE)

    def hang_up(self, seconds: float) -> tuple[bytes, bool]:
        """Close the connection: what still comes, and whether the other side has agreed within ``seconds``."""
        closing = _submit(self._connection.close())
        with suppress(TimeoutError):
            closing.result(seconds)
        with suppress(PlayerFailed):
            return self.said_unasked(), False
        return b"", self._connection.protocol.close_rcvd is not None

    def _wait(self, future: Future[Result], until: float, interrupted: Callable[[], bool]) -> Result:
        while True:
            try:
                return future.result(BETWEEN_LOOKS)
            except TimeoutError:
                if future.done():  # with a TimeoutError of its own, or only just now
                    return future.result()
            try:
                go_on(until, interrupted)
            except BaseException:
                future.cancel()
                raise

    def _end_of(self, closed: ConnectionClosed) -> PlayerFailed:
        """Whose fault it is that the connection is closed."""
        sent, received = closed.sent, closed.rcvd
        if received is None and sent is not None:
            if sent.code == TOO_LONG:
                return PlayerIllegal(f"bad answer: a message of more than {self._longest:,} bytes")
            if sent.code == NO_TEXT:
                return PlayerIllegal("bad answer: not UTF-8")
            if sent.code == NO_PROTOCOL:
                return PlayerCrashed(f"crash: {self._name} does not speak as WebSockets do: {printable(sent.reason)}")
        if received is None:
            return PlayerCrashed(f"crash: the connection to {self._name} is lost")
        return PlayerCrashed(f"crash: {self._name} has closed the connection: {printable(str(received))}")


async def _connected(url: str, longest: int, silence: float | None) -> ClientConnection:
    return await connect(
        url,
        compression=None,
        open_timeout=LONGEST_TO_CONNECT,
        close_timeout=LONGEST_GOODBYE,
        ping_interval=BETWEEN_PINGS,
        ping_timeout=silence,
        max_size=longest,
    )


async def _goodbye(connection: ClientConnection) -> None:
    closing = asyncio.create_task(connection.close())
    _closing.add(closing)
    closing.add_done_callback(_closing.discard)
    await asyncio.sleep(0)  # the close is on its way


_closing: set[asyncio.Task[None]] = set()
"""The event loop itself does not hold its tasks."""


def _why(problem: Exception) -> str:
    if isinstance(problem, TimeoutError):
        return "no answer in time"
    if number := re.search(r"\[Errno (\d+)\]", str(problem)):  # asyncio's own words name the address once more, or several
        return os.strerror(int(number[1]))
    return printable((isinstance(problem, OSError) and problem.strerror) or str(problem))


def _submit(work: Coroutine[Any, Any, Result]) -> Future[Result]:
    with _one_by_one:
        loop = _loop()
    return asyncio.run_coroutine_threadsafe(work, loop)


_one_by_one = threading.Lock()
"""The first connections may be made at once, by several threads."""


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    """That of all connections, in a thread that ends with the process: the other sides' libraries ask now and then whether somebody is there."""
    loop = asyncio.new_event_loop()
    run_by_running_time(loop)
    threading.Thread(target=loop.run_forever, name="sockets", daemon=True).start()
    return loop
