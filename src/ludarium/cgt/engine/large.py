"""Numbers that ``float64`` cannot hold exactly: read from canonical forms, and built. The kernel asks for their sums."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .store import Store

__all__ = ["number_of", "value_of"]

_found: dict[int, Fraction] = {}


def number_of(store: Store, value: int) -> Fraction:
    """The number that a value is (it is one): its stop, or one more than its option, or the middle of two."""
    waiting = [value]
    while waiting:
        at = waiting[-1]
        stop = float(store.arena.values[at].left_stop)
        if not math.isnan(stop):
            _found[at] = Fraction(stop)
        if at in _found:
            waiting.pop()
            continue
        left, right = store.options(at)
        missing = [one for one in (*left, *right) if one not in _found]
        if missing:
            waiting += missing
        elif left and right:
            _found[at] = (_found[left[0]] + _found[right[0]]) / 2
        else:
            _found[at] = _found[left[0]] + 1 if left else _found[right[0]] - 1
    return _found[value]


def value_of(store: Store, number: Fraction) -> int:
    """The value of a dyadic number of any precision."""
    if abs(number.numerator) < 1 << 53 and number.denominator.bit_length() < 1000:
        return store.number(float(number))
    whole = math.floor(number)
    below, above = store.number(float(whole)), store.number(float(whole + 1))
    low, high = Fraction(whole), Fraction(whole + 1)
    while True:
        middle = (low + high) / 2
        between = store.canonical((below,), (above,))
        if middle == number:
            return between
        if number < middle:
            high, above = middle, between
        else:
            low, below = middle, between
