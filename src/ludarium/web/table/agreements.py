"""What players offer each other, and who is for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ludarium.errors import ProtocolError

from .messages import Kind


@dataclass(frozen=True)
class Agreement:
    """Something that is on offer."""

    kind: Kind
    by: int
    """The player who offers it."""
    accepted: tuple[int, ...]
    """Who is for it, in order: that player among them."""

    def accepted_by(self, players: Iterable[int]) -> bool:
        """Whether all of these are for it."""
        return set(players).issubset(self.accepted)


class Agreements:
    """The offers at one table, at most one of a kind."""

    def __init__(self, people: Iterable[int]) -> None:
        """``people`` are the players who have to be for something before it is done."""
        self._people = frozenset(people)
        self._out = frozenset[int]()
        """The players who have left the game."""
        self._open: dict[Kind, Agreement] = {}

    @property
    def open(self) -> list[Agreement]:
        """Those that are not answered by all yet, the oldest first."""
        return list(self._open.values())

    def has(self, kind: Kind) -> bool:
        return kind in self._open

    def is_for(self, kind: Kind, player: int) -> bool:
        return kind in self._open and player in self._open[kind].accepted

    def offer(self, kind: Kind, player: int) -> Agreement | None:
        """A player offers something, or accepts it where it is on offer already. Returns it once all people are for it; it is not on offer any more then."""
        offered = self._open.get(kind) or Agreement(kind, player, ())
        agreement = replace(offered, accepted=tuple(sorted({*offered.accepted, player})))
        if agreement.accepted_by(self._people if kind == "rematch" else self._people - self._out):
            self.withdraw(kind)
            return agreement
        self._open[kind] = agreement
        return None

    def accept(self, kind: Kind, player: int) -> Agreement | None:
        """A player is for what is on offer; returns as :meth:`offer`.

        Raises:
            ProtocolError: ``no_such_offer``.
        """
        self._find(kind)
        return self.offer(kind, player)

    def decline(self, kind: Kind) -> Agreement:
        """A player is against it. Returns what was on offer.

        Raises:
            ProtocolError: ``no_such_offer``.
        """
        found = self._find(kind)
        self.withdraw(kind)
        return found

    def withdraw(self, *kinds: Kind) -> None:
        """They are not on offer any more, if they were."""
        for kind in kinds:
            self._open.pop(kind, None)

    def leave(self, player: int) -> None:
        """Ask a player who has left the game for a rematch only. Nothing stays on offer."""
        self._out |= {player}
        self._open.clear()

    def replace(self, player: int) -> None:
        """Ask a player no more while a bot plays in its place. Nothing stays on offer."""
        self._people -= {player}
        self._open.clear()

    def come_back(self, player: int) -> None:
        """Ask a player again after a bot has played in its place."""
        self._people |= {player}

    def answer_by_playing(self, players: Iterable[int]) -> None:
        """Players have gone on playing: turns are not taken back any more, and who was offered a draw has declined it."""
        self.withdraw("takeback")
        if "draw" in self._open and not self._open["draw"].accepted_by(players):
            self.withdraw("draw")

    def _find(self, kind: Kind) -> Agreement:
        if kind not in self._open:
            raise ProtocolError("no_such_offer", f"nobody offers a {kind} (any more)")
        return self._open[kind]
