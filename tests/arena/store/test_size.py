"""A large store answers as fast as a small one: totals are kept, pages come from indexes."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import event

import ludarium
from ludarium.arena import GamePlan, GameResult
from ludarium.arena.store import Database, Entrant, Search, begin, cross_table, open_database, search_games, totals
from ludarium.arena.store.records import check_store

PAGE, TOTALS, CROSS_TABLE = 100, 500, 5000
"""Hundreds of steps that each takes at most; one that goes through 20,000 games takes thousands. In a cross table there are up to 39,800 pairs."""


def fill(database: Database, games: int, players: int = 200) -> None:
    """Half of the games in one tournament of all, the others in small ones of ten players and at most 5,000 games."""
    game, chance = ludarium.game("expendibots"), random.Random(1)
    field = [Entrant(f"player {number}", f"alphabeta:nodes={number + 1}") for number in range(players)]
    small = max(10, games // 10_000)
    for number in range(small + 1):
        entrants = chance.sample(field, 10) if number else field
        competition = begin(database, f"tournament {number}", "tournament", game, entrants)
        count = games // 2 if number == 0 else games // 2 // small
        for first in range(0, count, 5000):
            competition.add([made(one, chance, len(entrants)) for one in range(first, min(count, first + 5000))])


def made(number: int, chance: random.Random, entrants: int) -> GameResult:
    one, other = chance.sample(range(entrants), 2)
    result = chance.choice([1.0, 1.0, 0.0, -1.0, -1.0])
    plan = GamePlan(number, number // 2, (one, other))
    digest = f"{chance.getrandbits(256):064x}"
    opening = f"{chance.randrange(500):04} BB.BB.BB/BB.BB.BB/......../......../......../......../WW.WW.WW/WW.WW.WW w 0"
    return GameResult(
        plan, (result, -result), "Black has no tokens left", {}, 60, digest, None, None, number, opening, number * 1.0, number + 0.5
    )


def steps(database: Database, ask: Callable[[], object]) -> int:
    """Of SQLite's machine, in hundreds: what it does is counted, for how long it takes is the machine's."""
    taken = 0

    def count() -> int:
        nonlocal taken
        taken += 1
        return 0

    def counting(connection: sqlite3.Connection, *_: object) -> None:
        connection.set_progress_handler(count, 100)

    event.listen(database.engine, "checkout", counting)
    ask()
    event.remove(database.engine, "checkout", counting)
    return taken


def test_a_large_store_answers_at_once(tmp_path: Path, scale: int) -> None:
    """A million games in `make soak`."""
    with open_database(tmp_path / "store.sqlite") as database:
        games = 1_000_000 if scale > 1 else 20_000
        start = time.perf_counter()
        fill(database, games)
        print(f"{games / (time.perf_counter() - start):,.0f} games/s were added, {database.size() / games:.0f} bytes each")
        for what, ask, most in (
            ("the first page of a player's games", lambda: search_games(database, Search(player="player 7")), PAGE),
            ("of those that it has won", lambda: search_games(database, Search(player="player 7", result="win")), PAGE),
            ("all totals", lambda: totals(database), TOTALS),
            ("a cross table of 200", lambda: (totals(database, 1), cross_table(database, 1)), CROSS_TABLE),
        ):
            took = steps(database, ask)
            print(f"{what}: {took}00 steps")
            assert took <= most
        assert len(search_games(database, Search(player="player 7"))) == 50
        assert sum(total.games for total in totals(database)) == 2 * games
        assert check_store(database).problems == ()
