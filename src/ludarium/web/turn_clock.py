"""How long a turn may take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ludarium.core.clock import Clock, Timer

SHORTEST, LONGEST = 1.0, 86_400.0
"""Seconds that a turn may be given."""


@dataclass(frozen=True)
class Countdown:
    """A turn's time: how many seconds it had, and how many are left."""

    seconds: float
    left: float


class TurnClock:
    """Counts down the seconds of one turn after the other, and calls ``on_end`` when they are used up. Without seconds turns wait."""

    def __init__(self, seconds: float | None, on_end: Callable[[], None], clock: Clock) -> None:
        self.seconds = seconds
        self._on_end = on_end
        self._clock = clock
        self._turn: object = None
        self._end = 0.0
        self._timer: Timer | None = None

    def run(self, turn: object) -> None:
        """Count down for a turn, whatever names it; one that is being counted goes on."""
        if self.seconds is None or (self._timer is not None and turn == self._turn):
            return
        self.stop()
        self._turn = turn
        self._end = self._clock.time() + self.seconds
        self._timer = self._clock.call_later(self.seconds, self._ring)

    def stop(self) -> None:
        """Count no more; the next turn has all its seconds again."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    @property
    def countdown(self) -> Countdown | None:
        """None while nothing is counted."""
        if self.seconds is None or self._timer is None:
            return None
        return Countdown(self.seconds, round(max(0.0, self._end - self._clock.time()), 2))

    def _ring(self) -> None:
        self._timer = None
        self._on_end()
