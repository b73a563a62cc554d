"""Between its turns a program is stopped, so that whoever is to move has the processor.

To stop a program and let it go on takes as long as many a whole turn. So where turns follow each other quickly a program is left running, and a thread stops it
as soon as the other one takes its time.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

QUICK = 0.002
"""Seconds between two turns of a program, at most, in which it is left running."""


class Rest:
    """Whether a program runs."""

    def __init__(self, stop: Callable[[], None], go: Callable[[], None], clock: Callable[[], float] = time.monotonic) -> None:
        """It runs; ``stop`` and ``go`` are called by any thread, one at a time."""
        self._stop = stop
        self._go = go
        self._clock = clock
        self._since = -math.inf
        """When its last turn ended."""
        self._was_short = False
        """Whether its last rest was."""
        self._is_stopped = False
        self._lock = threading.Lock()

    def end(self) -> None:
        """It is its turn."""
        with self._lock:
            _left_running.discard(self)
            self._was_short = self._clock() - self._since <= QUICK
            if self._is_stopped:
                self._go()
            self._is_stopped = False

    def begin(self) -> None:
        """Its turn is over."""
        self._since = self._clock()
        if self._was_short:
            _left_running.add(self)
            _watch()
        else:
            self.stop()

    def stop(self) -> None:
        """Stop it now."""
        with self._lock:
            self._stop_now()

    def stop_when_long(self) -> None:
        """Stop it if it has been left running for too long."""
        with self._lock:
            if self in _left_running and self._clock() - self._since > QUICK:
                self._stop_now()

    def _stop_now(self) -> None:
        _left_running.discard(self)
        self._stop()
        self._is_stopped = True


_left_running: set[Rest] = set()
_somebody = threading.Event()
"""Set while there is somebody to look after."""
_watcher: list[threading.Thread] = []
_start = threading.Lock()


def _watch() -> None:
    if _somebody.is_set():
        return
    _somebody.set()
    with _start:
        if not _watcher:
            _watcher.append(threading.Thread(target=_look_after_all, name="programs between their turns", daemon=True))
            _watcher[0].start()


def _look_after_all() -> None:
    while _somebody.wait():
        time.sleep(QUICK)
        for one in tuple(_left_running):
            one.stop_when_long()
        if not _left_running:
            _somebody.clear()
            if _left_running:  # since the look before
                _somebody.set()
