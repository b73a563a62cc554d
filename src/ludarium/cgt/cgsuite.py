"""Values as input for CGSuite, which does not read all that it writes: it takes ``1*2`` for a product, and ``^<2>`` for a comparison."""

from __future__ import annotations

from .engine.structure import closed_form
from .numbers import number_text
from .text.ordering import ordered_options
from .text.printing import MOST_CHARACTERS
from .text.writing import braced
from .values import Value


def cgsuite_text(value: Value) -> str:
    """The value in braces, with numbers, ups and nimbers joined by ``+``, such as ``{1/2+^3*2|-1}``: an expression of CGSuite 1 and 2.

    Raises:
        TooLarge: a text of more than 67 million characters.
    """
    return braced(value._at, _word, ordered_options, MOST_CHARACTERS)


def _word(at: int) -> str | None:
    form = closed_form(at)
    if form is None:
        return None
    number, ups, nimber = form
    arrows = f"{'^' if ups > 0 else 'v'}{abs(ups) if abs(ups) > 1 else ''}" if ups else ""
    star = f"*{nimber if nimber > 1 else ''}" if nimber else ""
    words = [number_text(number)] if number or not ups | nimber else []
    return "+".join([*words, arrows + star] if arrows + star else words)
