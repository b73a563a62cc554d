"""What players say at the table: a little of it, for as long as the game is in memory, and in no record."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil

from ludarium.errors import ProtocolError
from ludarium.web.visitors.rate import Rate

LONGEST = 200
"""Characters of a line."""
KEPT = 100
"""Lines that are kept for those who come later."""
AT_ONCE, SECONDS = 5, 3.0
"""A seat says so many lines at once, then one in so many seconds."""


@dataclass(frozen=True)
class Line:
    by: int
    """The seat."""
    text: str


class Chat:
    """The talk of one table."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.lines: deque[Line] = deque(maxlen=KEPT)
        self._rate = Rate(AT_ONCE, SECONDS, clock)

    def say(self, seat: int, text: str) -> Line:
        """A line as everybody reads it: in one row, of characters that can be printed.

        Raises:
            ProtocolError: ``bad_message``: nothing is said, or too much; ``too_many``: the seat has to wait.
        """
        said = " ".join("".join(character if character.isprintable() else " " for character in text).split())
        if not 0 < len(said) <= LONGEST:
            raise ProtocolError("bad_message", f"say: a line has 1 to {LONGEST} characters, not {len(said)}")
        if wait := ceil(self._rate.wait(seat)):
            raise ProtocolError("too_many", f"you have said much in a short time; the next line can be in {wait} s", wait)
        self._rate.count(seat)
        self.lines.append(Line(seat, said))
        return self.lines[-1]

    def remove(self, seat: int, text: str) -> None:
        """Forget what a seat has said."""
        self.lines = deque((line for line in self.lines if (line.by, line.text) != (seat, text)), maxlen=KEPT)

    def go_on(self, before: Chat, seats: int) -> None:
        """Begin with what was said in the game of which this one is the rematch, where everybody sat one seat before."""
        self.lines.extend(replace(line, by=(line.by + 1) % seats) for line in before.lines)
