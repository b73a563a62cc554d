"""What a second start costs: ``ludarium perft expendibots 3`` with all code compiled already, against a start that only imports Numba."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from .harness import Row, at_most, compare

LUDARIUM = str(Path(sys.executable).with_name("ludarium"))


def cpu_seconds(*command: str, **environment: str) -> float:
    """CPU time that a program takes from its start to its end, its own and the system's for it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rows() -> Iterator[Row]:
    yield compare(
        "second start of ludarium perft expendibots 3",
        "s of CPU",
        lambda: cpu_seconds(LUDARIUM, "perft", "expendibots", "3"),
        "python -c 'import numba'",
        lambda: cpu_seconds(sys.executable, "-c", "import numba"),
        at_most(value=1.0),
    )
