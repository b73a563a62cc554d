"""Writes the ratings of a competition's players to the store as its games are played, so that it is known later how they came about."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import replace

from sqlalchemy import select

from ludarium.arena.games import GameResult
from ludarium.arena.ratings import Ratings, rate
from ludarium.arena.ratings.results import LARGEST_TABLE, Result

from . import schema
from .adding import Rules, counts
from .competitions import LADDER, Competition
from .database import Database
from .rows import CompetitionRow, Rating

GROWTH = 1.05
"""So many times as many games have been played when everybody is rated anew."""

MOST_REMADE = 40
"""Ratings of each player, about, that are made from games of the past at most."""

LEISURE = 20
"""So many times as long as rating takes, nobody is rated again: it costs at most a twentieth of a core."""


WINDOW = 500
"""Number of latest games of each player that count for a ladder's ratings."""


class RatingCurves(AbstractContextManager["RatingCurves"]):
    """Rates the players after their first games, then less and less often, and when it is left. It has a thread of its own: nobody waits for ratings.

    Games of one player and those of more than 6 are not rated.
    """

    def __init__(self, competition: Competition, players: int) -> None:
        self._competition = competition
        self._names = [str(number) for number in range(players)]
        self._results: list[Result] = []
        self._rated = 0
        self._next = 0.0
        self._thread = ThreadPoolExecutor(1, "ratings")
        self._work: Future[None] | None = None
        self.last: Ratings | None = None
        """Those after all games, if somebody has them already."""
        self.restored = 0
        """How many games of the past had no part in ratings. In the end all are made anew, if these are more than one of them leaves out."""

    def begin(self, before: Sequence[GameResult]) -> None:
        """Know the games that have been rated already."""
        self._take(before)
        self._rated = len(self._results)

    def add(self, results: Sequence[GameResult]) -> None:
        """Take games into account that are in the store."""
        self._take(results)
        is_free = self._work is None or self._work.done()
        if is_free and len(self._results) > GROWTH * self._rated and time.monotonic() >= self._next:
            self._work = self._thread.submit(self._rate)

    def _take(self, results: Sequence[GameResult]) -> None:
        self._results += _rateable(results)

    def _rate(self) -> None:
        started, results = time.monotonic(), tuple(self._results)
        self._competition.rate(_points(self.last or rate(self._names, results), time.time()))
        self._rated = len(results)
        self._next = time.monotonic() + LEISURE * (time.monotonic() - started)

    def __exit__(self, *error: object) -> None:
        """Raises: StoreError: the store does not take the ratings after the last game."""
        self._thread.shutdown()
        if self.restored > (GROWTH - 1) * len(self._results):
            remake(self._competition, len(self._names))
        elif len(self._results) > self._rated:
            self._rate()


def remake_of(database: Database, row: CompetitionRow) -> None:
    """Compute the ratings of a competition again, if all its games are of one kind.

    Raises:
        StoreError: the store fails.
    """
    games = schema.games
    with database.reading() as connection:
        kinds = connection.execute(select(games.c.game).where(games.c.competition == row.id, counts(games)).distinct()).all()
    competition = Competition(database, row.id, row.name, Rules(row.game, ""))
    if len(kinds) == 1:
        remake(competition, len(competition.entrants()), WINDOW if row.kind == LADDER else None)
    else:
        competition.rate([], anew=True)


def remake(competition: Competition, players: int, window: int | None = None) -> None:
    """Make the ratings of a competition's games anew: what they were when games began, which is what records tell of time.

    Args:
        window: at each time, rate only games that are among so many latest ones of a player.

    Raises:
        StoreError: the store fails.
    """
    games = sorted(competition.finished_games(), key=lambda game: (game.started or 0.0, game.number))
    games = [game for game in games if _rateable([game])]
    names, growth = [str(number) for number in range(players)], max(GROWTH, len(games) ** (1 / MOST_REMADE))
    made: list[Rating] = []
    rated = 0
    while rated < len(games):
        rated = min(max(rated + 1, int(growth * rated)), len(games))
        results = _rateable(games[:rated])
        played = Counter(entrant for seats, _ in results for entrant in seats)
        points = _points(rate(names, _latest(results, window)), games[rated - 1].started or 0.0)
        made += [replace(point, games=played[point.entrant]) for point in points]
    competition.rate(made, anew=True)


def _latest(results: Sequence[Result], window: int | None) -> Sequence[Result]:
    """Return the results that are among the latest ``window`` of a player."""
    if window is None:
        return results
    since, found = Counter[int](), list[Result]()
    for result in reversed(results):
        if any(since[entrant] < window for entrant in result[0]):
            found.append(result)
        since.update(result[0])
    return found


def _rateable(games: Sequence[GameResult]) -> list[Result]:
    return [(game.plan.seats, game.returns) for game in games if 2 <= len(game.returns) <= LARGEST_TABLE]


def _points(ratings: Ratings, time: float) -> list[Rating]:
    """Of those who have played."""
    values = zip(*(one.tolist() for one in (ratings.ratings, ratings.low, ratings.high, ratings.games)), strict=True)
    return [Rating(number, time, *value) for number, value in enumerate(values) if value[-1]]
