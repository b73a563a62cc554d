"""Writes results to a store while games go on, in groups, for a commit that waits for the disk takes milliseconds, and a game may take less."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack

from ludarium.arena.games import GameResult
from ludarium.core.pickling import Unpicklable
from ludarium.errors import LudariumError, StoreError

from .competitions import Competition

log = logging.getLogger("ludarium.arena")

INTERVAL = 0.15
"""Seconds from one commit to the next, while there is something to write: with the commit itself no more than 0.2."""

MOST = 2000
"""Results of one commit."""


class Writer(Unpicklable, AbstractContextManager["Writer"]):
    """Adds results to a competition, in a thread of its own, in the order in which they come. One program at a time writes to a competition.

    A context manager: leaving it writes what waits, however it is left. Whoever interrupts the program a second time does not wait for that; what was told
    as safe is safe even then.
    """

    send_instead = "send results to the process that has it"

    def __init__(self, competition: Competition, on_safe: Callable[[Sequence[GameResult]], None] | None = None) -> None:
        """``on_safe`` is called with the results of every commit, after it, in the thread that writes.

        Raises:
            StoreError: another one writes to the competition.
        """
        self._last = ExitStack()
        self._competition = competition
        self._claim()
        self.is_over = False
        """Whether nothing more is to be played, which whoever knows says; else the competition is marked as interrupted in the end."""
        self.problem: str | None = None
        """Why nothing is written any more."""
        self._on_safe = on_safe
        self.committing = threading.Lock()
        """Lock held during each commit until ``on_safe`` returns. Inside, the store has exactly the games that ``on_safe`` got."""
        self._waiting: list[GameResult] = []
        self._is_closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def _claim(self) -> None:
        competition = self._competition
        self._losses = competition.database.losses
        if not self._last.enter_context(competition.database.claimed(competition.id)):
            self._last.close()
            raise StoreError(f"another program plays '{competition.name}' and writes to the store {competition.database.name}")

    def add(self, result: GameResult) -> None:
        """Have a result written soon."""
        with self._changed:
            self._waiting.append(result)
            self._changed.notify()

    @property
    def loss(self) -> str | None:
        """What is not in the store and why, when nothing is written any more."""
        return None if self.problem is None else f"{len(self._waiting)} finished games are not in the store: {self.problem}"

    def close(self) -> None:
        """Write what waits, and how the competition stands.

        Raises:
            StoreError: not all results are in the store.
        """
        with self._last:
            with self._changed:
                self._is_closed = True
                self._changed.notify()
            self._thread.join()
            if self.loss is not None:
                raise StoreError(self.loss)
            self._competition.finish() if self.is_over else self._competition.interrupt()

    def __exit__(self, *error: object) -> None:
        self.close()

    def _run(self) -> None:
        before = time.monotonic() - INTERVAL
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._is_closed)
                if not self._waiting:
                    return
                while not self._is_closed and (rest := before + INTERVAL - time.monotonic()) > 0:
                    self._changed.wait(rest)
                group = self._waiting[:MOST]
            before = time.monotonic()
            try:
                with self.committing:
                    self._commit(group)
            except Exception as problem:  # whatever it is: a thread that ends without a word would leave everybody waiting
                self.problem = str(problem) if isinstance(problem, LudariumError) else repr(problem)
                if not isinstance(problem, LudariumError):
                    log.exception("the store's thread has failed")
                return

    def _commit(self, group: Sequence[GameResult]) -> None:
        self._competition.add(group)
        with self._changed:
            del self._waiting[: len(group)]
        if self._losses != self._competition.database.losses:  # the claim has ended with its connection
            self._last.close()
            self._claim()
        if self._on_safe is not None:
            self._on_safe(group)
