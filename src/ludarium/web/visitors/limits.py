"""How much a server takes on: in all, of one visitor, and of one address."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from math import ceil

from ludarium.errors import ProtocolError

from .rate import Rate
from .visitor import Visitor

CONNECTIONS = 10
"""Of one person: a browser opens up to six, and a socket for each game that it shows."""
NEW_GAMES, NEW_GAME_SECONDS = 5, 200.0
"""How many games one person may make at once, and how long it is then until the next one. An address may make as many as its people."""
BUSY = 4
"""How many people's games a visitor may make if nobody else at its address does."""
OWN_GAMES, GAMES_OF_ADDRESS = 0.25, 0.75
"""What part of the games in memory may be of one visitor, and of one address."""


@dataclass(frozen=True)
class Limits:
    """How much a server takes on."""

    idle: float = 6 * 3600.0
    """Seconds after which a game that nobody has touched leaves the memory."""
    games: int = 200
    clients: int = 1000
    join: float = 10.0
    """Seconds that a socket has for its first message."""
    pace: float = 0.25
    """Seconds that a position stands at least before a bot's answer to it is played."""
    people: int = 40
    """How many may come from one address."""
    connections: int = 2000
    request: float = 10.0
    """Seconds that a request's head and its body may take together."""

    silence: float = 10.0
    """Seconds after which a client that pings and then says nothing is taken to be gone."""

    @property
    def connections_of_address(self) -> int:
        return CONNECTIONS * self.people

    def share(self, part: float) -> int:
        """A part of the games in memory, at least one."""
        return max(1, ceil(part * self.games))


class NewGames:
    """How often visitors make games."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self._of_address = Rate(NEW_GAMES * limits.people, NEW_GAME_SECONDS / limits.people, clock)
        self._of_visitor = Rate(NEW_GAMES * BUSY, NEW_GAME_SECONDS / BUSY, clock)

    def check(self, visitor: Visitor) -> None:
        """Let a visitor make another game.

        Raises:
            ProtocolError: ``too_many``: it has to wait.
        """
        wait = ceil(max(rate.wait(share) for rate, share in self._rates(visitor)))
        if wait > 0:
            raise ProtocolError(
                "too_many", f"many games have been started from here in a short time; the next one can be in {wait} s", wait
            )

    def count(self, visitor: Visitor) -> None:
        """A visitor has made a game."""
        for rate, share in self._rates(visitor):
            rate.count(share)

    def _rates(self, visitor: Visitor) -> list[tuple[Rate, Hashable]]:
        of_address = (self._of_address, visitor.address)
        return [of_address, (self._of_visitor, visitor)] if visitor.cookie else [of_address]
