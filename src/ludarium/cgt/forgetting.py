"""Memory given back: values that nobody holds any more."""

from __future__ import annotations

from typing import Any

from . import atomic_weight, numbers, uptimals, values
from .engine import structure
from .engine.arena import TESTS, ZERO
from .engine.store import store
from .text import ordering
from .thermography import thermograph, walls

CACHES: tuple[Any, ...] = (
    atomic_weight._bits,
    atomic_weight._candidates,
    atomic_weight._multiples,
    atomic_weight._reached,
    atomic_weight._shifted,
    numbers._stops,
    ordering._ordered,
    structure._hashes,
    uptimals._found,
    walls._kept,
)
"""What is remembered of values by their numbers."""


def forget_unused() -> None:
    """Forget every value that is newer than all those held as a :class:`.Value`, and what was remembered of others, so that the memory is free for new ones.

    Call it when no other thread computes values: one that is just being made is held by nobody.
    """
    with store.lock:
        last = max([ZERO + int(store.arena.registers[TESTS]) - 1, *values._known.keys()])
        store.forget_after(last)
        for cache in CACHES:
            cache.clear()
        thermograph.thermograph_of.cache_clear()
        del uptimals._powers[1:], uptimals._sums[1:]
