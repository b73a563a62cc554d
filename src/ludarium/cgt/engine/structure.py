"""What a canonical form is made of: options, followers, the numbers in it, a hash of its structure. All without recursion."""

from __future__ import annotations

from fractions import Fraction

from .arena import ABSENT, ZERO
from .store import LEFT_NUMBER, store

options = store.options

UPS, NIMBER = 10, 11
"""Places among the fields of a value."""

MOST_HASHED = 1 << 14
"""Larger integers, which nobody's canonical form is written out for, are hashed by their digits."""

_MASK = 2**64 - 1
_hashes: dict[int, int] = store.memo()
_hashes_of_integers: dict[int, int] = store.memo()


def is_number(value: int) -> bool:
    return store.arena.values.item(value)[LEFT_NUMBER] == value


def followers(value: int) -> list[int]:
    """The positions of a value's canonical form, itself included, in topological order: options first. Those of numbers are left out."""
    found = {value}
    waiting = [value]
    while waiting:
        at = waiting.pop()
        if is_number(at):
            continue
        left, right = options(at)
        for option in (*left, *right):
            if option not in found:
                found.add(option)
                waiting.append(option)
    return sorted(found)


def closed_form(value: int) -> tuple[Fraction, int, int] | None:
    """The number, the ups and the nimber that a value is the sum of, None if it is no such sum."""
    game = store.arena.values.item(value)
    return None if game[NIMBER] == ABSENT else (store.number_of(game[LEFT_NUMBER]), game[UPS], game[NIMBER])


def exact_number(value: int) -> Fraction | None:
    """The number that a value is, None if it is none."""
    return store.number_of(value) if is_number(value) else None


def is_all_small(value: int) -> bool:
    """Whether in every position both players have an option or neither has (CGT, section II.4): no number but 0 is reached."""
    return not any(is_number(one) and one != ZERO for one in followers(value))


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
                if is_number(follower):
                    _hashes[follower] = _hash_of_number(store.number_of(follower))
                else:
                    left, right = options(follower)
                    _hashes[follower] = _hash([_hashes[one] for one in left], [_hashes[one] for one in right])
    return _hashes[value]


def _hash(left: list[int], right: list[int]) -> int:
    hashed = 0x123456789ABCDEF
    for one in sorted(left):
        hashed = _mix(hashed * 0x9E3779B97F4A7C15 + one & _MASK)
    hashed = _mix(hashed ^ 0x5555555555555555)
    for one in sorted(right):
        hashed = _mix(hashed * 0x9E3779B97F4A7C15 + one & _MASK)
    return hashed


def _hash_of_integer(number: int) -> int:
    if abs(number) > MOST_HASHED:
        return _mix(number & _MASK)
    if number not in _hashes_of_integers:
        _hashes_of_integers.setdefault(0, _hash([], []))
        step = 1 if number > 0 else -1
        for one in range(step, number + step, step):
            if one not in _hashes_of_integers:
                before = [_hashes_of_integers[one - step]]
                _hashes_of_integers[one] = _hash(before, []) if step > 0 else _hash([], before)
    return _hashes_of_integers[number]


def _hash_of_number(number: Fraction) -> int:
    """By halving the interval between two integers: the ends of the last one are the number's options."""
    places = number.denominator.bit_length() - 1
    whole, rest = divmod(number.numerator, number.denominator)
    if not places:
        return _hash_of_integer(whole)
    low, high = _hash_of_integer(whole), _hash_of_integer(whole + 1)
    for place in range(places - 1, 0, -1):
        middle = _hash([low], [high])
        low, high = (middle, high) if rest >> place & 1 else (low, middle)
    return _hash([low], [high])
