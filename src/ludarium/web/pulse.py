"""Whether clients that ping are still there: behind a proxy that goes silent no connection breaks."""

from __future__ import annotations

from ludarium.core.clock import Clock, Timer

from .table.client import Client
from .table.messages import Ping

GRACE = 1.0
"""Seconds in which messages are read that arrived while the server was busy."""


class Pulse:
    """The pings of one client. A client that has never pinged, or whose page is hidden, may be silent for as long as it likes."""

    def __init__(self, client: Client, seconds: float, clock: Clock) -> None:
        """``seconds``: how long a client that pings may be silent, besides ``GRACE``."""
        self._client = client
        self._seconds = seconds
        self._clock = clock
        self._is_expected = False
        self._timer: Timer | None = None

    def hear(self) -> None:
        """Note that the client has said something."""
        self.stop()
        if self._is_expected:
            self._timer = self._clock.call_later(self._seconds, self._doubt)

    def answer(self, ping: Ping) -> None:
        """Answer a ping, and expect the next one if the page is seen."""
        self._is_expected = not ping.hidden
        self.hear()
        self._client.tell(type="pong")

    def stop(self) -> None:
        """Expect nothing until the client says something."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _doubt(self) -> None:
        self._timer = self._clock.call_later(GRACE, self._client.drop)
