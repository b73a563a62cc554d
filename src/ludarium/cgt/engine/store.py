"""The one arena of a process, behind one lock: numbers of values in, numbers of values out.

Numbers that ``float64`` cannot hold exactly are read from canonical forms and built here; the kernel asks for their sums.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ludarium.errors import TooLarge

from .arena import COUNT, DONE, GROW, LARGE, LISTS, NEEDED, OTHER_TERM, PAUSED, TERM, WORK, ZERO, Arena, grown, new_arena, shortened
from .kernel import ADD, CANONICAL, COMPARE, EVALUATE, NEGATIVE, NUMBER, NUMBER_UP_STAR, REINDEX, REMEMBER, TEST, operate

FIRST_SLICE, LONGEST_SLICE = 1 << 16, 1 << 40
"""Work between two looks at the clock and at Ctrl-C. It doubles while one step does not come to its end within a slice."""

TEST_UPS, TEST_NIMBERS = 4, 4

LEFT, RIGHT = 4, 6
"""Places of ``left`` and ``right`` among the fields of a value; how many options a side has stands behind each."""


class Graph(NamedTuple):
    """Positions and their options, to be evaluated.

    ``pool`` holds at ``starts[node]`` how many left and right options a position has, and then for each option how many terms it is the sum of, and the terms:
    twice the node, plus one for its negative.
    """

    order: np.ndarray  # int64[nodes]: every node after those that its options name
    starts: np.ndarray  # int64[nodes]
    pool: np.ndarray  # int32[...]
    results: np.ndarray  # int64[nodes]: the numbers of their values


_ONE = np.zeros(1, np.int64)
_NO_GRAPH = Graph(_ONE[:0], _ONE, _ONE.astype(np.int32), _ONE)


def _half_of_memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (ValueError, OSError):
        return 4 << 30


class Store:
    """An arena, the lock around it, and the most bytes that it may take."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.most_bytes = _half_of_memory()
        self._arena: Arena | None = None
        self._memos: list[dict[Any, Any]] = []
        self._numbers: dict[int, Fraction] = self.memo()

    @property
    def arena(self) -> Arena:
        """The arena, whose first values are the test games of :mod:`.comparison`."""
        if self._arena is None:
            with self.lock:
                if self._arena is None:
                    self._arena = new_arena()
                    self._add_test_games()
        return self._arena

    def _add_test_games(self) -> None:
        zero = self.canonical((), ())
        for nimber in range(TEST_NIMBERS):
            self.number_up_star(zero, 0, nimber)
        for ups in range(1, TEST_UPS + 1):
            for nimber in range(TEST_NIMBERS if ups < 3 else 2):
                self.number_up_star(zero, ups, nimber)
                self.number_up_star(zero, -ups, nimber)
        for exact in (1.0, -1.0, 0.5, -0.5, 2.0, -2.0):
            self.number(exact)
        one, minus = self.number(1.0), self.number(-1.0)
        for left, right in ((one, minus), (one, zero), (zero, minus)):
            self.canonical((left,), (right,))
        arena = self.arena
        for value in range(ZERO, int(arena.registers[COUNT])):  # their options are test games, too
            for side, options in enumerate(self.options(value)):
                arena.tests[2 * (value - ZERO) + side] = sum(1 << option - ZERO for option in options)
        self._run(TEST)

    def add(self, a: int, b: int) -> int:
        return self._run(ADD, a, b)

    def negative(self, a: int) -> int:
        return self._run(NEGATIVE, a)

    def at_most(self, a: int, b: int) -> bool:
        """Whether a <= b."""
        return self._run(COMPARE, a, b) == 1

    def number(self, exact: float) -> int:
        """A dyadic number, exactly."""
        return self._run(NUMBER, exact=exact)

    def number_of(self, value: int) -> Fraction:
        """The number that a value is (it is one): its stop, or one more than its option, or the middle of two."""
        found, waiting = self._numbers, [value]
        while waiting:
            at = waiting[-1]
            stop = float(self.arena.values[at].left_stop)
            if not math.isnan(stop):
                found[at] = Fraction(stop)
            if at in found:
                waiting.pop()
                continue
            left, right = self.options(at)
            missing = [one for one in (*left, *right) if one not in found]
            if missing:
                waiting += missing
            elif left and right:
                found[at] = (found[left[0]] + found[right[0]]) / 2
            else:
                found[at] = found[left[0]] + 1 if left else found[right[0]] - 1
        return found[value]

    def value_of(self, number: Fraction) -> int:
        """A dyadic number of any precision."""
        if abs(number.numerator) < 1 << 53 and number.denominator.bit_length() < 1000:
            return self.number(float(number))
        whole = math.floor(number)
        below, above = self.number(float(whole)), self.number(float(whole + 1))
        low, high = Fraction(whole), Fraction(whole + 1)
        while True:
            middle = (low + high) / 2
            between = self.canonical((below,), (above,))
            if middle == number:
                return between
            if number < middle:
                high, above = middle, between
            else:
                low, below = middle, between

    def number_up_star(self, base: int, ups: int, nimber: int) -> int:
        return self._run(NUMBER_UP_STAR, base, ups, nimber)

    def canonical(self, left: Sequence[int], right: Sequence[int]) -> int:
        """The value with these options."""
        with self.lock:
            options = (*left, *right)
            while len(options) + 16 > len(self.arena.lists):
                self._grow(LISTS)

            def write() -> None:
                self.arena.lists[: len(options)] = options

            return self._run(CANONICAL, len(left), len(right), prepare=write if options else None)

    def options(self, value: int) -> tuple[list[int], list[int]]:
        """The left and the right options of a value."""
        arena = self.arena
        game = arena.values.item(value)  # one tuple of Python numbers costs less than four fields of a record
        left, right = game[LEFT], game[RIGHT]
        return arena.options[left : left + game[LEFT + 1]].tolist(), arena.options[right : right + game[RIGHT + 1]].tolist()

    def evaluate(self, graph: Graph, most_bytes: int, progress: Callable[[int], None] | None = None) -> None:
        """Fill a graph's results; ``progress`` is told again and again how many positions are done.

        Raises:
            TooLarge: the values of this process would take more than ``most_bytes``.
        """
        with self.at_most_bytes(most_bytes):
            self.arena.registers[DONE] = 0
            self._run(EVALUATE, graph=graph, progress=progress)

    @contextmanager
    def at_most_bytes(self, most_bytes: int) -> Generator[None]:
        """Within it, nobody else computes, and the values of this process may take no more than this."""
        with self.lock:
            allowed, self.most_bytes = self.most_bytes, most_bytes
            try:
                yield
            finally:
                self.most_bytes = allowed

    def _run(
        self,
        operation: int,
        a: int = 0,
        b: int = 0,
        c: int = 0,
        exact: float = 0.0,
        graph: Graph = _NO_GRAPH,
        prepare: Callable[[], None] | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> int:
        """Call the kernel until it has an answer."""
        with self.lock:
            arena = self.arena
            slice_, done = FIRST_SLICE, -1
            while True:
                if prepare is not None:
                    prepare()
                arena.registers[WORK] = slice_
                answer = int(operate(arena, graph, operation, a, b, c, exact))
                if answer == GROW:
                    arena = self._grow(int(arena.registers[NEEDED]))
                elif answer == LARGE:
                    one, other = int(arena.registers[TERM]), int(arena.registers[OTHER_TERM])
                    total = self.value_of(self.number_of(one) + self.number_of(other))
                    arena = self.arena
                    operate(arena, _NO_GRAPH, REMEMBER, one, other, total, 0.0)
                elif answer == PAUSED:
                    if progress is not None:
                        progress(int(arena.registers[DONE]))
                    if done == arena.registers[DONE]:
                        slice_ = min(2 * slice_, LONGEST_SLICE)
                    done = int(arena.registers[DONE])
                else:
                    return answer

    def memo(self) -> dict[Any, Any]:
        """An empty dictionary for what is remembered of values by their numbers."""
        self._memos.append({})
        return self._memos[-1]

    def forget_after(self, last: int) -> None:
        """Free what values after this one take, and all memos: nobody may hold their numbers."""
        with self.lock:
            self._arena = shortened(self.arena, last, _reindex)
            for memo in self._memos:
                memo.clear()

    def _grow(self, needed: int) -> Arena:
        arena = self.arena
        arena.registers[NEEDED] = needed
        size = sum(array.nbytes for array in arena)
        if 2 * size > self.most_bytes:
            raise TooLarge(f"the values computed so far take {size >> 20} MB; {self.most_bytes >> 20} MB are allowed")
        self._arena = grown(arena, _reindex)
        return self._arena


def _reindex(arena: Arena) -> None:
    operate(arena, _NO_GRAPH, REINDEX, 0, 0, 0, 0.0)


store = Store()
