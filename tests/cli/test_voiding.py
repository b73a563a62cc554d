"""``ludarium store void``, ``expel`` and ``report``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludarium
from ludarium.arena import GameResult
from ludarium.arena.ladder.ladder import LADDER
from ludarium.arena.store import Entrant, begin, open_database
from ludarium.cli.entry import run
from tests.arena.store.made import made

PLAYERS = ["Ann", "Ben", "Cleo", "Dan", "Eve"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUDARIUM_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.setenv("COLUMNS", "140")
    return tmp_path


def ladder(games: int, *, traded: bool) -> None:
    """All pairs play so many games as equals; if ``traded``, Dan loses all to Ben."""
    random = np.random.default_rng(11)
    results: list[GameResult] = []
    for one in range(5):
        for other in range(one):
            for _ in range(games):
                won = 1 if traded and (one, other) == (3, 1) else random.integers(0, 2)
                results.append(made(len(results), (one, other), (-1.0, 1.0) if won else (1.0, -1.0)))
    with open_database() as database:
        begin(database, "Ladder", LADDER, ludarium.game("expendibots"), [Entrant(name, name) for name in PLAYERS]).add(results)


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert run(["store", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert run(["store", *arguments]) == 0
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


def test_a_trade_is_reported_and_undone(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ladder(30, traded=True)
    report = asked(capsys, "report", "Ladder")
    assert (report["games"], report["pairs"], report["level"], report["competition"]["name"]) == (300, 10, 0.05, "Ladder")
    (found,) = report["misfits"]
    assert (found["player"], found["opponent"], found["games"], found["score"]) == ("Ben", "Dan", 30, 30.0)
    assert 10 < found["expected"] < 20
    assert found["p"] < 1e-4
    lines = said(capsys, "report", "1")
    assert lines[0] == "player opponent games expected points p"
    assert lines[1].startswith(f"Ben Dan 30 {found['expected']:.1f} 30 ")
    assert lines[2:] == ["300 games; 1 of 10 pairs misfits (Holm, 5%)"]

    keys = [game["key"] for game in asked(capsys, "search", "--player", "Dan", "--against", "Ben", "--limit", "100")["games"]]
    assert len(keys) == 30
    assert said(capsys, "void", *keys, "--reason", "Dan lost on purpose") == ["30 games voided"]
    assert said(capsys, "report", "1") == ["270 games; no of 9 pairs misfit (Holm, 5%)"]
    assert said(capsys, "list")[1].endswith(" 270 30")
    assert said(capsys, "list", "1")[-1] == "voided: 30 games; list them with 'ludarium store search --voided --competition 1'"
    (line,) = said(capsys, "search", "--voided", "--limit", "40", "--player", "Ben")[1:2]
    assert line.endswith(" Dan lost on purpose 40")
    assert said(capsys, "void", *keys, "--undo") == ["30 games restored"]
    assert asked(capsys, "report", "1") == report


def test_an_expelled_player_is_listed_with_the_reason(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ladder(4, traded=False)
    before = asked(capsys, "list", "1")["players"]
    (expelled,) = asked(capsys, "expel", "Ladder", "dan", "--reason", "sold [games]")["expelled"]
    assert (expelled["entrant"], expelled["name"], expelled["games"], expelled["reason"]) == (3, "Dan", 16, "sold [games]")
    after = asked(capsys, "list", "1")
    assert [player["games"] for player in after["players"]] == [12, 12, 12, 0, 12]
    assert after["expelled"] == [expelled]
    assert (after["competition"]["games"], after["competition"]["voided"]) == (24, 16)
    assert {rating["entrant"] for rating in after["ratings"]} == {0, 1, 2, 4}
    line = said(capsys, "list", "1")[-2]
    assert line.startswith("expelled: Dan, with 16 games, 20")
    assert line.endswith(": sold [games]")
    assert said(capsys, "expel", "1", "Dan", "--undo") == ["Dan is readmitted"]
    assert asked(capsys, "list", "1")["players"] == before
    assert said(capsys, "expel", "1", "Dan", "--reason", "again") == ["Dan expelled, with 16 games"]


def test_what_is_refused(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ladder(1, traded=False)

    def error(*arguments: str) -> str:
        assert run(["store", *arguments]) == 2
        output = capsys.readouterr()
        assert output.err.startswith("error: ")
        assert output.err.count("\n") == 1
        return output.err

    assert "--reason is missing; write why, which the store keeps" in error("void", "1:1")
    assert "--reason is missing" in error("expel", "1", "Dan")
    assert "--undo takes no --reason" in error("void", "1:1", "--undo", "--reason", "why")
    assert "the reason is empty" in error("void", "1:1", "--reason", " ")
    assert "has no game 1:77" in error("void", "1:1", "1:77", "--reason", "why")
    assert "'first' is not the key of a game" in error("void", "first", "--reason", "why")
    assert "game 1:1 was not voided" in error("void", "1:1", "--undo")
    assert "'Ladder' has no player 'Zoe'" in error("expel", "1", "Zoe", "--reason", "why")
    assert "'Dan' was not expelled" in error("expel", "1", "Dan", "--undo")
    assert "no competition 'cup'" in error("report", "cup")
    assert "has no games of a player 'Zoe'" in error("search", "--player", "Dan", "--against", "Zoe")
    assert asked(capsys, "list")["competitions"][0]["voided"] == 0


def test_names_are_told_after_or_before(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--ladder", "tic-tac-toe", "--names", "during"]) == 2
    assert "'during' is not one of 'after', 'before'" in capsys.readouterr().err
