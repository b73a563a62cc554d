"""Dyadic numbers of any precision: digits of 62 bits, first the integer, then what stands behind the binary point.

All digits of a negative number are negative or 0, so that of two numbers that one is less which has the lesser digit where they first differ. The last digit
is not 0. In ``numbers`` their count stands before the digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.jit import compiled, subroutine

PLACES = 62
"""Binary places of a digit."""

BASE = 1 << PLACES


@compiled
def is_number(arena: Any, value: Any) -> Any:
    return int(arena.values[value].left_number) == value


@compiled
def right_number(arena: Any, value: Any) -> Any:
    """The Right stop of a value, by its number in the arena."""
    game = arena.values[value]
    return int(game.left_number) if is_number(arena, value) else int(game.right_number)


@compiled
def digits_of(arena: Any, number: Any) -> Any:
    """How many digits a number has."""
    return arena.numbers[int(arena.values[number].right_number)]


@compiled
def digit(arena: Any, number: Any, place: Any) -> Any:
    start = int(arena.values[number].right_number)
    return arena.numbers[start + 1 + place] if place < arena.numbers[start] else np.int64(0)


@compiled
def is_less(arena: Any, a: Any, b: Any) -> Any:
    """Whether the number a is less than b."""
    if a == b:
        return False
    one, other = arena.values[a].left_stop, arena.values[b].left_stop
    if one < other:
        return True
    return not one > other and _has_lesser_digit(arena, a, b)


@subroutine
def _has_lesser_digit(arena: Any, a: Any, b: Any) -> Any:
    """Whether the number a, which is not b, is less than b."""
    place = 0
    while digit(arena, a, place) == digit(arena, b, place):
        place += 1
    return digit(arena, a, place) < digit(arena, b, place)
