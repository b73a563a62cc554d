"""Competitions, their games, counters and ratings, in SQLite and PostgreSQL."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

import ludarium
from ludarium.arena import GameResult, match
from ludarium.arena.conduct import Conduct
from ludarium.arena.ladder.form import LatestGames
from ludarium.arena.ratings import rate
from ludarium.arena.store import (
    Database,
    Entrant,
    Pair,
    Rating,
    Scorekeeper,
    Search,
    Writer,
    begin,
    competition_of,
    competitions,
    cross_table,
    current_ratings,
    entrants_of,
    game_of,
    latest_competitions,
    latest_results,
    mark_interrupted,
    open_database,
    rating_history,
    restore,
    resume,
    search_games,
    totals,
    void,
)
from ludarium.arena.store import database as store_database
from ludarium.arena.store.database import ServerLost
from ludarium.arena.store.records import check_store
from ludarium.arena.store.schema import CONDUCT, metadata
from ludarium.errors import BadOption, StoreError
from tests.arena.store.made import made
from tests.players.programs.bots import eventually

GAME = ludarium.game("expendibots")
THREE = [Entrant("Ada", "./ada.py", "1"), Entrant("Bob", "greedy"), Entrant("Ada", "./ada.py", "2")]


def test_the_migrations_make_the_schema(database: Database) -> None:
    with database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


@pytest.mark.parametrize(
    ("schema", "was", "now"),
    [
        ("0002", ("level=3", "level=2"), ("nodes=30000", "depth=2,lapse=30")),
        ("0003", ("level=9", "level=5"), ("nodes=50000", "nodes=1400,lapse=15")),
    ],
)
def test_players_of_older_stores_are_called_what_they_meant(where: str, schema: str, was: tuple[str, str], now: tuple[str, str]) -> None:
    before, today = (
        [Entrant(f"alphabeta:{one}", f"alphabeta:{one}"), Entrant("Ada", f"alphabeta:{other},slip=5"), Entrant("Bob", "greedy")]
        for one, other in (was, now)
    )
    with open_database(where) as store:
        for game in (GAME, ludarium.game("tic-tac-toe")):
            begin(store, game.id, "tournament", game, before).add([made(0), made(1, (1, 2)), made(2, (0, 2))])
        with store.engine.begin() as connection:
            connection.execute(text(f"UPDATE alembic_version SET version_num = '{schema}'"))
    with open_database(where) as store:
        for game, called in ((GAME, today), (ludarium.game("tic-tac-toe"), before)):
            assert resume(store, game.id, game, called).entrants() == tuple(called)
            games = search_games(store, Search(game=game.id, player=called[1].spec))
            assert [one.players for one in games] == [("Ada", "Bob"), (called[0].name, "Ada")]
        assert not search_games(store, Search(game=GAME.id, player=before[1].spec))
        assert check_store(store).problems == ()


def test_forfeits_of_older_stores_are_counted_by_kind(where: str) -> None:
    reasons = [
        "White forfeited (timeout: no answer in time)",
        "timeout: 2.000 s of time used, 1.000 s were left",
        "crash: it fell",
        "too much: 9 MB",
    ]
    with open_database(where) as store:
        begin(store, "cup", "tournament", GAME, THREE).add([made(n, forfeits={n % 2: why}) for n, why in enumerate(reasons)])
        expected = [total.conduct for total in totals(store, 1)]
        with store.engine.begin() as connection:
            for table in ("seats", "entrants"):
                there = metadata.tables[table].c
                for name in ("out", *CONDUCT):
                    if name in there:
                        connection.execute(text(f"ALTER TABLE {table} DROP COLUMN {name}"))
            connection.execute(text("UPDATE alembic_version SET version_num = '0006'"))
    with open_database(where) as store:
        assert [total.conduct for total in totals(store, 1)] == expected
        assert expected[:2] == [Conduct(timeouts=1, crashes=1), Conduct(late_answers=1, other_forfeits=1)]
        assert check_store(store).problems == ()
        assert [game.thinking for game in resume(store, "cup", GAME, THREE).finished_games()] == [{}] * 4


def test_conduct_and_leaving_are_kept(database: Database) -> None:
    cup = begin(database, "cup", "tournament", GAME, THREE)
    of_three = replace(made(0, (2, 0, 1), (1.0, 0.0, -1.0)), out={2: 21}, thinking={0: (4, 0.25), 1: (2, 1.5)})
    failed = replace(made(1, (0, 1, 2), (1.0, 0.0, -1.0), {0: "crash: it fell"}), out={0: 5}, thinking={0: (1, 0.5)})
    cup.add([of_three, failed])
    assert [total.conduct for total in totals(database, cup.id)] == [
        Conduct(crashes=1, actions=3, microseconds=2_000_000),
        Conduct(),
        Conduct(actions=4, microseconds=250_000),
    ]
    assert [(game.out, game.thinking) for game in cup.finished_games()] == [(game.out, game.thinking) for game in (of_three, failed)]
    assert [game.out for game in search_games(database)] == [{0: 5}, {2: 21}]
    void(database, [f"{cup.id}:1"], "played by hand")
    assert totals(database, cup.id)[0].conduct == Conduct(actions=2, microseconds=1_500_000)
    restore(database, [f"{cup.id}:1"])
    assert totals(database, cup.id)[0].conduct.crashes == 1
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE entrants SET crashes = 7"))
    assert check_store(database).problems == (f"competition {cup.id}: its players' forfeits or thinking times are wrong",)
    assert check_store(database, repair=True).repaired == 1
    assert check_store(database).problems == ()


def test_a_competition(database: Database) -> None:
    cup = begin(database, "cup", "tournament", GAME, THREE, "rounds = 1")
    cup.add([made(0), made(1, (1, 0), (0.0, 0.0))])
    cup.add([made(2, (2, 1), (-1.0, 1.0), forfeits={0: "crash: it fell"}), made(3, (0, 2))])
    assert [(total.name, total.version, total.wins, total.draws, total.losses, total.points) for total in totals(database, cup.id)] == [
        ("Ada", "1", 2, 1, 0, 2.5),
        ("Bob", "", 1, 1, 1, 1.5),
        ("Ada", "2", 0, 0, 2, 0.0),
    ]
    assert cross_table(database, cup.id) == [
        Pair(0, 1, 1, 1, 0),
        Pair(0, 2, 1, 0, 0),
        Pair(1, 2, 1, 0, 0),
    ]
    (row,) = competitions(database)
    assert (row.name, row.kind, row.game, row.config, row.status, row.games, row.players) == (
        "cup",
        "tournament",
        "expendibots",
        "rounds = 1",
        "running",
        4,
        3,
    )
    cup.interrupt()
    assert [one.status for one in competitions(database)] == ["interrupted"]
    cup.give_byes({1: 1.0, 2: 0.5})
    cup.give_byes({1: 2.0})
    assert [(total.points, total.byes, total.games) for total in totals(database, cup.id)] == [(2.5, 0, 3), (3.5, 2.0, 3), (0.5, 0.5, 2)]
    cup.finish()
    (row,) = competitions(database)
    assert row.status == "finished"
    assert row.finished is not None
    assert row.finished >= row.created
    assert check_store(database).problems == ()


def test_games_come_back_as_they_were(database: Database) -> None:
    played = [
        made(0),
        made(5, (1, 0), (0.0, 0.0)),
        made(2, (1, 2), forfeits={0: "crash: it fell"}),
        replace(made(7), seed=None, opening="", started=None, finished=None),
    ]
    begin(database, "cup", "tournament", GAME, THREE).add(played)
    cup = resume(database, "cup", GAME, THREE)
    back = list(cup.finished_games())
    assert back == sorted(played, key=lambda result: result.number)
    assert [(one.seed, one.opening, one.started, one.finished) for one in back] == [
        (one.seed, one.opening, one.started, one.finished) for one in sorted(played, key=lambda result: result.number)
    ]
    assert cup.entrants() == tuple(THREE)


def test_nothing_is_counted_twice(database: Database) -> None:
    cup = begin(database, "cup", "match", GAME, THREE)
    cup.add([made(0), made(0), made(1)])
    cup.add([made(1, returns=(-1.0, 1.0)), made(2)])
    assert [total.games for total in totals(database, cup.id)] == [3, 3, 0]
    assert [one.returns for one in cup.finished_games()] == [(1.0, -1.0)] * 3
    assert check_store(database).problems == ()


def test_more_than_two_at_a_table(database: Database) -> None:
    cup = begin(database, "cup", "match", ludarium.game("roboderby", players=3), THREE)
    cup.add([made(0, (0, 1, 2), (1.0, 0.0, -1.0)), made(1, (2, 0, 1), (0.5, 0.5, -1.0))])
    assert [(one.wins, one.draws, one.losses, one.points) for one in totals(database, cup.id)] == [
        (1, 1, 0, 1.75),
        (0, 0, 2, 0.5),
        (0, 1, 1, 0.75),
    ]
    assert cross_table(database, cup.id) == [Pair(0, 1, 2, 0, 0), Pair(0, 2, 1, 1, 0), Pair(1, 2, 1, 0, 1)]


def test_a_player_has_one_row_in_all_competitions(database: Database) -> None:
    for name in ("first", "second"):
        begin(database, name, "match", GAME, THREE).add([made(0)])
    assert [(one.name, one.version, one.games, one.points) for one in totals(database)] == [
        ("Ada", "1", 2, 2.0),
        ("Bob", "", 2, 0.0),
        ("Ada", "2", 0, 0.0),
    ]


def test_a_ladder_lets_players_in(database: Database) -> None:
    ladder = begin(database, "ladder", "ladder", GAME, [])
    assert [ladder.enter(entrant) for entrant in THREE] == [0, 1, 2]
    ladder.add([made(0, (2, 0))])
    ladder.rate([Rating(2, 10.0, 30.0, -100.0, 160.0, 1), Rating(0, 10.0, -30.0, -160.0, 100.0, 1), Rating(2, 11.0, 50.0, -80.0, 180.0, 2)])
    assert rating_history(database, ladder.id, 2) == [Rating(2, 10.0, 30.0, -100.0, 160.0, 1), Rating(2, 11.0, 50.0, -80.0, 180.0, 2)]
    assert [rating.entrant for rating in rating_history(database, ladder.id)] == [0, 2, 2]
    assert {entrant: rating.rating for entrant, rating in current_ratings(database, ladder.id).items()} == {0: -30.0, 2: 50.0}


def test_results_are_the_latest_of_each_entrant(database: Database) -> None:
    cup = begin(database, "cup", "ladder", GAME, THREE)
    seats = [(0, 1), (2, 1), (1, 0), (0, 1), (2, 0), (1, 0), (0, 1)]
    cup.add([made(number, two, (-1.0, 1.0) if number % 2 else (0.5, -0.5)) for number, two in enumerate(seats)])
    latest = latest_results(database, cup.id, 2)
    assert latest == [
        (1, (2, 1), (-1.0, 1.0)),
        (4, (2, 0), (0.5, -0.5)),
        (5, (1, 0), (-1.0, 1.0)),
        (6, (0, 1), (0.5, -0.5)),
    ]
    counting = LatestGames(2, window=2)
    for number, two in enumerate(seats):
        counting.add(number, two, (-1.0, 1.0) if number % 2 else (0.5, -0.5))
    assert counting.results() == [(two, returns) for _, two, returns in latest]


def test_names_are_taken_once_and_resumed_as_begun(database: Database) -> None:
    begin(database, "cup", "match", GAME, THREE, "one")
    with pytest.raises(StoreError, match="has a competition 'cup' already; resume it, or take another name"):
        begin(database, "cup", "match", GAME, THREE, "one")
    with pytest.raises(StoreError, match="has no competition 'cap' to resume"):
        resume(database, "cap", GAME, THREE)
    for what, arguments in (
        ("game", (ludarium.game("hexabomb"), THREE, "one")),
        ("settings", (GAME, THREE, "two")),
        ("players", (GAME, THREE[:2], "one")),
    ):
        with pytest.raises(StoreError, match=f"'cup' was begun with other {what}; resume it with the same"):
            resume(database, "cup", *arguments)
    with pytest.raises(StoreError, match=r"player 'Ada' is no longer what it was: ./ada.py has changed since 'cup' was begun"):
        resume(database, "cup", GAME, [replace(THREE[0], version="2"), *THREE[1:]], "one")
    for name in ("", "two\nlines", "x" * 201):
        with pytest.raises(BadOption, match="a name of 1 to 200 printable characters"):
            begin(database, name, "match", GAME, THREE)


@pytest.mark.parametrize(
    ("search", "numbers"),
    [
        (Search(), [5, 4, 3, 2, 1, 0]),
        (Search(player="Ada"), [5, 4, 3, 2, 1, 0]),
        (Search(player="greedy"), [4, 3, 2, 1, 0]),
        (Search(player="Bob", result="win"), [2]),
        (Search(player="Bob", result="draw"), [1]),
        (Search(player="Bob", result="loss"), [4, 3, 0]),
        (Search(result="draw"), [1]),
        (Search(result="forfeit"), [3]),
        (Search(player="Bob", result="forfeit"), [3]),
        (Search(player="Ada", result="forfeit"), []),
        (Search(game="expendibots", opening="position 2"), [5, 2]),
        (Search(opening="position"), [5, 4, 3, 2, 1, 0]),
        (Search(opening="Position"), []),
        (Search(player="Bob", opening="position 0"), [3, 0]),
        (Search(game="hexabomb"), []),
        (Search(competition="cup"), [5, 4, 3, 2, 1, 0]),
        (Search(competition="other", player="Bob"), []),
        (Search(competition="cup", entrant=0), [5, 4, 3, 1, 0]),
        (Search(competition="cup", entrant=2, result="loss"), [5, 2]),
        (Search(competition="cup", entrant=2, opponent=1, result="loss"), [2]),
    ],
)
def test_searching(database: Database, search: Search, numbers: list[int]) -> None:
    begin(database, "other", "match", GAME, THREE)
    cup = begin(database, "cup", "match", GAME, THREE)
    cup.add(
        [
            made(0),
            made(1, (1, 0), (0.0, 0.0)),
            made(2, (1, 2)),
            made(3, forfeits={1: "timeout: too late"}),
            made(4, (0, 1)),
            made(5, (0, 2)),
        ]
    )
    assert [game.number for game in search_games(database, search)] == numbers
    pages: list[int] = []
    before = None
    while page := search_games(database, search, before=before, limit=2):
        pages += [game.number for game in page]
        before = page[-1].key
    assert pages == numbers


def test_competitions_and_games_are_found_by_number_alone(database: Database) -> None:
    first, second, third = (begin(database, name, "match", GAME, THREE) for name in ("2", "1", "3"))
    second.add([made(0), made(7, (2, 1), forfeits={1: "timeout: too late"})])
    assert [row.name for row in latest_competitions(database)] == ["3", "1", "2"]
    assert [row.name for row in latest_competitions(database, before=third.id, limit=1)] == ["1"]
    row = competition_of(database, second.id)
    assert row is not None
    assert (row.name, row.games, row.players) == ("1", 2, 3)
    assert competition_of(database, 17) is None
    game = game_of(database, f"{second.id}:7")
    assert game is not None
    assert (game.competition, game.number, game.players, game.forfeits) == ("1", 7, ("Ada", "Bob"), {1: "timeout: too late"})
    assert [game_of(database, f"{id}:{number}") for id, number in ((first.id, 7), (second.id, 1), (17, 0))] == [None, None, None]


def test_what_nobody_has(database: Database) -> None:
    with pytest.raises(StoreError, match="has no games of a player 'Eve'"):
        search_games(database, Search(player="Eve"))
    with pytest.raises(StoreError, match="has no competition 'cup'"):
        search_games(database, Search(competition="cup"))
    begin(database, "cup", "match", GAME, THREE)
    with pytest.raises(StoreError, match="has no games of a player of number 3"):
        search_games(database, Search(competition="cup", entrant=3))
    with pytest.raises(BadOption, match="entrant 3 is a number in a competition; name that one"):
        Search(entrant=3)
    with pytest.raises(BadOption, match="opponent 3 is one of an entrant"):
        Search(competition="cup", opponent=3)
    with pytest.raises(BadOption, match="'12' is not the key of a game"):
        search_games(database, before="12")
    with pytest.raises(BadOption, match="result 'won' is not one of: win, draw, loss, forfeit"):
        Search(result="won")


def test_a_match_as_it_is_played(database: Database) -> None:
    players = ["random", "greedy"]
    told: list[GameResult] = []
    before = time.time()
    with Writer(begin(database, "evening", "match", GAME, entrants_of(players)), told.extend) as writer:
        result = match(GAME, players, games=6, seed=1, on_result=writer.add)
    assert tuple(sorted(told, key=lambda one: one.number)) == result.games
    assert [(one.name, one.wins, one.draws, one.losses, one.points) for one in totals(database)][::-1] == [
        (one.name, one.wins, one.draws, one.losses, one.points) for one in result.standings
    ][::-1]
    first = search_games(database)[-1]
    assert (first.game, first.options, first.opening) == ("expendibots", dict(GAME.options), GAME.start().text)
    assert first.players == ("random", "greedy")
    assert first.started is not None
    assert first.finished is not None
    assert before <= first.started < first.finished <= time.time()


def test_the_writer_says_what_it_could_not_write(database: Database) -> None:
    cup = begin(database, "cup", "match", GAME, THREE)
    told: list[GameResult] = []
    writer = Writer(cup, told.extend)
    with database.engine.begin() as connection:
        connection.execute(text("DROP TABLE pairs"))
    writer.add(made(0))
    writer.add(made(1))
    with pytest.raises(StoreError, match=r"^2 finished games are not in the store: the store .* fails: .*pairs"):
        writer.close()
    assert told == []
    assert list(cup.finished_games()) == []


def test_one_program_at_a_time_plays_a_competition(database: Database, where: str) -> None:
    cup, other = begin(database, "cup", "match", GAME, THREE), begin(database, "other", "match", GAME, THREE)
    with open_database(where) as elsewhere:
        with Writer(cup) as writer, Writer(other):
            again = resume(elsewhere, "cup", GAME, THREE)
            with pytest.raises(StoreError, match="another program plays 'cup' and writes to the store"):
                Writer(again)
            assert mark_interrupted(elsewhere) == []
            writer.is_over = True
        assert [row.status for row in competitions(elsewhere)] == ["finished", "interrupted"]
        with Writer(resume(elsewhere, "other", GAME, THREE)):
            assert [row.status for row in competitions(database)] == ["finished", "running"]
        begin(elsewhere, "killed", "match", GAME, THREE)
        assert mark_interrupted(database) == ["killed"]
        assert [row.status for row in competitions(elsewhere)] == ["finished", "interrupted", "interrupted"]
    with ExitStack() as many:
        assert all(many.enter_context(database.claimed(number)) for number in range(100, 120))


def test_curves_begin_with_the_first_games_and_end_with_the_last(where: str) -> None:
    with Scorekeeper("match", "cup", GAME, THREE, "", store=where) as keeper:
        for number in range(60):
            keeper.add(made(number, [(0, 1), (2, 0)][number % 2]))
    keeper.raise_problem()
    games = [made(number, (0, 1)) for number in range(60, 80)]
    with Scorekeeper("match", "cup", GAME, THREE, "", store=where, resumed=True) as keeper:
        assert len(keeper.before) == 60
        for result in games:
            keeper.add(result)
    keeper.raise_problem()
    with open_database(where) as database:
        first, second, third = (rating_history(database, 1, entrant) for entrant in range(3))
        for curve, whole in ((first, [60, 80]), (second, [30, 50]), (third, [30, 30])):
            assert [rating.games for rating in curve] == sorted(rating.games for rating in curve)
            assert set(whole) <= {rating.games for rating in curve}
        expected = rate(
            ["a", "b", "c"], [(result.plan.seats, result.returns) for result in resume(database, "cup", GAME, THREE).finished_games()]
        )
        assert [first[-1].rating, second[-1].rating, third[-1].rating] == expected.ratings.tolist()
        assert first[-1].low == expected.low.tolist()[0]


def test_one_without_a_game_leaves_nothing(where: str) -> None:
    with Scorekeeper("match", "cup", GAME, THREE, "", store=where) as keeper:
        assert keeper.is_new
    with open_database(where) as database:
        assert competitions(database) == []
    with (
        Scorekeeper("match", "cup", GAME, THREE, "one", store=where) as first,
        Scorekeeper("match", "cup", GAME, THREE, "two", store=where) as second,
    ):
        assert (first.name, second.name) == ("cup", "cup (2)")


def test_of_several_that_were_begun_alike_the_newest_goes_on(where: str) -> None:
    for config, numbers in (("one", [0]), ("one", [0, 1, 2]), ("two", [0, 1])):
        with Scorekeeper("match", "cup", GAME, THREE, config, store=where) as keeper:
            for number in numbers:
                keeper.add(made(number))
    for config, name, games in (("one", "cup (2)", 3), ("two", "cup (3)", 2)):
        with Scorekeeper("match", "cup", GAME, THREE, config, store=where, resumed=True) as keeper:
            assert (keeper.name, keeper.games, keeper.is_new) == (name, games, False)


def test_a_listener_that_fails_is_told(database: Database) -> None:
    cup = begin(database, "cup", "match", GAME, THREE)
    writer = Writer(cup, lambda results: print(results[7]))
    writer.add(made(0))
    with pytest.raises(StoreError, match="0 finished games are not in the store: IndexError"):
        writer.close()
    assert len(list(cup.finished_games())) == 1


def test_groups(database: Database) -> None:
    """What comes while a group is being written is the next one, whole; nothing waits for more to come."""
    cup = begin(database, "cup", "match", GAME, THREE)
    groups: list[list[int]] = []
    first = threading.Event()

    def tell(results: Sequence[GameResult]) -> None:
        groups.append([result.number for result in results])
        first.set()

    with Writer(cup, tell) as writer:
        writer.add(made(0))
        assert first.wait(30)
        for number in range(1, 50):
            writer.add(made(number))
    assert groups[0] == [0]
    assert [number for group in groups for number in group] == list(range(50))
    assert len(groups) < 50


def test_several_processes_write_at_the_same_time(where: str) -> None:
    """Each opens the new store, enters the same players, and adds games of a competition of its own and of a common one."""
    context = multiprocessing.get_context("fork")
    together = context.Barrier(3, timeout=60)
    processes = [context.Process(target=_write, args=(where, number, together)) for number in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    with open_database(where) as database:
        assert [(row.name, row.games) for row in sorted(competitions(database), key=lambda row: row.name)] == [
            ("common", 80),
            *((f"cup {number}", 20) for number in range(3)),
        ]
        assert check_store(database).problems == ()


def _write(where: str, number: int, together: Any) -> None:
    together.wait()
    with open_database(where) as mine:
        own = begin(mine, f"cup {number}", "match", GAME, THREE)
        if number == 0:
            begin(mine, "common", "match", GAME, THREE)
        together.wait()
        common = resume(mine, "common", GAME, THREE)
        for game in range(20):
            own.add([made(game)])
            common.add([made(game, returns=(0.0, 0.0)), made(100 + 20 * number + game)])


def test_several_open_a_new_store_in_the_same_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite lets one of those that begin to write ahead together wait for the others' end, about once in sixty times: nobody has to."""
    monkeypatch.setattr(store_database, "PATIENCE", 5)
    together = threading.Barrier(4, timeout=60)

    def connect(database: Database) -> None:
        database.engine.connect()

    monkeypatch.setattr(store_database, "_bring_up_to_date", connect)  # the schema is not what they meet at

    def open_at_once(path: Path) -> Database:
        together.wait()
        return open_database(path)

    with ThreadPoolExecutor(4) as threads:
        for number in range(250):
            with ExitStack() as opened:
                for database in threads.map(open_at_once, [tmp_path / f"{number}.sqlite"] * 4):
                    opened.enter_context(database)


