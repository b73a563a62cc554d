"""Games that do not count, and players that are expelled with their games, in SQLite and PostgreSQL."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

import ludarium
from ludarium.arena import GameResult
from ludarium.arena.play import play_game
from ludarium.arena.ratings import rate
from ludarium.arena.reports.misfits import misfits_of
from ludarium.arena.reports.stored import stored_table
from ludarium.arena.store import (
    Competition,
    Database,
    Entrant,
    Search,
    Voiding,
    Writer,
    begin,
    competition_of,
    cross_table,
    current_ratings,
    expel,
    expulsions,
    find_competition,
    game_of,
    last_number,
    latest_results,
    open_database,
    rating_history,
    readmit,
    restore,
    resume,
    search_games,
    totals,
    void,
)
from ludarium.arena.store.curves import remake_of
from ludarium.arena.store.records import check_store, export_records, import_records
from ludarium.arena.store.voiding import state_of
from ludarium.errors import BadOption, StoreError
from tests.arena.store.made import made

GAME = ludarium.game("expendibots")
FOUR = [Entrant(name, name) for name in ("Ann", "Ben", "Cleo", "Dan")]

SEATS = [(0, 1), (2, 1), (3, 0), (1, 3), (0, 2), (2, 3), (1, 0), (3, 2), (0, 3), (1, 2), (0, 1)]
RETURNS = [
    (1.0, -1.0),
    (0.0, 0.0),
    (-1.0, 1.0),
    (1.0, -1.0),
    (1.0, -1.0),
    (-1.0, 1.0),
    (0.5, -0.5),
    (0.0, 0.0),
    (1.0, -1.0),
    (-1.0, 1.0),
    (-1.0, 1.0),
]


def played() -> list[GameResult]:
    return [made(number, seats, returns) for number, (seats, returns) in enumerate(zip(SEATS, RETURNS, strict=True))]


def cup(database: Database, kind: str = "ladder", name: str = "cup") -> Competition:
    competition = begin(database, name, kind, GAME, FOUR)
    competition.add(played())
    remake_of(database, find_competition(database, name))
    return competition


def seen(database: Database, name: str = "cup") -> dict[str, Any]:
    """All that is told of a competition's games."""
    row = find_competition(database, name)
    table = stored_table(database, row, 2)
    return {
        "games": row.games,
        "totals": totals(database, row.id),
        "pairs": cross_table(database, row.id),
        "ratings": {entrant: round(found.rating, 6) for entrant, found in current_ratings(database, row.id).items()},
        "latest": latest_results(database, row.id, 500),
        "listed": [(one.number, one.players) for one in search_games(database, Search(competition=name))],
        "rows": table.rows,
        "report": misfits_of(database, row),
        "problems": check_store(database).problems,
    }


def other(database: Database, games: list[GameResult]) -> None:
    """Make a ladder that never had any other games."""
    begin(database, "other", "ladder", GAME, FOUR).add(games)
    remake_of(database, find_competition(database, "other"))


def without(numbers: set[int]) -> list[GameResult]:
    return [result for result in played() if result.number not in numbers]


def test_the_table_is_what_it_is_without_voided_games(database: Database) -> None:
    cup(database)
    void(database, ["1:3", "1:0", "1:10"], "played by hand")
    assert (find_competition(database, "cup").games, find_competition(database, "cup").voided) == (8, 3)
    other(database, without({0, 3, 10}))
    found, expected = seen(database), seen(database, "other")
    assert found == expected
    assert found["problems"] == ()
    assert {0, 1, 2, 3} == found["ratings"].keys()
    numbers = [number for number in range(11) if number not in (0, 3, 10)]
    results = [(SEATS[number], RETURNS[number]) for number in numbers]
    ratings = rate(["0", "1", "2", "3"], results).ratings
    assert list(found["ratings"].values()) == pytest.approx(ratings.tolist(), abs=1e-5)
    assert rating_history(database, 1, 1)[-1].games == sum(1 in seats for seats, _ in results)


