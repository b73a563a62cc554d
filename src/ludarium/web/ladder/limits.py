"""How much a server takes on for its ladders, and how often bots may come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from ludarium.errors import ProtocolError
from ludarium.web.visitors.rate import Rate

JOINS, JOIN_SECONDS = 10, 10.0
"""How often the bots of one person may come at once, and how long it is then until the next time."""
JOINS_OF_NAME, NAME_SECONDS = 5, 20.0
"""The same of one bot: one that is started anew in each game would lose them all."""
NAMES, NAMES_SECONDS = 3, 3600.0
"""The same of names that nobody had."""
BOTS = 2
"""Of one person, at a time on a ladder."""


@dataclass(frozen=True)
class LadderLimits:
    """What the ladders of a server share, unless it says otherwise."""

    games: int = 16
    """That are played at once."""
    bots: int = 200
    """That are connected at once to one ladder."""
    unasked: int = 8
    """Messages of a bot that may wait for being read."""
    at_once: int = 100
    """Games that are begun for a bot's sake as soon as can be."""
    pace: float = 60.0
    """Seconds between two more."""
    forfeits: int = 3
    """Games in a row that a bot may lose by its conduct, before it is taken off."""
    rest: float = 60.0
    """Seconds for which it may not come again."""


class Joins:
    """How often bots come to a ladder."""

    def __init__(self, people: int, clock: Callable[[], float]) -> None:
        """``people``: how many may come from one address."""
        self._of_address = Rate(JOINS * people, JOIN_SECONDS / people, clock)
        self._of_name = Rate(JOINS_OF_NAME, NAME_SECONDS, clock)
        self._new_names = Rate(NAMES * people, NAMES_SECONDS / people, clock)

    def count_address(self, address: str) -> None:
        """Somebody tries.

        Raises:
            ProtocolError: ``too_many``: it has to wait.
        """
        _count(self._of_address, address, "from here")

    def count_new_name(self, address: str) -> None:
        """Somebody wants a name that nobody has.

        Raises:
            ProtocolError: ``too_many``: it has to wait.
        """
        _count(self._new_names, address, "with new names from here")

    def count_name(self, name: str) -> None:
        """The owner of a name has come.

        Raises:
            ProtocolError: ``too_many``: it has to wait.
        """
        _count(self._of_name, name, f"as '{name}'")


def _count(rate: Rate, key: str, who: str) -> None:
    if (wait := ceil(rate.wait(key))) > 0:
        raise ProtocolError("too_many", f"bots have come {who} many times in a short time; the next one can in {wait} s", wait)
    rate.count(key)
