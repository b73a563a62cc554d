"""What the server writes to its log when others do wrong: never more than people can read."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable

from .rate import Rate

LOGGERS = ("asyncio", "ludarium.web", "uvicorn.error")
AT_ONCE, SECONDS = 5, 60.0
"""So many lines from one place of the program, then one in so many seconds."""
_NOT_UTF8 = "Invalid UTF-8 sequence received from client."
"""What Uvicorn writes, with a traceback, of a client's message; the client is told."""


class Moderation(logging.Filter):
    """A filter that leaves out lines that come again and again, and says how many."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__()
        self._rate = Rate(AT_ONCE, SECONDS, clock)
        self._left_out = Counter[tuple[str, int]]()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and record.msg == _NOT_UTF8:
            return False
        place = (record.pathname, record.lineno)
        if self._rate.wait(place) > 0:
            self._left_out[place] += 1
            return False
        self._rate.count(place)
        if left_out := self._left_out.pop(place, 0):
            record.msg, record.args = f"{record.getMessage()} (and {left_out} more like this)", ()
        return True

    def begin(self) -> None:
        """Stand before the loggers of everything that strangers can cause."""
        for name in LOGGERS:
            logging.getLogger(name).addFilter(self)

    def end(self) -> None:
        for name in LOGGERS:
            logging.getLogger(name).removeFilter(self)
