"""Numbers and nimbers as values, given by their numbers in the arena, and the numbers at which play stops."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

from ludarium.errors import BadNotation, TooLarge

from .engine.arena import ZERO
from .engine.store import store
from .engine.structure import closed_form
from .memo import unsettled

MOST_STEPS = 1 << 20
"""The largest whole part of a number: its canonical form has a position for every day."""

MOST_PLACES = 1 << 14
"""The most binary places of a number: its canonical form has a position for each, and each has so many digits."""

MOST_NIMBER = 1 << 10
"""The largest nimber: its canonical form has half the square of its size as options."""

FEW_BITS = 1 << 12
"""Python refuses to write integers of very many digits; decimals of theirs it writes."""

_stops: dict[int, tuple[Fraction, Fraction]] = store.memo()


def number_text(number: Fraction) -> str:
    """A number in digits, however many these are."""
    parts = (number.numerator, number.denominator) if number.denominator != 1 else (number.numerator,)
    return "/".join(str(part) if part.bit_length() < FEW_BITS else str(Decimal(part)) for part in parts)


def value_of_number(of: Any) -> int:
    """The value of a dyadic number.

    Raises:
        BadNotation: not an integer or a fraction whose denominator is a power of two.
        TooLarge: a number with a canonical form of more than a million positions.
    """
    if not isinstance(of, int | Fraction):
        raise BadNotation(f"{of!r} is no value: give a text, an integer or a fraction whose denominator is a power of two")
    number = Fraction(of)
    exponent = number.denominator.bit_length() - 1
    if number.denominator != 1 << exponent:
        raise BadNotation(f"{number_text(number)} is no value: the denominator of a number is a power of two")
    if abs(number) > MOST_STEPS:
        raise TooLarge(f"the canonical form of this number has more than {MOST_STEPS:,} positions")
    if exponent > MOST_PLACES:
        raise TooLarge(f"this number has {exponent:,} binary places; it may have {MOST_PLACES:,}")
    return store.value_of(number)


def value_of_nimber(size: Any) -> int:
    """``*size``.

    Raises:
        BadNotation: not a whole number from 0 on.
        TooLarge: a nimber too large to be written out.
    """
    if isinstance(size, bool) or not isinstance(size, int) or size < 0:
        raise BadNotation(f"'*{size}' is no nimber: its size is a whole number from 0 on")
    if size > MOST_NIMBER:
        raise TooLarge(f"*{size} is too large; nimbers go up to *{MOST_NIMBER}")
    return store.number_up_star(ZERO, 0, size)


def stops_of(at: int) -> tuple[Fraction, Fraction]:
    """The Left and the Right stop of a value."""
    game = store.arena.values[at]
    left, right = float(game.left_stop), float(game.right_stop)
    if not (math.isnan(left) or math.isnan(right)):
        return Fraction(left), Fraction(right)
    for follower, (lefts, rights) in unsettled(at, _stops):
        form = closed_form(follower)
        if form is not None:
            _stops[follower] = form[0], form[0]
        else:
            _stops[follower] = max(_stops[one][1] for one in lefts), min(_stops[one][0] for one in rights)
    return _stops[at]