def test_what_was_voided_stays_with_its_reason(database: Database) -> None:
    cup(database)
    before = seen(database)
    void(database, ["1:3"], "played by hand")
    game = game_of(database, "1:3")
    assert game is not None
    assert (game.voided[0].reason, game.voided[0].expelled) == ("played by hand", None)
    assert [one.number for one in search_games(database, Search(voided=True))] == [3]
    assert [one.number for one in search_games(database, Search(voided=True, player="Ben", result="win"))] == [3]
    assert search_games(database, Search(voided=True, player="Ann")) == []
    assert len(search_games(database, Search(voided=None))) == 11
    assert (game.as_json()["voided"][0]["reason"], last_number(database, 1)) == ("played by hand", 10)
    void(database, ["1:3"], "by two hands")
    assert [one.reason for one in search_games(database, Search(voided=True))[0].voided] == ["by two hands"]
    restore(database, ["1:3"])
    assert seen(database) == before
    assert [one.voided for one in search_games(database, Search(competition="cup"))] == [()] * 11


def test_an_expelled_player_takes_its_games_with_it(database: Database) -> None:
    competition = cup(database)
    before, state = seen(database), state_of(database, 1)
    (found,) = expel(database, "1", "ben", "lost on purpose to Ann")
    assert state_of(database, 1) != state
    assert (found.entrant, found.name, found.reason, found.games) == (1, "Ben", "lost on purpose to Ann", 6)
    bens = {number for number, seats in enumerate(SEATS) if 1 in seats}
    competition.add([made(11, (2, 0)), made(12, (1, 3)), made(13, (3, 1), (-1.0, 1.0))])  # was playing, and finishes
    expel(database, "cup", "Ben", "lost on purpose to Ann, again and again")
    other(database, [*without(bens), made(11, (2, 0))])
    assert seen(database) == seen(database, "other")
    assert totals(database, 1)[1].games == 0
    assert 1 not in current_ratings(database, 1)
    assert (expulsions(database, 1)[0].games, find_competition(database, "cup").voided) == (8, 8)
    game = game_of(database, "1:12")
    assert game is not None
    assert [(why.reason, why.expelled) for why in game.voided] == [("lost on purpose to Ann, again and again", 1)]
    readmit(database, "cup", "Ben")
    assert expulsions(database, 1) == []
    competition.add([made(14, (1, 2))])
    assert find_competition(database, "cup").games == 15
    void(database, ["1:11", "1:12", "1:13", "1:14"], "to compare")
    assert seen(database) == before


def test_reasons_are_undone_one_by_one(database: Database) -> None:
    cup(database)
    expel(database, "cup", "Ann", "traded")
    expel(database, "cup", "Dan", "traded")
    void(database, ["1:2", "1:9"], "by hand")  # Dan against Ann, and Ben against Cleo
    assert [total.games for total in totals(database, 1)] == [0, 1, 1, 0]
    readmit(database, "cup", "Ann")
    assert {one.number for one in search_games(database)} == {0, 1, 4, 6, 10}
    readmit(database, "cup", "Dan")
    assert {one.number for one in search_games(database, Search(voided=True))} == {2, 9}
    with pytest.raises(StoreError, match=r"^game 1:3 was not voided, or only with an expelled player$"):
        restore(database, ["1:3", "1:9"])
    restore(database, ["1:2"])
    assert {one.number for one in search_games(database, Search(voided=True))} == {9}
    assert check_store(database).problems == ()


def test_players_that_share_a_name_are_expelled_together(database: Database) -> None:
    entrants = [Entrant("Ann", "a.py", "1"), Entrant("Ben", "b.py"), Entrant("ann", "a.py", "2")]
    begin(database, "cup", "tournament", GAME, entrants).add([made(0), made(1, (1, 2)), made(2, (2, 0))])
    assert [(one.entrant, one.games) for one in expel(database, "cup", "Ann", "one team")] == [(0, 2), (2, 2)]
    assert find_competition(database, "cup").games == 0
    assert current_ratings(database, 1) == {}


def test_a_tournament_with_voided_games_is_not_resumed(database: Database) -> None:
    cup(database, "tournament").finish()
    void(database, ["1:3"], "by hand")
    with pytest.raises(StoreError, match=r"^'cup' has 1 voided games, so it cannot be resumed; 'ludarium store list 1' prints its table$"):
        resume(database, "cup", GAME, FOUR)
    restore(database, ["1:3"])
    assert len(list(resume(database, "cup", GAME, FOUR).finished_games())) == 11
    cup(database, "ladder", "ladder")
    void(database, ["2:3"], "by hand")
    assert [game.number for game in resume(database, "ladder", GAME, FOUR).finished_games()] == [0, 1, 2, *range(4, 11)]


