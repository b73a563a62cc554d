"""Endgames solved backwards: :func:`solve`.

Moves keep all tokens and booms take some, so that classes are solved in the order of their tokens, two at a time that differ in who is to move. What booms lead
to is then known. Within a pair of classes, level n finds what is won or lost in n plies: a position is won when a move leads to one that is lost in
n − 1, or a boom wins in n; it is lost when all its moves lead to won ones, its booms lose, and the longest defence takes n. Candidates for both are
found by taking moves back from what the level before decided. What no level decides is drawn.

Reference: K. Thompson, "Retrograde analysis of certain endgames", ICCA Journal 9 (1986).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludarium.core.bits import bit
from ludarium.core.jit import compiled, kernel

from ..rules import chain_of
from .index import class_size, classes, endgame_index, entry_of, position_of, squares_of, table_size

SLICE = 100_000
"""Positions that a kernel looks at before Python may end the work or tell of it: about a tenth of a second."""

LONGEST = 127
"""The longest distance that a table holds."""


@compiled
def without(word: Any, count: Any, gone: Any) -> Any:
    """A word without the tokens on a set of squares, and how many are left."""
    left, tokens = 0, 0
    for i in range(count):
        square = (word >> (8 * i)) & 63
        if bit(square) & gone == 0:
            left |= square << (8 * tokens)
            tokens += 1
    return left, tokens


@compiled
def run_of(word: Any, count: Any, at: Any) -> Any:
    """The height of the stack whose lowest token is at a place of a word that is in order."""
    height = 1
    while at + height < count and (word >> (8 * (at + height))) & 63 == (word >> (8 * at)) & 63:
        height += 1
    return height


@compiled
def step_to(square: Any, direction: Any, distance: Any) -> Any:
    """The square so far away to the right, left, up or down; −1 off the board."""
    sign = 1 - 2 * (direction & 1)
    file, rank = square & 7, square >> 3
    if direction < 2:
        file += sign * distance
    else:
        rank += sign * distance
    return -1 if file < 0 or file > 7 or rank < 0 or rank > 7 else 8 * rank + file


@compiled
def worth(value: Any) -> Any:
    """How good a value is: quick wins, draws, long losses."""
    return 0 if value == 0 else 1000 - value if value > 0 else -1000 - value


@compiled
def best_boom(index: Any, values: Any, own: Any, own_count: Any, other: Any, other_count: Any) -> Any:
    """The value of the best boom: it wins (positive) or loses in so many plies, or draws (0)."""
    own_stacks = squares_of(own, own_count)
    occupied = own_stacks | squares_of(other, other_count)
    best = -1000
    left = own_stacks
    for i in range(own_count):
        square = (own >> (8 * i)) & 63
        if left & bit(square) == 0:
            continue
        chain = chain_of(square, occupied)
        left &= ~chain
        mine, mine_count = without(own, own_count, chain)
        theirs, theirs_count = without(other, other_count, chain)
        if theirs_count == 0:
            value = 1 if mine_count > 0 else 0
        elif mine_count == 0:
            value = -1
        else:
            after = int(values[entry_of(index, theirs, theirs_count, mine, mine_count)])
            value = 0 if after == 0 else -after - 1 if after > 0 else 1 - after
        if best == -1000 or worth(value) > worth(best):
            best = value
    return best


@kernel()
def explode(index: Any, values: Any, booms: Any, own_count: Any, other_count: Any, base: Any, start: Any, stop: Any) -> Any:
    """Write what the best boom is worth at the entries of a class from ``start`` to ``stop``; 0 where no position stands. The longest distance of all.

    ``booms`` (as ``waiting`` below) begins at the entry ``base``.
    """
    longest = 0
    for entry in range(start, stop):
        own, other = position_of(index, own_count, other_count, entry)
        if (
            squares_of(own, own_count) & squares_of(other, other_count) == 0
            and entry_of(index, own, own_count, other, other_count) == entry
        ):
            value = best_boom(index, values, own, own_count, other, other_count)
            booms[entry - base] = value
            longest = max(longest, abs(value))
    return longest


@kernel()
def take_back(
    index: Any,
    values: Any,
    booms: Any,
    waiting: Any,
    own_count: Any,
    other_count: Any,
    base: Any,
    level: Any,
    start: Any,
    stop: Any,
    most: Any,
) -> Any:
    """Decide what is won in ``level`` plies by moving to a loss among a class's entries from ``start`` to ``stop``, or by a boom from there.

    What can move to a win from there may be lost: it is put into ``waiting``. Returns the entry to go on with after ``most`` positions.
    """
    seen = 0
    for entry in range(start, stop):
        value = int(values[entry])
        if value == 0:
            if int(booms[entry - base]) == level:
                values[entry] = level
            continue
        if abs(value) != level - 1:
            continue
        if seen == most:
            return entry
        seen += 1
        own, other = position_of(index, own_count, other_count, entry)
        blocked = squares_of(own, own_count)
        at = 0
        while at < other_count:
            target = (other >> (8 * at)) & 63
            height = run_of(other, other_count, at)
            for direction in range(4):
                for distance in range(1, other_count + 1):
                    origin = step_to(target, direction, distance)
                    if origin < 0:
                        break
                    if blocked & bit(origin):
                        continue
                    stood = 0
                    for i in range(other_count):
                        stood += int((other >> (8 * i)) & 63 == origin)
                    before = other
                    for moved in range(1, height + 1):
                        shift = 8 * (at + moved - 1)
                        before = (before & ~(255 << shift)) | (origin << shift)
                        if distance <= stood + moved:
                            found = entry_of(index, before, other_count, own, own_count)
                            if values[found] == 0:
                                if value < 0:
                                    values[found] = level
                                else:
                                    waiting[found - base] = True
            at += height
    return stop


@kernel()
def settle(
    index: Any,
    values: Any,
    booms: Any,
    waiting: Any,
    own_count: Any,
    other_count: Any,
    base: Any,
    level: Any,
    start: Any,
    stop: Any,
    most: Any,
) -> Any:
    """Decide what is lost in ``level`` plies among a class's entries from ``start`` to ``stop``; what it returns is as in :func:`take_back`."""
    seen = 0
    for entry in range(start, stop):
        boom = int(booms[entry - base])
        if not (waiting[entry - base] or boom == -level):
            continue
        if seen == most:
            return entry
        waiting[entry - base] = False
        if values[entry] != 0 or boom >= 0 or boom < -level:
            continue
        seen += 1
        own, other = position_of(index, own_count, other_count, entry)
        if all_moves_lose(index, values, own, own_count, other, other_count, level):
            values[entry] = -level
    return stop


