"""The order in which options are written: CGSuite's.

Numbers come first, ascending, then nimbers, then the other uptimals by their number, their ups from the first on and their nimber, then everything else by its
Left options, and by its Right options where those agree; lists are compared option by option, and the beginning of a list comes before the list.
"""

from __future__ import annotations

from functools import cmp_to_key
from typing import Any

from ..engine.store import store
from ..engine.structure import options
from ..uptimals import structured_followers, uptimal_at

_ordered: dict[int, tuple[list[int], list[int]]] = store.memo()


def ordered_options(at: int) -> tuple[list[int], list[int]]:
    """The left and the right options of a value in their order, all by their numbers in the arena."""
    if at not in _ordered:
        for follower in structured_followers(at):
            if follower not in _ordered:
                _ordered[follower] = _sorted_options(follower)
    return _ordered[at] if at in _ordered else _sorted_options(at)


def _sorted_options(at: int) -> tuple[list[int], list[int]]:
    left, right = options(at)
    return sorted(left, key=by_order), sorted(right, key=by_order)


def _class(at: int) -> tuple[Any, ...] | None:
    """What an uptimal is sorted by; None for everything else."""
    form = uptimal_at(at)
    if form is None:
        return None
    if not form.ups and not form.nimber:
        return 0, form.number
    if not form.ups and not form.number:
        return 1, form.nimber
    return 2, form


def _compare(a: int, b: int) -> int:
    """Below 0 if a comes first, above 0 if b does. Two lists differ where their first different options do, so this needs no recursion."""
    while a != b:
        one, other = _class(a), _class(b)
        if one is not None and other is not None:
            return -1 if one < other else 1
        if one is not None or other is not None:
            return -1 if one is not None else 1
        ours, theirs = next(sides for sides in zip(_ordered[a], _ordered[b], strict=True) if sides[0] != sides[1])
        for first, second in zip(ours, theirs, strict=False):
            if first != second:
                a, b = first, second
                break
        else:
            return len(ours) - len(theirs)
    return 0


by_order: Any = cmp_to_key(_compare)
"""The key to sort values by whose :func:`ordered_options` were asked for."""