def test_what_is_being_played_is_not_changed_but_a_ladder(database: Database, where: str) -> None:
    for number, kind in enumerate(("tournament", "ladder"), 1):
        safe = threading.Semaphore(0)
        competition = begin(database, kind, kind, GAME, FOUR)
        with Writer(competition, lambda results, safe=safe: safe.release(len(results))) as writer, open_database(where) as second:
            for game in range(3):
                writer.add(made(game))
                assert safe.acquire(timeout=30)
            if kind == "ladder":
                void(second, [f"{number}:1"], "by hand")
            else:
                with pytest.raises(StoreError, match=r"^'tournament' is running; void its games after its end$"):
                    void(second, [f"{number}:1"], "by hand")
    assert [(row.games, row.voided) for row in (competition_of(database, id) for id in (1, 2)) if row] == [(3, 0), (2, 1)]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (["1:3", "1:11"], "^the store .* has no game 1:11$"),
        (["7:3"], "^the store .* has no game 7:3$"),
        (["three"], "^'three' is not the key of a game; "),
    ],
)
def test_games_that_are_none(keys: list[str], message: str, database: Database) -> None:
    cup(database)
    for change in (lambda: void(database, keys, "by hand"), lambda: restore(database, keys)):
        with pytest.raises((StoreError, BadOption), match=message):
            change()
    assert find_competition(database, "cup").voided == 0


def test_players_that_are_none(database: Database) -> None:
    cup(database)
    with pytest.raises(StoreError, match=r"^'cup' has no player 'Eve'; 'ludarium store list 1' lists its players$"):
        expel(database, "cup", "Eve", "never here")
    with pytest.raises(StoreError, match=r"^'Ann' was not expelled$"):
        readmit(database, "cup", "Ann")
    for change in (lambda: void(database, ["1:1"], " "), lambda: expel(database, "cup", "Ann", "")):
        with pytest.raises(BadOption, match=r"^the reason is empty"):
            change()


def test_records_of_voided_games_are_known_and_not_exported(database: Database, tmp_path: Path) -> None:
    for seed in (1, 2, 3):
        play_game(GAME, ["random", "random"], seed=seed, record=tmp_path / "records" / f"game-000{seed}.jsonl")
    records = sorted((tmp_path / "records").iterdir())
    assert import_records(database, records).games == 3
    history = rating_history(database, 1)
    void(database, ["1:1"], "by hand")
    assert import_records(database, records).known == 3
    assert export_records(database, tmp_path / "out").games == 2
    assert export_records(database, tmp_path / "voided", Search(voided=True)).games == 1
    records[1].write_text(records[1].read_text().replace('"seed": 2', '"seed": 5').replace('"seed":2', '"seed":5'))
    assert check_store(database, repair=True).repaired == 1  # voided games are checked, too, and stay voided
    game = game_of(database, "1:1")
    assert game is not None
    assert (game.seed, [type(one) for one in game.voided]) == (5, [Voiding])
    assert check_store(database).problems == ()
    restore(database, ["1:1"])
    assert [rating.rating for rating in rating_history(database, 1)] == pytest.approx([rating.rating for rating in history])


def test_an_older_store_gets_the_tables(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with open_database(path) as database:
        cup(database)
        with database.engine.begin() as connection:
            connection.execute(text("DROP TABLE voided"))
            connection.execute(text("DROP TABLE expelled"))
            connection.execute(text("ALTER TABLE seats DROP COLUMN forfeit"))
            connection.execute(text("ALTER TABLE games ADD COLUMN forfeited SMALLINT"))
            connection.execute(text("UPDATE games SET forfeited = 1 WHERE number = 3"))
            connection.execute(text("UPDATE alembic_version SET version_num = '0004'"))
    with open_database(path) as database:
        void(database, ["1:4"], "by hand")
        assert find_competition(database, "cup").games == 10
        assert {game.number: game.forfeits for game in search_games(database) if game.forfeits} == {3: {1: "made up"}}
