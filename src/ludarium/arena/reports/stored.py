"""The table of a competition that is in the store, from the counters that the store keeps. Only results by option set read the games."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ludarium.arena.ladder.ladder import order_of
from ludarium.arena.ratings import of_pairs, rate
from ludarium.arena.ratings.results import Floats, Integers
from ludarium.arena.standings import Standing, by_points
from ludarium.arena.store import CompetitionRow, Database, Total, cross_table, current_ratings, totals
from ludarium.arena.store.competitions import FINISHED, LADDER

from .option_sets import SetResults, stored_results_by_set
from .parts import MOST_CROSSED
from .plot import Plot, rating_plot
from .table import Cell, Row, cells_of, rows_of


@dataclass(frozen=True, eq=False)
class StoredTable:
    """Who takes part in a competition, and what came of it so far."""

    entrants: tuple[Total, ...]
    """By number."""
    ranking: tuple[int, ...]
    """Their numbers, those with most points first, or, on a ladder, as its table has them."""
    rows: tuple[Row, ...]
    """In the order of the ranking."""
    points: Floats
    """What the one made against the other, ``[entrants, entrants]``."""
    games: Integers
    """How many games the two played, ``[entrants, entrants]``."""
    sets: tuple[SetResults, ...] = ()
    """Results with each option set, where there are several."""

    @property
    def plot(self) -> Plot | None:
        return rating_plot(self.rows) if self.rows else None

    @property
    def cells(self) -> list[list[Cell]]:
        """The cross table in the order of the ranking; empty for more players than anybody can read, and for fewer than two."""
        return cells_of(self.points, self.games, self.ranking) if 2 <= len(self.rows) <= MOST_CROSSED else []


def stored_table(database: Database, competition: CompetitionRow, seats: int) -> StoredTable:
    """The table as it stands. ``seats`` are those of its games.

    Games of two are rated anew, by their counters; for others, where a folder has records of both, and for ladders, which count the latest games alone, it has
    the ratings that the store has, if any.
    """
    entrants = tuple(totals(database, competition.id))
    pairs = [pair for pair in cross_table(database, competition.id) if pair.opponent < len(entrants)]
    counted = of_pairs(len(entrants), pairs)
    games = counted.ahead + counted.ahead.T + counted.level
    taken, met = sum(one.games for one in entrants), sum(pair.wins + pair.draws + pair.losses for pair in pairs)
    are_pairs = seats == 2 and (competition.status != FINISHED or taken == 2 * met)  # while it goes on, one may be of a later moment
    standings = [Standing(one.name, one.wins, one.draws, one.losses, round(one.points, 6), one.conduct) for one in entrants]
    ranking = by_points(standings)
    if competition.kind == LADDER:
        ranked, others = order_of([one.games for one in entrants], current_ratings(database, competition.id))
        ranking = (*ranked, *others)
    ratings = rate([one.name for one in entrants], counted) if are_pairs and met and competition.kind != LADDER else None
    rows = rows_of(standings, [one.spec for one in entrants], ranking, ratings, [one.byes for one in entrants])
    if ratings is None:
        rows = _as_kept(rows, ranking, database, competition)
    sets = stored_results_by_set(database, competition, ranking)
    return StoredTable(entrants, ranking, tuple(rows), counted.ahead + counted.level / 2, games, sets)


def _as_kept(rows: list[Row], ranking: tuple[int, ...], database: Database, competition: CompetitionRow) -> list[Row]:
    kept = current_ratings(database, competition.id)
    if not all(player in kept for row, player in zip(rows, ranking, strict=True) if row.games):
        return rows
    found = [kept.get(player) for player in ranking]
    return [
        replace(row, rating=round(one.rating, 1), low=round(one.low, 1), high=round(one.high, 1)) if one else row
        for row, one in zip(rows, found, strict=True)
    ]
