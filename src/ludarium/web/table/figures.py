"""Numbers about a position that take long to compute: beside the game, so that nothing waits for them."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping

from ludarium.core.cores import stand_back
from ludarium.core.event_loop import call_in_loop
from ludarium.core.game import State

log = logging.getLogger("ludarium.web")


class Figures:
    """The figures of one game's latest position that hides nothing. One position is computed at a time; of those that come meanwhile, the last."""

    def __init__(self, on_found: Callable[[], None]) -> None:
        """``on_found`` is called on the event loop's thread when the figures have changed."""
        self.found: Mapping[str, float] = {}
        self._on_found = on_found
        self._state: State | None = None
        self._next: State | None = None
        self._is_busy = False

    def look_at(self, state: State) -> None:
        """Compute the figures of a position, if its game has any."""
        if state.game.show.figures is None or state == self._state:
            return
        self._state = state
        if self._is_busy:
            self._next = state
        else:
            self._start(state)

    def _start(self, state: State) -> None:
        self._is_busy, self._next = True, None
        figures, loop = state.game.show.figures, asyncio.get_running_loop()
        assert figures is not None  # or nobody would have looked

        def compute() -> None:
            stand_back()
            found: Mapping[str, float] = {}
            try:
                found = figures(state)
            except Exception as problem:  # anybody's package may be installed here
                log.exception("figures of %s: %s: %s", state.game.id, type(problem).__name__, problem)
            call_in_loop(loop, self._done, found)

        threading.Thread(target=compute, name="figures", daemon=True).start()  # which a server that stops does not wait for

    def _done(self, found: Mapping[str, float]) -> None:
        self._is_busy = False
        if self._next is not None:
            self._start(self._next)
        if found != self.found:
            self.found = found
            self._on_found()
