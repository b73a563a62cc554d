"""Rates those who take part in a ladder while they play, and keeps the course of their ratings in the store."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from ludarium.arena.ratings import Result, rate
from ludarium.arena.ratings.results import LARGEST_TABLE
from ludarium.arena.store import Competition, Rating, current_ratings
from ludarium.arena.store.curves import WINDOW, remake
from ludarium.errors import StoreError

LEISURE = 20
"""So many times as long as rating takes nobody is rated again: it costs at most a twentieth of a core."""

LONGEST_LAST = 0.3
"""Seconds that rating may take for whoever waits for the end; else the latest games are rated when it starts again."""

GROWTH, MOST_BETWEEN = 1.05, 25
"""A rating is kept once somebody has played so many times as many games as when one was kept, or so many more."""


class LiveRatings:
    """Ratings in a thread of their own, for which nobody waits. Games of one player and those of more than 6 are not rated."""

    def __init__(
        self, competition: Competition, before: Mapping[int, Rating], games: Callable[[], tuple[Sequence[Result], Mapping[int, int]]]
    ) -> None:
        """``before`` are the ratings so far, by entrant; ``games`` tells the games that count now, and how many everybody has played in all."""
        self.latest: Mapping[int, Rating] = before
        """By entrant, of those who have played."""
        self._competition = competition
        self._kept = {entrant: rating.games for entrant, rating in before.items()}
        self._games = games
        self._changed = threading.Condition()
        self._is_due = self._is_anew = self._is_closed = False
        self._took = 0.0
        """Seconds, the last time."""
        self._thread = threading.Thread(target=self._run, name="ratings", daemon=True)
        self._thread.start()

    def renew(self) -> None:
        """There are more games."""
        with self._changed:
            self._is_due = True
            self._changed.notify()

    def begin_again(self) -> None:
        """Rate all past games again, after games were voided or restored."""
        with self._changed:
            self._is_due = self._is_anew = True
            self._changed.notify()

    def close(self) -> None:
        """Rate for the last time, where that is quick, and keep what there is.

        Raises:
            StoreError: the store does not take it.
        """
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        self._thread.join()
        if self._is_due and self._took < LONGEST_LAST:
            self._rate()
        self._keep([rating for entrant, rating in self.latest.items() if rating.games > self._kept.get(entrant, 0)])

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._is_due or self._is_closed)
                if self._is_closed:
                    return
                is_anew, self._is_anew = self._is_anew, False
                self._is_due = False
            if is_anew:
                with suppress(StoreError):  # reported by the writer of games; they are made again with the next change
                    self._remake()
            started = time.monotonic()
            self._rate()
            kept = self._kept
            due = [
                one
                for entrant, one in self.latest.items()
                if one.games > min(GROWTH * kept.get(entrant, 0), kept.get(entrant, 0) + MOST_BETWEEN)
            ]
            with suppress(StoreError):  # whoever writes the games tells of it; these are kept with the next ones
                self._keep(due)
            self._took = time.monotonic() - started
            with self._changed:
                self._changed.wait_for(lambda: self._is_closed, LEISURE * self._took)

    def _remake(self) -> None:
        competition = self._competition
        remake(competition, len(competition.entrants()), WINDOW)
        self._kept = {entrant: rating.games for entrant, rating in current_ratings(competition.database, competition.id).items()}

    def _rate(self) -> None:
        results, games = self._games()
        players = sorted({entrant for seats, _ in results for entrant in seats})
        place = {entrant: number for number, entrant in enumerate(players)}
        rated = [(tuple(place[entrant] for entrant in seats), returns) for seats, returns in results if 2 <= len(seats) <= LARGEST_TABLE]
        if not rated:
            self.latest = {}
            return
        found, now = rate([str(entrant) for entrant in players], rated), time.time()
        values = zip(players, found.ratings.tolist(), found.low.tolist(), found.high.tolist(), strict=True)
        self.latest = {entrant: Rating(entrant, now, rating, low, high, games[entrant]) for entrant, rating, low, high in values}

    def _keep(self, ratings: Sequence[Rating]) -> None:
        self._competition.rate(ratings)
        self._kept.update({rating.entrant: rating.games for rating in ratings})
