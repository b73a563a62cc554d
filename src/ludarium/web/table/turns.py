"""Whose turn it is to think.

As many thoughts think at a time as there are cores. One that others wait for goes on for a slice of time and then gives its turn away: to the address that
has not had one for longest, there to the visitor that has not, and of that visitor's to the thought that has thought least. So short thoughts are finished
first, nobody gains by having many, and who comes new waits for a slice, however long others wish to think. (Least attained service first, within a round
robin of two levels: M. Nuyens, A. Wierman, "The foreground-background queue: a survey", Performance Evaluation 65, 2008.)
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Hashable
from itertools import count

from ludarium.web.visitors.visitor import Visitor

SLICE = 0.03
"""Seconds that a thought may think while others wait."""
LONGEST_THOUGHT = 10.0
"""Seconds after which a bot on the server is asked for its best action so far, however much time its spec gives it. They begin with its first turn."""
MOST_BEGUN = 16
"""Thoughts that may have begun and not ended, for the memory that they take: beyond, one of the address with most of them answers at once."""


class Thought:
    """A wish for turns."""

    def __init__(self, visitor: Visitor, begin: Callable[[], object]) -> None:
        """``begin`` is called when its first turn comes, under a lock: it only starts what thinks, which then calls :meth:`Turns.goes_on` often and
        :meth:`Turns.end` once."""
        self.visitor = visitor
        self.begin = begin
        self.is_wanted = True
        """Whether anybody will be told what comes of it."""
        self.must_answer = False
        self.used = 0.0
        """Seconds of the turns that it gave away."""
        self.since = 0.0
        """When its present turn began."""
        self.deadline = 0.0
        self.may_go_on = threading.Event()


class Turns:
    """The turns of one computer. May be called from any thread."""

    def __init__(self, at_once: int, clock: Callable[[], float]) -> None:
        self._free = at_once
        self._clock = clock
        self._lock = threading.Lock()
        self._waiting: list[Thought] = []
        self._begun: list[Thought] = []
        self._numbers = count(1)
        self._last_turns: dict[Hashable, int] = {}
        """Of addresses and visitors with thoughts, the number of the last turn that they had."""

    @property
    def thoughts(self) -> int:
        """How many have begun or wait to begin."""
        with self._lock:
            return len({*self._waiting, *self._begun})

    def want(self, thought: Thought) -> None:
        """Let a new thought have turns."""
        with self._lock:
            self._waiting.append(thought)
            self._give_turns()

    def goes_on(self, thought: Thought) -> bool:
        """Whether a thought may go on, once it may; False: it is to answer, turn or no turn."""
        with self._lock:
            now = self._clock()
            if not thought.must_answer and self._waiting and now - thought.since >= SLICE:
                thought.used += now - thought.since
                thought.may_go_on.clear()
                self._free += 1
                self._waiting.append(thought)
                self._give_turns()
        left = thought.deadline - self._clock()
        if left <= 0 or not thought.may_go_on.wait(left):
            self.hurry(thought)
        return not thought.must_answer

    def hurry(self, thought: Thought) -> None:
        """Let a thought answer now; one that has not begun never does."""
        with self._lock:
            self._hurry(thought)

    def hurry_all(self) -> None:
        """Let all thoughts answer now."""
        with self._lock:
            for thought in [*self._waiting, *self._begun]:
                self._hurry(thought)

    def _hurry(self, thought: Thought) -> None:
        thought.must_answer = True
        if thought in self._begun:
            thought.may_go_on.set()
        elif thought in self._waiting:
            self._waiting.remove(thought)

    def end(self, thought: Thought) -> None:
        """A thought that has begun has ended."""
        with self._lock:
            self._begun.remove(thought)
            if thought in self._waiting:
                self._waiting.remove(thought)  # it was hurried while it had no turn
            else:
                self._free += 1
            left = {share for other in (*self._waiting, *self._begun) for share in _shares(other)}
            self._last_turns = {share: number for share, number in self._last_turns.items() if share in left}
            self._give_turns()

    def _give_turns(self) -> None:
        while self._free and self._waiting:
            thought = min(self._waiting, key=self._rank)
            self._waiting.remove(thought)
            self._free -= 1
            thought.since = self._clock()
            self._last_turns.update(dict.fromkeys(_shares(thought), next(self._numbers)))
            thought.may_go_on.set()
            if thought not in self._begun:
                thought.deadline = thought.since + LONGEST_THOUGHT
                self._begun.append(thought)
                self._keep_few()
                thought.begin()

    def _rank(self, thought: Thought) -> tuple[float, ...]:
        """The lowest comes first."""
        return (*(self._last_turns.get(share, 0) for share in _shares(thought)), thought.used)

    def _keep_few(self) -> None:
        going_on = [thought for thought in self._begun if not thought.must_answer]
        if len(going_on) > MOST_BEGUN:
            (most, _), *_ = Counter(thought.visitor.address for thought in going_on).most_common(1)
            self._hurry(max((thought for thought in going_on if thought.visitor.address == most), key=lambda thought: thought.used))


def _shares(thought: Thought) -> tuple[Hashable, ...]:
    return thought.visitor.address, thought.visitor
