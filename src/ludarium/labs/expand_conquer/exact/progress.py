"""What a long computation of a value shows on standard error, and how it ends when nobody wants to wait."""

from __future__ import annotations

import sys

from ludarium.cgt.engine.store import store
from ludarium.cli.live_line import LiveLine
from ludarium.errors import TooLarge

from .estimate import SECONDS_A_POSITION, Estimate

MANY_POSITIONS = 300_000
"""From so many on, what is going to happen is said before."""

MOST_MEGABYTES = 4096
"""The memory that a computation may take where nothing else was said, if half of the machine's is not less."""


def most_bytes(megabytes: int | None) -> int:
    """The bytes that a computation may take when so much was asked for."""
    return min(store.most_bytes, MOST_MEGABYTES << 20) if megabytes is None else megabytes << 20


def announcement(guess: Estimate, most_bytes: int) -> str | None:
    """How large a computation is that may take long, how long it may take, and what it may not exceed; None where it is small."""
    if guess.positions < MANY_POSITIONS:
        return None
    return (
        f"{guess.empty} empty squares hang together, with {guess.groups} groups beside them: some {_rounded(guess.positions)} positions, "
        f"roughly {_duration(guess.positions * SECONDS_A_POSITION)}; it may take up to {most_bytes >> 20:,} MB, and Ctrl-C ends it"
    )


def _rounded(count: float) -> str:
    """A guess in words that do not claim more than it knows: one digit, and powers of ten where these are many."""
    digits = len(f"{count:.0f}") - 1
    return f"{round(count, -digits):,.0f}" if digits < 12 else f"10^{digits}"


def _duration(seconds: float) -> str:
    for unit, size in (("years", 31_557_600), ("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{_rounded(seconds / size)} {unit}"
    return f"{seconds:.0f} seconds"


class Watch(LiveLine):
    """The progress of one computation; call it with how many positions are found (and None), or with how many of how many are evaluated.

    ``when_stopped`` is how far it is in words, and at first that nothing is known. ``limit`` is the time allowed in seconds. ``notice`` is said when the
    first call shows that the computation is not over at once.
    """

    def __init__(self, limit: float | None = None, notice: str | None = None, when_stopped: str = "nothing was found yet") -> None:
        super().__init__(when_stopped)
        self.notice = notice
        self._limit = limit

    def __call__(self, done: int, total: int | None) -> None:
        """Take notice.

        Raises:
            TooLarge: the time is up.
        """
        self.show(f"{done:,} positions found" if total is None else f"{done:,} of {total:,} positions evaluated")

    def show(self, text: str) -> None:
        """Take notice, in words.

        Raises:
            TooLarge: the time is up.
        """
        if self.notice is not None:
            print(self.notice, file=sys.stderr, flush=True)
            self.notice = None
        self.when_stopped = text
        if self._limit is not None and self.seconds > self._limit:
            raise TooLarge(f"not done within {self._limit:g} s: {text}")
        super().show(text)
