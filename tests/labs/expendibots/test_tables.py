"""``ludarium expendibots tables``."""

from __future__ import annotations

import json
from math import comb
from pathlib import Path

import pytest

from ludarium.cli.entry import run
from ludarium.cli.live_line import LiveLine
from ludarium.games.expendibots.endgames import keeping
from ludarium.labs.expendibots.tables.counting import statistics
from tests.folders import DOCS

WON = "......../......../......../..W...../.W....../......../......../....B... w"
FIVE = "......../......../......../..W...../.W....../......../....W.../B...B... w 0"


def test_a_position_is_asked_about(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["expendibots", "tables", "--position", f"{WON} 0"]) == 0
    assert capsys.readouterr().out == "outcome   win\ndistance  15\nactions   b4-b3 b4-c4 c5-c4 c5-d5\n"
    assert run(["expendibots", "tables", "--json", "--position", f"{WON} 498"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"position": f"{WON} 498", "outcome": "win", "distance": 15, "actions": ["b4-b3", "b4-c4", "c5-c4", "c5-d5"]}
    assert (
        run(
            ["expendibots", "tables", "--json", "--position", "W......./......../......../......../......../......../......../.......B b 1"]
        )
        == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert (told["outcome"], told["distance"], "h1!" in told["actions"]) == ("draw", None, False)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--position", "W w 0"], "a position has 8 ranks, not 1"),
        (
            ["--position", FIVE],
            "the position has 5 tokens, and tables of so many are not kept; 'ludarium expendibots tables --tokens 5' makes them",
        ),
        (["--position", FIVE.replace("B...B", "BB..B")], "the position has 6 tokens; endgames are solved for at most 5"),
        (["--position", FIVE.replace("B", ".")], "the game is over: Black has no tokens left"),
        (["--tokens", "6"], "'6' is not a whole number, at least 4, at most 5"),
        (["--json"], "--json tells of one position: give --position as well"),
    ],
)
def test_what_cannot_be_told_is_said_in_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["expendibots", "tables", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert captured.err.count("\n") == 1


def test_tables_are_made_verified_counted_and_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert run(["expendibots", "tables"]) == 0
    assert capsys.readouterr().out == "Those of 5 tokens are made by 'ludarium expendibots tables --tokens 5'.\n"
    assert run(["expendibots", "tables", "--tokens", "4", "--verify", "--statistics"]) == 0
    told = capsys.readouterr().out
    kept = f"all positions of at most 4 tokens (outcomes 0.3 MB, distances 1.6 MB, in {tmp_path / 'ludarium' / 'expendibots'})\n"
    assert kept in told
    documented = [" ".join(line.split()) for line in (DOCS / "expendibots-endgames.md").read_text(encoding="utf-8").splitlines()]
    for line in told.partition("\ntokens ")[2].splitlines()[1:]:
        assert " ".join(line.split()) in documented
    assert "\n1,242,550 positions up to symmetry, of at most 4 tokens: each follows from its successors (" in told
    assert run(["expendibots", "tables"]) == 0
    assert capsys.readouterr().out.startswith(kept)


def test_no_position_is_forgotten_in_the_count() -> None:
    """Sets of squares that have no square in common, counted by the stacks of the one side."""
    for found in statistics(keeping.endgames()):
        stacks = [
            comb(64, used) * comb(found.own - 1, used - 1) * comb(63 - used + found.other, found.other) for used in range(1, found.own + 1)
        ]
        assert found.positions == sum(stacks)
        assert found.positions / 8 <= found.up_to_symmetry < found.positions / 7


def test_work_that_is_stopped_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    shown: list[str] = []

    def show(_: LiveLine, text: str) -> None:
        shown.append(text)
        if text == "3 against 1: what ends in 5 plies":
            raise KeyboardInterrupt

    monkeypatch.setattr(LiveLine, "show", show)
    assert run(["expendibots", "tables", "--tokens", "4"]) == 130
    assert capsys.readouterr().err.endswith("nothing was kept\n")
    assert shown[0] == "1 against 1: booms of 0 of 640 entries"
    assert not list(tmp_path.rglob("*.*"))
    (tmp_path / "ludarium").rename(tmp_path / "moved")
    (tmp_path / "ludarium").write_text("no folder", encoding="utf-8")
    shown.clear()
    assert run(["expendibots", "tables", "--tokens", "5"]) == 2
    assert not shown
    assert " cannot be written: Not a directory\n" in capsys.readouterr().err
