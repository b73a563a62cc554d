"""Values of positions under any rules: :func:`value`."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable
from typing import Any, Protocol, TypeVar

import numpy as np

from ludarium.errors import LudariumError, TooLarge

from .engine.store import Graph, store
from .exploration import explore
from .values import Value, _value

__all__ = ["Ruleset", "value"]

Position = TypeVar("Position", bound=Hashable)


class Ruleset(Protocol[Position]):
    """The rules of a game in which the players alternate, nothing is hidden or random, and who cannot move loses.

    Positions are hashable; equal positions have equal options. No line of moves comes back to a position.

    A ruleset may also have ``components(position)``, the positions that it is the disjunctive sum of, and ``normal_form(position)``, which gives positions
    with the same value (mirror images) one representative; both save work.

    A compiled ruleset has ``tables``, for which the functions of :mod:`ludarium.cgt.positions` are implemented, and ``words(position)`` instead.
    """

    def left_options(self, position: Position) -> Iterable[Position]:
        """The positions that Left can move to."""
        ...

    def right_options(self, position: Position) -> Iterable[Position]:
        """The positions that Right can move to."""
        ...


LOOK_EVERY = 1 << 10
BYTES_A_POSITION = 400
"""What a position takes in Python, roughly: itself, its place in a dictionary, its lists."""


def value(
    ruleset: Any,
    position: Any,
    *,
    progress: Callable[[int, int | None], None] | None = None,
    most_bytes: int | None = None,
) -> Value:
    """The value of a position.

    Args:
        ruleset: see :class:`Ruleset`.
        progress: told how many positions are found (and None), then how many of how many are evaluated.
        most_bytes: the memory that positions, and the values of this process, may take; half of the machine's if left out.

    Raises:
        TooLarge: it would take more.
        LudariumError: a line of moves comes back to a position.
    """
    limit = store.most_bytes if most_bytes is None else most_bytes
    if hasattr(ruleset, "words"):
        graph, terms = explore(ruleset.tables, ruleset.words(position), limit, progress)
    else:
        graph, terms = _explored(ruleset, position, limit, progress)
    total = len(graph.order)
    store.evaluate(graph, limit, None if progress is None else lambda done: progress(done, total))
    return sum_of_terms(graph, terms)


def sum_of_terms(graph: Graph, terms: Iterable[int]) -> Value:
    """The sum that terms of an evaluated graph stand for."""
    total = Value(0)
    for term in terms:
        part = _value(int(graph.results[term >> 1]))
        total += -part if term & 1 else part
    return total


def _explored(ruleset: Any, position: Any, most_bytes: int, progress: Callable[[int, int | None], None] | None) -> tuple[Graph, list[int]]:
    """The graph of a position under rules in Python, and the terms that the position is the sum of."""
    split: Callable[[Any], Iterable[Any]] | None = getattr(ruleset, "components", None)
    normal: Callable[[Any], Any] | None = getattr(ruleset, "normal_form", None)
    nodes: dict[Any, int] = {}
    positions: list[Any] = []
    sums: dict[Any, list[int]] = {}

    def terms_of(reached: Any) -> list[int]:
        known = sums.get(reached)
        if known is None:
            known = []
            for part in (reached,) if split is None else split(reached):
                representative = part if normal is None else normal(part)
                node = nodes.setdefault(representative, len(positions))
                if node == len(positions):
                    positions.append(representative)
                known.append(2 * node)
            known.sort()
            sums[reached] = known
        return known

    roots = terms_of(position)
    pool, order = array("i"), array("q")
    starts: dict[int, int] = {}
    emitted: set[int] = set()
    stack = [term >> 1 for term in roots]
    children: dict[int, set[int]] = {}
    while stack:
        node = stack[-1]
        if node in emitted:
            stack.pop()
        elif node in starts:
            if not children.pop(node) <= emitted:
                raise LudariumError(f"{type(ruleset).__name__}: a line of moves comes back to a position; such games have no value here")
            stack.pop()
            emitted.add(node)
            order.append(node)
        else:
            starts[node] = len(pool)
            sides = [list(ruleset.left_options(positions[node])), list(ruleset.right_options(positions[node]))]
            pool.extend((len(sides[0]), len(sides[1])))
            named: set[int] = set()
            for side in sides:
                for reached in side:
                    terms = terms_of(reached)
                    pool.append(len(terms))
                    pool.extend(terms)
                    named.update(term >> 1 for term in terms)
            children[node] = named
            stack += named - emitted
            if len(starts) % LOOK_EVERY == 0:
                if progress is not None:
                    progress(len(positions), None)
                if BYTES_A_POSITION * (len(positions) + len(sums)) + 4 * len(pool) > most_bytes:
                    raise TooLarge(
                        f"more than {len(positions):,} positions can be reached; they take more than the {most_bytes >> 20} MB allowed"
                    )
    count = len(positions)
    where = np.fromiter((starts[node] for node in range(count)), np.int64, count)
    return Graph(np.array(order, np.int64), where, np.array(pool, np.int32), np.zeros(count, np.int64)), roots
