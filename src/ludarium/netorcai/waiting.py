"""Fast mode's waiting: how long a turn stands before the next one begins."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

from ludarium.core.clock import Clock, Timer

from .log import note
from .roster import Client
from .settings import Settings

GRACE = 0.01
"""Seconds that visualizations have to keep up. One that has missed this is not waited for until it has answered."""
FOREVER = float("inf")


class Waiting:
    """Waits for the answers to one TURN after the other.

    A player has the turn timeout, halved for each turn that it has missed in a row; one that turns wait for has any time. Visualizations have
    :data:`GRACE`, all together.
    """

    def __init__(self, clock: Clock, settings: Settings, done: Callable[[], None]) -> None:
        """``done`` is called once after each :meth:`begin` that is not ended before: when nobody is waited for any more."""
        self._clock = clock
        self._settings = settings
        self._done = done
        self._is_open = False
        self._clients: set[Client] = set()
        self._patience: Timer | None = None
        self._grace: Timer | None = None

    def begin(self, clients: Iterable[Client]) -> None:
        """Wait for these."""
        self._is_open = True
        self._clients = set(clients)
        now = self._clock.time()
        for client in self._clients:
            client.deadline = FOREVER if client.is_waited_for else now + self._settings.turn_timeout * 0.5**client.missed
        self._watch_deadlines()
        if not all(client.is_player for client in self._clients):
            self._grace = self._clock.call_later(GRACE, self._end_grace)
        self._settle()

    def add(self, client: Client) -> None:
        """Wait for a client that lagged and has got the present TURN after all: if there is time, it may think about it like everybody."""
        if not self._is_open:
            return
        if client.is_player:
            client.deadline = FOREVER if client.is_waited_for else self._clock.time() + self._settings.turn_timeout
            self._clients.add(client)
            self._watch_deadlines()
        elif self._grace is not None:
            self._clients.add(client)

    def reconsider(self, client: Client) -> None:
        """Turns wait for a client from now on, or no longer: its time begins anew."""
        if client in self._clients:
            self.add(client)

    def drop(self, client: Client) -> None:
        """Wait no longer for a client: it has answered, or is gone."""
        self._clients.discard(client)
        self._settle()

    def end(self) -> None:
        """Wait for nobody."""
        self._is_open = False
        self._clients.clear()
        for timer in (self._patience, self._grace):
            if timer is not None:
                timer.cancel()
        self._patience = self._grace = None

    def _settle(self) -> None:
        if self._is_open and not self._clients:
            self.end()
            self._done()

    def _watch_deadlines(self) -> None:
        """Wake up when the patience with the next player ends."""
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
        deadlines = [client.deadline for client in self._clients if client.is_player and client.deadline < FOREVER]
        if deadlines:
            self._patience = self._clock.call_later(max(0.0, min(deadlines) - self._clock.time()), self._skip_silent)

    def _skip_silent(self) -> None:
        now = self._clock.time()
        for client in [client for client in self._clients if client.is_player and client.deadline <= now]:
            self._clients.discard(client)
            client.missed += 1
            level = logging.WARNING if client.missed == 1 else logging.DEBUG
            note(level, "A player did not answer in time and is skipped", nickname=client.nickname, turns_missed=client.missed)
        self._watch_deadlines()
        self._settle()

    def _end_grace(self) -> None:
        self._grace = None
        self._clients = {client for client in self._clients if client.is_player}
        self._settle()
