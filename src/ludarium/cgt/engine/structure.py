"""What a canonical form is made of: options, followers, the numbers in it, a hash of its structure. All without recursion."""

from __future__ import annotations

import math
from fractions import Fraction

from .arena import ABSENT
from .store import store

options = store.options

LEFT_STOP, UPS, NIMBER = 0, 10, 11
"""Places among the fields of a value."""


_MASK = 2**64 - 1
_hashes: dict[int, int] = store.memo()


def followers(value: int) -> list[int]:
    """Every position of a value's canonical form, itself included, in topological order: options first."""
    found = {value}
    waiting = [value]
    while waiting:
        left, right = options(waiting.pop())
        for option in (*left, *right):
            if option not in found:
                found.add(option)
                waiting.append(option)
    return sorted(found)


def closed_form(value: int) -> tuple[Fraction, int, int] | None:
    """The number, the ups and the nimber that a value is the sum of, None if it is no such sum."""
    game = store.arena.values.item(value)
    stop, ups, nimber = game[LEFT_STOP], game[UPS], game[NIMBER]
    if nimber == ABSENT:
        return None
    return store.number_of(value) if math.isnan(stop) else Fraction(stop), ups, nimber


def exact_number(value: int) -> Fraction | None:
    """The number that a value is, None if it is none."""
    form = closed_form(value)
    return form[0] if form is not None and not form[1] and not form[2] else None


def is_all_small(value: int) -> bool:
    """Whether in every position both players have an option or neither has (CGT, section II.4)."""
    return all((len(left) == 0) == (len(right) == 0) for left, right in map(options, followers(value)))


def _mix(x: int) -> int:
    x ^= x >> 33
    x = x * 0xFF51AFD7ED558CCD & _MASK
    x ^= x >> 33
    x = x * 0xC4CEB9FE1A85EC53 & _MASK
    return x ^ (x >> 33)


def inner_hash(value: int) -> int:
    """64 bits that depend on nothing but the structure: hashed from the sorted hashes of the left options and of the right ones."""
    if value not in _hashes:
        for follower in followers(value):
            if follower not in _hashes:
                left, right = options(follower)
                hashed = 0x123456789ABCDEF
                for one in sorted(_hashes[option] for option in left):
                    hashed = _mix(hashed * 0x9E3779B97F4A7C15 + one & _MASK)
                hashed = _mix(hashed ^ 0x5555555555555555)
                for one in sorted(_hashes[option] for option in right):
                    hashed = _mix(hashed * 0x9E3779B97F4A7C15 + one & _MASK)
                _hashes[follower] = hashed
    return _hashes[value]
