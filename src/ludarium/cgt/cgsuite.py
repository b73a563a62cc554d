"""Values as input for CGSuite, which does not read all that it writes: it takes ``1*2`` for a product, and ``^<2>`` for a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludarium.errors import TooLarge

from .engine.structure import closed_form
from .numbers import number_text
from .text.ordering import ordered_options
from .text.printing import MOST_CHARACTERS
from .text.writing import composed
from .values import Value

__all__ = ["cgsuite_text"]


def cgsuite_text(value: Value) -> str:
    """The value in braces, with numbers, ups and nimbers joined by ``+``, such as ``{1/2+^3*2|-1}``: an expression of CGSuite 1 and 2.

    Raises:
        TooLarge: a text of more than 67 million characters.
    """
    return composed(value._at, _needs, _compose)


def _needs(at: int) -> Sequence[int]:
    if closed_form(at) is not None:
        return ()
    left, right = ordered_options(at)
    return (*left, *right)


def _compose(at: int, made: Mapping[int, str]) -> str:
    form = closed_form(at)
    if form is not None:
        number, ups, nimber = form
        arrows = f"{'^' if ups > 0 else 'v'}{abs(ups) if abs(ups) > 1 else ''}" if ups else ""
        star = f"*{nimber if nimber > 1 else ''}" if nimber else ""
        words = [number_text(number)] if number or not ups | nimber else []
        return "+".join([*words, arrows + star] if arrows + star else words)
    sides = [[made[option] for option in side] for side in ordered_options(at)]
    if sum(len(text) for side in sides for text in side) > MOST_CHARACTERS:
        raise TooLarge(f"the text of this value has more than {MOST_CHARACTERS:,} characters")
    return f"{{{'|'.join(','.join(side) for side in sides)}}}"
