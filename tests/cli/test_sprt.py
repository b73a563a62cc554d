"""``ludarium sprt``."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from ludarium.cli.entry import run
from tests.command_line import PROGRAM, run_program
from tests.players.programs.bots import eventually

TEST = ("sprt", "expendibots", "greedy", "random", "--elo1", "50", "--seed", "3", "--workers", "1")


def test_what_people_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(list(TEST)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Expendibots, ")
    assert lines[0].endswith(" games, seed 3: greedy is stronger than random: by 50 Elo rather than 0")
    assert lines[1].startswith("points ")
    assert lines[2].endswith("bounds -2.94 and 2.94")


def test_what_scripts_read() -> None:
    told = json.loads(run_program(*TEST, "--json").stdout)
    assert (told["verdict"], told["players"], told["elo0"], told["elo1"]) == ("stronger", ["greedy", "random"], 0, 50)
    assert told["games"] == 2 * sum(told["pairs"])
    assert told["ratio"] >= told["bounds"][1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--elo0", "10"], "error: elo0=10 is not below elo1=10"),
        (["--elo1", "ten"], "error: Invalid value for '--elo1': 'ten' is not a number\n"),
        (["--alpha", "2"], "error: alpha=2 is not between 0 and 0.5"),
        (["--tc", "soon"], "error: time control 'soon' is not "),
        (["--start", "x"], "error: "),
    ],
)
def test_bad_arguments(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sprt", "expendibots", "greedy", "random", *arguments]) == 2
    assert capsys.readouterr().err.startswith(message)


def test_ctrl_c_tells_how_far_it_came(tmp_path: Path) -> None:
    command = [PROGRAM, "sprt", "tic-tac-toe", "random", "random", "--elo1", "0.01", "--json", "--store"]
    store = tmp_path / "store.sqlite"
    environment = os.environ | {"LUDARIUM_STORE": str(store)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert process.stderr.readline().startswith("to watch it: ")
    with closing(sqlite3.connect(store)) as games:
        assert eventually(lambda: games.execute("SELECT EXISTS (SELECT 1 FROM games)").fetchone()[0])
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 130
    assert json.loads(out)["verdict"] == "undecided"
