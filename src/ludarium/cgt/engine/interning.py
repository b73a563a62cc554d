"""Canonical forms that are kept, each once: finding one by its options, and recognising what a new one is.

A stop is kept as a ``float64`` where that is exact (numerators below 2**53) and as NaN elsewhere, so that a comparison of stops decides nothing there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.jit import compiled, subroutine

from .arena import ABSENT, COUNT, GROW, NEEDED, OPTIONS, OPTIONS_END, VALUES, ZERO
from .comparison import compare_with_tests, slot_of

NOWHERE = np.nan


@compiled
def is_number(arena: Any, value: Any) -> Any:
    game = arena.values[value]
    return int(game.nimber) == 0 and int(game.ups) == 0


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
    game.right = end + left
    game.right_count = right
    return True


@compiled
def set_stops(arena: Any, value: Any) -> None:
    """The stops by the definition, as if the value were no number."""
    game = arena.values[value]
    best = -np.inf
    for at in range(int(game.left), int(game.left) + int(game.left_count)):
        stop = arena.values[arena.options[at]].right_stop
        best = stop if not stop <= best else best
        if not best <= np.inf:
            break
    worst = np.inf
    for at in range(int(game.right), int(game.right) + int(game.right_count)):
        stop = arena.values[arena.options[at]].left_stop
        worst = stop if not stop >= worst else worst
        if not worst >= -np.inf:
            break
    game.left_stop = best
    game.right_stop = worst


@compiled
def _recognise(arena: Any, value: Any) -> None:
    """Set what follows from a canonical form's options: birthday, number, ups, nimber, stops, comparisons with the test games."""
    game = arena.values[value]
    birthday = -1
    for at in range(int(game.left), int(game.right) + int(game.right_count)):
        birthday = max(birthday, int(arena.values[arena.options[at]].birthday))
    game.birthday = birthday + 1
    game.negative = ABSENT
    game.ups = 0
    game.nimber = ABSENT
    set_stops(arena, value)
    if _has_number_form(arena, value):
        game.nimber = 0
        exact = _number_between(game.left_stop, game.right_stop)
        game.left_stop = exact
        game.right_stop = exact
    elif int(game.left_count) > 0 and int(game.right_count) > 0 and game.left_stop == game.right_stop:
        _recognise_ups(arena, value)
    compare_with_tests(arena, value)


@compiled
def _has_number_form(arena: Any, value: Any) -> Any:
    """Whether a canonical form has at most one option a side, numbers, the left one less than the right one."""
    game = arena.values[value]
    if int(game.left_count) > 1 or int(game.right_count) > 1:
        return False
    if int(game.left_count) == 1 and not is_number(arena, int(arena.options[int(game.left)])):
        return False
    if int(game.right_count) == 1 and not is_number(arena, int(arena.options[int(game.right)])):
        return False
    if int(game.left_count) == 0 or int(game.right_count) == 0:
        return True
    if game.left_stop < game.right_stop:
        return True
    if game.left_stop >= game.right_stop:
        return False
    # Numbers beyond floating point: canonical options of a number are an older and a younger one, the younger with the older as its option.
    below, above = int(arena.options[int(game.left)]), int(arena.options[int(game.right)])
    older, younger = arena.values[below], arena.values[above]
    if int(older.birthday) < int(younger.birthday):
        return int(younger.left_count) == 1 and int(arena.options[int(younger.left)]) == below
    return int(older.right_count) == 1 and int(arena.options[int(older.right)]) == above


@compiled
def _number_between(below: Any, above: Any) -> Any:
    """The number whose canonical options are these (infinite: none), NaN if ``float64`` cannot hold it exactly."""
    if below == -np.inf:
        if above == np.inf:
            return 0.0
        return above - 1.0 if above > -9.0e15 else NOWHERE
    if above == np.inf:
        return below + 1.0 if below < 9.0e15 else NOWHERE
    middle = below + (above - below) / 2.0
    if middle > below and middle < above and middle - below == above - middle and abs(middle) < 9.0e15:
        return middle
    return NOWHERE


@compiled
def _recognise_ups(arena: Any, value: Any) -> None:
    """Recognise x + n·↑ + *k by its options (Siegel, section II.1).

    Nimbers have x + *0 … x + *(k−1) on both sides; for x = 0, ↑n*k = {0 | ↑(n−1)*(k xor 1)} and ↑* = {0, * | 0}.
    """
    game = arena.values[value]
    left, left_count, right, right_count = int(game.left), int(game.left_count), int(game.right), int(game.right_count)
    for at in range(left, right + right_count):
        option = arena.values[arena.options[at]]
        if int(option.nimber) < 0 or option.left_stop != game.left_stop:
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


@subroutine
def intern(arena: Any, start: Any, left: Any, right: Any) -> Any:
    """The value with these canonical options (``left`` of them in ``lists`` from ``start`` on, then ``right``), kept if it is new; or ``GROW``."""
    sort(arena.lists, start, left)
    sort(arena.lists, start + left, right)
    found = find(arena, start, left, right)
    if found >= 0:
        return found
    count = arena.registers[COUNT]
    if count >= len(arena.values):
        arena.registers[NEEDED] = VALUES
        return GROW
    if not write_options(arena, count, start, left, right):
        return GROW
    arena.registers[OPTIONS_END] += left + right
    arena.registers[COUNT] = count + 1
    arena.index[-2 - found] = count
    _recognise(arena, count)
    return count


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
        left, right = int(game.left_count), int(game.right_count)
        for at in range(left + right):
            arena.lists[at] = int(arena.options[int(game.left) + at])
        arena.index[-2 - find(arena, 0, left, right)] = value
    return count
