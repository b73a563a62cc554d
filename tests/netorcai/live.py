"""An orchestrator on a free loopback port, with its event loop in a thread of its own."""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from typing import Any, Self

from ludarium.netorcai.logic import GameLogic
from ludarium.netorcai.server import Server, listen
from ludarium.netorcai.settings import Settings

PATIENCE = 20.0


class Live:
    """``with Live(logic, turns=5) as live:`` The game starts by itself; leaving waits until it is over."""

    def __init__(self, logic: GameLogic | None = None, **settings: Any) -> None:
        given = {"players": 2, "visualizations": 0, "delay_first_turn": 50, "autostart": True, "fast": True, **settings}
        self.code: int | None = None
        self.failure: Exception | None = None
        self._listener = listen("127.0.0.1", 0)
        self.port: int = self._listener.getsockname()[1]
        self._opened = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self._serve(Settings(**given), logic)))
        self.thread.start()
        assert self._opened.wait(PATIENCE)

    async def _serve(self, settings: Settings, logic: GameLogic | None) -> None:
        self.server = Server(settings, logic=logic, seed=0)
        self.loop = asyncio.get_running_loop()
        await self.server.open(self._listener)
        self._opened.set()
        try:
            self.code = await self.server.wait()
        except Exception as problem:  # noqa: BLE001  tests look at it
            self.failure = problem

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.loop.call_soon_threadsafe(self.server.orchestrator.quit)
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE)


def send(connection: socket.socket, text: bytes) -> None:
    connection.sendall(struct.pack("<I", len(text)) + text)


def read_all(connection: socket.socket) -> bytes:
    """Whatever comes until the other side ends the connection."""
    received = b""
    while data := connection.recv(65_536):
        received += data
    return received
