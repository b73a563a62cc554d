"""``ludarium store`` and ``ludarium match --store``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ludarium.arena.store import Competition
from ludarium.cli.entry import run
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

    page = asked(capsys, "search", "--player", "greedy", "--result", "win", "--limit", "3")
    assert [game["number"] for game in page["games"]] == [3, 2, 1]
    last = asked(capsys, "search", "--player", "greedy", "--result", "win", "--limit", "3", "--before", page["next"])
    assert [game["number"] for game in last["games"]] == [0]
    assert last["next"] is None

    assert asked(capsys, "check") == {"games": 4, "records": 4, "problems": [], "repaired": 0}
    assert asked(capsys, "import", str(place / "rec")) == {"games": 0, "known": 4, "unfinished": 0, "refused": []}
    assert asked(capsys, "export", str(place / "out"), "--competition", "1") == {"games": 4, "missing": []}
    sizes = asked(capsys, "vacuum")
    assert 0 < sizes["after"] <= sizes["before"] + 8192


def test_for_people(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(play(place)) == 0
    capsys.readouterr()
    for arguments, said in (
        (["list"], ["id   competition", "finished"]),
        (["list", "1"], ["player   version   games   points", "+0 =0 −4"]),
        (["search", "--limit", "2"], ["key   players", "1:3   greedy - random   1 -1", "There may be more: --before 1:2"]),
        (["check"], ["4 games, 4 with a record; 0 problems, 0 of them repaired"]),
        (["import", str(place / "rec")], ["0 games added, 4 known before, 0 unfinished"]),
        (["export", str(place / "out")], ["4 records copied"]),
        (["vacuum"], ["bytes before"]),
    ):
        assert run(["store", *arguments]) == 0
        out = capsys.readouterr().out
        for words in said:
            assert words in out


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
    capsys.readouterr()
    assert asked(capsys, "list") == {"competitions": []}


def test_a_match_that_the_store_does_not_take(place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The score is printed all the same."""

    def full(self: Competition, results: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(Competition, "add", full)
    assert run(play(place)) == 2
    output = capsys.readouterr()
    assert output.out.startswith("Expendibots, ")
    assert re.fullmatch(r"error: \d finished games are not in the store: the disk is full\n", output.err)
    assert asked(capsys, "list")["competitions"][0]["games"] == 0
