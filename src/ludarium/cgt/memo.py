"""Results for every follower of a value, found from the simplest follower on and kept."""

from __future__ import annotations

from collections.abc import Container

from .engine.store import store
from .engine.structure import is_number, options

Options = tuple[list[int], list[int]]


def unsettled(value: int, settled: Container[int], *, fractions: bool = False) -> list[tuple[int, Options]]:
    """The followers of a value that are not settled yet, itself included, and their options; options come before the values that have them.

    Followers behind a settled one are not looked for: a result is kept for a value only when it is kept for all of its followers. Nor are those behind a
    number, which is given without options: it is known what it is. With ``fractions`` only integers are.
    """
    if value in settled:
        return []
    found: dict[int, Options] = {}
    waiting = [value]
    while waiting:
        at = waiting.pop()
        if at in found:
            continue
        found[at] = ([], []) if is_number(at) and not (fractions and store.number_of(at).denominator > 1) else options(at)
        waiting.extend(option for side in found[at] for option in side if option not in found and option not in settled)
    if not fractions:
        return sorted(found.items())
    return sorted(found.items(), key=lambda one: (1, one[0]) if not is_number(one[0]) else (0, store.number_of(one[0]).denominator))
