"""Who wins a position, found by searching and without its value: :class:`Solver`, :func:`outcome`.

The search (:mod:`.searching`) sees a position as a sum of components. Small components are replaced by their exact values, and what cancels or is a number or
a multiple of up is merged, so that most positions of a game are never searched.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ludarium.core.slices import Slices
from ludarium.errors import LudariumError, TooLarge

from ..engine.arena import ABSENT, TESTS, ZERO
from ..engine.store import Graph, store
from ..engine.structure import followers, is_number
from ..positions.compiled import MOST_WORDS
from ..positions.exploration import (
    BEGUN,
    BYTES_A_NODE,
    DEPTH,
    EMITTED,
    FINISHED,
    NODES,
    PAUSED,
    POOL_END,
    SLICE,
    WORDS_END,
    explore_on,
    new_exploration,
)
from ..values import Value
from .rows import (
    ASKED,
    FIRST,
    LARGEST,
    MOST_TERMS,
    ONE,
    OPEN,
    PLACED,
    PROOF,
    SEARCHED,
    TEST_NIMBERS,
    TEST_UPS,
    VALUED_SQUARES,
    WANTED_COUNT,
    Search,
)
from .searching import ASK, CHILD_WORDS, CROWDED, DECIDED, FRAME_WORDS, GROW, VALUE_THEM, PythonTables, search_on
from .searching import PAUSED as SLICE_DONE

Choice = TypeVar("Choice")

MOST_BYTES = 2 << 30
"""The memory that a solver takes at most, if nothing else is said."""

ENTRY = 24
"""Bytes of an entry of the table."""

MOST_WANTED = 1 << 12
"""Components whose values are computed at once."""

LONGEST_LINE = 1 << 16
FIRST_SLICE = 1 << 8
"""Positions searched before the first look at the clock and at Ctrl-C, see :class:`.slices.Slices`."""

LEAST_SEARCHED = 100
"""If the graph is full after fewer positions, a new one would bring the search no further."""

FIRST_LOOK = 0.02
"""Seconds for a first look at each choice."""

VALUED = 4
"""Components of up to so many squares are replaced by their values."""


class Outcome(NamedTuple):
    """Who wins a position with either player to begin; None for what was not decided in the time allowed."""

    left_begins: bool | None
    """Whether Left wins if she begins."""
    right_begins: bool | None
    """Whether Right wins if he begins."""
    searched: int
    """Positions searched."""

    @property
    def letter(self) -> str | None:
        """``L`` Left, ``R`` Right, ``N`` the next (first) player, ``P`` the previous (second) one; None if it is not decided."""
        if self.left_begins is None or self.right_begins is None:
            return None
        return ("N" if self.right_begins else "L") if self.left_begins else ("R" if self.right_begins else "P")


class _TimeIsUp(Exception):
    """Ends a computation whose time is up."""


class Solver:
    """Answers who wins positions of one ruleset, and remembers what it found out. A solver is for one thread.

    Args:
        ruleset: see :class:`.Ruleset`; compiled ones are much faster.
        most_bytes: the memory for what is remembered; the oldest and cheapest is forgotten first.
        valued: components of up to so many squares are valued exactly (compiled rulesets only).

    Copies, pickled ones included, give the same answers and remember nothing.
    """

    def __init__(self, ruleset: Any, *, most_bytes: int = MOST_BYTES, valued: int = VALUED) -> None:
        self.ruleset = ruleset
        self.most_bytes = most_bytes
        self.searched = 0
        self._compiled = hasattr(ruleset, "words")
        self._tables: Any = ruleset.tables if self._compiled else PythonTables(1)
        self._arguments = {"most_bytes": most_bytes, "valued": valued}
        self._valued = valued if self._compiled else -1
        self._nodes = 1 << 13
        while 2 * self._nodes * BYTES_A_NODE <= most_bytes // 2:
            self._nodes *= 2
        entries = 1 << 12
        while 2 * entries * ENTRY <= most_bytes // 4:
            entries *= 2
        self._table = np.zeros((entries, 3), np.uint64)
        self._lines = 128
        self._children = 1 << 13
        self._positions: list[Any] = []
        self._node_of: dict[Any, int] = {}
        self._begin()

    def __reduce__(self) -> Any:
        """Leave out the memory: each process numbers values in its own order."""
        return partial(type(self), **self._arguments), (self.ruleset,)

    def wins(
        self,
        position: Any,
        player: int,
        *,
        others: Sequence[Any] = (),
        plus: Value | None = None,
        seconds: float | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> bool | None:
        """Whether the player to move (0 Left, 1 Right) wins a position; None if it is not decided in ``seconds``.

        Args:
            others: positions that are added to it.
            plus: a value that is added to it.
            progress: told again and again how many positions this solver has searched.

        Raises:
            TooLarge: the position has too many components, or rules in Python reach too many positions.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        value = ZERO if plus is None else plus._at
        store.negative(value)
        _write_out_numbers(value)
        try:
            return self._decide([position, *others], player, value, deadline, progress)
        except _TimeIsUp:
            self._forget()
            return None
        except BaseException:
            self._forget()
            raise

    def outcome(
        self,
        position: Any,
        *,
        others: Sequence[Any] = (),
        plus: Value | None = None,
        seconds: float | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Outcome:
        """Who wins a position with either player to begin, see :meth:`wins`."""
        before, started = self.searched, time.monotonic()
        found: list[bool | None] = [None, None]
        for player, share in ((0, 0.5), (1, 1.0), (0, 1.0)):  # one player's half of the time is not lost on the other
            if found[player] is None:
                left = None if seconds is None else max(0.0, started + share * seconds - time.monotonic())
                found[player] = self.wins(position, player, others=others, plus=plus, seconds=left, progress=progress)
        return Outcome(found[0], found[1], self.searched - before)

    def _forget(self) -> None:
        """Begin a new graph of components. What the table knows of positions stays true."""
        self._begin()
        if not self._compiled:
            self._positions, self._node_of = [], {}
            self._table[:] = 0

    def _begin(self) -> None:
        work = new_exploration(self._nodes)
        work.registers[POOL_END] = 1  # 0 stands for a node that is not expanded
        work.registers[BEGUN] = 1
        arena = store.arena
        tests = np.full((2 * TEST_UPS + 1, TEST_NIMBERS), -1, np.int64)
        for test, game in enumerate(arena.values[ZERO : ZERO + int(arena.registers[TESTS])]):
            if 0 <= game.nimber < TEST_NIMBERS and abs(game.ups) <= TEST_UPS and game.left_stop == 0:
                tests[TEST_UPS + game.ups, game.nimber] = test
        size = self._nodes
        self._work = work
        self._search = Search(
            values=arena.values,
            options=arena.options,
            tests=tests,
            results=np.zeros(size, np.int64),
            seen=np.zeros(size, np.int8),
            hashes=np.zeros(size, np.uint64),
            bounds=np.zeros((size, 2)),
            wanted=np.zeros(MOST_WANTED, np.int64),
            rows=np.zeros((self._lines, FIRST + MOST_TERMS), np.int64),
            frames=np.zeros((self._lines, FRAME_WORDS), np.int64),
            children=np.zeros((self._children, CHILD_WORDS), np.int64),
            table=self._table,
            registers=np.zeros(8, np.int64),
        )
        self._search.registers[VALUED_SQUARES] = self._valued

    def _decide(
        self, positions: list[Any], player: int, plus: int, deadline: float | None, progress: Callable[[int], None] | None
    ) -> bool | None:
        words = [self.ruleset.words(one) if self._compiled else np.zeros(MOST_WORDS, np.uint64) for one in positions]
        self._search.registers[PLACED] = 0
        slices = Slices(None if deadline is None else deadline - time.monotonic(), FIRST_SLICE, time.monotonic)
        placed = terms = 0
        while slice := slices.next():
            budget = max(slice, self._lines)  # each call begins at the root: one that does not get to the end of a line learns nothing
            arena = store.arena
            search = self._search = self._search._replace(values=arena.values, options=arena.options)
            registers = search.registers
            if registers[PLACED] == 0:
                placed = 0
            if registers[PLACED] != 1 and not self._compiled:
                terms = self._write(self._sum(positions[placed]))
            is_last = placed == len(positions) - 1
            before = int(registers[SEARCHED])
            answer = search_on(self._tables, self._work, search, words[placed], terms, player, plus, budget if is_last else -1)
            searched = int(registers[SEARCHED]) - before
            slices.did(searched)
            self.searched += searched
            if progress is not None:
                progress(self.searched)
            if answer == DECIDED:
                return bool(registers[PROOF] == 0)
            if answer == SLICE_DONE:
                placed += not is_last
            elif answer == VALUE_THEM:
                self._value_wanted(deadline)
            elif answer == ASK:
                self._expand(int(registers[ASKED]))
            elif answer == GROW:
                self._grow()
            elif answer == CROWDED:
                raise TooLarge(f"a sum of more than {MOST_TERMS // 2} components is too large")
            else:
                self._make_room()
        return None

    def _grow(self) -> None:
        self._lines *= 2
        self._children *= 2
        if self._lines > LONGEST_LINE:
            raise LudariumError(
                f"{type(self.ruleset).__name__}: a line of more than {LONGEST_LINE // 2:,} moves; does it come back to a position?"
            )
        self._search = self._search._replace(
            rows=np.zeros((self._lines, FIRST + MOST_TERMS), np.int64),
            frames=np.zeros((self._lines, FRAME_WORDS), np.int64),
            children=np.zeros((self._children, CHILD_WORDS), np.int64),
        )
        self._search.registers[PLACED] = 0

    def _make_room(self) -> None:
        """Begin a new graph when this one is full; the table keeps what was found."""
        if not self._compiled:
            raise TooLarge(
                f"more than {len(self._positions):,} positions were reached; they take more than the {self.most_bytes >> 20} MB allowed"
            )
        if self._search.registers[SEARCHED] < LEAST_SEARCHED:
            raise TooLarge(f"the components of a few positions take more than the {self.most_bytes >> 20} MB allowed")
        self._forget()

    def _value_wanted(self, deadline: float | None) -> None:
        """Compute the values that the search asks for."""
        work, search = self._work, self._search
        count = int(search.registers[WANTED_COUNT])
        work.stack[:count] = search.wanted[:count]
        work.registers[DEPTH] = count
        begin = int(work.registers[EMITTED])

        def look(done: int = 0) -> None:
            if deadline is not None and time.monotonic() > deadline:
                raise _TimeIsUp

        while True:
            answer = explore_on(self._tables, work, work.words, SLICE)
            if answer == FINISHED:
                break
            look()
            if answer != PAUSED:
                self._make_room()
                return
        order = work.order[begin : int(work.registers[EMITTED])]
        try:
            store.evaluate(Graph(order, work.starts, work.pool, search.results), self.most_bytes, look)
            for value in np.unique(search.results[order]).tolist():
                game: Any = store.arena.values[value]
                if game.negative == ABSENT:
                    store.negative(value)
        except TooLarge:
            self._valued = -1
            self._forget()
            return
        search.seen[search.wanted[:count]] = OPEN
        search.registers[WANTED_COUNT] = search.registers[PLACED] = 0

    def _node(self, position: Any) -> int:
        """The node of a position under rules in Python."""
        normal = getattr(self.ruleset, "normal_form", None)
        representative = position if normal is None else normal(position)
        node = self._node_of.setdefault(representative, len(self._positions))
        if node == len(self._positions):
            registers, start = self._work.registers, 3 * node
            if node >= self._nodes:
                self._make_room()
            self._positions.append(representative)
            self._work.nodes[node] = start
            self._work.words[start : start + 3] = 3 << 16, 0, node + 1
            registers[NODES], registers[WORDS_END] = node + 1, start + 3
        return node

    def _sum(self, position: Any) -> list[int]:
        """How many components a position has under rules in Python, and their terms."""
        split: Callable[[Any], Iterable[Any]] | None = getattr(self.ruleset, "components", None)
        terms = sorted(2 * self._node(part) for part in ((position,) if split is None else split(position)))
        if len(terms) > MOST_TERMS // 4:
            raise TooLarge(f"a position has {len(terms)} components; {MOST_TERMS // 4} are the most")
        return [len(terms), *terms]

    def _write(self, numbers: list[int]) -> int:
        """Write numbers to the pool; where they begin."""
        start = int(self._work.registers[POOL_END])
        if start + len(numbers) > len(self._work.pool):
            self._make_room()
        self._work.pool[start : start + len(numbers)] = numbers
        self._work.registers[POOL_END] = start + len(numbers)
        return start

    def _expand(self, node: int) -> None:
        """Write the options of a node under rules in Python to the pool."""
        position = self._positions[node]
        left, right = ([self._sum(one) for one in side(position)] for side in (self.ruleset.left_options, self.ruleset.right_options))
        self._work.starts[node] = self._write([len(left), len(right), *itertools.chain(*left, *right)])


def _write_out_numbers(value: int) -> None:
    """Write out the options of those numbers in a value that remain terms of a row, since the search moves in terms.

    Raises:
        TooLarge: a number that is too large for that.
    """
    waiting = [one for one in followers(value) if is_number(one)]
    while waiting:
        number = waiting.pop()
        game: Any = store.arena.values[number]
        units = float(game.left_stop) * ONE
        if (abs(units) < LARGEST * ONE and units.is_integer()) or game.left_count or game.right_count:
            continue
        if abs(store.number_of(number)) > LARGEST:
            raise TooLarge(f"a search takes numbers up to {LARGEST:,}")
        waiting += (*store.write_out(number), store.negative(number))  # of both, the lesser number in the arena becomes the term


def first_that_wins(choices: Sequence[Choice], opponent_wins: Callable[[Choice, float], bool | None], until: float) -> Choice | None:
    """The first of some choices after which the opponent is found to lose; None if there is none, or none is found in time.

    Each gets a short look first and what stays unclear longer ones: a solver knows most of them from solving the position.

    Args:
        opponent_wins: told a choice and until when to look at it, on the clock of ``time.monotonic``.
    """
    look = FIRST_LOOK
    while choices and time.monotonic() < until:
        unclear: list[Choice] = []
        for choice in choices:
            answer = opponent_wins(choice, min(until, time.monotonic() + look))
            if answer is False:
                return choice
            if answer is None:
                unclear.append(choice)
        choices = unclear
        look *= 2
    return None


def outcome(
    ruleset: Any,
    position: Any,
    *,
    plus: Value | None = None,
    seconds: float | None = None,
    progress: Callable[[int], None] | None = None,
    most_bytes: int = MOST_BYTES,
) -> Outcome:
    """Who wins a position with either player to begin, without its value.

    ``outcome(ruleset, position).letter`` is ``L``, ``R``, ``N`` or ``P``, or None if it is not decided in ``seconds``. A position is equal to a value ``v`` if
    ``outcome(ruleset, position, plus=-v).letter`` is ``P``.

    Args:
        ruleset: see :class:`.Ruleset`.
        plus: a value that is added to the position.
        progress: told again and again how many positions are searched.
        most_bytes: the memory to take; when it is used up, the search goes on and forgets.

    Raises:
        TooLarge: the position has too many components, or rules in Python reach too many positions.
    """
    return Solver(ruleset, most_bytes=most_bytes).outcome(position, plus=plus, seconds=seconds, progress=progress)
