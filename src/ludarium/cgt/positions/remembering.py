"""Values of positions that were asked for, kept between calls; :func:`.forget` forgets them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from ..engine.store import store

MOST_POSITIONS, MOST_RULESETS = 1 << 17, 64
"""So many positions are kept, and of so many rulesets; when there are more, all are forgotten."""


class _Plain:
    """As large as an object is that has nothing but attributes."""


_known: dict[Hashable, dict[Any, int]] = store.memo()


def known_values(ruleset: Any) -> dict[Any, int]:
    """The values of a ruleset's positions by their numbers in the arena, to be looked up and added to.

    Instances of a class that have no attributes have the same rules, and so have compiled rulesets of a class with equal tables; any other ruleset that is
    hashable is known as an object. What is not gets a dictionary of its own.
    """
    try:
        known = _known.get(key := _key(ruleset))
    except TypeError:
        return {}
    if known is None:
        if len(_known) >= MOST_RULESETS:
            _known.clear()
        known = _known[key] = {}
    return known


def remember(known: dict[Any, int], position: Any, value: int, others: Sequence[Any], values: Sequence[int]) -> None:
    """Add the value of a position to what is known, and those of the others that were reached if they are not too many."""
    if len(others) > MOST_POSITIONS:
        others = values = ()
    if sum(map(len, _known.values())) + len(others) > MOST_POSITIONS:
        for one in _known.values():
            one.clear()
    known.update(zip(others, values, strict=True))
    known[position] = value


def _key(ruleset: Any) -> Hashable:
    kind: type[object] = ruleset.__class__
    if hasattr(ruleset, "words"):
        return kind, ruleset.tables
    if kind.__basicsize__ == _Plain.__basicsize__ and not vars(ruleset):
        return kind
    return ruleset
