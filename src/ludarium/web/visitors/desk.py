"""Work that requests cause and that takes long: reading rules and positions, laying boards, taking games up again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from weakref import WeakValueDictionary

from anyio import CapacityLimiter, to_thread

from .visitor import Visitor

AT_ONCE = 2
"""Works of one address that are done at a time; its others wait."""

Result = TypeVar("Result")


class Desk:
    """Does such work in threads, so that neither the pages nor the work of other addresses wait for it."""

    def __init__(self) -> None:
        self._limiters = WeakValueDictionary[str, CapacityLimiter]()

    async def do(self, visitor: Visitor, work: Callable[[], Result]) -> Result:
        """The result of a function that knows what to do, at a visitor's expense."""
        limiter = self._limiters.get(visitor.address) or CapacityLimiter(AT_ONCE)
        self._limiters[visitor.address] = limiter
        return await to_thread.run_sync(work, limiter=limiter)
