"""A line on standard error that says how far long work has come."""

from __future__ import annotations

import sys
import time
from typing import Self

from .ending import Terminated

EVERY = 0.25
"""Seconds between two looks at it."""


class LiveLine:
    """A line that is written over and over, in a terminal only. A context manager: the line is not there when the work is done."""

    def __init__(self, when_stopped: str | None = None) -> None:
        self.when_stopped = when_stopped
        """What the line that work leaves says of it when a signal ends it; None: it leaves none."""
        self._started = self._shown = time.monotonic()
        self._is_live = sys.stderr.isatty()

    @property
    def seconds(self) -> float:
        """How long the work has taken."""
        return time.monotonic() - self._started

    def show(self, text: str) -> None:
        """Write a text and the seconds, if the last one has stood for long enough."""
        now = time.monotonic()
        if self._is_live and now - self._shown > EVERY:
            self._shown = now
            print(f"\r\033[K{text}, {self.seconds:.0f} s …", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._is_live:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.clear()
        if self.when_stopped is not None and kind is not None and issubclass(kind, (KeyboardInterrupt, Terminated)):
            print(f"stopped after {self.seconds:.1f} s: {self.when_stopped}", file=sys.stderr, flush=True)
