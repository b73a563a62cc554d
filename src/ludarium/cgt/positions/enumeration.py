"""All positions that can be reached under rules in Python, as a graph to be evaluated."""

from __future__ import annotations

import itertools
import sys
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from ludarium.errors import LudariumError, TooLarge

from ..engine.store import Graph
from .topology import LOOP, LOOPED, PAUSED, Moves, new_walk, walk

LOOK_EVERY, MOVES_BETWEEN_LOOKS = 1021, 1 << 17
"""Positions, or moves, between two looks at the memory that they take."""

WEIGH_EVERY = 61
"""Sums of which one is weighed, for all of them. A prime, as the number of positions above: positions often come in a rhythm, and it should be any of them."""

FIRST_SEARCH = 1 << 12
"""Positions before the first search for a loop; the next search is made when there are eight times as many."""

BYTES_A_POSITION, BYTES_A_SUM, BYTES_A_MOVE, BYTES_A_TERM = 160, 100, 20, 4
"""What tables and arrays take, roughly; the positions themselves come on top."""

MOST_PARTS = 1 << 20
"""Components of a position; more are a mistake."""

SLICE = 1 << 18
"""Moves followed between two chances for Ctrl-C."""


def enumerate_positions(
    ruleset: Any, position: Any, most_bytes: int, progress: Callable[[int, int | None], None] | None, known: Mapping[Any, int]
) -> tuple[Graph, list[int], list[Any]]:
    """The graph of a position, the terms that the position is the sum of, and the positions in the graph; see :func:`ludarium.cgt.value`.

    Args:
        known: values of positions, which are explored no further.

    Raises:
        TooLarge: it would take more than ``most_bytes``.
        LudariumError: a line of moves comes back to a position, or the ruleset does not answer with positions.
    """
    found = _Enumeration(ruleset, most_bytes // BYTES_A_POSITION)
    positions = found.positions
    (root,) = _numbered(found.number_of, [position], "the position to be evaluated")
    look, look_at_move, search, weighed = LOOK_EVERY, MOVES_BETWEEN_LOOKS, FIRST_SEARCH, 0
    for number, reached in enumerate(positions):  # of which there are more and more
        found.add_moves(reached, reached in known)
        if number < look and len(found.moves) < look_at_move:
            continue
        look, look_at_move = number + LOOK_EVERY, len(found.moves) + MOVES_BETWEEN_LOOKS
        if progress is not None:
            progress(len(positions), None)
        if number >= search:
            search *= 8
            found.graph()
        found.bytes_of_positions += (len(positions) - weighed) * _bytes_of(reached)
        weighed = len(positions)
        if found.bytes() > most_bytes:
            found.graph()  # a loop is the better reason
            raise TooLarge(f"more than {len(positions):,} positions can be reached; they take more than the {most_bytes >> 20} MB allowed")
    terms, starts = found.terms()
    graph = found.graph()
    if known:
        graph.results[:] = [known.get(one, 0) for one in positions]
        graph = graph._replace(order=graph.order[graph.results[graph.order] == 0])
    return graph, (2 * terms[starts[root] : starts[root + 1]]).tolist(), positions


class _Numbers(dict[Any, int]):
    """Numbers of positions, given when a position is first looked up."""

    def __init__(self) -> None:
        self.positions: list[Any] = []

    def __missing__(self, position: Any) -> int:
        number = self[position] = len(self.positions)
        self.positions.append(position)
        return number


class _Sums(dict[Any, int]):
    """Numbers of positions as sums of components in their normal form, given when a position is first looked up."""

    def __init__(self, ruleset: Any, numbers: _Numbers) -> None:
        self.name = type(ruleset).__name__
        self.split: Callable[[Any], Iterable[Any]] | None = getattr(ruleset, "components", None)
        self.normal: Callable[[Any], Any] | None = getattr(ruleset, "normal_form", None)
        self.number_of = numbers.__getitem__
        self.terms, self.starts = array("i"), array("q", [0])
        self.bytes_of_positions = 0

    def __missing__(self, position: Any) -> int:
        parts: Sequence[Any] = (
            [position] if self.split is None else _listed(self.split(position), self.name, "components", position, most=MOST_PARTS)
        )
        if self.normal is not None:
            parts = [self.normal(part) for part in parts]
            if None in parts:
                raise LudariumError(f"{self.name}: normal_form gave None for {position!r}, where a position is wanted")
        self.terms.extend(sorted(_numbered(self.number_of, parts, f"{self.name}: a component of {position!r}")))
        self.starts.append(len(self.terms))
        number = self[position] = len(self)
        if number % WEIGH_EVERY == 0:
            self.bytes_of_positions += WEIGH_EVERY * _bytes_of(position)
        return number


class _Enumeration:
    """The positions that a ruleset has named so far, and their moves."""

    def __init__(self, ruleset: Any, most_moves: int) -> None:
        self.name = type(ruleset).__name__
        self.most_moves = most_moves
        for wanted in ("left_options", "right_options"):
            if not callable(getattr(ruleset, wanted, None)):
                raise LudariumError(
                    f"{self.name} is no ruleset: it has no {wanted}; give left_options(position) and right_options(position)"
                )
        self.sides = (("left_options", ruleset.left_options), ("right_options", ruleset.right_options))
        numbers = _Numbers()
        self.positions = numbers.positions
        self.sums = _Sums(ruleset, numbers) if hasattr(ruleset, "components") or hasattr(ruleset, "normal_form") else None
        self.number_of = numbers.__getitem__ if self.sums is None else self.sums.__getitem__
        self.moves, self.ends = array("i"), array("q", [0])
        self.bytes_of_positions = 0

    def add_moves(self, position: Any, is_known: bool) -> None:
        """Number the positions that the next one of ``positions`` leads to; none where its value is known."""
        for name, options_of in self.sides:
            options: Any = [] if is_known else options_of(position)
            if options.__class__ is not list:
                options = _listed(options, self.name, name, position, self.most_moves)
            try:
                self.moves.extend(map(self.number_of, options))
            except TypeError:
                _check(options, f"{self.name}: one that {name} gave for {position!r}")
                raise
            self.ends.append(len(self.moves))

    def bytes(self) -> int:
        """What all this takes, roughly, or will when it is made a graph."""
        size = len(self.positions) * BYTES_A_POSITION + self.bytes_of_positions + len(self.moves) * BYTES_A_MOVE
        if self.sums is not None:
            count, terms = len(self.sums), len(self.sums.terms)
            size += count * BYTES_A_SUM + self.sums.bytes_of_positions + (2 * terms + terms * len(self.moves) // count) * BYTES_A_TERM
        return size

    def terms(self) -> tuple[np.ndarray, np.ndarray]:
        """The positions that each sum consists of, in turn, and where each of these lists begins."""
        if self.sums is None:
            return np.arange(len(self.positions), dtype=np.int32), np.arange(len(self.positions) + 1)
        return np.array(self.sums.terms, np.int32), np.array(self.sums.starts, np.int64)

    def graph(self) -> Graph:
        """The graph of the positions whose moves are known, every one after those that its moves lead to.

        Raises:
            LudariumError: a line of moves comes back to a position.
        """
        count = len(self.ends) // 2
        given = Moves(np.array(self.moves, np.int32), np.array(self.ends, np.int64), *self.terms())
        lengths = np.diff(given.starts).astype(np.int32)
        graph = Graph(
            order=np.zeros(count, np.int64),
            starts=np.zeros(count, np.int64),
            pool=np.zeros(2 * count + len(given.moves) + int(lengths[given.moves].sum(dtype=np.int64)), np.int32),
            results=np.zeros(count, np.int64),
        )
        work = new_walk(count)
        answer = PAUSED
        while answer == PAUSED:
            answer = walk(graph, given, work, SLICE)
        if answer == LOOP:
            again = self.positions[int(work.registers[LOOPED])]
            raise LudariumError(f"{self.name}: a line of moves comes back to {again!r}; such games have no value here")
        return graph


def _listed(answer: Any, name: str, method: str, position: Any, most: int) -> list[Any]:
    """What a method of a ruleset gave, as a list."""
    if isinstance(answer, str) or not isinstance(answer, Iterable):
        raise LudariumError(f"{name}: {method} gave {answer!r} for {position!r}, where a list of positions is wanted")
    listed = list(itertools.islice(cast(Iterable[Any], answer), most + 1))
    if len(listed) > most:
        raise TooLarge(f"{name}: {method} gave more than {most:,} positions for {position!r}; they take more memory than is allowed")
    return listed


def _numbered(number_of: Callable[[Any], int], positions: Sequence[Any], what: str) -> list[int]:
    try:
        return list(map(number_of, positions))
    except TypeError:
        _check(positions, what)
        raise


def _check(positions: Sequence[Any], what: str) -> None:
    """Say so if one of these cannot be a position."""
    for position in positions:
        try:
            hash(position)
        except TypeError:
            raise LudariumError(
                f"{what} is {position!r}: positions are to be hashable, such as numbers, strings, and tuples or frozensets of these"
            ) from None


def _bytes_of(position: Any) -> int:
    """What a position takes, roughly."""
    size, waiting = 0, [position]
    while waiting:
        one = waiting.pop()
        size += sys.getsizeof(one)
        if isinstance(one, tuple | frozenset):
            waiting.extend(cast(Iterable[Any], one))
    return size
