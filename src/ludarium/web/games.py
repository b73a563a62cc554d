"""What the games of a server are to its sockets and pages, whoever makes them."""

from __future__ import annotations

from typing import Protocol

from .people.people import People
from .table.session import Session
from .visitors.limits import Limits
from .visitors.visitor import Visitor


class Games(Protocol):
    """The games of a server, as its sockets and pages use them. All methods run on the event loop."""

    limits: Limits

    @property
    def people(self) -> People | None:
        """Those with names, where there are any."""
        ...

    @property
    def clients(self) -> int:
        """How many are connected."""
        ...

    async def find(self, id: str, visitor: Visitor) -> Session:
        """A game by its id, for a visitor who asks for it.

        Raises:
            ProtocolError: ``no_such_game``, ``busy`` or ``too_many``.
        """
        ...

    def sweep(self) -> None:
        """Called now and then."""
        ...

    def close(self, reason: str) -> None:
        """Tell all clients that the server stops."""
        ...


class OtherGames(Protocol):
    """Games that are played on this server, but not by people. All methods are called on the event loop."""

    @property
    def clients(self) -> int:
        """How many watch them."""
        ...

    @property
    def in_memory(self) -> list[Session]:
        """Those that are played or were lately."""
        ...

    def find(self, id: str) -> Session | None: ...

    def turn_out(self, address: str, reason: str) -> None:
        """Whoever takes part from an address has to go."""
        ...

    def stop(self, reason: str) -> None:
        """Tell all clients that the server stops."""
        ...
