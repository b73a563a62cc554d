"""Compiled work cannot be interrupted: it is done in slices, whose size follows the clock, so that it ends when its time does."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

SLICE = 0.01
"""Seconds of a slice, about; after each somebody may interrupt."""

TAIL = 0.0005
"""Seconds that are not worth another slice."""


class Slices:
    """Sizes the slices of a search, in whatever its kernel counts.

    ``while size := slices.next(): slices.did(kernel(…, size))``. A slice takes at most half of the time that is left, by what the last one took, so that
    one which turns out to be twice as hard is still in time.
    """

    def __init__(
        self, seconds: float | None, first: int, clock: Callable[[], float] = time.perf_counter, started: float | None = None
    ) -> None:
        """Begin.

        Args:
            seconds: None for all the time in the world.
            first: the size of the first slice, one that takes no time to speak of.
            started: when the time began, by the clock; else now.
        """
        self._clock = clock
        self._started = self._looked = clock() if started is None else started
        self._end = math.inf if seconds is None else self._started + seconds
        self.reserved = 0.0
        """Seconds to leave for what comes after the last slice."""
        self._size = first
        self._cost: float | None = None
        """Seconds for one of what is counted."""

    @property
    def seconds(self) -> float:
        """The time since the beginning."""
        return self._clock() - self._started

    @property
    def left(self) -> float:
        """The time that is left for slices; infinite without an end."""
        return self._end - self.reserved - self._clock()

    def next(self) -> int:
        """The size of the next slice, from 1; 0 when the time is up."""
        self._looked = self._clock()
        left = self._end - self.reserved - self._looked
        if left <= TAIL:
            return 0
        if self._cost is not None:
            self._size = max(1, min(2 * self._size, int(min(SLICE, left / 2) / self._cost)))
        return self._size

    def did(self, count: int) -> None:
        """So many were done since :meth:`next`."""
        if 2 * count >= self._size:  # of less it cannot be told what they cost
            self._cost = max(self._clock() - self._looked, 1e-9) / count
