"""How often something may happen."""

from __future__ import annotations

from collections.abc import Callable, Hashable

MOST_KEPT = 10_000
"""Keys, beyond which those are forgotten that may do everything again."""


class Rate:
    """So many times at once, and then one more every so many seconds, for each key by itself.

    (The generic cell rate algorithm of ITU-T I.371: of each key only the time is kept from which on all is allowed again.)
    """

    def __init__(self, at_once: int, seconds: float, clock: Callable[[], float]) -> None:
        """``seconds`` lie between two times once the first ``at_once`` are used up. ``clock`` tells seconds."""
        self._seconds = seconds
        self._clock = clock
        self._tolerance = (at_once - 1) * seconds
        self._all_again: dict[Hashable, float] = {}

    def wait(self, key: Hashable) -> float:
        """Seconds until it may happen again, 0 if it may now."""
        now = self._clock()
        return round(max(0.0, self._all_again.get(key, now) - now - self._tolerance), 6)  # sums of seconds are not exact

    def count(self, key: Hashable) -> None:
        """It happens now."""
        now = self._clock()
        self._all_again[key] = max(now, self._all_again.get(key, now)) + self._seconds
        if len(self._all_again) > MOST_KEPT:
            self._all_again = {key: then for key, then in self._all_again.items() if then > now}
