"""Values of positions under any rules: :func:`value`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Protocol, TypeVar

from ..engine.store import Graph, store
from ..values import Value, _value
from .enumeration import enumerate_positions
from .exploration import explore
from .remembering import known_values, remember

Position = TypeVar("Position", bound=Hashable)


class Ruleset(Protocol[Position]):
    """The rules of a game in which the players alternate, nothing is hidden or random, and who cannot move loses.

    Positions are hashable; equal positions have equal options. No line of moves comes back to a position.

    A ruleset may also have ``components(position)``, the positions that it is the disjunctive sum of, and ``normal_form(position)``, which gives positions
    with the same value (mirror images) one representative; both save work.

    A compiled ruleset has ``tables``, for which the functions of :mod:`ludarium.cgt.positions.compiled` are implemented, and ``words(position)`` instead.
    """

    def left_options(self, position: Position) -> Iterable[Position]:
        """The positions that Left can move to."""
        ...

    def right_options(self, position: Position) -> Iterable[Position]:
        """The positions that Right can move to."""
        ...


def value(
    ruleset: Any, position: Any, *, progress: Callable[[int, int | None], None] | None = None, most_bytes: int | None = None
) -> Value:
    """The value of a position. Values are remembered, see :func:`.forget`: the rules must not change between calls.

    Args:
        ruleset: see :class:`Ruleset`.
        progress: told now and then how many positions are found (and None), then how many of how many are evaluated, at last all of them.
        most_bytes: the memory that positions, and the values of this process, may take; half of the machine's if left out.

    Raises:
        TooLarge: it would take more.
        BadNotation: a position that the ruleset cannot read.
        LudariumError: a line of moves comes back to a position, or the ruleset does not answer with positions.
    """
    known = known_values(ruleset)
    try:
        at, is_hashable = known.get(position), True
    except TypeError:  # not hashable; under rules in Python that is told where it is explored
        at, is_hashable = None, False
    if at is not None:
        if progress is not None:
            progress(1, 1)
        return _value(at)
    limit = store.most_bytes if most_bytes is None else most_bytes
    reached: list[Any] = []
    if hasattr(ruleset, "words"):
        graph, (terms,), _ = explore(ruleset.tables, [ruleset.words(position)], limit, progress)
    else:
        graph, terms, reached = enumerate_positions(ruleset, position, limit, progress, known)
    total = len(graph.order)
    store.evaluate(graph, limit, None if progress is None else lambda done: progress(done, total))
    if progress is not None:
        progress(total, total)
    with store.at_most_bytes(limit):
        found = sum_of_terms(graph, terms)
    if is_hashable:
        remember(known, position, found._at, reached, graph.results.tolist() if reached else ())
    return found


def sum_of_terms(graph: Graph, terms: Iterable[int]) -> Value:
    """The sum that terms of an evaluated graph stand for."""
    total = Value(0)
    for term in terms:
        part = _value(int(graph.results[term >> 1]))
        total += -part if term & 1 else part
    return total
