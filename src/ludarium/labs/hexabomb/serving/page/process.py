"""The page of a networked game, seen from the server: a process of its own, so that nobody who looks can hold up the game."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import queue
import socket
import threading
from multiprocessing.connection import Connection
from typing import Self, cast

import numpy as np

from ludarium.arena.processes import quiet_start
from ludarium.core.clock import Clock, Timer
from ludarium.core.event_loop import call_in_loop
from ludarium.core.hosts import in_url
from ludarium.netorcai.events import Aborted, Event, GameEnded, GameStarted, PlayersChanged, TurnPlayed
from ludarium.netorcai.log import note
from ludarium.netorcai.orchestrator import Orchestrator

from ..logic import HexabombLogic
from . import feed
from .people import People

Outgoing = queue.SimpleQueue[list[feed.ToPage] | None]
"""Batches of messages; None is the end."""

FLUSH = 0.03
"""Seconds in which what happens is gathered before the page is told: a fast game plays many turns in them."""
LOOK = 0.1
"""Seconds between two looks at who has answered."""
END = 5.0
"""Seconds that the page has to tell its viewers how the game ended."""


class Page:
    """What the page is told, and what it says. Call it with every event of the orchestrator."""

    def __init__(self, orchestrator: Orchestrator, logic: HexabombLogic, clock: Clock, outgoing: Outgoing, *, wait: bool) -> None:
        self.people = People(orchestrator, clock, self.tell, wait=wait)
        self._orchestrator = orchestrator
        self._logic = logic
        self._clock = clock
        self._outgoing = outgoing
        self._waiting: list[feed.ToPage] = []
        self._table: feed.Table | None = None
        self._turns: list[bytes] = []
        self._answered: frozenset[int] = frozenset()
        self._is_over = False
        self._timer: Timer | None = None
        self(PlayersChanged((), 0))

    def __call__(self, event: Event) -> None:
        if isinstance(event, PlayersChanged):
            self._table = self._table_of(event)
            self._wake()
        elif isinstance(event, GameStarted):
            self.tell(event)
            self._look()
        elif isinstance(event, TurnPlayed):
            self._turns.append(self._orders())
            self._answered = frozenset()
            self._wake()
            if self.people:
                self._clock.call_soon(self.people.turn_begins, event.number + 1)
        elif isinstance(event, GameEnded | Aborted):
            self._is_over = True
            if isinstance(event, Aborted):
                self.tell(event)
            self._flush()  # nothing more happens on the event loop

    def tell(self, message: feed.ToPage) -> None:
        """Let the page know something soon, in the order of these calls."""
        self._collect()
        self._waiting.append(message)
        self._wake()

    def tell_record(self, problem: str | None) -> None:
        """Let everybody at the page know why the game is not kept; None: that it is again."""
        self.tell(feed.Unkept(problem))

    def gone(self) -> None:
        """The page's process has failed. Its people leave, the game goes on."""
        note(logging.ERROR, "The page has failed; the game goes on without it")
        self.people.all_leave()

    def _wake(self) -> None:
        if self._timer is None:
            self._timer = self._clock.call_later(FLUSH, self._flush)

    def _collect(self) -> None:
        """Put what is gathered where it stands among the messages: of many changes of the table only the last one counts, and turns go together."""
        if self._table is not None:
            self._waiting.append(self._table)
            self._table = None
        if self._turns:
            self._waiting.append(feed.Played(tuple(self._turns)))
            self._turns.clear()

    def _flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._collect()
        if self._waiting:
            self._outgoing.put(self._waiting)
            self._waiting = []

    def _look(self) -> None:
        """Tell who has answered, of which there is no event."""
        if self._is_over:
            return
        answered = self._orchestrator.answered()
        if answered != self._answered:
            self._answered = answered
            self.tell(feed.Answered(answered))
        self._clock.call_later(LOOK, self._look)

    def _table_of(self, event: PlayersChanged) -> feed.Table:
        persons = tuple(self.people.who_is(one.remote_address) for one in event.players)
        return feed.Table(event.players, persons, event.visualizations, self._orchestrator.settings)

    def _orders(self) -> bytes:
        simulation = self._logic.simulation
        assert simulation is not None
        return np.array(list(simulation.carried_out.values()), np.int16).tobytes()


class PageProcess:
    """The process that serves the page. A context manager; leaving it lets the viewers know that this was all."""

    def __init__(self, listener: socket.socket, setup: feed.Setup) -> None:
        """Start it. It takes over ``listener``, a socket that is bound to the page's address."""
        self.url = _url(listener)
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(listener, theirs, setup), name="hexabomb page", daemon=True)
        with quiet_start(_serve):  # Ctrl-C is not for it
            self._process.start()
        theirs.close()
        listener.close()
        self._waits_for_people = setup.waits_for_people
        self._outgoing: Outgoing = queue.SimpleQueue()
        self._is_closing = False
        threading.Thread(target=self._write, name="to the page", daemon=True).start()

    def attach(self, orchestrator: Orchestrator, logic: HexabombLogic) -> Page:
        """What has to observe the orchestrator, on its running event loop."""
        loop = asyncio.get_running_loop()
        page = Page(orchestrator, logic, loop, self._outgoing, wait=self._waits_for_people)
        threading.Thread(target=self._read, args=(loop, page), name="from the page", daemon=True).start()
        return page

    def wait(self) -> None:
        """Wait until the process ends, which it does not do by itself."""
        self._process.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._is_closing = True
        self._outgoing.put(None)
        self._process.join(END)
        if self._process.is_alive():
            self._process.kill()

    def _write(self) -> None:
        """Hand messages on. A page that is slow to read makes only this thread wait."""
        while True:
            batch = self._outgoing.get()
            try:
                self._pipe.send(batch)
            except OSError:  # it is gone
                return
            if batch is None:
                return

    def _read(self, loop: asyncio.AbstractEventLoop, page: Page) -> None:
        while True:
            try:
                wish = cast(feed.FromPage, self._pipe.recv())
            except (EOFError, OSError):
                break
            if not call_in_loop(loop, page.people.take, wish):  # the game is over
                return
        if not self._is_closing:
            call_in_loop(loop, page.gone)


def _serve(listener: socket.socket, pipe: Connection, setup: feed.Setup) -> None:
    from .server import serve_page  # which only that process needs

    serve_page(listener, pipe, setup)
    os._exit(0)  # all is said and nothing is kept here, and whoever waits need not wait for Python to take itself apart


def _url(listener: socket.socket) -> str:
    """Where a browser on this computer finds it."""
    host, port = listener.getsockname()[:2]
    host = str({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host))
    return f"http://{in_url(host)}:{port}"
