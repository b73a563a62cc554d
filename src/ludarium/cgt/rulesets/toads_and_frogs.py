"""Toads and Frogs: pieces that walk towards each other and jump over one enemy (Richard Guy; *Winning Ways*, chapter 1)."""

from __future__ import annotations

from collections.abc import Iterator

from ludarium.core.boards import board_rows
from ludarium.errors import BadNotation


class ToadsAndFrogs:
    """The ruleset. A position is a text: ``t`` a toad (Left's, going right), ``f`` a frog (Right's, going left), ``.`` an empty square.

    >>> from ludarium.cgt import value
    >>> print(value(ToadsAndFrogs(), "t.f"), value(ToadsAndFrogs(), "ttt.f"))
    * {1*|0}
    """

    def left_options(self, position: str) -> Iterator[str]:
        """The positions after a step or a jump of a toad."""
        strip, *others = board_rows(position, "tf.")
        if others:
            raise BadNotation(f"'{position}': Toads and Frogs is played on one strip of '.', t and f")
        for before, after in (("t.", ".t"), ("tf.", ".ft")):
            place = strip.find(before)
            while place >= 0:
                yield strip[:place] + after + strip[place + len(before) :]
                place = strip.find(before, place + 1)

    def right_options(self, position: str) -> Iterator[str]:
        """The positions after a step or a jump of a frog: the same, seen by the other player from the other end."""
        return map(_exchanged, self.left_options(_exchanged(position)))


def _exchanged(position: str) -> str:
    return position[::-1].translate(str.maketrans("tf", "ft"))
