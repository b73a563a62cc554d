"""On which terms games between programs are played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ludarium.players.programs import USUAL, Conditions

from .clocks import Clocks, TimeControl


@dataclass(frozen=True)
class Terms:
    """The same for all games of a match."""

    time: tuple[TimeControl, ...] = ()
    """One a player; empty: no clock runs."""
    by_cpu: bool = False
    """Whether clocks count processor time."""
    programs: Conditions = USUAL
    max_plies: int | None = None
    """A game that is not over after so many steps (actions and dice) is a draw."""

    def clocks(self) -> Clocks | None:
        """Those of a game that begins."""
        return Clocks(self.time, by_cpu=self.by_cpu) if self.time else None

    def seated(self, seats: Sequence[int]) -> Terms:
        """The same by seat, where the players of these numbers sit."""
        return replace(self, time=tuple(self.time[player] for player in seats)) if self.time else self

    def hiding(self, records: Path | None) -> Terms:
        """The same, where programs do not see this folder."""
        return self if records is None else replace(self, programs=replace(self.programs, hidden=(records.resolve(),)))


FREE = Terms()
"""No clock runs."""
