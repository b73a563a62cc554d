"""Canonical forms: dominated options removed, reversible ones bypassed (Siegel, Combinatorial Game Theory, section II.2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.bits import lowest_bit
from ludarium.core.jit import compiled, subroutine

from .arena import ABSENT, GROW, LISTS, NEEDED, SERIAL, TEMPORARY, UNKNOWN, ZERO
from .comparison import compare, compare_with_tests
from .families import number
from .interning import NOWHERE, find, intern, set_stops, sort, write_options


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
    """The value of a game whose options are values (``left`` of them in ``lists`` from ``start`` on, then ``right``), or ``GROW`` or ``PAUSED``."""
    lists = arena.lists
    if start + left + right + 8 > len(lists):
        arena.registers[NEEDED] = LISTS
        return GROW
    left, right = _without_dominated(arena, start, left, right)
    if left < 0:
        return left
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
    compare_with_tests(arena, TEMPORARY)
    equal = game.low & game.high
    if equal != np.uint64(0):
        return ZERO + lowest_bit(equal)
    if game.left_stop < game.right_stop:
        number_there = _simplest_number(arena, start, left, right)
        if number_there != UNKNOWN:
            return number_there
        if not write_options(arena, TEMPORARY, start, left, right):  # numbers were kept where they stood
            return GROW
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
    """Copy options of the temporary game to ``lists`` from ``target`` on, reversible ones replaced by what they reverse to; where the copy ends."""
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
        replies = int(game.right) if is_left else int(game.left)
        replies_end = replies + (int(game.right_count) if is_left else int(game.left_count))
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
        first = int(game.left) if is_left else int(game.right)
        more = int(game.left_count) if is_left else int(game.right_count)
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


@compiled
def _simplest_number(arena: Any, start: Any, left: Any, right: Any) -> Any:
    """The value of a game whose left options stop below where its right options stop: the simplest number that fits (Siegel, section II.3).

    ``UNKNOWN`` if ``float64`` cannot hold it.
    """
    game = arena.values[TEMPORARY]
    below, above = game.left_stop, game.right_stop
    lists = arena.lists
    top = start + left + right
    # Each end counts itself unless an option reaches it.
    if below > -np.inf:
        bound = number(arena, top, below)
        if bound < 0:
            return bound
        open_below = 0
        for at in range(start, start + left):
            reaches = compare(arena, bound, lists[at])
            if reaches < 0:
                return reaches
            open_below |= reaches
    else:
        open_below = 1
    if above < np.inf:
        bound = number(arena, top, above)
        if bound < 0:
            return bound
        open_above = 0
        for at in range(start + left, start + left + right):
            reaches = compare(arena, lists[at], bound)
            if reaches < 0:
                return reaches
            open_above |= reaches
    else:
        open_above = 1
    exact = _simplest(below, above, open_below == 1, open_above == 1)
    return UNKNOWN if np.isnan(exact) else number(arena, top, exact)


@compiled
def _simplest(below: Any, above: Any, open_below: Any, open_above: Any) -> Any:
    """The simplest number between two, which may be infinite and count themselves or not; NaN if ``float64`` cannot hold it."""
    if (below < 0.0 or (below == 0.0 and not open_below)) and (above > 0.0 or (above == 0.0 and not open_above)):
        return 0.0
    if below >= 0.0:
        whole = np.floor(below) + 1.0 if open_below else np.ceil(below)
        if whole < above or (whole == above and not open_above):
            return whole
    else:
        whole = np.ceil(above) - 1.0 if open_above else np.floor(above)
        if whole > below or (whole == below and not open_below):
            return whole
    low = np.floor(below)
    high = low + 1.0
    while True:
        middle = low + (high - low) / 2.0
        if middle <= low or middle >= high:
            return NOWHERE
        if middle < below or (middle == below and open_below):
            low = middle
        elif middle > above or (middle == above and open_above):
            high = middle
        else:
            return middle
