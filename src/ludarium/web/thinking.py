"""Where bots think: a pool with one thread a core, so that many games share the processor and none of them delays a page.

Compiled search releases the interpreter's lock, so threads are enough. Thoughts wait in one queue, and a game has at most one thought a bot
in it; so every game gets its turn. A thought's clock starts when it leaves the queue.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from ludarium.arena import ask
from ludarium.core.game import Action, State
from ludarium.errors import PlayerFailed
from ludarium.players import Player

LONGEST_THOUGHT = 30.0
"""Seconds after which a bot on the server is asked for its best action so far, however much time its spec gives it."""

Answer = Action | PlayerFailed
"""What comes of a thought: a legal action, or why there is none."""


class Thinker:
    """A bot of one game. Its thoughts run one after the other, even when one that was stopped is still winding down."""

    def __init__(self, player: Player, seat: int) -> None:
        self.player = player
        self.seat = seat
        self.busy = threading.Lock()


class Thinkers:
    """The pool. Its methods are called on the event loop's thread."""

    def __init__(self, threads: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._pool = ThreadPoolExecutor(threads or _cores(), thread_name_prefix="thinking")
        self._clock = clock
        self._closing = threading.Event()

    def think(self, thinker: Thinker, state: State, done: Callable[[Answer, float], None]) -> threading.Event:
        """Queue a choice in a state; ``done(answer, seconds)`` is called on the running event loop, unless the event that this returns is set before."""
        stopped = threading.Event()
        self._pool.submit(self._choose, thinker, state, stopped, asyncio.get_running_loop(), done)
        return stopped

    def _choose(
        self,
        thinker: Thinker,
        state: State,
        stopped: threading.Event,
        loop: asyncio.AbstractEventLoop,
        done: Callable[[Answer, float], None],
    ) -> None:
        with thinker.busy:
            deadline = self._clock() + LONGEST_THOUGHT

            def unwanted() -> bool:
                return stopped.is_set() or self._closing.is_set()

            if unwanted():
                return
            answer: Answer
            seconds = 0.0
            try:
                answer, seconds = ask(thinker.player, state, thinker.seat, lambda: unwanted() or self._clock() > deadline)
            except PlayerFailed as problem:
                answer = problem

        def deliver() -> None:
            if not stopped.is_set():
                done(answer, seconds)

        if not self._closing.is_set():
            loop.call_soon_threadsafe(deliver)

    def dismiss(self, thinker: Thinker) -> None:
        """Close a bot once its last thought has ended."""
        self._pool.submit(_close, thinker)

    def close(self) -> None:
        """Interrupt all thoughts and wait for their ends, which takes hundredths of a second. No ``done`` is called any more."""
        self._closing.set()
        self._pool.shutdown(wait=True)


def _close(thinker: Thinker) -> None:
    with thinker.busy:
        thinker.player.close()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
