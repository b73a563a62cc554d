"""``ludarium tournament``."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
from pathlib import Path

import pytest

from ludarium.cli.entry import run
from ludarium.core.record import Header, Recorder
from ludarium.errors import StoreError
from tests.command_line import PROGRAM, run_program
from tests.players.programs.bots import eventually


@pytest.mark.parametrize("game", ["tic-tac-toe", "expendibots"])
def test_the_new_file_is_held_as_it_stands(game: str, tmp_path: Path, scale: int) -> None:
    """But for how long games of Expendibots may be: half of its players think for as long as they may."""
    path = tmp_path / "class.toml"
    assert run_program("tournament", "new", game, str(path)).stdout.endswith(f"  ludarium tournament {path}\n")
    if game == "expendibots" and scale == 1:
        path.write_text(path.read_text(encoding="utf-8").replace("[options] ", "[options]\nturn_limit = 12 "), encoding="utf-8")
    done = run_program("tournament", str(path))
    assert done.returncode == 0, done.stderr
    assert "24 games" in done.stdout
    assert "to watch it: ludarium serve, then http://127.0.0.1:8000/competitions/" in done.stderr
    assert len(list((tmp_path / "class" / "games").glob("*.jsonl"))) == 24
    again = run_program("tournament", str(path), "--resume", "--json", "--replays")
    assert (tmp_path / "class" / "report.html").read_text(encoding="utf-8").count('<script type="text/plain" id="game-') == 24
    told = json.loads(again.stdout)
    assert (told["tournament"], told["game"], told["games"], told["over"]) == ("class", game, 24, True)
    assert [player["rank"] for player in told["players"]] == [1, 2, 3, 4]
    assert sum(player["points"] for player in told["players"]) == 24
    assert json.loads((tmp_path / "class" / "table.json").read_text(encoding="utf-8")) == {
        key: told[key] for key in told if key != "seconds"
    }


def test_games_without_a_record_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "store.sqlite"
    monkeypatch.setenv("LUDARIUM_STORE", str(store))
    path = tmp_path / "class.toml"
    players = "".join(f'[[players]]\nname = "{name}"\nspec = "random"\n' for name in "AB")
    path.write_text(f'game = "tic-tac-toe"\ngames = 4\n{players}', encoding="utf-8")
    assert run(["tournament", str(path), "--concurrency", "1"]) == 0
    with contextlib.closing(sqlite3.connect(store)) as database, database:
        database.execute("UPDATE games SET record = NULL WHERE number = 2")
    assert run(["tournament", str(path), "--resume"]) == 2
    said = capsys.readouterr()
    assert said.out.endswith(f"report: {tmp_path / 'class' / 'report.html'}\n")
    assert said.err.endswith("error: 1 of 4 games have no whole record; of the first of them, it was not written to its end\n")


def test_a_full_disk_ends_it_with_what_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LUDARIUM_STORE", str(tmp_path / "store.sqlite"))
    path = tmp_path / "class.toml"
    players = "".join(f'[[players]]\nname = "{name}"\nspec = "random"\n' for name in "AB")
    path.write_text(f'game = "tic-tac-toe"\ngames = 4\n{players}', encoding="utf-8")

    def recorder(path: Path, header: Header) -> Recorder:
        if path.name == "game-0003.jsonl":
            raise StoreError("the disk is full")
        return Recorder(path, header)

    with monkeypatch.context() as disk:
        disk.setattr("ludarium.arena.games.Recorder", recorder)
        assert run(["tournament", str(path), "--concurrency", "1"]) == 2
    said = capsys.readouterr()
    assert said.out.startswith("class: Tic-tac-toe, 2 games, not over")
    assert said.err.endswith("error: the disk is full; without a record no more games were begun\n")
    assert f"to go on: ludarium tournament {path} --concurrency 1 --resume\n" in said.err


def test_options_of_the_game_are_written(tmp_path: Path) -> None:
    path = tmp_path / "class.toml"
    assert run(["tournament", "new", "liars-dice", str(path), "-o", "players=3", "-o", "ones=plain"]) == 0
    text = path.read_text(encoding="utf-8")
    assert "players = 3\n" in text
    assert 'ones = "plain"\n' in text
    assert "games = 6 " in text


def test_a_file_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "class.toml"
    path.write_text("mine")
    assert run(["tournament", "new", "tic-tac-toe", str(path)]) == 2
    assert capsys.readouterr().err == f"error: {path} cannot be written: File exists\n"
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing.toml"], "error: nothing.toml cannot be read: No such file or directory\n"),
        (["new", "chess", "a.toml"], "error: game 'chess' is not one of: "),
        ([""], "error: Invalid value for 'FILE': '' names no file or folder\n"),
    ],
)
def test_bad_arguments(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["tournament", *arguments]) == 2
    assert capsys.readouterr().err.startswith(message)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_stopping_says_how_to_go_on(number: int, code: int, tmp_path: Path) -> None:
    path = tmp_path / "class.toml"
    assert run(["tournament", "new", "tic-tac-toe", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("games = 4 ", "games = 100000 "), encoding="utf-8")
    process = subprocess.Popen([PROGRAM, "tournament", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while len(list((tmp_path / "class").glob("games/*.jsonl"))) < 5:
        assert process.poll() is None
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert process.returncode == code
    assert ", not over, " in out
    assert "This tournament is not over." in (tmp_path / "class" / "report.html").read_text(encoding="utf-8")
    assert err.endswith(f"to go on: ludarium tournament {path} --resume\n")


@pytest.mark.parametrize("what", ["deleted", "replaced"])
def test_a_store_that_is_lost_is_noticed(what: str, tmp_path: Path) -> None:
    path, store = tmp_path / "class.toml", tmp_path / "store.sqlite"
    assert run(["tournament", "new", "tic-tac-toe", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("games = 4 ", "games = 100000 "), encoding="utf-8")
    told = {**os.environ, "LUDARIUM_STORE": str(store)}
    with subprocess.Popen(
        [PROGRAM, "tournament", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=told
    ) as process:
        while len(list((tmp_path / "class").glob("games/*.jsonl"))) < 5:
            assert process.poll() is None
        if what == "replaced":
            tmp_path.joinpath("other").touch()
            tmp_path.joinpath("other").replace(store)
        else:
            store.unlink()
        out, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert ", not over, " in out
    why = "its file was deleted or moved" if what == "deleted" else "another file is in its place"
    assert f"to go on: ludarium tournament {path} --resume\nerror: " in err
    assert err.endswith(f" finished games are not in the store: the store {store} is lost: {why} since it was opened\n")
    for file in tmp_path.glob("store.sqlite*"):
        file.unlink()
    records = len(list((tmp_path / "class").glob("games/*.jsonl")))
    with subprocess.Popen([PROGRAM, "tournament", str(path), "--resume"], stderr=subprocess.DEVNULL, env=told) as process:
        assert eventually(lambda: games_in(store) >= records - 2)  # but those that were being played
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130


def games_in(store: Path) -> int:
    with contextlib.closing(sqlite3.connect(store)) as connection, contextlib.suppress(sqlite3.OperationalError):  # it is being made
        return connection.execute("SELECT count(*) FROM games").fetchone()[0]
    return 0


def test_ratings_and_the_cross_table_stand_below_each_other(tmp_path: Path) -> None:
    path = tmp_path / "class.toml"
    players = "".join(
        f'[[players]]\nname = "player {number} with a name of nearly sixty characters, for whom"\nspec = "{spec}"\n'
        for number, spec in enumerate(["random", "alphabeta:depth=2", "greedy", "random"])
    )
    path.write_text(f'game = "tic-tac-toe"\ngames = 6\n{players}', encoding="utf-8")
    for columns, is_shown, more in ((120, True, ()), (80, False, ("--resume",))):
        done = run_program("tournament", str(path), *more, COLUMNS=str(columns))
        table = json.loads((tmp_path / "class" / "table.json").read_text(encoding="utf-8"))
        first = table["players"][0]
        assert f"{first['rating']:+.0f} ± {(first['high'] - first['low']) / 2:.0f}" in done.stdout
        assert f"{100 * first['superiority']:.0f} %" in done.stdout
        assert ("points against" in done.stdout) == is_shown
        assert done.stdout.endswith(f"report: {tmp_path / 'class' / 'report.html'}\n")
