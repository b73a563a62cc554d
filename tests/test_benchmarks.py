"""How benchmarks are run; what they measure is their own business."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import benchmarks
from benchmarks import __main__ as program
from benchmarks.harness import Row, measure
from benchmarks.kept import games_so_far

SAMPLE = """
import signal, subprocess, sys
from benchmarks.harness import Row, at_least

def missing():
    import no_such_peer

def missing_in_a_program():
    return subprocess.run([sys.executable, "-c", "import no_such_peer"], check=True, capture_output=True, text=True)

def rows():
    yield Row("first", "m/s", lambda: 3.0, "a snail", lambda: 2.0, at_least(ratio=1.4, value=3), seconds=70)
    yield Row("unmeasured", "m/s", lambda: 1 / 0, "a snail", lambda: 2.0, seconds=30)
    yield Row("alone", "m/s", lambda: 5.0, "a peer", missing, at_least(value=4))
    yield Row("alone too", "m/s", lambda: 6.0, "a peer", missing_in_a_program)
    yield Row("slow", "m/s", lambda: 1.0, "a snail", lambda: 2.0, at_least(ratio=0.6))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Modules written here are benchmarks, and results go here."""
    monkeypatch.setattr(benchmarks, "__path__", [str(tmp_path)])
    monkeypatch.setattr(program, "RESULTS", tmp_path / "build" / "results.jsonl")
    return tmp_path


def results(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "build" / "results.jsonl").read_text(encoding="utf-8").splitlines()]


def test_a_row_that_fails_is_a_row_and_the_others_are_measured(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "sample_failing.py").write_text(SAMPLE, encoding="utf-8")
    (folder / "sample_broken.py").write_text("import no_such_peer", encoding="utf-8")
    assert program.main([]) == 1
    broken, first, unmeasured, *alone, slow = results(folder)
    assert (first["value"], first["reference_value"], first["ratio"], first["met"], first["failure"]) == (3.0, 2.0, 1.5, True, None)
    assert (unmeasured["value"], unmeasured["failure"]) == (None, "ZeroDivisionError: division by zero")
    assert (slow["ratio"], slow["met"], slow["failure"]) == (0.5, False, None)
    assert [(row["value"], row["ratio"]) for row in alone] == [(5.0, None), (6.0, None)]
    for row in (broken, *alone):
        assert row["failure"].startswith("ModuleNotFoundError: No module named 'no_such_peer'; to install")
        assert row["failure"].endswith('pip install --editable ".[bench]"')
    printed = capsys.readouterr().out
    reasons = [line for line in printed.splitlines() if line.startswith("failed: ")]
    assert [line.rpartition(" (")[2] for line in reasons] == ["sample_broken; alone; alone too)", "unmeasured)"]
    assert [line.split()[-2] for line in printed.splitlines() if line.endswith("│")] == [
        "failed",
        "met",
        "failed",
        "failed",
        "failed",
        "missed",
    ]


def test_all_is_well(folder: Path) -> None:
    (folder / "sample_well.py").write_text(SAMPLE.partition('    yield Row("unmeasured"')[0], encoding="utf-8")
    assert program.main([]) == 0


def test_what_is_measured_before_ctrl_c_is_kept_and_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    interrupted = SAMPLE.replace("1 / 0", "signal.raise_signal(signal.SIGINT)")
    (folder / "sample_interrupted.py").write_text(interrupted, encoding="utf-8")
    assert program.main([]) == 130
    assert [row["name"] for row in results(folder)] == ["first"]
    assert any(line.startswith("│ first") for line in capsys.readouterr().out.splitlines())


def test_results_that_cannot_be_written_are_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        program.main(["--out", str(folder)])
    assert capsys.readouterr().err.endswith(f"error: {folder}: Is a directory\n")


def test_how_long_it_takes_is_told_before_and_remembered(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "sample_timed.py").write_text(SAMPLE, encoding="utf-8")
    program.main([])
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("5 rows, about 2:10 min.")
    assert [line.split()[0] for line in printed if "left ·" in line] == ["2:10", "1:00", "0:30", "0:20", "0:10"]
    with (folder / "build" / "results.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"torn')
    assert program.main(["--list"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("5 rows, about 0:50 min.")  # what failed has told nothing: 30 and twice 10 seconds
    assert " 0:30  sample_timed: unmeasured" in shown


def test_a_round_is_thrown_away_and_the_order_changes() -> None:
    calls: list[str] = []
    figures = iter([100.0, 1.0, 9.0, 4.0])

    def ours() -> float:
        calls.append("ours")
        return next(figures)

    def theirs() -> float:
        calls.append("theirs")
        return 2.0

    result = measure(Row("a name", "m/s", ours, "a snail", theirs, rounds=3))
    assert (result.value, result.reference_value, result.ratio) == (4.0, 2.0, 2.0)
    assert calls == ["ours", "theirs", "theirs", "ours"] * 2


def test_every_benchmark_tells_its_rows_and_those_that_need_not_be_named_take_a_quarter_of_an_hour() -> None:
    rows = {name: program.rows_of(name) for name in program.all_benchmarks()}
    assert set(program.ONLY_WHEN_NAMED) < set(rows)
    for name, found in rows.items():
        names = [row.name for row in found]
        assert names
        assert len(set(names)) == len(names)
        assert name not in names, "the row that says why there are none"
    assert sum(row.seconds for name in program.usual_benchmarks() for row in rows[name]) <= 15 * 60


@dataclass
class Game:
    number: int
    seat: str


def test_games_of_a_long_measurement_are_not_played_again(tmp_path: Path) -> None:
    played: list[int] = []

    def play(setting: Game, number: int) -> Game:
        played.append(number)
        return Game(number, setting.seat)

    file, setting, other = tmp_path / "games.jsonl", Game(0, "a"), Game(0, "b")
    for setting_of_run, count in ((setting, 2), (other, 1), (setting, 3)):
        games = [list(games) for games in games_so_far(file, setting_of_run, Game, play, count)]
    assert played == [0, 1, 0, 2]
    assert games[-1] == [Game(0, "a"), Game(1, "a"), Game(2, "a")]
    assert [len(so_far) for so_far in games] == [1, 2, 3]


@pytest.mark.parametrize(
    "line", ['{"setting": {"number": 0, "seat": "a"}, "game": {"number": 3}}', '{"variant": "normal"}', "[]", "no JSON"]
)
def test_kept_games_of_another_kind_are_one_line(line: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(line + "\n")
    with pytest.raises(
        SystemExit, match=rf"^error: {file}, line 1: not a game as this benchmark keeps them now: .*; name another file to begin anew$"
    ):
        list(games_so_far(file, Game(0, "a"), Game, lambda setting, number: Game(number, "a"), 1))
    assert file.read_text() == line + "\n"


def test_a_game_that_was_being_kept_when_all_ended_is_played_again(tmp_path: Path) -> None:
    file, setting = tmp_path / "games.jsonl", Game(0, "a")
    list(games_so_far(file, setting, Game, lambda setting, number: Game(number, "a"), 2))
    whole = file.read_bytes()
    file.write_bytes(whole[:-5])
    list(games_so_far(file, setting, Game, lambda setting, number: Game(number, "a"), 2))
    assert file.read_bytes() == whole
