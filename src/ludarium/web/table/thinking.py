"""Where bots think: in threads, of which one a core thinks at a time, so that many games share the processor and none of them delays a page.

Compiled search releases the interpreter's lock, so threads are enough; they stand back behind the one that sends positions. Whose turn it is says
:mod:`.turns`; a game has at most one thought a bot.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from ludarium.arena import ask
from ludarium.arena.clocks import Clocks
from ludarium.core.cores import stand_back, usable_cores
from ludarium.core.event_loop import call_in_loop, log_failure
from ludarium.core.game import Action, State
from ludarium.errors import PlayerFailed
from ludarium.players import Player
from ludarium.web.visitors.visitor import Visitor

from .conversations import OfferedProgram
from .turns import MOST_BEGUN, Thought, Turns

log = logging.getLogger("ludarium.web")

Answer = Action | PlayerFailed
"""What comes of a thought: a legal action, or why there is none."""


class Thinker:
    """A bot of one game, which thinks at the expense of the visitor who made that game. Its thoughts run one after the other, even when one that was stopped
    is still winding down."""

    def __init__(self, player: Player, seat: int, visitor: Visitor) -> None:
        self.player = player
        self.seat = seat
        self.visitor = visitor
        self.busy = threading.Lock()


class Thinkers:
    """All thoughts of a server. Its methods are called on the event loop's thread."""

    def __init__(self, at_once: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        """``at_once``: how many thoughts think at a time, by default one a core."""
        self.at_once = at_once or len(usable_cores())
        self._turns = Turns(self.at_once, clock)
        self._programs_turns = Turns(self.at_once, clock)
        """Of programs, which think until they have answered: they have processes of their own, as many as there are turns."""
        self._threads = ThreadPoolExecutor(2 * MOST_BEGUN + self.at_once, thread_name_prefix="thinking", initializer=stand_back)
        self._is_closing = False

    @property
    def thoughts(self) -> int:
        """How many there are, of which ``at_once`` think at a time."""
        return self._turns.thoughts + self._programs_turns.thoughts

    def think(self, thinker: Thinker, state: State, done: Callable[[Answer, float], None], clocks: Clocks | None = None) -> Thought:
        """Want a choice in a state; ``done(answer, seconds)`` is called on the running event loop, unless the thought is stopped before."""
        loop = asyncio.get_running_loop()
        is_program = isinstance(thinker.player, OfferedProgram)
        turns = self._programs_turns if is_program else self._turns
        _look(thinker)

        def must_end() -> bool:
            return not thought.is_wanted or self._is_closing if is_program else not turns.goes_on(thought)

        def choose() -> None:
            answer: Answer | None = None
            seconds = 0.0
            try:
                with thinker.busy:
                    if thought.is_wanted and not self._is_closing:
                        answer, seconds = ask(thinker.player, state, thinker.seat, must_end, clocks)
            except PlayerFailed as problem:
                answer = problem
            finally:
                turns.end(thought)
            if answer is not None and not self._is_closing:
                call_in_loop(loop, deliver, answer, seconds)

        def deliver(answer: Answer, seconds: float) -> None:
            if thought.is_wanted:
                done(answer, seconds)

        thought = Thought(thinker.visitor, lambda: self._submit(choose))
        turns.want(thought)
        return thought

    def stop(self, thought: Thought) -> None:
        """Nobody needs a thought any more."""
        thought.is_wanted = False
        for turns in (self._turns, self._programs_turns):
            turns.hurry(thought)

    def dismiss(self, thinker: Thinker) -> None:
        """Close a bot once its last thought has ended."""
        _look(thinker)
        self._submit(_close, thinker)

    def _submit(self, work: Callable[..., None], *arguments: Any) -> None:
        self._threads.submit(work, *arguments).add_done_callback(partial(log_failure, log))

    def close(self) -> None:
        """Interrupt all thoughts and wait for their ends, which takes hundredths of a second. No ``done`` is called any more."""
        self._is_closing = True
        for turns in (self._turns, self._programs_turns):
            turns.hurry_all()
        self._threads.shutdown(wait=True)


def _look(thinker: Thinker) -> None:
    if isinstance(thinker.player, OfferedProgram):
        thinker.player.look()


def _close(thinker: Thinker) -> None:
    with thinker.busy:
        thinker.player.close()
