"""``ludarium store`` and ``ludarium match --store``."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.arena import GameResult
from ludarium.arena.store import Competition, Scorekeeper, Writer, begin, open_database
from ludarium.cli.common import screen
from ludarium.cli.entry import run
from ludarium.cli.signals import StopSignal
from ludarium.errors import StoreError


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUDARIUM_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path


def play(place: Path, *more: str) -> list[str]:
    return [
        "match",
        "expendibots",
        "random",
        "greedy",
        "-n",
        "4",
        "--seed",
        "1",
        "--workers",
        "1",
        "--store",
        "--records",
        str(place / "rec"),
        *more,
    ]


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run(["store", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_match_in_the_store(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(play(place)) == 0
    output = capsys.readouterr()
    (row,) = asked(capsys, "list")["competitions"]
    assert output.out.splitlines()[-1] == f"In the store as '{row['name']}'"
    assert (row["kind"], row["game"], row["status"], row["games"]) == ("match", "expendibots", "finished", 4)
    assert json.loads(row["config"])["seed"] == 1

    one = asked(capsys, "list", row["name"])
    assert one == asked(capsys, "list", "1")
    assert [(player["name"], player["games"], player["points"]) for player in one["players"]] == [("random", 4, 0), ("greedy", 4, 4)]
    assert one["pairs"][0] == {"entrant": 0, "opponent": 1, "wins": 0, "draws": 0, "losses": 4}
    assert [player["name"] for player in asked(capsys, "list", "--players")["players"]] == ["random", "greedy"]

    assert asked(capsys, "search", "--limit", "4")["next"] is None  # there are four
    page = asked(capsys, "search", "--player", "greedy", "--result", "win", "--limit", "3")
    assert [game["number"] for game in page["games"]] == [3, 2, 1]
    last = asked(capsys, "search", "--player", "greedy", "--result", "win", "--limit", "3", "--before", page["next"])
    assert [game["number"] for game in last["games"]] == [0]
    assert last["next"] is None

    assert asked(capsys, "check") == {"games": 4, "records": 4, "problems": [], "repaired": 0, "interrupted": []}
    assert asked(capsys, "import", str(place / "rec")) == {"games": 0, "known": 4, "unfinished": 0, "refused": []}
    assert asked(capsys, "export", str(place / "out"), "--competition", "1") == {"games": 4, "missing": []}
    sizes = asked(capsys, "vacuum")
    assert 0 < sizes["after"] <= sizes["before"] + 8192


def test_for_people(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(play(place)) == 0
    capsys.readouterr()
    for arguments, said in (
        (["list"], ["id  competition", "finished"]),
        (["list", "1"], ["draws  losses         Elo    greedy    random\ngreedy", "+4 =0 −0"]),
        (["search", "--limit", "2"], ["key  players", "1:3  greedy - random  1 -1", "There are more: --before 1:2"]),
        (["search", "--limit", "4"], ["greedy - random  1 -1"]),
        (["check"], ["4 games, 4 with a record; 0 problems, 0 of them repaired"]),
        (["import", str(place / "rec")], ["0 games added, 4 known before, 0 unfinished"]),
        (["export", str(place / "out")], ["4 records copied"]),
        (["vacuum"], ["bytes before"]),
    ):
        assert run(["store", *arguments]) == 0
        out = capsys.readouterr().out
        for words in said:
            assert words in out
        assert "There are more" not in out or "2" in arguments  # there are four


def test_a_cross_table_that_is_too_wide_is_left_out(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names would stand there letter below letter."""
    assert run(play(place)) == 0
    monkeypatch.setattr(screen(), "width", 70)
    capsys.readouterr()
    assert run(["store", "list", "1"]) == 0
    out = capsys.readouterr().out
    assert "+4 =0 −0" not in out
    assert [line.split()[:3] for line in out.splitlines()] == [["player", "version", "games"], ["greedy", "4", "4"], ["random", "4", "0"]]


