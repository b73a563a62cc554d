"""The process around an orchestrator: its address, its signals and its exit code."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import FrameType
from weakref import WeakSet

from ludarium.core.hosts import without_brackets
from ludarium.core.open_files import allow_many_files
from ludarium.core.running_time import run_by_running_time
from ludarium.core.stopping import noticed
from ludarium.errors import BadOption

from .connection import Connection, address_of
from .logic import GameLogic
from .orchestrator import Orchestrator
from .settings import Settings

ANYWHERE = ""
"""The host that stands for all addresses of this computer."""
BACKLOG = 128
"""Connections that the system may hold until they are accepted."""
INTERRUPTED = 128 + signal.SIGINT


class Server:
    """Serves one game to whoever connects."""

    def __init__(self, settings: Settings, *, logic: GameLogic | None = None, seed: int | None = None) -> None:
        """Prepare a game; call it where an event loop runs. The parameters are those of :class:`.orchestrator.Orchestrator`."""
        self._loop = asyncio.get_running_loop()
        run_by_running_time(self._loop)
        self._code: asyncio.Future[int] = self._loop.create_future()
        self._connections: WeakSet[Connection] = WeakSet()
        self._server: asyncio.Server | None = None
        self.orchestrator = Orchestrator(settings, self._loop, logic=logic, seed=seed, on_over=self._over)

    async def open(self, listener: socket.socket) -> None:
        """Let clients in. A game that waits for nobody starts now, if it is to start by itself."""
        self._server = await self._loop.create_server(self._accept, sock=listener, backlog=BACKLOG)
        self.orchestrator.start_if_complete()

    async def wait(self) -> int:
        """Wait until the game is over and everybody has been told; the exit code.

        Raises:
            Exception: what the game logic of this process raised, once the clients have been told that the game is aborted.
        """
        code = await self._code
        if self._server is not None:
            self._server.close()
        kicked = frozenset(self._connections)
        for connection in kicked - self.orchestrator.unanswered:
            connection.hasten()
        for connection in kicked:
            await connection.gone.wait()
        if self.orchestrator.failure is not None:
            raise self.orchestrator.failure
        return code

    def _accept(self) -> Connection:
        connection = Connection(self.orchestrator, self._loop)
        self._connections.add(connection)
        return connection

    def _over(self, code: int) -> None:
        if not self._code.done():
            self._code.set_result(code)


def listen(host: str, port: int) -> socket.socket:
    """A socket bound to an address, :data:`ANYWHERE` being all of them, by IPv4 and IPv6 where the computer has both.

    Raises:
        BadOption: it cannot be had.
    """
    host = without_brackets(host)
    try:
        if host == ANYWHERE and socket.has_dualstack_ipv6():
            return socket.create_server((host, port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=BACKLOG)
        family = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except (OSError, OverflowError, UnicodeError) as problem:  # the last: what names no computer, such as 127..0.1
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        reason = reason.partition(" (while")[0]  # the address, which is said already
        raise BadOption(f"cannot listen on {host or 'all addresses'}, port {port}: {reason}") from None


def run(
    settings: Settings,
    *,
    host: str,
    port: int,
    logic: GameLogic | None = None,
    seed: int | None = None,
    while_open: Callable[[Orchestrator, str], AbstractContextManager[object]] | None = None,
) -> int:
    """Serve one game, as the whole work of this process; the exit code.

    Ctrl-C and SIGTERM end the game: the clients are told, then the exit code is 130 or 1.

    Args:
        settings, logic, seed: those of :class:`.orchestrator.Orchestrator`.
        host: an address of this computer, or :data:`ANYWHERE`.
        port: 0 takes any free one.
        while_open: is given the orchestrator and the address ``host:port`` before anybody can log in, and is entered until the game is over.

    Raises:
        BadOption: the address cannot be had.
        Exception: what the game logic of this process raised.
    """
    allow_many_files()
    with listen(host, port) as listener:

        async def serve() -> int:
            server = Server(settings, logic=logic, seed=seed)
            beside = nullcontext() if while_open is None else while_open(server.orchestrator, address_of(listener.getsockname()))
            with _signals(server.orchestrator) as stopped, beside:
                await server.open(listener)
                code = await server.wait()
            return INTERRUPTED if signal.SIGINT in stopped else code

        return asyncio.run(serve())


@contextmanager
def _signals(orchestrator: Orchestrator) -> Generator[list[int]]:
    """While inside, Ctrl-C and SIGTERM abort the game; the list has those that came. A second one does not wait for the clients."""
    loop = asyncio.get_running_loop()
    came: list[int] = []

    def receive(number: int, frame: FrameType | None) -> None:
        if came:
            raise KeyboardInterrupt
        came.append(number)
        noticed.set()
        loop.call_soon_threadsafe(orchestrator.abort, signal.Signals(number).name)

    before = {number: signal.signal(number, receive) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
