"""Canonical forms that are kept, each once: finding one by its options or its digits, and recognising what a new one is."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.jit import compiled, subroutine

from .arena import ABSENT, COUNT, GROW, LARGE, NEEDED, NUMBERS, NUMBERS_END, OPTIONS, OPTIONS_END, VALUES, ZERO
from .comparison import compare_with_tests, slot_of
from .digits import BASE, digit, digits_of, is_less, is_number, right_number


@compiled
def _hash(arena: Any, start: Any, left: Any, right: Any) -> Any:
    """A hash of options in ``lists``: ``left`` of them from ``start`` on, then ``right``."""
    mixed = np.uint64(left * 0x10001 + right)
    for at in range(start, start + left + right):
        mixed = (mixed ^ np.uint64(arena.lists[at])) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return np.int64(mixed & np.uint64(0x3FFFFFFFFFFFFFFF))


@subroutine
def find(arena: Any, start: Any, left: Any, right: Any) -> Any:
    """The value whose options are exactly these, sorted (``left`` in ``lists`` from ``start`` on, then ``right``).

    If there is none, −2 minus its place in ``index``.
    """
    lists, options = arena.lists, arena.options
    at = slot_of(_hash(arena, start, left, right), len(arena.index))
    while True:
        value = int(arena.index[at])
        if value == 0:
            return -2 - at
        game = arena.values[value]
        if int(game.left_count) == left and int(game.right_count) == right:
            same = True
            first = int(game.left) - start
            for place in range(start, start + left + right):
                if int(options[first + place]) != lists[place]:
                    same = False
                    break
            if same:
                return value
        at = (at + 1) & (len(arena.index) - 1)


@compiled
def write_options(arena: Any, value: Any, start: Any, left: Any, right: Any) -> Any:
    """Write options from ``lists`` behind those kept and make them the value's; False when there is no room."""
    end = arena.registers[OPTIONS_END]
    if end + left + right > len(arena.options):
        arena.registers[NEEDED] = OPTIONS
        return False
    for at in range(left + right):
        arena.options[end + at] = arena.lists[start + at]
    game = arena.values[value]
    game.left = end
    game.left_count = left
    game.right_count = right
    return True


@subroutine
def set_stops(arena: Any, value: Any) -> None:
    """The stops by the definition, as if the value were no number."""
    game = arena.values[value]
    left = int(game.left)
    right = left + int(game.left_count)
    best, worst = ABSENT, ABSENT
    game.left_stop, game.right_stop = -np.inf, np.inf
    for at in range(left, right):
        stop = right_number(arena, int(arena.options[at]))
        if best == ABSENT or is_less(arena, best, stop):
            best = stop
            game.left_stop = arena.values[stop].left_stop
    for at in range(right, right + int(game.right_count)):
        stop = int(arena.values[arena.options[at]].left_number)
        if worst == ABSENT or is_less(arena, stop, worst):
            worst = stop
            game.right_stop = arena.values[stop].left_stop
    game.left_number = best
    game.right_number = worst


@compiled
def _recognise_ups(arena: Any, value: Any) -> None:
    """Recognise x + n·↑ + *k by its options (Siegel, section II.1).

    Nimbers have x + *0 … x + *(k−1) on both sides; for x = 0, ↑n*k = {0 | ↑(n−1)*(k xor 1)} and ↑* = {0, * | 0}.
    """
    game = arena.values[value]
    left, left_count, right_count = int(game.left), int(game.left_count), int(game.right_count)
    right = left + left_count
    for at in range(left, right + right_count):
        option = arena.values[arena.options[at]]
        if int(option.nimber) < 0 or int(option.left_number) != int(game.left_number):
            return
    if left_count == right_count:
        nimbers = True
        for at in range(left_count):
            option = arena.values[arena.options[left + at]]
            nimbers = (
                nimbers
                and arena.options[left + at] == arena.options[right + at]
                and int(option.ups) == 0
                and int(option.nimber) < left_count
            )
        if nimbers:
            game.nimber = left_count
            return
    first, last = arena.values[arena.options[left]], arena.values[arena.options[right]]
    if left_count == 1 and right_count == 1:
        if is_number(arena, int(arena.options[left])) and int(last.ups) >= 0:
            game.ups = int(last.ups) + 1
            game.nimber = int(last.nimber) ^ 1
        elif is_number(arena, int(arena.options[right])) and int(first.ups) <= 0:
            game.ups = int(first.ups) - 1
            game.nimber = int(first.nimber) ^ 1
    elif left_count == 2 and right_count == 1 and is_number(arena, int(arena.options[right])):
        second = arena.values[arena.options[left + 1]]
        if int(first.ups) == 0 and int(second.ups) == 0 and int(first.nimber) + int(second.nimber) == 1:
            game.ups = 1
            game.nimber = 1
    elif left_count == 1 and right_count == 2 and is_number(arena, int(arena.options[left])):
        second = arena.values[arena.options[right + 1]]
        if int(last.ups) == 0 and int(second.ups) == 0 and int(last.nimber) + int(second.nimber) == 1:
            game.ups = -1
            game.nimber = 1