def test_what_is_refused(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def error(*arguments: str) -> str:
        assert run(["store", *arguments]) == 2
        output = capsys.readouterr()
        assert output.err.count("\n") == 1
        return output.err

    assert "there is no store" in error("list")
    assert "there is no store" in error("vacuum", "--store", str(place / "other"))
    (place / "no.jsonl").write_text("rubbish")
    assert "1 of 1 files are no records of games; the first of them: no.jsonl, line 1: not a JSON object" in error("import", str(place))
    assert "has no games of a player 'Eve'" in error("search", "--player", "Eve")
    assert "result 'won' is not one of" in error("search", "--result", "won")
    assert "no competition 'cup'" in error("list", "cup")
    assert run(play(place)) == 0
    (place / "rec" / "game-0002.jsonl").unlink()
    capsys.readouterr()
    assert "has 1 problems; the first: game 1:1: its record" in error("check", "--repair")
    assert "1 games have no record to copy" in error("export", str(place / "out"))


def test_a_refused_match_leaves_nothing_in_the_store(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["match", "expendibots", "random", "nobody", "--store"]) == 2
    assert capsys.readouterr().err.startswith("error: player 'nobody' is not one of: ")
    assert not (place / "store.sqlite").exists()
    (place / "rec").mkdir()
    (place / "rec" / "game-0001.jsonl").touch()
    assert run(play(place)) == 2
    assert "game-0001.jsonl exists already; name an empty folder for the records" in capsys.readouterr().err
    assert asked(capsys, "list") == {"competitions": []}


@pytest.mark.parametrize("command", ["import", "export", "check"])
def test_results_that_are_not_all_say_so(
    command: str, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(play(place)) == 0
    capsys.readouterr()

    @contextmanager
    def stopped() -> Generator[StopSignal]:
        stop = StopSignal()
        stop.receive(signal.SIGINT, None)
        yield stop

    monkeypatch.setattr("ludarium.cli.store.stop_signal", stopped)
    assert run(["store", command, *{"import": [str(place / "rec")], "export": [str(place / "out")]}.get(command, [])]) == 130
    assert capsys.readouterr().out.endswith(", then stopped\n")


@pytest.mark.parametrize("command", ["match", "sprt"])
def test_what_was_stopped_goes_on(command: str, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """By the line that it has printed, to what it would have come to."""
    line = [command, "expendibots", "random", "greedy", "-n", "12", "--workers", "1", "--json"]
    add = Scorekeeper.add

    def stop_after_five(self: Scorekeeper, result: GameResult) -> None:
        add(self, result)
        if result.number == 4:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as stopping:
        stopping.setattr(Scorekeeper, "add", stop_after_five)
        assert run([*line, "--store"]) == 130
    output = capsys.readouterr()
    (row,) = asked(capsys, "list")["competitions"]
    assert (row["kind"], row["status"], row["games"]) == (command, "interrupted", 5)
    seed = json.loads(output.out)["seed"]
    told = re.search(rf"^to go on: ludarium (.* --seed {seed} --resume)\n\Z", output.err, re.MULTILINE)
    assert told is not None
    assert run(shlex.split(told[1])) == 0
    resumed = json.loads(capsys.readouterr().out)
    (row,) = asked(capsys, "list")["competitions"]
    assert (row["status"], row["games"]) == ("finished", 12)
    assert asked(capsys, "list", "1")["ratings"][-1]["games"] == 12
    assert run([*line, "--seed", str(seed)]) == 0
    uninterrupted = json.loads(capsys.readouterr().out)
    for said in (resumed, uninterrupted):
        said["seconds"] = 0
        for player in said["players"] if command == "match" else ():
            del player["seconds_per_action"]
    assert resumed == uninterrupted
    assert run([*line, "--seed", str(seed + 1), "--resume"]) == 2
    assert f"the store has no {command} that this line has begun" in capsys.readouterr().err
    assert len(asked(capsys, "list")["competitions"]) == 1


def test_what_was_killed_is_marked(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = ludarium.game("expendibots")
    with open_database() as database:
        begin(database, "killed", "match", game, [])
        with Writer(begin(database, "going on", "match", game, [])):
            assert asked(capsys, "check")["interrupted"] == ["killed"]
            assert {row["name"]: row["status"] for row in asked(capsys, "list")["competitions"]} == {
                "killed": "interrupted",
                "going on": "running",
            }
        assert asked(capsys, "check")["interrupted"] == []


def test_a_match_that_the_store_does_not_take(place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The score is printed all the same."""

    def full(self: Competition, results: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(Competition, "add", full)
    assert run(play(place)) == 2
    output = capsys.readouterr()
    assert output.out.startswith("Expendibots, ")
    assert re.fullmatch(r"error: \d finished games are not in the store: the disk is full", output.err.splitlines()[-1])
    assert asked(capsys, "list")["competitions"] == []
