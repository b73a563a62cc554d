"""Canonical forms: dominated options removed, reversible ones bypassed (Siegel, Combinatorial Game Theory, section II.2).

A stop is kept as a ``float64`` where that is exact (numerators below 2**53) and as NaN elsewhere, so that a comparison of stops decides nothing there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.bits import lowest_bit
from ludarium.core.jit import compiled, subroutine

from .arena import ABSENT, COUNT, GROW, LISTS, NEEDED, OPTIONS, OPTIONS_END, SERIAL, TEMPORARY, UNKNOWN, VALUES, ZERO
from .comparison import compare, compare_with_tests, slot_of

__all__ = ["canonical", "intern", "is_number", "number", "number_up_star", "reindexed"]

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
def _find(arena: Any, start: Any, left: Any, right: Any) -> Any:
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
            for place in range(start, start + left):
                if int(options[first + place]) != lists[place]:
                    same = False
                    break
            if same:
                first = int(game.right) - start - left
                for place in range(start + left, start + left + right):
                    if int(options[first + place]) != lists[place]:
                        same = False
                        break
                if same:
                    return value
        at = (at + 1) & (len(arena.index) - 1)


@compiled
def _write_options(arena: Any, value: Any, start: Any, left: Any, right: Any) -> Any:
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
def _set_stops(arena: Any, value: Any) -> None:
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
    options = arena.options
    left, left_count, right, right_count = int(game.left), int(game.left_count), int(game.right), int(game.right_count)
    birthday = -1
    for at in range(left, left + left_count):
        birthday = max(birthday, int(arena.values[options[at]].birthday))
    for at in range(right, right + right_count):
        birthday = max(birthday, int(arena.values[options[at]].birthday))
    game.birthday = birthday + 1
    game.negative = ABSENT
    game.ups = 0
    game.nimber = ABSENT
    _set_stops(arena, value)
    if _has_number_form(arena, value):
        game.nimber = 0
        exact = _number_between(game.left_stop, game.right_stop)
        game.left_stop = exact
        game.right_stop = exact
    elif left_count > 0 and right_count > 0 and game.left_stop == game.right_stop:
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
    for at in range(left, left + left_count):
        option = arena.values[arena.options[at]]
        if int(option.nimber) < 0 or option.left_stop != game.left_stop:
            return
    for at in range(right, right + right_count):
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
    _sort(arena.lists, start, left)
    _sort(arena.lists, start + left, right)
    found = _find(arena, start, left, right)
    if found >= 0:
        return found
    count = arena.registers[COUNT]
    if count >= len(arena.values):
        arena.registers[NEEDED] = VALUES
        return GROW
    if not _write_options(arena, count, start, left, right):
        return GROW
    arena.registers[OPTIONS_END] += left + right
    arena.registers[COUNT] = count + 1
    arena.index[-2 - found] = count
    _recognise(arena, count)
    return count


@compiled
def _sort(lists: Any, start: Any, count: Any) -> None:
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
        for at in range(left):
            arena.lists[at] = int(arena.options[int(game.left) + at])
        for at in range(right):
            arena.lists[left + at] = int(arena.options[int(game.right) + at])
        arena.index[-2 - _find(arena, 0, left, right)] = value
    return count


@subroutine
def number(arena: Any, top: Any, exact: Any) -> Any:
    """The value of a number, or ``GROW``. ``lists`` is free from ``top`` on."""
    lists = arena.lists
    below = intern(arena, top, 0, 0)
    whole = np.floor(exact)
    reached = 0.0
    while reached < whole:
        lists[top] = below
        below = intern(arena, top, 1, 0)
        if below < 0:
            return below
        reached += 1.0
    while reached > whole:
        lists[top] = below
        below = intern(arena, top, 0, 1)
        if below < 0:
            return below
        reached -= 1.0
    if exact == whole:
        return below
    if whole < 0.0:  # the next integer is this one's option
        above = int(arena.options[int(arena.values[below].right)])
    else:
        lists[top] = below
        above = intern(arena, top, 1, 0)
    low, high = whole, whole + 1.0
    while above >= 0:
        middle = low + (high - low) / 2.0
        lists[top] = below
        lists[top + 1] = above
        between = intern(arena, top, 1, 1)
        if between < 0 or middle == exact:
            return between
        if exact < middle:
            high, above = middle, between
        else:
            low, below = middle, between
    return above


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


@subroutine
def _undominated(arena: Any, start: Any, count: Any, is_left: Any) -> Any:
    """Sort a list of options and keep those that no other one dominates; how many, or ``GROW`` or ``PAUSED``."""
    lists = arena.lists
    _sort(lists, start, count)
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


@subroutine
def canonical(arena: Any, start: Any, left: Any, right: Any) -> Any:
    """The value of a game whose options are values (``left`` of them in ``lists`` from ``start`` on, then ``right``), or ``GROW`` or ``PAUSED``."""
    lists = arena.lists
    if start + left + right + 8 > len(lists):
        arena.registers[NEEDED] = LISTS
        return GROW
    left_kept = _undominated(arena, start, left, True)
    if left_kept < 0:
        return left_kept
    right_kept = _undominated(arena, start + left, right, False)
    if right_kept < 0:
        return right_kept
    for at in range(right_kept):
        lists[start + left_kept + at] = lists[start + left + at]
    left, right = left_kept, right_kept
    found = _find(arena, start, left, right)
    if found >= 0:
        return found
    if not _write_options(arena, TEMPORARY, start, left, right):
        return GROW
    arena.registers[SERIAL] += 1
    if arena.registers[SERIAL] >= 1 << 31:
        arena.registers[SERIAL] = 1 << 30
    game = arena.values[TEMPORARY]
    game.nimber = ABSENT
    _set_stops(arena, TEMPORARY)
    compare_with_tests(arena, TEMPORARY)
    equal = game.low & game.high
    if equal != np.uint64(0):
        return ZERO + lowest_bit(equal)
    if game.left_stop < game.right_stop:
        number_there = _simplest_number(arena, start, left, right)
        if number_there != UNKNOWN:
            return number_there
        if not _write_options(arena, TEMPORARY, start, left, right):  # numbers were kept where they stood
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
    return _reduced(arena, new_start, new_left, right_end - left_end)


@compiled
def _reduced(arena: Any, start: Any, left: Any, right: Any) -> Any:
    """The value of options without reversible ones, dominated ones to be removed."""
    left_kept = _undominated(arena, start, left, True)
    if left_kept < 0:
        return left_kept
    right_kept = _undominated(arena, start + left, right, False)
    if right_kept < 0:
        return right_kept
    for at in range(right_kept):
        arena.lists[start + left_kept + at] = arena.lists[start + left + at]
    return intern(arena, start, left_kept, right_kept)


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
