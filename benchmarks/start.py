"""What starts cost: a second one of ``ludarium perft expendibots 3``, with all code compiled already, and the first one of ``ludarium serve``, with none."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .harness import Row, at_most

LUDARIUM = str(Path(sys.executable).with_name("ludarium"))


def cpu_seconds(*command: str, **environment: str) -> float:
    """CPU time that a program takes from its start to its end, its own and the system's for it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, env={**os.environ, **environment}, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def cpu_seconds_to_lobby() -> float:
    """CPU time from the first start of a server on a new computer until the lobby is open and the server has ended."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        command = [LUDARIUM, "serve", "--port", "0", "--data", folder]
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            assert server.stdout is not None
            next(line for line in server.stdout if "http://" in line)
            server.terminate()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rows() -> Iterator[Row]:
    yield Row(
        "second start of ludarium perft expendibots 3",
        "s of CPU",
        lambda: cpu_seconds(LUDARIUM, "perft", "expendibots", "3"),
        "python -c 'import numba'",
        lambda: cpu_seconds(sys.executable, "-c", "import numba"),
        at_most(value=1.0),
    )
    yield Row(
        "first start of ludarium serve, until the lobby is open",
        "s of CPU",
        cpu_seconds_to_lobby,
        "python -c 'import numba'",
        lambda: cpu_seconds(sys.executable, "-c", "import numba"),
        at_most(value=5.0),
        rounds=3,
    )
