"""``ludarium check-bot``: what it prints, its exit codes, and that it leaves nothing behind."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from ludarium.arena.bot_checks import candidate, checks
from ludarium.cli.entry import run
from tests.players.programs.bots import eventually, write_bot

GOOD = "for message in turns(): act(message)"


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidate, "PAUSE", 0.1)
    monkeypatch.setattr(checks, "WHOLE_TURNS", 20)


def test_a_good_bot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot = write_bot(tmp_path, GOOD)
    assert run(["check-bot", "tic-tac-toe", bot]) == 0
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert lines[0].startswith('✓ greeting: it calls itself "test" and wants actions, indices; ')
    assert "✓ end of the game: " in said.out
    assert "✗" not in said.out
    assert "answers, half of them within " in lines[-2]
    assert lines[-1] == f"All is well: {len(lines) - 2} checks of {bot} in Tic-tac-toe."
    assert re.fullmatch(r"notice: sandbox: .*\n", said.err)


def test_a_bot_that_goes_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot = write_bot(tmp_path, "for message in turns(): message['actions'][1]; act(message)")
    assert run(["check-bot", "tic-tac-toe", bot]) == 1
    out = capsys.readouterr().out
    assert f"✗ forced turn: crash: {bot} ended with exit code 1\n    it was told  " in out
    assert '\n    right is     {"type": "action", "action": "' in out
    assert "\n    its errors   IndexError: list index out of range\n" in out
    assert '✗ end of the game: the same as in "forced turn"\n✓ most choices: ' in out
    assert "checks failed. docs/bots.md describes what is right.\n" in out


def test_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot = write_bot(tmp_path, "for message in turns(): print('hm'); act(message)")
    assert run(["check-bot", "tic-tac-toe", bot, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["passed"] is False
    assert (told["game"], told["bot"], told["name"]) == ("tic-tac-toe", bot, "test")
    assert [one["passed"] for one in told["checks"]] == [True, False]
    wrong = told["checks"][1]
    assert (wrong["check"], wrong["words"], wrong["sent"]) == ("first turn", "bad answer: not JSON", "hm")
    assert json.loads(wrong["right"])["type"] == "action"
    assert json.loads(wrong["asked"])["type"] == "turn"
    assert told["not_made"][0] == "next game"
    assert told["answers"]["count"] == 1
    assert 0 < told["answers"]["median"] <= told["answers"]["worst"]


def test_options_and_clocks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot = write_bot(tmp_path, "for message in turns(): sys.exit(repr((message['position'], message['clock'])))")
    assert run(["check-bot", "expand-conquer", bot, "-o", "rows=2", "-o", "columns=2", "-o", "start=O*|*X", "--tc", "60+0.5"]) == 1
    assert "('O*|*X L', {'left': 60.0, 'increment': 0.5, 'per': 'game'})" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["tic-tac-toe", "random"],
            "'random' is no program; write ./random for a file of that name, 'cmd:COMMAND LINE', class:PACKAGE or ws://HOST:PORT",
        ),
        (["tic-tac-toe", "./none.py"], "player './none.py': there is no such file"),
        (["tic-tac-toe", "cmd:true", "--tc", "soon"], "time control 'soon' is not"),
        (["tic-tac-toe", "cmd:true", "-o", "size=4"], "size"),
        (["tic-tac-to", "cmd:true"], "game 'tic-tac-to' is not one of"),
    ],
)
def test_what_it_refuses(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check-bot", *arguments]) == 2
    said = capsys.readouterr()
    assert message in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_an_interrupted_check_leaves_no_process(tmp_path: Path) -> None:
    bot = write_bot(
        tmp_path,
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\nfor message in turns():\n"
        " open('own', 'w').write(str(os.getpid()))\n while True: pass",
    )
    command = [sys.executable, "-m", "ludarium", "check-bot", "tic-tac-toe", bot, "--sandbox", "off"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "NO_COLOR": "1"}) as check:
        assert eventually(lambda: (tmp_path / "own").exists() and (tmp_path / "own").read_text() != "")
        check.send_signal(signal.SIGINT)
        out, errors = check.communicate()
    assert check.returncode == 130
    assert "Traceback" not in errors
    assert out.startswith("✓ greeting")
    number = int((tmp_path / "own").read_text())
    assert eventually(lambda: not psutil.pid_exists(number) or psutil.Process(number).status() == psutil.STATUS_ZOMBIE)
