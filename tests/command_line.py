"""The program as people start it."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from tests.forked import PATIENCE, ForkingProcess

COMPILING = "compiling for this computer; this happens once …\n"
"""What the program says once, if it must compile: a test cannot know."""

PROGRAM = Path(sys.executable).with_name("ludarium")

USED = """
import numpy, orjson, psutil, pydantic, rich.console, rich.progress, rich.table, typer
pydantic.TypeAdapter(str)
"""
"""Loads what the program uses and takes most of its start."""

_turns = itertools.cycle((0, 1))


@cache
def _forking(number: int) -> ForkingProcess:
    """One of two, in turns, so that each process hashes texts otherwise than the one before. They end with this process."""
    return ForkingProcess(USED)


def run_program(*arguments: str | bytes, typed: str | bytes = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """Run ``ludarium`` with something to read; what it wrote, as text, but for the line that it compiles.

    It is forked from a process that has loaded what the program uses. How it starts is tested by :func:`start_program`.
    """
    done = _forking(next(_turns)).run(
        PROGRAM,
        *map(os.fsdecode, arguments),
        folder=Path.cwd(),
        variables={**os.environ, "COLUMNS": "100", **variables},
        typed=typed.encode() if isinstance(typed, str) else typed,
    )
    return _without_compiling(done)


def start_program(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The same, started from nothing."""
    environment = {**os.environ, "COLUMNS": "100", **variables}
    done = subprocess.run([PROGRAM, *arguments], input="", capture_output=True, encoding="utf-8", timeout=PATIENCE, env=environment)
    return _without_compiling(done)


def _without_compiling(done: subprocess.CompletedProcess[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout, done.stderr.replace(COMPILING, "", 1))
