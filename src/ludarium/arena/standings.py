"""The sums of players over the games that they have played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .conduct import NO_GAMES, Conduct
from .games import GameResult

WIN, DRAW, LOSS = 1, 0, -1


@dataclass(frozen=True)
class Standing:
    """A player's sums. A point a win, half a point a draw; with more than two players (1 + return) / 2."""

    name: str
    wins: int
    draws: int
    losses: int
    points: float
    conduct: Conduct = NO_GAMES

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    def as_json(self) -> dict[str, Any]:
        """Return the sums with the conduct among them."""
        sums = {name: value for name, value in vars(self).items() if name != "conduct"}
        return {**sums, **self.conduct.as_json()}


def results(returns: tuple[float, ...]) -> Iterator[int]:
    """By seat: the best alone wins, several of them draw, and the others lose."""
    best = max(returns)
    drawn = returns.count(best) > 1
    return (LOSS if one < best else DRAW if drawn else WIN for one in returns)


def standings(names: Sequence[str], games: Iterable[GameResult]) -> tuple[Standing, ...]:
    """One a player, in the order of the names."""
    sums = [[0, 0, 0] for _ in names]
    points = [0.0] * len(names)
    conducts = [NO_GAMES] * len(names)
    for game in games:
        for seat, (player, value, outcome) in enumerate(zip(game.plan.seats, game.returns, results(game.returns), strict=True)):
            sums[player][WIN - outcome] += 1
            points[player] += (1 + value) / 2
            conducts[player] += Conduct.of_seat(game.forfeits, game.thinking, seat)
    return tuple(
        Standing(name, wins, draws, losses, round(total, 6), conduct)
        for name, (wins, draws, losses), total, conduct in zip(names, sums, points, conducts, strict=True)
    )


def by_points(standings: Sequence[Standing]) -> tuple[int, ...]:
    """The players' numbers, those with most points first, and of as many in their own order."""
    return tuple(sorted(range(len(standings)), key=lambda player: (-standings[player].points, player)))
