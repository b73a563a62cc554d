"""Games that the same players play one after the other, with rematches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Series:
    """What is said of one of them."""

    game: int
    """Which it is, from 1."""
    points: tuple[float, ...]
    """By seat, of those that are over: a win brings 1 and a draw ½; with more than two players, half of what the game returns and ½."""

    def after(self, returns: Sequence[float]) -> Series:
        """When this game is over, with what it returned by seat."""
        return replace(
            self, points=tuple(round(sum(pair), 6) for pair in zip(self.points, ((1 + one) / 2 for one in returns), strict=True))
        )

    def next(self) -> Series:
        """For the next game, in which everybody sits one seat further."""
        return Series(self.game + 1, (self.points[-1], *self.points[:-1]))
