"""One open socket as a session sees it: who it is, and a bounded queue of what it is to be sent."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Awaitable
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from ludarium.web.visitors.visitor import Visitor

MOST_WAITING = 1_000_000
"""Characters that may wait for a client that reads slowly, besides the longest message that it got: the welcome to a long game. One that lags behind
further is dropped and may join again."""


class Client:
    """Sending never blocks: messages wait here until :meth:`pump` has sent them."""

    def __init__(self, visitor: Visitor | None = None) -> None:
        self.visitor = visitor or Visitor("")
        """Whose socket it is."""
        self.name = ""
        """Of who is there, if they have one."""
        self.seat: int | None = None
        """The seat that it plays, None for a watcher."""
        self.bottom = 0
        """The seat at the bottom of the drawings that it gets."""
        self.told = 0
        """The latest position that it was sent when that was the game's latest."""
        self.closing: tuple[int, str] | None = None
        """Status and reason of the close that comes after what waits."""
        self.lost = False
        """It lagged too far behind or fell silent; nothing more can be sent."""
        self._waiting: deque[str] = deque()
        self._size = self._longest = 0
        self._wake = asyncio.Event()
        self._pump: asyncio.Task[None] | None = None

    def send(self, text: str) -> None:
        """Queue a message. Too many waiting ones end the connection."""
        if self.closing or self.lost:
            return
        self._waiting.append(text)
        self._size += len(text)
        self._longest = max(self._longest, len(text))
        self._wake.set()
        if self._size > self._longest + MOST_WAITING:
            self.drop()

    def drop(self) -> None:
        """End the connection at once, without what waits."""
        self.lost = True
        self._waiting.clear()
        if self._pump is not None:
            self._pump.cancel()

    @property
    def lags(self) -> bool:
        """Whether something that was sent before still waits."""
        return self._size > 0

    def tell(self, **message: Any) -> None:
        """Queue a message given by its keys."""
        self.send(json.dumps(message, separators=(",", ":")))

    def close(self, status: int = 1000, reason: str = "") -> None:
        """Close once all that waits is sent."""
        self.closing = self.closing or (status, reason)
        self._wake.set()

    async def pump(self, websocket: WebSocket) -> None:
        """Send what waits until the client is closed or lost. Run it as a task of its own.

        Raises:
            WebSocketDisconnect: the client has left.
        """
        self._pump = asyncio.current_task()
        while not self.lost:
            if self._waiting:
                text = self._waiting.popleft()
                await _sent(websocket.send_text(text))
                self._size -= len(text)
            elif self.closing:
                await _sent(websocket.close(*self.closing))
                return
            else:
                self._wake.clear()
                await self._wake.wait()


async def _sent(sending: Awaitable[None]) -> None:
    """Wait until a message is sent. Uvicorn and Starlette have three exceptions for a socket that is closed, one of them a plain ``RuntimeError``.

    Raises:
        WebSocketDisconnect: it is closed.
    """
    try:
        await sending
    except (OSError, RuntimeError) as problem:
        raise WebSocketDisconnect(1006, str(problem)) from problem
