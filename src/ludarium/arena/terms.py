"""On which terms games between programs are played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from ludarium.core.game import Game
from ludarium.errors import BadOption
from ludarium.players import PlayerSpec
from ludarium.players.programs import USUAL, Conditions, is_class

from .clocks import Clocks, TimeControl

OnForfeit = Literal["play-on", "end"]

SLACK = 1.5
LEAST_SLACK = 5.0
"""Where a class is timed in its own process, the judge's clock gives so many times as much, and so many seconds more."""


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
    on_forfeit: OnForfeit | None = None
    """``play-on`` or ``end`` when a player forfeits. None: ``play-on`` in games for three and more, ``end`` in others."""

    def check(self, game: Game) -> None:
        """Check that a game can be played on these terms.

        Raises:
            BadOption: a game for one or two cannot be played on without a player.
        """
        if self.on_forfeit == "play-on" and game.players < 3:
            raise BadOption(f"{game.id} for {game.players} ends when a player forfeits; play-on is for games of three and more players")

    def clocks(self, players: Sequence[PlayerSpec]) -> Clocks | None:
        """Those of a game that begins. Where a class is timed in its own process, the judge's clock stands behind that, and has more on it."""
        if not self.time:
            return None
        own = self.programs.allowance.seconds is not None
        controls = [_behind(time) if own and is_class(player.text) else time for time, player in zip(self.time, players, strict=True)]
        return Clocks(controls, by_cpu=self.by_cpu)

    def seated(self, seats: Sequence[int]) -> Terms:
        """The same by seat, where the players of these numbers sit."""
        return replace(self, time=tuple(self.time[player] for player in seats)) if self.time else self

    def hiding(self, records: Path | None) -> Terms:
        """The same, where programs do not see this folder."""
        return self if records is None else replace(self, programs=replace(self.programs, hidden=(records.resolve(),)))


def _behind(time: TimeControl) -> TimeControl:
    return replace(time, seconds=time.seconds * SLACK + LEAST_SLACK)


FREE = Terms()
"""No clock runs."""
