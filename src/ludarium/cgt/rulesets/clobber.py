"""Clobber: a stone captures an enemy beside it and takes its square (M. Albert, J. P. Grossman, R. Nowakowski and D. Wolfe, *An Introduction to Clobber*)."""

from __future__ import annotations

from collections.abc import Iterator

from ludarium.core.boards import board_rows

from .grids import cropped_image, neighbours_in, regions


class Clobber:
    """The ruleset. A position is a text: rows joined by ``|``, ``x`` a stone of Left, ``o`` one of Right, ``.`` an empty square.

    >>> from ludarium.cgt import value
    >>> print(value(Clobber(), "xxo"), value(Clobber(), "xo|ox"))
    ^ *
    """

    def left_options(self, position: str) -> Iterator[str]:
        """The positions after a capture by Left."""
        return self._captures(position, "x", "o")

    def right_options(self, position: str) -> Iterator[str]:
        """The positions after a capture by Right."""
        return self._captures(position, "o", "x")

    def components(self, position: str) -> list[str]:
        """Regions of adjacent stones, without those of a single colour: nobody can move there."""
        board_rows(position, "xo.")
        return [region for region in regions(position, "xo", ".") if "x" in region and "o" in region]

    def normal_form(self, position: str) -> str:
        """The least of the mirror images."""
        return cropped_image(position, "xo.", ".")

    def _captures(self, position: str, own: str, other: str) -> Iterator[str]:
        board_rows(position, "xo.")
        for place, stone in enumerate(position):
            for target in neighbours_in(position, place) if stone == own else ():
                if position[target] == other:
                    board = list(position)
                    board[place], board[target] = ".", own
                    yield "".join(board)
