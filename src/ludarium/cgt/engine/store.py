"""The one arena of a process, behind one lock: numbers of values in, numbers of values out."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ludarium.errors import TooLarge

from .arena import (
    COUNT,
    DONE,
    FOUND,
    GROW,
    LARGE,
    LISTS,
    NEEDED,
    OPTIONS,
    OPTIONS_END,
    PAUSED,
    WORK,
    ZERO,
    Arena,
    grown,
    new_arena,
    shortened,
)
from .digits import BASE, PLACES
from .kernel import ADD, CANONICAL, COMPARE, EVALUATE, NEGATIVE, NUMBER, NUMBER_UP_STAR, REINDEX, TEST, operate

FIRST_SLICE, LONG_SLICE = 1 << 16, 1 << 20
"""Work between two looks at the clock and at Ctrl-C: comparisons, for the most part. It doubles up to the second one while one step does not come to its end
within a slice, and beyond only if nothing at all was found in one."""

LARGEST_NUMBER = f"this number is too large: an integer part may have {PLACES} bits"

TEST_UPS, TEST_NIMBERS = 4, 4

LEFT, LEFT_COUNT, RIGHT_COUNT, LEFT_NUMBER, RIGHT_NUMBER = range(4, 9)
"""Places among the fields of a value."""


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
        zero = self.number(0)
        for nimber in range(TEST_NIMBERS):
            self.number_up_star(zero, 0, nimber)
        for ups in range(1, TEST_UPS + 1):
            for nimber in range(TEST_NIMBERS if ups < 3 else 2):
                self.number_up_star(zero, ups, nimber)
                self.number_up_star(zero, -ups, nimber)
        for exact in (1, -1, Fraction(1, 2), Fraction(-1, 2), 2, -2):
            self.number(exact)
        one, minus = self.number(1), self.number(-1)
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

    def number(self, exact: int | Fraction) -> int:
        """A dyadic number, exactly.

        Raises:
            TooLarge: its integer part has more than 62 bits.
        """
        sign, places = (-1 if exact < 0 else 1), exact.denominator.bit_length() - 1
        rest = abs(exact.numerator) << -places % PLACES
        digits = [sign * (rest >> PLACES * place & BASE - 1) for place in range(-(-places // PLACES) - 1, -1, -1)]
        whole = sign * (abs(exact.numerator) >> places)
        if abs(whole) >= BASE:
            raise TooLarge(LARGEST_NUMBER)
        return self._run(NUMBER, 1 + len(digits), lists=[whole, *digits])

    def number_of(self, value: int) -> Fraction:
        """The number that a value is (it is one)."""
        found = self._numbers.get(value)
        if found is None:
            arena = self.arena
            start = arena.values.item(value)[RIGHT_NUMBER]
            total = places = 0
            for digit in arena.numbers[start + 1 : start + 1 + arena.numbers[start]].tolist():
                total, places = (total << PLACES) + digit, places + PLACES
            found = self._numbers[value] = Fraction(total, 1 << max(places - PLACES, 0))
        return found

    def stops(self, value: int) -> tuple[Fraction, Fraction]:
        """The Left and the Right stop of a value."""
        game = self.arena.values.item(value)
        left, right = game[LEFT_NUMBER], game[RIGHT_NUMBER]
        return self.number_of(left), self.number_of(left if left == value else right)

    def number_up_star(self, base: int, ups: int, nimber: int) -> int:
        return self._run(NUMBER_UP_STAR, base, ups, nimber)

    def canonical(self, left: Sequence[int], right: Sequence[int]) -> int:
        """The value with these options."""
        return self._run(CANONICAL, len(left), len(right), lists=(*left, *right))

    def options(self, value: int) -> tuple[list[int], list[int]]:
        """The left and the right options of a value; those of a number may be newer than itself."""
        arena = self.arena
        game = arena.values.item(value)  # one tuple of Python numbers costs less than four fields of a record
        if game[LEFT_NUMBER] == value:
            number = self.number_of(value)
            step, is_fraction = Fraction(1, number.denominator), number.denominator > 1
            left = [self.number(number - step)] if number > 0 or is_fraction else []
            return left, [self.number(number + step)] if number < 0 or is_fraction else []
        middle = game[LEFT] + game[LEFT_COUNT]
        return arena.options[game[LEFT] : middle].tolist(), arena.options[middle : middle + game[RIGHT_COUNT]].tolist()

    def write_out(self, number: int) -> tuple[int, ...]:
        """Write the options of a number into the arena, where kernels look for them that know no digits; these options."""
        with self.lock:
            left, right = self.options(number)
            end = int(self.arena.registers[OPTIONS_END])
            while end + len(left) + len(right) > len(self.arena.options):
                self._grow(OPTIONS)
            self.arena.options[end : end + len(left) + len(right)] = left + right
            self.arena.registers[OPTIONS_END] += len(left) + len(right)
            game: Any = self.arena.values[number]
            game.left, game.left_count, game.right_count = end, len(left), len(right)
            return (*left, *right)

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
        graph: Graph = _NO_GRAPH,
        lists: Sequence[int] = (),
        progress: Callable[[int], None] | None = None,
    ) -> int:
        """Call the kernel until it has an answer.

        Raises:
            TooLarge: a number is, or the arrays are.
        """
        with self.lock:
            arena = self.arena
            while lists and len(lists) + 16 > len(arena.lists):
                arena = self._grow(LISTS)
            slice_, done, found = FIRST_SLICE, -1, -1
            while True:
                if lists:
                    arena.lists[: len(lists)] = lists
                arena.registers[WORK] = slice_
                answer = int(operate(arena, graph, operation, a, b, c))
                if answer == GROW:
                    arena = self._grow(int(arena.registers[NEEDED]))
                elif answer == LARGE:
                    raise TooLarge(LARGEST_NUMBER)
                elif answer == PAUSED:
                    if progress is not None:
                        progress(int(arena.registers[DONE]))
                    if done == arena.registers[DONE] and (slice_ < LONG_SLICE or found == arena.registers[FOUND]):
                        slice_ *= 2
                    done, found = int(arena.registers[DONE]), int(arena.registers[FOUND])
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
    operate(arena, _NO_GRAPH, REINDEX, 0, 0, 0)


store = Store()
