"""Every command ends soon after Ctrl-C or SIGTERM, whatever it does; a second signal ends it at once."""

from __future__ import annotations

import os
import pty
import select
import signal
import sqlite3
import subprocess
import sys
import termios
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import ludarium.cli
from tests.command_line import COMPILING, PROGRAM

STUCK = """
import hashlib, sys, time, ludarium.cli, ludarium.cli.ending, ludarium.cli.entry
from ludarium.cli.signals import stop_signal

def start(arguments):
    if sys.argv[1] == "twice":
        ludarium.cli.ending.SOON = 1000.0
    elif sys.argv[1] == "hidden":
        import termios
        from ludarium.cli.common import notices
        notices().show_cursor(False)
        mode = termios.tcgetattr(0)
        mode[3] &= ~termios.ECHO
        termios.tcsetattr(0, termios.TCSANOW, mode)
    with stop_signal() as stop:
        print("stuck", flush=True)
        print("said", end="")
        if sys.argv[1] == "finishes":
            while not stop():
                time.sleep(0.01)  # what a command does that looks now and then whether it is to stop
            time.sleep(2 * ludarium.cli.ending.SOON)  # other programs keep the computer busy
            return 7
        hashlib.pbkdf2_hmac("sha256", b"", b"", 2_000_000_000)  # minutes in which Python looks at no signal

ludarium.cli.entry.start = start
ludarium.cli.main()
"""


COMPETING = """
import hashlib, ludarium.cli, ludarium.arena.games

def play(job, plan, interrupted):
    print("stuck", flush=True)
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2_000_000_000)

ludarium.arena.games.GameJob.__call__ = play
ludarium.cli.main()
"""


@contextmanager
def running(command: list[Any], **more: Any) -> Generator[subprocess.Popen[str]]:
    with subprocess.Popen(command, **more) as program:
        try:
            yield program
        finally:
            program.kill()


def read_until(terminal: int, text: bytes) -> bytes:
    seen = b""
    while text not in seen:
        assert select.select([terminal], [], [], 30)[0], seen
        seen += os.read(terminal, 4096)
    return seen


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_what_cannot_be_interrupted_is_ended(number: int, code: int) -> None:
    with running([sys.executable, "-c", STUCK, "asked"], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "stuck\n"
        program.send_signal(number)
        assert program.wait(30) == code
        assert program.stdout.read() == "said"


def test_what_has_noticed_finishes() -> None:
    with running([sys.executable, "-c", STUCK, "finishes"], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "stuck\n"
        program.send_signal(signal.SIGINT)
        assert program.wait(30) == 7


def test_a_second_signal_ends_it_at_once() -> None:
    with running([sys.executable, "-c", STUCK, "twice"], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "stuck\n"
        program.send_signal(signal.SIGINT)
        program.send_signal(signal.SIGTERM)
        assert program.wait(30) in (130, 143)  # the system may hand over either first


def test_the_terminal_is_as_it_was() -> None:
    terminal, inside = pty.openpty()
    before = termios.tcgetattr(inside)
    with running([sys.executable, "-c", STUCK, "hidden"], stdin=inside, stdout=inside, stderr=inside) as program:
        assert read_until(terminal, b"stuck").startswith(b"\x1b[?25l")
        program.send_signal(signal.SIGTERM)
        read_until(terminal, b"\x1b[?25h")
        assert program.wait(30) == 143
    assert termios.tcgetattr(inside) == before
    os.close(inside)
    os.close(terminal)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            ("match", "tic-tac-toe", "random", "random", "--store", "--seed", "7", "--workers", "1"),
            "to begin again: ludarium match tic-tac-toe random random --store --seed 7 --workers 1\n",
        ),
        (("tournament", "class.toml", "--concurrency", "1"), "to go on: ludarium tournament class.toml --concurrency 1 --resume\n"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_competitions_that_are_ended_say_how_to_go_on(tmp_path: Path, command: tuple[str, ...], said: str) -> None:
    players = "".join(f'[[players]]\nname = "{name}"\nspec = "random"\n' for name in "AB")
    (tmp_path / "class.toml").write_text(f'game = "tic-tac-toe"\n{players}', encoding="utf-8")
    store = tmp_path / "store.sqlite"
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with running(
        [sys.executable, "-c", COMPETING, *command], cwd=tmp_path, env=os.environ | {"LUDARIUM_STORE": str(store)}, **pipes
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "stuck\n"
        program.send_signal(signal.SIGINT)
        assert program.communicate(timeout=30)[1].endswith(said)
        assert program.returncode == 130
    with closing(sqlite3.connect(store)) as database:
        assert database.execute("SELECT status FROM competitions").fetchall() == []


@pytest.mark.parametrize(
    "command",
    [
        ("roboderby", "balance", "--games", "100"),
        ("match", "hexabomb", "search", "bomber", "-o", "players=2"),
        ("cgt", "+-1 + +-3 + +-9 + +-27 + +-81"),
        ("serve", "--port", "0"),
        ("expand-conquer", "solve", "***|***"),
    ],
    ids=lambda command: command[0],
)
def test_commands_end_while_they_compile(tmp_path: Path, command: tuple[str, ...]) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "XDG_DATA_HOME": str(tmp_path)}
    with running([PROGRAM, *command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stderr is not None
        assert program.stderr.readline() == COMPILING
        program.send_signal(signal.SIGINT)
        assert program.wait(5) in (0, 130)
        assert "Traceback" not in program.stderr.read()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_program_that_thinks_meanwhile_has_not_failed(tmp_path: Path, number: int, code: int) -> None:
    command = [PROGRAM, "play", "expendibots", "random", "mcts:time=1000s", "--record", tmp_path / "game.jsonl"]
    with running(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        while not (tmp_path / "game.jsonl").exists() or (tmp_path / "game.jsonl").read_text().count("\n") < 3:
            assert program.poll() is None
            time.sleep(0.01)  # until its file has grown, which nothing tells
        program.send_signal(number)
        assert program.wait(30) == code
    assert "forfeit" not in (tmp_path / "game.jsonl").read_text()


def test_at_the_prompt_of_the_calculator_it_ends_a_line_only() -> None:
    terminal, inside = pty.openpty()
    with running([PROGRAM, "cgt"], stdin=inside, stdout=inside, stderr=inside, start_new_session=True) as program:
        os.close(inside)
        read_until(terminal, b"cgt> ")
        program.send_signal(signal.SIGINT)
        while not select.select([terminal], [], [], 5)[0]:  # a signal that comes just before readline waits is seen only at the next one
            program.send_signal(signal.SIGINT)
        read_until(terminal, b"cgt> ")
        os.write(terminal, b"1 + 1\n")
        read_until(terminal, b"2\r\n")
        os.write(terminal, b"quit\n")
        read_until(terminal, b"quit")
        assert program.wait(30) == 0
    os.close(terminal)


def test_ctrl_c_before_the_program_has_begun_ends_it_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("gc", "signal.signal"):
        monkeypatch.setattr(f"ludarium.cli.{name}", Mock())
    monkeypatch.setattr("ludarium.cli.end_soon", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(SystemExit, match="130"):
        ludarium.cli.main()
