"""Results for every follower of a value, found from the simplest follower on and kept."""

from __future__ import annotations

from collections.abc import Container

from .engine.structure import options

__all__ = ["unsettled"]

Options = tuple[list[int], list[int]]


def unsettled(value: int, settled: Container[int]) -> list[tuple[int, Options]]:
    """The followers of a value that are not settled yet, itself included, and their options; options come before the values that have them.

    Followers behind a settled one are not looked for: a result is kept for a value only when it is kept for all of its followers.
    """
    if value in settled:
        return []
    found = {value: options(value)}
    waiting = [value]
    while waiting:
        left, right = found[waiting.pop()]
        for option in (*left, *right):
            if option not in found and option not in settled:
                found[option] = options(option)
                waiting.append(option)
    return sorted(found.items())
