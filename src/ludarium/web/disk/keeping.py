"""A game's record while the game goes on: flushed to the disk soon after every event, and completed when a disk that was full has room again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from ludarium.core.clock import Clock, Timer
from ludarium.core.record import Recorder
from ludarium.core.timeline import Event, Timeline
from ludarium.errors import StoreError

log = logging.getLogger("ludarium.web")

SYNC = 1.0
"""Seconds after which an event begins to be flushed to the disk, which a power cut may take before."""


class Keeper:
    """Writes the events of one game as they come. A full disk does not disturb it. All methods run on the event loop, which waits for no flush."""

    def __init__(self, recorder: Recorder, timeline: Timeline, known: int, tell: Callable[[str | None], None], clock: Clock) -> None:
        """``known`` is how many events the record has already.

        ``tell`` is told why the game is not kept as soon as it is not, and None when it is again, with all that was missing.
        """
        self._recorder = recorder
        self._tell = tell
        self._clock = clock
        self._timer: Timer | None = None
        self._is_closed = False
        self._told: str | None = None
        timeline.listen(self._write, known)

    @property
    def is_complete(self) -> bool:
        """Whether the disk has taken everything so far."""
        return self._recorder.problem is None

    def _write(self, event: Event) -> None:
        if not self._is_closed:
            self._recorder.write(event)
            self._go_on()

    def retry(self) -> None:
        """Try again to write what the disk did not take. Called now and then."""
        if not self.is_complete:
            self._recorder.retry()
            self._go_on()

    def _go_on(self) -> None:
        problem = self._recorder.problem
        if (problem is None) != (self._told is None):
            path, self._told = self._recorder.path, problem
            if problem:
                log.error(
                    "the record %s cannot be written: %s; its game goes on, and it is completed as soon as that is possible", path, problem
                )
            else:
                log.warning("the record %s is complete again", path)
            self._tell(problem)
        if self._timer is None and not self._recorder.is_flushed:
            self._timer = self._clock.call_later(SYNC, self._sync)

    def _sync(self) -> None:
        flushing = asyncio.get_running_loop().run_in_executor(None, self._recorder.sync)
        flushing.add_done_callback(self._synced)

    def _synced(self, flushing: asyncio.Future[None]) -> None:
        self._timer = None
        if not self._is_closed:
            self._go_on()

    def close(self) -> None:
        """Have written and flushed what is left, and the file closed. Later events are not written."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self.is_complete:
            asyncio.get_running_loop().run_in_executor(None, self._finish)
        else:
            self._finish()  # at once, for it may have something to say

    def _finish(self) -> None:
        self._recorder.retry()
        self._recorder.sync()
        try:
            self._recorder.close()
        except StoreError as problem:
            log.error("%s", problem)
