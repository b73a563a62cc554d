"""The store and the records of its games."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, text, update

import ludarium
from ludarium.arena import match, play_game
from ludarium.arena.ratings import rate
from ludarium.arena.store import (
    Database,
    Search,
    Writer,
    begin,
    competition_of,
    competitions,
    cross_table,
    entrants_of,
    open_database,
    rating_history,
    schema,
    search_games,
    totals,
)
from ludarium.arena.store.records import Imported, check_store, export_records, import_records, record_files
from ludarium.core.record import read_record
from ludarium.errors import StoreError

GAME = ludarium.game("expendibots")
PLAYERS = ["random", "greedy"]


def play(database: Database, folder: Path, games: int = 6) -> None:
    with Writer(begin(database, "cup", "match", GAME, entrants_of(PLAYERS))) as writer:
        match(GAME, PLAYERS, games=games, seed=1, records=folder, on_result=writer.add)


def imported(database: Database, *paths: Path) -> Imported:
    return import_records(database, record_files(paths))


def test_a_store_is_made_again_from_records(database: Database, tmp_path: Path) -> None:
    play(database, tmp_path / "records")
    with open_database(tmp_path / "again.sqlite") as again:
        assert imported(again, tmp_path / "records") == Imported(6, 0, 0, ())
        assert imported(again, tmp_path / "records") == Imported(0, 6, 0, ())
        old, new = search_games(database), search_games(again)
        for name in (
            "number",
            "round",
            "game",
            "options",
            "opening",
            "seed",
            "players",
            "returns",
            "reason",
            "forfeits",
            "plies",
            "digest",
            "record",
        ):
            assert [getattr(game, name) for game in new] == [getattr(game, name) for game in old]
        assert [(one.name, one.wins, one.draws, one.losses, one.points) for one in totals(again)] == [
            (one.name, one.wins, one.draws, one.losses, one.points) for one in totals(database)
        ]
        assert cross_table(again, 1) == cross_table(database, 1)
        assert competitions(again)[0].name == str(tmp_path / "records")
        began = sorted(game.started for game in new if game.started is not None)
        curve = rating_history(again, 1, 0)
        assert [(point.time, point.games) for point in curve] == list(zip(began, range(1, 7), strict=True))
        expected = rate(PLAYERS, [((0, 1) if game.players[0] == "random" else (1, 0), game.returns) for game in new])
        assert [curve[-1].rating, curve[-1].low, curve[-1].high] == [
            column[0] for column in (expected.ratings, expected.low, expected.high)
        ]
        for store in (database, again):
            assert check_store(store).problems == ()


def test_a_competition_of_records_lasts_from_its_first_start_to_its_last_end(database: Database, tmp_path: Path) -> None:
    play(database, tmp_path / "rec", games=4)
    folder = tmp_path / "copies"
    shutil.copytree(tmp_path / "rec", folder)
    starts = {
        1: "2026-01-02T10:00:00+00:00",
        2: "2026-01-01T10:00:00+00:00",
        3: "2026-01-02T09:00:00+00:00",
        4: "2025-12-31T10:00:00+00:00",
    }
    minutes = {1: 60, 2: 120, 3: 180, 4: -5}  # the last clock was put back meanwhile
    for number, start in starts.items():
        path = folder / f"game-{number:04}.jsonl"
        header, *events = path.read_text().splitlines(keepends=True)
        path.write_text("".join([json.dumps(json.loads(header) | {"time": start}) + "\n", *events]))
        ended = datetime.fromisoformat(start).timestamp() + 60 * minutes[number]
        os.utime(path, (ended, ended))
    imported(database, *(folder / f"game-{number:04}.jsonl" for number in (1, 2)))
    assert imported(database, folder).games == 2
    row = competition_of(database, 2)
    assert row is not None
    assert datetime.fromtimestamp(row.created, UTC).isoformat() == starts[4]
    assert row.finished is not None
    assert datetime.fromtimestamp(row.finished, UTC).isoformat() == "2026-01-02T12:00:00+00:00"
    games = search_games(database, Search(competition=row.name))
    assert [round((game.finished or 0) - (game.started or 0)) // 60 for game in games] == [0, 180, 120, 60]


def test_the_digest_is_of_the_text_that_was_read(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record that another program replaces at any moment is one game or the other."""
    play(database, tmp_path / "rec", games=2)
    first, second = sorted((tmp_path / "rec").glob("*.jsonl"))
    path, one = tmp_path / "changing" / "game.jsonl", first.read_bytes()
    path.parent.mkdir()
    path.write_bytes(one)
    open_file = Path.open

    def replaced(self: Path, *arguments: Any, **options: Any) -> Any:
        file = open_file(self, *arguments, **options)
        if self == path:
            shutil.copy(second, tmp_path / "aside").replace(path)
        return file

    monkeypatch.setattr(Path, "open", replaced)
    assert imported(database, path.parent).games == 1
    (game,) = search_games(database, Search(competition=str(path.parent)))
    assert game.record_digest == hashlib.sha256(one).hexdigest()
    assert game.seed == json.loads(one.splitlines()[0])["seed"]