@compiled
def all_moves_lose(index: Any, values: Any, own: Any, own_count: Any, other: Any, other_count: Any, level: Any) -> Any:
    """Whether every move of a position (its own word in order) leads to one that is won in less than ``level`` plies."""
    blocked = squares_of(other, other_count)
    at = 0
    while at < own_count:
        origin = (own >> (8 * at)) & 63
        height = run_of(own, own_count, at)
        for direction in range(4):
            for distance in range(1, height + 1):
                target = step_to(origin, direction, distance)
                if target < 0:
                    break
                if blocked & bit(target):
                    continue
                after = own
                for moved in range(height):
                    shift = 8 * (at + moved)
                    after = (after & ~(255 << shift)) | (target << shift)
                    value = int(values[entry_of(index, other, other_count, after, own_count)])
                    if value <= 0 or value >= level:
                        return False
        at += height
    return True


def solve(most: int, progress: Callable[[str], None] | None = None) -> NDArray[np.int8]:
    """The values of all positions of at most so many tokens, by entry: won (positive) or lost in so many plies by the player to move, drawn (0).

    Args:
        most: 2 to :data:`.index.MOST`.
        progress: told many times a second how far it is, in words; what it raises ends the work.
    """
    index = endgame_index()
    values = np.zeros(table_size(most), np.int8)
    stop = 0
    for sides, pair in groupby(classes(most), sorted):
        base = stop
        parts: list[tuple[int, int, int, int]] = []
        for own, other in pair:
            start, stop = stop, stop + class_size(own, other)
            parts.append((own, other, start, stop))
        name = f"{sides[1]} against {sides[0]}"
        booms, waiting = np.zeros(stop - base, np.int8), np.zeros(stop - base, np.bool_)
        last = 0
        for own, other, start, end in parts:
            for at in range(start, end, SLICE):
                if progress is not None:
                    progress(f"{name}: booms of {at - base:,} of {stop - base:,} entries")
                last = max(last, explode(index, values, booms, own, other, base, at, min(at + SLICE, end)))
        level = 0
        decided = 0
        while level <= last:
            level += 1
            for work in (take_back, settle):
                for own, other, at, end in parts:
                    while at < end:
                        if progress is not None:
                            progress(f"{name}: what ends in {level} pl{'y' if level == 1 else 'ies'}")
                        at = work(index, values, booms, waiting, own, other, base, level, at, end, SLICE)
            before, decided = decided, int(np.count_nonzero(values[base:stop]))
            if decided > before:
                last = max(last, level)
            if last >= LONGEST:
                raise OverflowError(f"a distance of {last} plies is more than a table holds")
    return values
