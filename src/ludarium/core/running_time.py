"""The time by which judges measure others: it stands still while this process is stopped.

Ctrl-Z stops a judge, but not the bots that it waits for nor the people at its pages. When it goes on, the clock on the wall has run for all of them.
"""

from __future__ import annotations

import os
import threading
import time
from asyncio import AbstractEventLoop
from collections.abc import Callable

BEAT = 0.1
"""Seconds between two looks at the clock, at most, as long as this process runs."""

LEAST_STOP = 1.0
"""Seconds without a look and without work that count as a stop; a busy computer delays a look by less."""


class RunningTime:
    """A clock that somebody looks at all the time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, work: Callable[[], float] = time.process_time) -> None:
        """``work`` returns the processor time of this process: a long computation can delay a look, and is no stop."""
        self._clock = clock
        self._work = work
        self._lock = threading.Lock()
        self._last = clock()
        self._worked = work()
        self._stopped = 0.0

    def __call__(self) -> float:
        """Look at the clock: seconds as of ``time.monotonic``, without those in which this process was stopped."""
        with self._lock:
            now, worked = self._clock(), self._work()
            idle = now - self._last - (worked - self._worked)
            if idle >= LEAST_STOP:
                self._stopped += idle
            self._last, self._worked = now, worked
            return now - self._stopped


_time = RunningTime()
_looks = threading.Event()
"""Set once a thread looks at the clock."""


def running_time() -> float:
    """Return seconds as of ``time.monotonic``, without those in which this process was stopped."""
    if not _looks.is_set():
        _begin()
    return _time()


def run_by_running_time(loop: AbstractEventLoop) -> None:
    """Let the timers of an event loop wait while this process is stopped: else all of them would be due at once when it goes on."""
    loop.time = running_time


def _begin() -> None:
    global _time
    _time = RunningTime()  # looked at for the first time now
    _looks.set()
    threading.Thread(target=_look, args=(_time,), name="running time", daemon=True).start()


def _look(clock: RunningTime) -> None:
    while True:
        time.sleep(BEAT)
        clock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_looks.clear)  # a child has no other threads, and somebody may have held the lock