@compiled
def _new(arena: Any) -> Any:
    """The number of a value to be kept, or ``GROW``."""
    count = arena.registers[COUNT]
    if count >= len(arena.values):
        arena.registers[NEEDED] = VALUES
        return GROW
    game = arena.values[count]
    game.negative = ABSENT
    game.ups = 0
    game.nimber = ABSENT
    return count


@subroutine
def intern(arena: Any, start: Any, left: Any, right: Any) -> Any:
    """The value, not a number, with these canonical options (``left`` of them in ``lists`` from ``start``, then ``right``), kept if it is new; or ``GROW``."""
    sort(arena.lists, start, left)
    sort(arena.lists, start + left, right)
    found = find(arena, start, left, right)
    if found >= 0:
        return found
    count = _new(arena)
    if count < 0 or not write_options(arena, count, start, left, right):
        return GROW
    arena.registers[OPTIONS_END] += left + right
    arena.registers[COUNT] = count + 1
    arena.index[-2 - found] = count
    set_stops(arena, count)
    game = arena.values[count]
    if int(game.left_number) == int(game.right_number):
        _recognise_ups(arena, count)
    compare_with_tests(arena, count)
    return count


@compiled
def _float(arena: Any, start: Any, count: Any) -> Any:
    """What digits in ``lists`` come to, NaN if ``float64`` cannot hold it."""
    if count > 2:
        return np.nan
    whole = arena.lists[start] if count > 0 else np.int64(0)
    rest = arena.lists[start + 1] if count > 1 else np.int64(0)
    one, other = np.float64(whole), np.float64(rest)
    if np.int64(one) != whole or np.int64(other) != rest:
        return np.nan
    other /= np.float64(BASE)
    exact = one + other
    return exact if exact - one == other and exact - other == one else np.nan


@subroutine
def _find_number(arena: Any, start: Any, count: Any) -> Any:
    """The number with these digits in ``lists``. If there is none, −2 minus its place in ``index``."""
    at = slot_of(_hash(arena, start, count, 0), len(arena.index))
    while True:
        value = int(arena.index[at])
        if value == 0:
            return -2 - at
        if is_number(arena, value) and digits_of(arena, value) == count:
            same = True
            for place in range(count):
                if digit(arena, value, place) != arena.lists[start + place]:
                    same = False
                    break
            if same:
                return value
        at = (at + 1) & (len(arena.index) - 1)


@subroutine
def intern_number(arena: Any, start: Any, count: Any) -> Any:
    """The number with these digits (``count`` of them in ``lists`` from ``start`` on), kept if it is new; or ``GROW`` or ``LARGE``."""
    lists, numbers = arena.lists, arena.numbers
    while count > 0 and lists[start + count - 1] == 0:
        count -= 1
    if count > 0 and abs(lists[start]) >= BASE:
        return LARGE
    found = _find_number(arena, start, count)
    if found >= 0:
        return found
    value = _new(arena)
    if value < 0:
        return GROW
    end = arena.registers[NUMBERS_END]
    if end + 1 + count > len(numbers):
        arena.registers[NEEDED] = NUMBERS
        return GROW
    numbers[end] = count
    for place in range(count):
        numbers[end + 1 + place] = lists[start + place]
    arena.registers[NUMBERS_END] = end + 1 + count
    arena.registers[COUNT] = value + 1
    arena.index[-2 - found] = value
    game = arena.values[value]
    game.left_stop = game.right_stop = _float(arena, start, count)
    game.left_count = game.right_count = 0
    game.nimber = 0
    game.left_number = value
    game.right_number = end
    compare_with_tests(arena, value)
    return value


@compiled
def sort(lists: Any, start: Any, count: Any) -> None:
    for at in range(start + 1, start + count):
        item = lists[at]
        place = at
        while place > start and lists[place - 1] > item:
            lists[place] = lists[place - 1]
            place -= 1
        lists[place] = item


@subroutine
def reindexed(arena: Any) -> Any:
    """Fill an empty ``index``; how many values there are."""
    count = arena.registers[COUNT]
    for value in range(ZERO, count):
        game = arena.values[value]
        if is_number(arena, value):
            left = digits_of(arena, value)
            for at in range(left):
                arena.lists[at] = digit(arena, value, at)
            arena.index[-2 - _find_number(arena, 0, left)] = value
            continue
        left, right = int(game.left_count), int(game.right_count)
        for at in range(left + right):
            arena.lists[at] = int(arena.options[int(game.left) + at])
        arena.index[-2 - find(arena, 0, left, right)] = value
    return count
