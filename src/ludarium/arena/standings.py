"""The sums of players over the games that they have played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .games import GameResult


@dataclass(frozen=True)
class Standing:
    """A player's sums. A point a win, half a point a draw; with more than two players (1 + return) / 2."""

    name: str
    wins: int
    draws: int
    losses: int
    points: float

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


def standings(names: Sequence[str], results: Iterable[GameResult]) -> tuple[Standing, ...]:
    """One a player, in the order of the names. A win is the only best return of a game, a draw one of several."""
    sums = [[0, 0, 0] for _ in names]
    points = [0.0] * len(names)
    for result in results:
        best = max(result.returns)
        shared = result.returns.count(best) > 1
        for player, value in zip(result.plan.seats, result.returns, strict=True):
            sums[player][2 if value < best else 1 if shared else 0] += 1
            points[player] += (1 + value) / 2
    return tuple(
        Standing(name, wins, draws, losses, round(total, 6)) for name, (wins, draws, losses), total in zip(names, sums, points, strict=True)
    )


def by_points(standings: Sequence[Standing]) -> tuple[int, ...]:
    """The players' numbers, those with most points first, and of as many in their own order."""
    return tuple(sorted(range(len(standings)), key=lambda player: (-standings[player].points, player)))
