"""What is said on systems other than Linux, simulated: nothing else can be tested here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ludarium.errors import BadOption
from ludarium.players.programs import USUAL, program_kind

ELSEWHERE = """
import asyncio, os, psutil, selectors, subprocess, sys
import numba
sys.platform = {platform!r}
for name in {hidden!r}:
    sys.modules[name] = None
for name in ("waitid", "sched_getaffinity", "sched_setaffinity"):
    delattr(os, name)
from ludarium.cli import main
sys.argv = ["ludarium", *{arguments!r}]
main()
"""


def run_on(platform: str, hidden: tuple[str, ...], *arguments: str) -> tuple[int, str, str]:
    """Run the command line where Python says that it is on another platform, which lacks some modules."""
    code = ELSEWHERE.format(platform=platform, hidden=hidden, arguments=arguments)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"})
    return result.returncode, result.stdout, result.stderr


@pytest.mark.parametrize("arguments", [("--help",), ("serve",), ("match", "expendibots", "random", "greedy")])
def test_on_windows_one_line_says_what_works(arguments: tuple[str, ...]) -> None:
    code, output, problem = run_on("win32", ("fcntl", "resource", "termios", "pwd", "readline"), *arguments)
    assert (code, output) == (2, "")
    assert problem == "ludarium does not run on Windows itself; use it in WSL, the Windows Subsystem for Linux\n"


def test_programs_are_refused_off_linux_and_built_in_players_play(tmp_path: Path) -> None:
    """Takes seconds: two starts, one of which plays a game."""
    program = tmp_path / "bot.py"
    program.write_text("#!/usr/bin/env python3\n")
    program.chmod(0o755)
    code, _, problem = run_on("darwin", (), "match", "expendibots", str(program), "random", "--games", "1")
    assert code == 2
    assert len(problem.splitlines()) == 1, problem
    assert "programs play on Linux only, not on darwin" in problem
    code, output, problem = run_on("darwin", (), "match", "expendibots", "random", "random", "--games", "2")
    assert code == 0, problem
    assert "Elo difference" in output


def test_an_address_is_a_player_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert program_kind("ws://localhost:9", USUAL, "expendibots")[1] == ""
    with pytest.raises(BadOption, match="address of one that runs elsewhere"):
        program_kind("./bot.py", USUAL, "expendibots")
