"""The table of a tournament: its players by points, with their ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ludarium.arena.conduct import NO_GAMES, Conduct
from ludarium.arena.ratings import Ratings
from ludarium.arena.ratings.results import Floats, Integers
from ludarium.arena.standings import Standing
from ludarium.arena.tournament import TournamentResult

Cell = tuple[float, int] | None
"""What the player of the row made against that of the column, and in how many games; None where they did not meet."""


@dataclass(frozen=True)
class Row:
    """A player. Ratings are in Elo points; they are None for tables that are not rated."""

    rank: int
    name: str
    spec: str
    points: float
    games: int
    wins: int
    draws: int
    losses: int
    byes: float = 0.0
    """How many of the points are without a game."""
    rating: float | None = None
    low: float | None = None
    """The bounds of the 95 % interval, as ``high``."""
    high: float | None = None
    superiority: float | None = None
    """How likely it is that the player is stronger than the next one of the table; None for the last one."""
    conduct: Conduct = NO_GAMES

    def as_json(self) -> dict[str, Any]:
        """Return all values, with those of the conduct among them."""
        return {name: value for name, value in vars(self).items() if name != "conduct"} | self.conduct.as_json()

    @property
    def elo(self) -> str:
        """``+41 ± 100``: the rating and half of its 95 % interval."""
        if self.rating is None or self.low is None or self.high is None:
            return ""
        return f"{signed(self.rating)} ± {(self.high - self.low) / 2:.0f}"

    @property
    def percent(self) -> str:
        """The superiority, such as ``84 %``; nothing is certain, so neither 0 nor 100."""
        if self.superiority is None:
            return ""
        percent = 100 * self.superiority
        return "< 1 %" if percent < 1 else "> 99 %" if percent > 99 else f"{percent:.0f} %"


def table(result: TournamentResult) -> list[Row]:
    """The players, those with most points first."""
    return rows_of(result.standings, result.tournament.specs, result.ranking, result.ratings, result.byes)


def rows_of(
    standings: Sequence[Standing], specs: Sequence[str], ranking: Sequence[int], ratings: Ratings | None, byes: Sequence[float] = ()
) -> list[Row]:
    """The players in the order of a ranking, which has their numbers."""
    rows: list[Row] = []
    for rank, player in enumerate(ranking, 1):
        one = standings[player]
        rows.append(
            Row(
                rank,
                one.name,
                specs[player],
                one.points,
                one.games,
                one.wins,
                one.draws,
                one.losses,
                byes[player] if byes else 0.0,
                conduct=one.conduct,
            )
        )
    if ratings is None:
        return rows
    numbers = zip(
        *((values[list(ranking)].round(1) + 0.0).tolist() for values in (ratings.ratings, ratings.low, ratings.high)), strict=True
    )
    chances = ratings.superiority[ranking[:-1], ranking[1:]].round(6).tolist()
    return [
        replace(row, rating=rating, low=low, high=high, superiority=chance)
        for row, (rating, low, high), chance in zip(rows, numbers, [*chances, None], strict=True)
    ]


def cross_table(result: TournamentResult) -> list[list[Cell]]:
    """Who made what against whom, rows and columns in the order of the table; empty for tables that are not rated."""
    if result.ratings is None:
        return []
    return cells_of(result.ratings.pair_points, result.ratings.pair_games, result.ranking)


def cells_of(points: Floats, games: Integers, ranking: Sequence[int]) -> list[list[Cell]]:
    """The cross table in the order of a ranking, of what players made against each other in how many games, ``[players, players]`` each."""
    made, played = (values[np.ix_(ranking, ranking)].tolist() for values in (points, games))
    return [[(one, count) if count else None for one, count in zip(*line, strict=True)] for line in zip(made, played, strict=True)]


def signed(rating: float) -> str:
    """``+41``, ``−59``, ``0``."""
    return "0" if round(rating) == 0 else f"{rating:+.0f}".replace("-", "−")


def plain(points: float) -> str:
    """Points without more digits than they need, two after the point at most."""
    return f"{round(points, 2):.12g}"


def duration(seconds: float | None) -> str:
    """Return ``1.2 s``, ``34 ms`` or ``0.056 ms``; ``–`` for an unknown time."""
    if seconds is None:
        return "–"
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1000 * seconds:.2g} ms" if seconds < 0.01 else f"{1000 * seconds:.0f} ms"


def cell_text(cell: Cell) -> str:
    """``4.5/6``."""
    return f"{plain(cell[0])}/{cell[1]}" if cell else ""
