"""Nim: any number of matches from one heap (C. L. Bouton, *Nim, a Game with a Complete Mathematical Theory*, 1901)."""

from __future__ import annotations

from collections.abc import Iterator

from ludarium.errors import BadNotation


class Nim:
    """The ruleset. A position is a text: the sizes of the heaps, with spaces between them.

    >>> from ludarium.cgt import value
    >>> print(value(Nim(), "3 5 7"))
    *
    """

    def left_options(self, position: str) -> Iterator[str]:
        """The positions after matches were taken from a heap."""
        heaps = _heaps(position)
        for at, heap in enumerate(heaps):
            for rest in range(heap):
                yield " ".join(map(str, (*heaps[:at], rest, *heaps[at + 1 :])))

    right_options = left_options

    def components(self, position: str) -> list[str]:
        """The heaps."""
        return list(map(str, _heaps(position)))


def _heaps(position: str) -> list[int]:
    try:
        heaps = [int(size) for size in position.split()]
    except (AttributeError, ValueError):
        heaps = []
    if not heaps or min(heaps) < 0:
        raise BadNotation(f"{position!r} is no position of Nim: give the sizes of the heaps with spaces between them, such as '3 5 7'")
    return heaps
