"""How high and how large canonical forms are; numbers, which are kept as digits, count with all that leads to them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from ludarium.errors import TooLarge

from .engine.store import store
from .engine.structure import followers, is_number
from .memo import unsettled

MOST_FOLLOWERS = 1 << 20
"""The most positions that are listed."""

_birthdays: dict[int, int] = store.memo()


def birthday(value: int) -> int:
    """The formal birthday: the height of the canonical form's tree."""
    for follower, (left, right) in unsettled(value, _birthdays):
        if is_number(follower):
            _birthdays[follower] = birthday_of_number(store.number_of(follower))
        else:
            _birthdays[follower] = 1 + max(_birthdays[one] for one in (*left, *right))
    return _birthdays[value]


def birthday_of_number(number: Fraction) -> int:
    """That of an integer n is |n|, and every binary place behind the next integer away from 0 takes a day (CGT, section II.3)."""
    whole, places = abs(number.numerator) // number.denominator, number.denominator.bit_length() - 1
    return whole + 1 + places if places else whole


def numbers_before(number: Fraction) -> Iterator[Fraction]:
    """The followers of a number, itself included, from 0 on."""
    sign = -1 if number < 0 else 1
    low, rest = divmod(abs(number), 1)
    high = low + 1
    yield from (Fraction(sign * whole) for whole in range(high + bool(rest)))
    while low < abs(number):
        middle = Fraction(low + high, 2)
        yield sign * middle
        low, high = (low, middle) if abs(number) < middle else (middle, high)


def follower_count(value: int) -> int:
    """How many positions a canonical form has, itself included."""
    found = followers(value)
    numbers = sorted(store.number_of(one) for one in found if is_number(one))
    # Of two numbers next to each other, the followers in common are those of the simplest number between.
    shared = (_simplest(low, high) for low, high in pairwise(numbers))
    return len(found) + sum(map(birthday_of_number, numbers)) - sum(birthday_of_number(one) + 1 for one in shared)


def _simplest(low: Fraction, high: Fraction) -> Fraction:
    """The simplest number from ``low`` to ``high``, one of which it may be."""
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -_simplest(-high, -low)
    whole = -(-low.numerator // low.denominator)
    if whole <= high:
        return Fraction(whole)
    unit = max(low.denominator, high.denominator)
    below, last = low.numerator * (unit // low.denominator) - 1, high.numerator * (unit // high.denominator)
    zeros = (below ^ last).bit_length() - 1
    return Fraction(last >> zeros << zeros, unit)


def all_followers(value: int) -> list[int]:
    """Every position of a canonical form, itself included, in topological order.

    Raises:
        TooLarge: more than a million.
    """
    if (count := follower_count(value)) > MOST_FOLLOWERS:
        raise TooLarge(f"the canonical form has {count:,} positions; up to {MOST_FOLLOWERS:,} are listed")
    found = followers(value)
    numbers = dict.fromkeys(before for one in found if is_number(one) for before in numbers_before(store.number_of(one)))
    return [*map(store.number, sorted(numbers, key=birthday_of_number)), *(one for one in found if not is_number(one))]
