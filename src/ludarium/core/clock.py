"""Time for whoever waits: that of an event loop, or in tests one that is moved by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol


class Timer(Protocol):
    """Something that is to happen later."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    """What of ``asyncio.AbstractEventLoop`` is needed."""

    def time(self) -> float: ...

    def call_soon(self, callback: Callable[..., object], *args: Any) -> Timer: ...

    def call_later(self, delay: float, callback: Callable[..., object], *args: Any) -> Timer: ...