def test_what_a_match_has_written_is_known(database: Database, tmp_path: Path) -> None:
    play(database, tmp_path / "records")
    assert imported(database, tmp_path / "records") == Imported(0, 6, 0, ())
    (tmp_path / "records").rename(tmp_path / "moved")
    assert imported(database, tmp_path / "moved") == Imported(0, 6, 0, ())
    assert len(competitions(database)) == 1


def test_a_servers_folder(database: Database, tmp_path: Path) -> None:
    """Games of several kinds, some of which go on, some damaged; and later more of them."""
    games = tmp_path / "data" / "games"
    play_game(GAME, ["random", "random"], seed=1, record=games / "abc.jsonl")
    play_game(ludarium.game("roboderby", players=3, turn_limit=2), ["random", "greedy", "random"], seed=1, record=games / "def.jsonl")
    play_game(GAME, ["random", "greedy"], seed=2, record=games / "ghi.jsonl", interrupted=iter([False] * 5 + [True] * 5).__next__)
    (games / "jkl.jsonl").write_bytes((games / "abc.jsonl").read_bytes()[:60])
    (games / "mno.jsonl").write_text("{}\n")
    (games / "abc.seats.json").write_text("{}")
    (games / "vwx.jsonl").write_bytes((games / "abc.jsonl").read_bytes()[:-20])
    done = imported(database, tmp_path / "data")
    assert (done.games, done.known, done.unfinished) == (2, 0, 2)
    assert [line.partition(":")[0] for line in done.refused] == ["jkl.jsonl, line 1", "mno.jsonl, line 1"]
    assert [(total.name, total.games) for total in totals(database, 1)] == [("random", 2), ("random", 2), ("greedy", 1)]
    play_game(GAME, ["random", "random"], seed=3, record=games / "pqr.jsonl")
    assert imported(database, tmp_path / "data").games == 1
    assert [game.number for game in search_games(database)] == [2, 1, 0]
    assert check_store(database).problems == ()


def test_a_folder_that_grows_is_one_competition_and_no_other_is_called_as_it_is(database: Database, tmp_path: Path) -> None:
    game, records = ludarium.game("tic-tac-toe"), tmp_path / "records"
    for seed, players in ((1, ["greedy", "random"]), (2, ["random", "random"])):
        play_game(game, players, seed=seed, record=records / f"game-{2 * seed:04}.jsonl")
        assert imported(database, records).games == 1
    (row,) = competitions(database)
    assert (row.name, row.kind, row.game, row.status, row.games, row.players) == (str(records), "records", game.id, "finished", 2, 3)
    assert [(total.name, total.spec, total.version) for total in totals(database, row.id)] == [
        ("greedy", "greedy", ""),
        ("random", "random", ""),
        ("random", "random", ""),
    ]
    assert [(one.number, one.round) for one in search_games(database)] == [(3, 1), (1, 0)]
    play_game(game, ["random", "random"], seed=4, record=records / "final.jsonl")
    shutil.copy(records / "final.jsonl", records / "game-0000.jsonl")
    assert imported(database, records).games == 2
    assert [one.number for one in search_games(database)] == [5, 4, 3, 1]  # what has no number goes behind those that have
    play_game(game, ["random", "greedy"], seed=3, record=tmp_path / "match" / "a.jsonl")
    begin(database, str(tmp_path / "match"), "match", game, entrants_of(PLAYERS))
    with pytest.raises(StoreError, match=r"the store has a match '.*match', which the folder's records would be mixed with"):
        imported(database, tmp_path / "match")


