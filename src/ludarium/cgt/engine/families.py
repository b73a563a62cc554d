"""Values whose canonical forms are known beforehand: numbers, and numbers with ups and a nimber (Siegel, Combinatorial Game Theory, sections II.1 and II.3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.jit import compiled, subroutine

from .arena import ABSENT, GROW, LISTS, NEEDED, ZERO
from .digits import BASE, PLACES, digit, digits_of, is_less
from .interning import intern, intern_number


@compiled
def _has_room(arena: Any, top: Any, count: Any) -> Any:
    """Whether ``lists`` has room from ``top`` on."""
    if top + count <= len(arena.lists):
        return True
    arena.registers[NEEDED] = LISTS
    return False


@subroutine
def number_sum(arena: Any, top: Any, a: Any, b: Any) -> Any:
    """The sum of two numbers, or ``GROW`` or ``LARGE``. ``lists`` is free from ``top`` on."""
    if a == ZERO or b == ZERO:
        return a if b == ZERO else b
    count = max(digits_of(arena, a), digits_of(arena, b))
    if not _has_room(arena, top, count):
        return GROW
    lists = arena.lists
    carry = np.int64(0)
    positive = False  # whether a digit behind the point is
    for place in range(count - 1, -1, -1):
        total = digit(arena, a, place) + digit(arena, b, place) + carry
        if place > 0:
            carry = total >> PLACES
            total &= BASE - 1
            positive = positive or total > 0
        lists[top + place] = total
    if lists[top] < 0 and positive:
        borrowed = False
        for place in range(count - 1, 0, -1):
            if borrowed:
                lists[top + place] -= BASE - 1
            elif lists[top + place] > 0:
                lists[top + place] -= BASE
                borrowed = True
        lists[top] += 1
    return intern_number(arena, top, count)


@subroutine
def number_negative(arena: Any, top: Any, number: Any) -> Any:
    """The negative of a number, or ``GROW``. ``lists`` is free from ``top`` on."""
    count = digits_of(arena, number)
    if not _has_room(arena, top, count):
        return GROW
    for place in range(count):
        arena.lists[top + place] = -digit(arena, number, place)
    return intern_number(arena, top, count)


@subroutine
def simplest_number(arena: Any, top: Any, below: Any, above: Any, open_below: Any, open_above: Any) -> Any:
    """The simplest number between two (``ABSENT`` stands for an infinite one), or ``GROW`` or ``LARGE``: it may be an end that is not open."""
    begins_below = below == ABSENT or is_less(arena, below, ZERO) or (below == ZERO and not open_below)
    ends_above = above == ABSENT or is_less(arena, ZERO, above) or (above == ZERO and not open_above)
    if begins_below and ends_above:
        return np.int64(ZERO)
    sign = np.int64(1)
    if begins_below:
        below, above, open_below, open_above = above, below, open_above, open_below
        sign = np.int64(-1)
    # From here on as if both were positive.
    low_count = digits_of(arena, below)
    high_count = np.int64(0) if above == ABSENT else digits_of(arena, above)
    if not _has_room(arena, top, low_count + 2):
        return GROW
    lists = arena.lists
    whole = sign * digit(arena, below, 0)
    next_whole = whole + 1 if open_below or low_count > 1 else whole
    high = np.int64(BASE) if above == ABSENT else sign * digit(arena, above, 0)
    if next_whole < high or above == ABSENT or (next_whole == high and (high_count > 1 or not open_above)):
        lists[top] = sign * next_whole
        return intern_number(arena, top, 1)
    lists[top] = sign * whole
    place = 1
    bounded = high == whole
    while True:
        low = sign * digit(arena, below, place)
        high = sign * digit(arena, above, place) if bounded else np.int64(BASE)
        if low < high:
            step = np.int64(BASE)
            for _ in range(PLACES):
                step >>= 1
                middle = low & -step
                if middle < low or place + 1 < low_count or open_below:
                    middle += step
                if middle < high or (middle == high and bounded and (place + 1 < high_count or not open_above)):
                    lists[top + place] = sign * middle
                    return intern_number(arena, top, place + 1)
            bounded = False
        lists[top + place] = sign * low
        place += 1


@subroutine
def number_up_star(arena: Any, top: Any, base: Any, ups: Any, nimber: Any) -> Any:
    """The value of a number (``base``, a value) plus ups plus a nimber, or ``GROW``. ``lists`` is free from ``top`` on."""
    lists = arena.lists
    steps = abs(ups)
    last = nimber ^ (steps & 1)  # the nimber at the end of the chain of options
    if steps > 0 and last == 0:  # not a nimber but ↑* = {0, * | 0}, since {0 | 0} is no ↑
        steps -= 1
        at = _nimber(arena, top, base, 1)
        if at < 0:
            return at
        lists[top], lists[top + 1], lists[top + 2] = base, at, base
        if ups < 0:
            lists[top + 1], lists[top + 2] = base, at
        at = intern(arena, top, 2, 1) if ups > 0 else intern(arena, top, 1, 2)
    else:
        at = _nimber(arena, top, base, last)
    while steps > 0 and at >= 0:
        lists[top], lists[top + 1] = base, at
        if ups < 0:
            lists[top], lists[top + 1] = at, base
        at = intern(arena, top, 1, 1)
        steps -= 1
    return at


@compiled
def _nimber(arena: Any, top: Any, base: Any, nimber: Any) -> Any:
    """The value of a number plus a nimber, or ``GROW``."""
    lists = arena.lists
    if top + 2 * nimber + 4 > len(lists):
        arena.registers[NEEDED] = LISTS
        return GROW
    at = base
    for size in range(1, nimber + 1):
        if size > 1:  # the options of the nimber before, and itself
            first = int(arena.values[at].left)
            for place in range(size - 1):
                lists[top + place] = int(arena.options[first + place])
        lists[top + size - 1] = at
        for place in range(size):
            lists[top + size + place] = lists[top + place]
        at = intern(arena, top, size, size)
        if at < 0:
            return at
    return at
