"""A store of 100,000 games beside one of 1,000: pages come from indexes and totals are kept, so that neither should notice."""

from __future__ import annotations

import functools
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from ludarium.arena.store import Database, Search, cross_table, open_database, search_games, totals
from tests.arena.store.test_size import fill

from .harness import Row, at_most

LARGE, SMALL = 100_000, 1_000


def rows() -> Iterator[Row]:
    for name, ask, most in (
        ("first page of a player's games", lambda store: search_games(store, Search(player="player 7")), 5.0),
        ("totals and cross table of 200 players", lambda store: (totals(store, 1), cross_table(store, 1)), 50.0),
    ):
        yield Row(
            f"{name}, store of {LARGE:,} games",
            "ms",
            functools.partial(milliseconds, LARGE, ask),
            f"{SMALL:,} games",
            functools.partial(milliseconds, SMALL, ask),
            at_most(value=most),
            seconds=20,
        )


@functools.cache
def store(games: int) -> tuple[tempfile.TemporaryDirectory[str], Database]:
    """Kept for the next row, with the folder, which is deleted with it."""
    folder = tempfile.TemporaryDirectory()
    database = open_database(Path(folder.name) / "store.sqlite")
    fill(database, games)
    return folder, database


def milliseconds(games: int, ask: Callable[[Database], object]) -> float:
    database = store(games)[1]
    start = time.perf_counter()
    for _ in range(20):
        ask(database)
    return 1000 * (time.perf_counter() - start) / 20
