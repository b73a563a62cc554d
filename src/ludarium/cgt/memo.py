"""Results for every follower of a value, found from the simplest follower on and kept."""

from __future__ import annotations

from collections.abc import Container

from .engine.structure import options

Options = tuple[list[int], list[int]]


def unsettled(value: int, settled: Container[int]) -> list[tuple[int, Options]]:
    """The followers of a value that are not settled yet, itself included, and their options; options come before the values that have them.

    Followers behind a settled one are not looked for: a result is kept for a value only when it is kept for all of its followers. Nor are those behind an
    integer, which is given without options: that of a million would have a million followers, and it is known what it is.
    """
    if value in settled:
        return []
    found: dict[int, Options] = {}
    waiting = [value]
    while waiting:
        at = waiting.pop()
        if at in found:
            continue
        left, right = options(at)
        found[at] = (left, right) if left and right else ([], [])
        waiting.extend(option for side in found[at] for option in side if option not in found and option not in settled)
    return sorted(found.items())