def test_an_older_store_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with open_database(path) as database:
        begin(database, "cup", "match", GAME, THREE).add([made(0)])
        with database.engine.begin() as connection:
            connection.execute(text("ALTER TABLE entrants DROP COLUMN byes"))
            connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    with open_database(path) as database:
        assert [(total.points, total.byes) for total in totals(database)] == [(1, 0), (0, 0), (0, 0)]


def test_who_is_to_end_asks_a_server_that_is_away_once_more(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, ending = Counter[str](), threading.Event()

    def write(work: object) -> None:
        asked["writes"] += 1
        ending.set()  # while it is away
        raise ServerLost("away")

    monkeypatch.setattr(store_database, "noticed", ending)
    monkeypatch.setattr(database, "write", write)
    with pytest.raises(ServerLost):
        database.write_again(lambda connection: None)
    assert asked["writes"] == 2


@pytest.mark.xdist_group("postgresql")
def test_a_server_that_was_away(postgresql: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(store_database, "KNOCKS", 0.01)
    monkeypatch.setattr(store_database, "noticed", threading.Event())
    told: list[GameResult] = []
    with open_database(postgresql) as database, open_database(postgresql) as elsewhere:
        cup = begin(database, "cup", "match", GAME, THREE)

        def send_all_away() -> None:
            assert len(competitions(database)) == 1  # leaves a connection in the pool
            with elsewhere.engine.connect() as connection:
                connection.execute(
                    text(
                        "SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity "
                        "WHERE datname = current_database() AND pid != pg_backend_pid()"
                    )
                )

        with Writer(cup, told.extend) as writer:
            writer.add(made(0))
            assert eventually(lambda: len(told) == 1)
            send_all_away()
            for number in range(1, 5):
                writer.add(made(number))
            assert eventually(lambda: len(told) == 5), writer.problem
            assert mark_interrupted(elsewhere) == []
            send_all_away()
            writer.is_over = True
        assert database.losses == 2
        assert [(row.status, row.games) for row in competitions(database)] == [("finished", 5)]
        assert [total.points for total in totals(database, 1)] == [total.points for total in totals(elsewhere, 1)]
        assert [result.number for result in cup.finished_games()] == list(range(5))
        monkeypatch.setattr(store_database, "MOST_AWAY", 0.0)
        writer = Writer(cup)
        send_all_away()
        writer.add(made(5))
        with pytest.raises(
            StoreError, match=r"^1 finished games are not in the store: the store .* fails: terminating connection"
        ) as caught:
            writer.close()
        assert "\\n" not in str(caught.value)
    assert capfd.readouterr().err == ""
