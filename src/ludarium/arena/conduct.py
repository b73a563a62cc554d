"""Forfeits of players by kind, and their thinking times."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_KIND = re.compile(
    r"(?:.* forfeited \()?(?:(?P<late>timeout: [\d.]+ s of (?:processor )?time used)|(?P<timeout>timeout\b)|(?P<crash>crash\b))"
)
"""A reason of a forfeit; in older stores it stands in brackets."""


@dataclass(frozen=True)
class Conduct:
    """A player's conduct in some games. Each forfeit is of one kind."""

    timeouts: int = 0
    """Forfeits because no answer came in time."""
    late_answers: int = 0
    """Forfeits because the answer came when the time was up."""
    crashes: int = 0
    other_forfeits: int = 0
    actions: int = 0
    """Number of actions whose thinking time is known."""
    microseconds: int = 0
    """Thinking time for all of them: a whole number, whose sums do not depend on the order."""

    @classmethod
    def of(cls, forfeit: str | None, actions: int = 0, microseconds: int = 0, games: int = 1) -> Conduct:
        """Return the conduct in so many games that were all lost by a forfeit of the same reason; None: by none."""
        kind = None if forfeit is None else _KIND.match(forfeit)
        late, timeout, crash = (bool(kind and kind[name]) for name in ("late", "timeout", "crash"))
        is_other = forfeit is not None and kind is None
        return cls(timeout * games, late * games, crash * games, is_other * games, actions, microseconds)

    @classmethod
    def of_seat(cls, forfeits: Mapping[int, str], thinking: Mapping[int, tuple[int, float]], seat: int) -> Conduct:
        """Return the conduct in one game, of the player at a seat. The arguments are those of :class:`.games.GameResult`."""
        actions, seconds = thinking.get(seat, (0, 0.0))
        return cls.of(forfeits.get(seat), actions, round(seconds * 1e6))

    def __add__(self, other: Conduct) -> Conduct:
        return Conduct(*(mine + theirs for mine, theirs in zip(vars(self).values(), vars(other).values(), strict=True)))

    @property
    def seconds_per_action(self) -> float | None:
        """The mean thinking time; None where it is not known."""
        return round(self.microseconds / self.actions / 1e6, 6) if self.actions else None

    @property
    def forfeits(self) -> str:
        """The forfeits in words: ``2 timeouts, 1 crash``; empty where there are none."""
        kinds = (
            (self.timeouts, "timeout", "timeouts"),
            (self.late_answers, "late answer", "late answers"),
            (self.crashes, "crash", "crashes"),
            (self.other_forfeits, "other forfeit", "other forfeits"),
        )
        return ", ".join(f"{count} {one if count == 1 else more}" for count, one, more in kinds if count)

    def as_json(self) -> dict[str, Any]:
        """Return the forfeits by kind and the mean thinking time."""
        forfeits = {name: value for name, value in vars(self).items() if name not in ("actions", "microseconds")}
        return {**forfeits, "seconds_per_action": self.seconds_per_action}


NO_GAMES = Conduct()
