"""Memory given back: values that nobody holds any more."""

from __future__ import annotations

from .engine.arena import TESTS, ZERO
from .engine.store import store
from .thermography.thermograph import thermograph_of
from .values import _known


def forget() -> None:
    """Forget the values of positions, every value that is newer than all those held as a :class:`.Value`, and what was remembered of others, so that the memory
    is free for new ones.

    Call it when no other thread computes values: one that is just being made is held by nobody.
    """
    with store.lock:
        store.forget_after(max((ZERO + int(store.arena.registers[TESTS]) - 1, *_known.keys())))
        thermograph_of.cache_clear()
