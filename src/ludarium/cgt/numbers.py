"""Numbers and nimbers as values, given by their numbers in the arena."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import Any

from ludarium.errors import BadNotation, TooLarge

from .engine.arena import ZERO
from .engine.store import store

MOST_PLACES = 1 << 14
"""The most binary places of a number."""

MOST_NIMBER = 1 << 10
"""The largest nimber: its canonical form has half the square of its size as options."""

FEW_BITS = 1 << 12
"""Python refuses to write integers of very many digits; decimals of theirs it writes."""


def number_text(number: Fraction) -> str:
    """A number in digits, however many these are."""
    parts = (number.numerator, number.denominator) if number.denominator != 1 else (number.numerator,)
    return "/".join(str(part) if part.bit_length() < FEW_BITS else str(Decimal(part)) for part in parts)


def value_of_number(of: Any) -> int:
    """The value of a dyadic number.

    Raises:
        BadNotation: not an integer or a fraction whose denominator is a power of two.
        TooLarge: an integer part of more than 62 bits, or more than :data:`MOST_PLACES` binary places.
    """
    if not isinstance(of, int | Fraction | float) or not isfinite(of):
        raise BadNotation(f"{of!r} is no value: give a text, an integer, a float or a fraction whose denominator is a power of two")
    number = Fraction(of)
    exponent = number.denominator.bit_length() - 1
    if number.denominator != 1 << exponent:
        raise BadNotation(f"{number_text(number)} is no value: the denominator of a number is a power of two")
    if exponent > MOST_PLACES:
        raise TooLarge(f"this number has {exponent:,} binary places; it may have {MOST_PLACES:,}")
    return store.number(number)


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
