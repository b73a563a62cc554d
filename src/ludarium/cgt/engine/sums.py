"""Disjunctive sums and negatives, by the definition over canonical options, with memos; and the values of a whole graph of positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.jit import compiled, subroutine

from .arena import ABSENT, CALLS, DONE, FOUND, GROW, LISTS, NEEDED, PAUSED, UNKNOWN, WORK, ZERO
from .canonical import canonical
from .comparison import slot_of
from .digits import is_number
from .families import number_negative, number_sum, number_up_star
from .interning import intern


@compiled
def _remember_sum(arena: Any, a: Any, b: Any, total: Any) -> Any:
    """Keep a sum in the memo."""
    if a > b:
        a, b = b, a
    key = (a << 31) | b
    slot = 2 * slot_of(key, len(arena.sums) >> 1)
    arena.sums[slot] = key
    arena.sums[slot + 1] = total
    arena.registers[FOUND] += 1
    return total


@compiled
def _add_at_once(arena: Any, top: Any, a: Any, b: Any) -> Any:
    """``a + b`` if it is known or both are numbers with ups and nimbers, else ``UNKNOWN`` (or ``GROW`` or ``LARGE``)."""
    if a == ZERO:
        return b
    if b == ZERO:
        return a
    if a > b:
        a, b = b, a
    key = (a << 31) | b
    slot = 2 * slot_of(key, len(arena.sums) >> 1)
    if arena.sums[slot] == key:
        return arena.sums[slot + 1]
    one, other = arena.values[a], arena.values[b]
    if int(one.negative) == b:
        return ZERO
    if int(one.nimber) < 0 or int(other.nimber) < 0:
        return UNKNOWN
    base = number_sum(arena, top, int(one.left_number), int(other.left_number))
    if base < 0:
        return base
    total = number_up_star(arena, top, base, int(one.ups) + int(other.ups), int(one.nimber) ^ int(other.nimber))
    return _remember_sum(arena, a, b, total) if total >= 0 else total


@subroutine
def add(arena: Any, top: Any, a: Any, b: Any) -> Any:
    """``a + b``, or ``GROW``, ``PAUSED`` or ``LARGE``. ``lists`` is free from ``top`` on.

    With a stack of sums (both games, how many options are done, where these stand in ``lists``) instead of recursion. A sum found goes into the memo, where
    the sum that asked for it looks next. A number is added to the options of the other game only, and the result is canonical (number translation theorem).
    """
    answer = _add_at_once(arena, top, a, b)
    if answer != UNKNOWN:
        return answer
    calls, lists, values, options = arena.calls, arena.lists, arena.values, arena.options
    calls[0], calls[1], calls[2], calls[3] = a, b, 0, top
    depth = 0
    while True:
        a, b, cursor, top = calls[depth], calls[depth + 1], calls[depth + 2], calls[depth + 3]
        if is_number(arena, b):
            a, b = b, a
        translates = is_number(arena, a) and not is_number(arena, b)
        one, other = values[a], values[b]
        a_left = 0 if translates else int(one.left_count)
        a_right = 0 if translates else int(one.right_count)
        left = a_left + int(other.left_count)
        end = left + a_right + int(other.right_count)
        if top + end + 16 > len(lists):
            arena.registers[NEEDED] = LISTS
            return GROW
        answer = 0
        while cursor < end:
            if cursor < a_left:
                x, y = int(options[int(one.left) + cursor]), b
            elif cursor < left:
                x, y = a, int(options[int(other.left) + cursor - a_left])
            elif cursor < left + a_right:
                x, y = int(options[int(one.left) + a_left + cursor - left]), b
            else:
                x, y = a, int(options[int(other.left) + cursor - a_left - a_right])
            answer = _add_at_once(arena, top + end, x, y)
            if answer < 0:
                break
            lists[top + cursor] = answer
            cursor += 1
            arena.registers[WORK] -= 1
        if answer == UNKNOWN:
            arena.registers[WORK] -= 1
            if arena.registers[WORK] < 0:
                return PAUSED
            calls[depth + 2] = cursor
            depth += 4
            if depth + 4 > len(calls):
                arena.registers[NEEDED] = CALLS
                return GROW
            calls[depth], calls[depth + 1], calls[depth + 2], calls[depth + 3] = x, y, 0, top + end
            continue
        if answer < 0:
            return answer
        total = intern(arena, top, left, end - left) if translates else canonical(arena, top, left, end - left)
        if total < 0:
            return total
        _remember_sum(arena, a, b, total)
        if depth == 0:
            return total
        depth -= 4


@subroutine
def negative(arena: Any, top: Any, value: Any) -> Any:
    """``−value``, or ``GROW``: the negatives of its followers from the simplest on. ``lists`` is free from ``top`` on."""
    lists, values, options = arena.lists, arena.values, arena.options
    if top + 1 > len(lists):
        arena.registers[NEEDED] = LISTS
        return GROW
    end = top + 1
    lists[top] = value
    while end > top:
        game = values[lists[end - 1]]
        if int(game.negative) != ABSENT:
            end -= 1
            continue
        left, right = int(game.left_count), int(game.right_count)
        if end + left + right + 2 > len(lists):
            arena.registers[NEEDED] = LISTS
            return GROW
        if is_number(arena, lists[end - 1]):
            left = right = 0
        missing = 0
        for at in range(int(game.left), int(game.left) + left + right):
            if int(values[options[at]].negative) == ABSENT:
                lists[end + missing] = int(options[at])
                missing += 1
        if missing > 0:
            end += missing
            continue
        for at in range(right):
            lists[end + at] = int(values[options[int(game.left) + left + at]].negative)
        for at in range(left):
            lists[end + right + at] = int(values[options[int(game.left) + at]].negative)
        opposite = number_negative(arena, end, lists[end - 1]) if is_number(arena, lists[end - 1]) else intern(arena, end, right, left)
        if opposite < 0:
            return opposite
        game.negative = opposite
        values[opposite].negative = lists[end - 1]
        end -= 1
    return int(values[value].negative)


@subroutine
def evaluate(arena: Any, graph: Any) -> Any:
    """The values of the positions of a graph, in its order, into ``graph.results``; 0 when all are done, or ``GROW`` or ``PAUSED``.

    ``registers[DONE]`` says how many are; a position that was begun is begun again.
    """
    lists = arena.lists
    total = len(graph.order)
    while arena.registers[DONE] < total:
        node = int(graph.order[arena.registers[DONE]])
        at = int(graph.starts[node])
        left, right = int(graph.pool[at]), int(graph.pool[at + 1])
        at += 2
        if left + right + 16 > len(lists):
            arena.registers[NEEDED] = LISTS
            return GROW
        for option in range(left + right):
            terms = int(graph.pool[at])
            at += 1
            value = np.int64(ZERO)
            for place in range(terms):
                term = int(graph.pool[at + place])
                part = int(graph.results[term >> 1])
                if term & 1:
                    part = negative(arena, left + right, part)
                    if part < 0:
                        return part
                value = add(arena, left + right, value, part)
                if value < 0:
                    return value
            at += terms
            lists[option] = value
        value = canonical(arena, 0, left, right)
        if value < 0:
            return value
        graph.results[node] = value
        arena.registers[DONE] += 1
        arena.registers[WORK] -= 1
        if arena.registers[WORK] < 0:
            return PAUSED
    return 0
