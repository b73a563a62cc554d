"""Values whose canonical forms are known beforehand: numbers, and numbers with ups and a nimber (Siegel, Combinatorial Game Theory, sections II.1 and II.3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.jit import compiled, subroutine

from .arena import GROW, LISTS, NEEDED
from .interning import intern


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