def test_games_of_a_folder_are_rated_if_all_are_of_one_kind(database: Database, tmp_path: Path) -> None:
    others = [(ludarium.game("tic-tac-toe"), ["random", "greedy"]), (ludarium.game("liars-dice", dice=1), ["random", "random"])]
    for folder, seed, games in (("one", 3, others[:1] * 2), ("several", 5, others)):
        for number, (game, players) in enumerate(games, seed):
            play_game(game, players, seed=number, record=tmp_path / folder / f"{number}.jsonl")
        assert imported(database, tmp_path / folder).games == 2
    assert {rating.entrant for rating in rating_history(database, 1)} == {0, 1}
    assert rating_history(database, 2) == []


def test_equal_games_are_different_games(database: Database, tmp_path: Path) -> None:
    for name in ("game-0001.jsonl", "game-0002.jsonl"):
        play_game(GAME, ["random", "random"], seed=1, record=tmp_path / "records" / name)
        content = (tmp_path / "records" / "game-0001.jsonl").read_bytes()
        (tmp_path / "records" / name).write_bytes(content)
    assert imported(database, tmp_path / "records").games == 2
    assert imported(database, tmp_path / "records").known == 2


def test_records_that_say_otherwise(database: Database, tmp_path: Path) -> None:
    records = tmp_path / "records"
    play(database, records)
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE seats SET returns = -returns, result = -result WHERE number = 1"))
        connection.execute(text("UPDATE games SET seed = '5' WHERE number = 2"))
        connection.execute(text("UPDATE entrants SET wins = wins + 3 WHERE number = 0"))
    shutil.copy(records / "game-0006.jsonl", records / "game-0004.jsonl")
    (records / "game-0005.jsonl").unlink()
    found = check_store(database)
    wins = [total.wins for total in totals(database)]
    assert (found.games, found.records, found.repaired) == (6, 6, 0)
    assert [problem.replace(str(records), "DIR") for problem in found.problems] == [
        "game 1:4: its record DIR/game-0005.jsonl cannot be read: No such file or directory",
        "game 1:3: its record DIR/game-0004.jsonl has changed since",
        "game 1:2: its record DIR/game-0003.jsonl has other seed",
        "game 1:1: its record DIR/game-0002.jsonl has other returns",
        "competition 1: its players' totals are wrong, its cross table is wrong",
    ]
    assert [total.wins for total in totals(database)] == wins
    assert check_store(database, repair=True).repaired == 3  # counted anew with the games
    left = check_store(database)
    assert len(left.problems) == 1
    with database.engine.begin() as connection:
        connection.execute(update(schema.competitions).values(games=70))
        connection.execute(delete(schema.pairs))
    assert check_store(database, repair=True).problems[1] == "competition 1: 70 games are counted, 6 are there, its cross table is wrong"
    assert check_store(database).problems == left.problems
    recorded = [read_record(path).events[-1]["returns"] for path in sorted(records.iterdir())]
    assert [list(game.returns) for game in reversed(search_games(database)) if game.number != 4] == recorded


def test_export(database: Database, tmp_path: Path) -> None:
    play(database, tmp_path / "records")
    begin(database, "other: cup", "match", GAME, entrants_of(PLAYERS))
    out = tmp_path / "out"
    (tmp_path / "records" / "game-0002.jsonl").unlink()
    (tmp_path / "records" / "game-0003.jsonl").write_text("{}\n")
    for _ in range(2):
        done = export_records(database, out)
        assert done.games == 4
        assert [line.partition(": ")[0] for line in done.missing] == ["game 1:2", "game 1:1"]
    assert [path.name for path in sorted((out / "1-cup").iterdir())] == [f"game-000{number}.jsonl" for number in (1, 4, 5, 6)]
    assert (out / "1-cup" / "game-0001.jsonl").read_bytes() == (tmp_path / "records" / "game-0001.jsonl").read_bytes()
    assert export_records(database, tmp_path / "none", Search(competition="other: cup")).games == 0
    (out / "1-cup" / "game-0001.jsonl").write_text(json.dumps({}))
    with pytest.raises(StoreError, match="is another game's; name an empty folder"):
        export_records(database, out)
    with pytest.raises(StoreError, match="there is no file or folder"):
        record_files([tmp_path / "nowhere"])


def test_vacuum(database: Database) -> None:
    begin(database, "cup", "match", GAME, entrants_of(PLAYERS))
    database.vacuum()
    assert database.size() > 4096
    assert competitions(database)[0].name == "cup"
