"""Which of two values is less: ``a <= b`` unless Left's best reply or Right's best move refutes it (Conway, On Numbers and Games, chapter 7).

Most comparisons are decided by what is kept with every value: its stops, and how it compares with a few dozen *test games*. From ``t <= b`` failing where
``t <= a`` holds follows that ``a <= b`` fails; from ``a <= t <= b`` follows ``a <= b``. Where stops decide nothing, nobody needs to move in a number (number
avoidance theorem, Siegel, section II.3), so that a number's options are never looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.jit import compiled, subroutine

from .arena import FOUND, FRAMES, GROW, NEEDED, PAUSED, SERIAL, TEMPORARY, TESTS, UNKNOWN, WORK, ZERO
from .digits import is_less, is_number, right_number


@compiled
def _pair(arena: Any, a: Any, b: Any) -> Any:
    """A key (62 bits) for two values. The temporary game has another name for each game that stands there."""
    first = arena.registers[SERIAL] if a == TEMPORARY else a
    second = arena.registers[SERIAL] if b == TEMPORARY else b
    return (first << 31) | second


@compiled
def slot_of(key: Any, size: Any) -> Any:
    """Where a key belongs in a table whose size is a power of two."""
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(32)
    return np.int64(mixed & np.uint64(size - 1))


@compiled
def decide(arena: Any, a: Any, b: Any) -> Any:
    """Whether ``a <= b`` (1 or 0) if that can be told without looking at options, else ``UNKNOWN``."""
    if a == b:
        return 1
    one = arena.values[a]
    other = arena.values[b]
    if one.left_stop < other.right_stop:
        return 1
    if one.left_stop > other.left_stop or one.right_stop > other.right_stop:
        return 0
    if one.high & other.low != np.uint64(0):
        return 1
    if (one.low & ~other.low) | (other.high & ~one.high) != np.uint64(0):
        return 0
    if not (one.left_stop >= other.right_stop and one.left_stop <= other.left_stop and one.right_stop <= other.right_stop):  # some are NaN
        answer = _decide_by_digits(arena, a, b)
        if answer != UNKNOWN:
            return answer
    if int(one.nimber) >= 0 and int(other.nimber) >= 0 and int(one.left_number) == int(other.left_number):
        ups = int(other.ups) - int(one.ups)
        if ups == 0:
            return 0  # they differ, so by a nimber
        return 1 if ups > 1 or (ups == 1 and int(one.nimber) ^ int(other.nimber) != 1) else 0
    key = _pair(arena, a, b)
    known = arena.comparisons[slot_of(key, len(arena.comparisons))]
    if known >> 1 == key:
        return known & 1
    return UNKNOWN


@subroutine
def _decide_by_digits(arena: Any, a: Any, b: Any) -> Any:
    """Whether ``a <= b`` (1 or 0) if their stops tell, else ``UNKNOWN``."""
    one, other = arena.values[a], arena.values[b]
    left, right = int(one.left_number), right_number(arena, b)
    if is_less(arena, left, right):
        return 1
    return 0 if is_less(arena, int(other.left_number), left) or is_less(arena, right, right_number(arena, a)) else UNKNOWN


@compiled
def compare(arena: Any, a: Any, b: Any) -> Any:
    """Whether ``a <= b`` (1 or 0), or ``GROW`` or ``PAUSED``."""
    answer = decide(arena, a, b)
    return answer if answer != UNKNOWN else _search(arena, a, b)


@subroutine
def _search(arena: Any, a: Any, b: Any) -> Any:
    """``a <= b`` by looking at options, with a stack of comparisons (both games and how far they are examined) instead of recursion.

    An answer found goes into the memo, where the comparison that asked for it looks next.
    """
    frames = arena.frames
    values = arena.values
    options = arena.options
    frames[0], frames[1], frames[2] = a, b, 0
    depth = 0
    while True:
        a, b, cursor = frames[depth], frames[depth + 1], frames[depth + 2]
        left = int(values[a].left)
        count = int(values[a].left_count)
        right = int(values[b].left) + int(values[b].left_count) - count
        end = count + int(values[b].right_count)
        arena.registers[WORK] += cursor
        answer = 1
        while cursor < end:
            x = b if cursor < count else int(options[right + cursor])
            y = int(options[left + cursor]) if cursor < count else a
            answer = decide(arena, x, y)
            if answer != 0:
                break
            cursor += 1
            answer = 1 if cursor == end else 0
        arena.registers[WORK] -= cursor + 1
        if cursor < end and answer == UNKNOWN:
            if arena.registers[WORK] < 0:
                return PAUSED
            frames[depth + 2] = cursor
            depth += 3
            if depth + 3 > len(frames):
                arena.registers[NEEDED] = FRAMES
                return GROW
            frames[depth], frames[depth + 1], frames[depth + 2] = x, y, 0
            continue
        holds = 1 if cursor >= end else 0
        key = _pair(arena, a, b)
        arena.comparisons[slot_of(key, len(arena.comparisons))] = (key << 1) | holds
        arena.registers[FOUND] += 1
        if depth == 0:
            return holds
        depth -= 3


@subroutine
def compare_with_tests(arena: Any, value: Any) -> None:
    """Fill ``low`` and ``high`` of a value from those of its options, of a number from the stops of test games."""
    game = arena.values[value]
    by_stops = is_number(arena, value)
    under = np.uint64(0)  # test games that some left option reaches
    over = np.uint64(0)  # test games that some right option does not exceed
    left = int(game.left)
    right = left + int(game.left_count)
    if not by_stops:
        for at in range(left, right):
            under |= arena.values[arena.options[at]].low
        for at in range(right, right + int(game.right_count)):
            over |= arena.values[arena.options[at]].high
    low = np.uint64(0)
    high = np.uint64(0)
    one = np.uint64(1)
    for test in range(arena.registers[TESTS]):
        bit = one << np.uint64(test)
        reached = over & bit == np.uint64(0) and high & arena.tests[2 * test] == np.uint64(0)
        exceeded = under & bit == np.uint64(0) and low & arena.tests[2 * test + 1] == np.uint64(0)
        if by_stops:
            above, below = int(arena.values[ZERO + test].left_number), right_number(arena, ZERO + test)
            reached = ZERO + test == value or is_less(arena, above, value) or (above == value and reached)
            exceeded = ZERO + test == value or is_less(arena, value, below) or (below == value and exceeded)
        if reached:
            low |= bit
        if exceeded:
            high |= bit
    game.low = low
    game.high = high
