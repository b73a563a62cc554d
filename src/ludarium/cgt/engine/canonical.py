"""Canonical forms: dominated options removed, reversible ones bypassed (Siegel, Combinatorial Game Theory, section II.2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.bits import lowest_bit
from ludarium.core.jit import compiled, subroutine

from .arena import ABSENT, GROW, LISTS, NEEDED, PAUSED, SERIAL, TEMPORARY, UNKNOWN, WORK, ZERO
from .comparison import compare, compare_with_tests
from .digits import is_less, is_number
from .families import simplest_number
from .interning import find, intern, set_stops, sort, write_options


@subroutine
def _undominated(arena: Any, start: Any, count: Any, is_left: Any) -> Any:
    """Sort a list of options and keep those that no other one dominates; how many, or ``GROW`` or ``PAUSED``."""
    lists = arena.lists
    sort(lists, start, count)
    kept = 0
    for at in range(start, start + count):
        option = lists[at]
        dominated = kept > 0 and lists[start + kept - 1] == option
        place = 0
        while place < kept and not dominated:
            other = lists[start + place]
            worse = compare(arena, option, other) if is_left else compare(arena, other, option)
            if worse < 0:
                return worse
            if worse == 1:
                dominated = True
                break
            better = compare(arena, other, option) if is_left else compare(arena, option, other)
            if better < 0:
                return better
            if better == 1:
                kept -= 1
                for behind in range(start + place, start + kept):
                    lists[behind] = lists[behind + 1]
            else:
                place += 1
        arena.registers[WORK] -= place + 1
        if arena.registers[WORK] < 0:
            return PAUSED
        if not dominated:
            lists[start + kept] = option
            kept += 1
    return kept


@compiled
def _without_dominated(arena: Any, start: Any, left: Any, right: Any) -> Any:
    """Do so with left options and the right ones behind them, which move up; how many there are of each, or ``GROW`` or ``PAUSED`` twice."""
    left_kept = _undominated(arena, start, left, True)
    right_kept = _undominated(arena, start + left, right, False) if left_kept >= 0 else left_kept
    if right_kept < 0:
        return right_kept, right_kept
    for at in range(right_kept):
        arena.lists[start + left_kept + at] = arena.lists[start + left + at]
    return left_kept, right_kept


@subroutine
def canonical(arena: Any, start: Any, left: Any, right: Any) -> Any:
    """The value of a game whose options are values (``left`` of them in ``lists`` from ``start`` on, then ``right``), or ``GROW``, ``PAUSED`` or ``LARGE``."""
    lists = arena.lists
    if start + left + right + 8 > len(lists):
        arena.registers[NEEDED] = LISTS
        return GROW
    left, right = _without_dominated(arena, start, left, right)
    if left < 0:
        return left
    if left > 0 and right > 0:
        found = find(arena, start, left, right)
        if found >= 0:
            return found
    if not write_options(arena, TEMPORARY, start, left, right):
        return GROW
    arena.registers[SERIAL] += 1
    if arena.registers[SERIAL] >= 1 << 31:
        arena.registers[SERIAL] = 1 << 30
    game = arena.values[TEMPORARY]
    game.nimber = ABSENT
    set_stops(arena, TEMPORARY)
    below, above = int(game.left_number), int(game.right_number)
    if below == ABSENT or above == ABSENT or is_less(arena, below, above):
        return _number_that_fits(arena, start, left, right)
    compare_with_tests(arena, TEMPORARY)
    equal = game.low & game.high
    if equal != np.uint64(0):
        return ZERO + lowest_bit(equal)
    if below == above and below != ZERO:
        number = _number_that_fits(arena, start, left, right)
        if number != UNKNOWN:
            return number
    left_end = _bypass(arena, start, left, start + left + right, True)
    if left_end < 0:
        return left_end
    right_end = _bypass(arena, start + left, right, left_end, False)
    if right_end < 0:
        return right_end
    new_start = start + left + right
    new_left = left_end - new_start
    if new_left == left and right_end - left_end == right:
        same = True
        for at in range(left + right):
            if lists[start + at] != lists[new_start + at]:
                same = False
                break
        if same:
            return intern(arena, start, left, right)
    new_left, new_right = _without_dominated(arena, new_start, new_left, right_end - left_end)
    return new_left if new_left < 0 else intern(arena, new_start, new_left, new_right)


@subroutine
def _bypass(arena: Any, start: Any, count: Any, target: Any, is_left: Any) -> Any:
    """Copy options of the temporary game, no number, to ``lists`` from ``target`` on, reversible ones replaced by what they reverse to; where the copy ends.

    What reverses through a number is replaced by nothing: another option is more than that number's.
    """
    lists, options = arena.lists, arena.options
    end = target
    for at in range(start, start + count):
        lists[end] = lists[at]
        end += 1
        if end + 8 > len(lists):
            arena.registers[NEEDED] = LISTS
            return GROW
    place = target
    while place < end:
        game = arena.values[lists[place]]
        replies = int(game.left) + (int(game.left_count) if is_left else 0)
        replies_end = replies + (int(game.right_count) if is_left else int(game.left_count))
        if is_number(arena, int(lists[place])):
            replies_end = replies
        arena.registers[WORK] -= replies_end - replies
        if arena.registers[WORK] < 0:
            return PAUSED
        through = UNKNOWN
        while replies < replies_end:
            reply = int(options[replies])
            reverses = compare(arena, reply, TEMPORARY) if is_left else compare(arena, TEMPORARY, reply)
            if reverses < 0:
                return reverses
            if reverses == 1:
                through = reply
                break
            replies += 1
        if through == UNKNOWN:
            place += 1
            continue
        game = arena.values[through]
        first = int(game.left) + (0 if is_left else int(game.left_count))
        more = int(game.left_count) if is_left else int(game.right_count)
        if is_number(arena, through):
            more = 0
        if end + more + 8 > len(lists):
            arena.registers[NEEDED] = LISTS
            return GROW
        end -= 1
        lists[place] = lists[end]
        for at in range(first, first + more):
            option = int(options[at])
            known = False
            for other in range(target, end):
                if lists[other] == option:
                    known = True
                    break
            if not known:
                lists[end] = option
                end += 1
    return end


@subroutine
def _number_that_fits(arena: Any, start: Any, left: Any, right: Any) -> Any:
    """The value of the temporary game if no left stop exceeds a right one: the simplest number that fits between its options (Siegel, section II.3).

    ``UNKNOWN`` if it is no number.
    """
    game = arena.values[TEMPORARY]
    below, above = int(game.left_number), int(game.right_number)
    lists = arena.lists
    open_below, open_above = 0, 0  # each end fits unless an option reaches it
    if below != ABSENT:
        for at in range(start, start + left):
            reaches = compare(arena, below, lists[at])
            if reaches < 0:
                return reaches
            open_below |= reaches
    if above != ABSENT:
        for at in range(start + left, start + left + right):
            reaches = compare(arena, lists[at], above)
            if reaches < 0:
                return reaches
            open_above |= reaches
    if below == above and below != ABSENT:
        return below if open_below | open_above == 0 else UNKNOWN
    return simplest_number(arena, start + left + right, below, above, open_below == 1, open_above == 1)
