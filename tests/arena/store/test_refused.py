"""Stores that cannot be used say so in one line, and lose nothing."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest
from sqlalchemy import text

import ludarium
from ludarium.arena import GameResult
from ludarium.arena.store import Search, Writer, begin, database, entrants_of, open_database, resume, search_games
from ludarium.arena.store.records import check_store
from ludarium.errors import StoreError
from tests.arena.store.made import made
from tests.disks import room_for

GAME = ludarium.game("expendibots")
PLAYERS = entrants_of(["random", "greedy"])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with one game."""
    path = tmp_path / "store.sqlite"
    with open_database(path) as store:
        begin(store, "cup", "match", GAME, PLAYERS).add([made(0)])
    return path


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("nonsense://x", "no driver is called nonsense"),
        ("sqlite://", "in memory alone; name a file"),
        ("://", "'://' is no URL of a database; write a file, sqlite:///FILE or postgresql://"),
        ("postgresql://me:secret@127.0.0.1:1/x", r"postgresql\+psycopg://me:\*\*\*@127.0.0.1:1/x fails: .*refused"),
        ("/proc/nowhere/store", "the store /proc/nowhere/store cannot be made"),
        ("/dev/null", "the store /dev/null fails: disk I/O error"),
    ],
)
def test_wrong_places(where: str, message: str) -> None:
    with pytest.raises(StoreError, match=message) as caught:
        open_database(where)
    assert "\\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_driver_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.setitem(sys.modules, "MySQLdb", None)
    with pytest.raises(
        StoreError, match="needs MySQLdb, which is not installed; what serves without it is a file, sqlite:///FILE or postgresql://"
    ):
        open_database("mysql://localhost/x")
    with pytest.raises(StoreError, match=r"needs psycopg, which is not installed: pip install 'ludarium\[postgres\]'"):
        open_database("postgresql://localhost/x")


def test_what_is_only_read_makes_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store"):
        open_database(tmp_path / "new" / "store.sqlite", create=False)
    with pytest.raises(StoreError, match=r"there is no store .*/~nobody knows/store"):
        open_database("~nobody knows/store", create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_newer_schema(path: Path) -> None:
    with open_database(path) as store, store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(
        StoreError, match=r"has schema 9999, which this version of Ludarium does not know \(it knows 0007\); update Ludarium"
    ):
        open_database(path)


def test_another_programs_database(tmp_path: Path) -> None:
    path = tmp_path / "cookies.sqlite"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE cookies (id)")
    with pytest.raises(StoreError, match="is another program's database, with tables such as cookies; name an empty one"):
        open_database(path)


def test_damage(path: Path) -> None:
    with closing(sqlite3.connect(path)) as store:
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = path.read_bytes()
    path.write_bytes(b"rubbish " * 2000)
    with pytest.raises(StoreError, match="is no database of SQLite, or its file is damaged"):
        open_database(path)
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    with pytest.raises(StoreError, match="is damaged; move its file away and import the records"):
        open_database(path)
    with open_database(path.with_name("copy.sqlite")) as store:
        begin(store, "cup", "match", GAME, PLAYERS).add([made(number) for number in range(300)])
        store.vacuum()
        with store.reading() as connection:
            root = connection.execute(text("SELECT rootpage FROM sqlite_schema WHERE name = 'ix_games_game'")).scalar_one()
    with path.with_name("copy.sqlite").open("r+b") as file:
        file.seek(4096 * (root - 1))
        file.write(b"\xff" * 4096)
    with open_database(path.with_name("copy.sqlite")) as store:
        with pytest.raises(StoreError, match="is damaged; move its file away"):
            search_games(store, Search(game="expendibots"))
        with pytest.raises(StoreError, match="is damaged; move its file away"):
            check_store(store)


def test_a_file_that_may_only_be_read(path: Path) -> None:
    with open_database(f"sqlite:///file:{path}?mode=ro&uri=true") as store:
        with pytest.raises(StoreError, match="cannot be written: it is read-only"):
            resume(store, "cup", GAME, PLAYERS)
        assert check_store(store).games == 1


def test_a_file_that_another_program_has_locked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    with open_database(path) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        cup = resume(store, "cup", GAME, PLAYERS)
        writer = Writer(cup)
        other.execute("BEGIN IMMEDIATE")
        writer.add(made(1))
        with pytest.raises(StoreError, match=r"1 finished games are not in the store: the store .* has been locked by another program"):
            writer.close()
        with pytest.raises(StoreError, match="has been locked by another program"):
            store.vacuum()
        other.execute("ROLLBACK")
        cup.add([made(1)])
        assert len(list(cup.finished_games())) == 2


def test_a_full_disk(path: Path) -> None:
    with open_database(path) as store:
        cup = resume(store, "cup", GAME, PLAYERS)
        number = 0
        with room_for(300_000), suppress(StoreError):
            while True:
                cup.add([made(number + 1)])
                number += 1
        assert number > 3
        with room_for(300_000):
            told: list[GameResult] = []
            writer = Writer(cup, told.extend)
            writer.add(made(number + 1))
            with pytest.raises(StoreError, match=r"^1 finished games are not in the store: .*(disk is full|disk I/O error)"):
                writer.close()
            assert told == []
        assert [one.number for one in cup.finished_games()] == list(range(number + 1))
        cup.add([made(one) for one in range(number + 2)])
        assert len(list(cup.finished_games())) == number + 2
        assert check_store(store).problems == ()
