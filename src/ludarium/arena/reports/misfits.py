"""Pairs of a competition in the store whose results against each other fit no rating."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from ludarium.arena.ratings import collect
from ludarium.arena.ratings.misfits import misfits
from ludarium.arena.ratings.results import LARGEST_TABLE
from ludarium.arena.store import CompetitionRow, Database, latest_results, totals
from ludarium.arena.store.competitions import LADDER
from ludarium.arena.store.curves import WINDOW


@dataclass(frozen=True)
class NamedMisfit:
    """A :class:`~ludarium.arena.ratings.misfits.Misfit` with names."""

    player: str
    """The player that made more points than its rating predicts."""
    opponent: str
    games: int
    expected: float
    score: float
    p: float


@dataclass(frozen=True)
class Misfits:
    """The result of a test of all pairs."""

    games: int
    pairs: int
    """Number of pairs that have met."""
    misfits: tuple[NamedMisfit, ...]
    """The least likely first."""


def misfits_of(database: Database, row: CompetitionRow) -> Misfits:
    """Find the pairs of a competition whose results fit no rating, in the games that count for its ratings.

    Raises:
        StoreError: the database fails.
    """
    names = [total.name for total in totals(database, row.id)]
    found = latest_results(database, row.id, WINDOW if row.kind == LADDER else max(1, row.games))
    results = [(seats, returns) for _, seats, returns in found if 2 <= len(set(seats)) == len(seats) <= LARGEST_TABLE]
    met = Counter(frozenset(two) for seats, _ in results for two in combinations(seats, 2))
    named = [
        NamedMisfit(names[one.player], names[one.opponent], one.games, round(one.expected, 3), one.score, one.p)
        for one in (misfits(collect(len(names), results)) if results else ())
    ]
    return Misfits(len(results), len(met), tuple(named))
