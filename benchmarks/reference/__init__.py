"""Programs to compare with, compiled when a benchmark asks for them."""

from __future__ import annotations

import functools
import shutil
import subprocess
import tempfile
from pathlib import Path

__all__ = ["GCC", "expendibots_in_c"]

GCC = "C, gcc -O3"


@functools.cache
def _compiled() -> tuple[tempfile.TemporaryDirectory[str], Path]:
    if shutil.which("gcc") is None:
        raise RuntimeError("gcc is missing, which compiles the program in C; to install it: apt-get install gcc")
    folder = tempfile.TemporaryDirectory(prefix="ludarium-benchmarks-")
    program = Path(folder.name) / "expendibots"
    subprocess.run(["gcc", "-O3", "-o", str(program), str(Path(__file__).with_name("expendibots.c"))], check=True)
    return folder, program


def expendibots_in_c(*arguments: object) -> tuple[list[int], float]:
    """What ``expendibots.c`` prints for these arguments: whole numbers, and the seconds of CPU time that it took."""
    program = _compiled()[1]
    printed = subprocess.run([str(program), *map(str, arguments)], check=True, capture_output=True, text=True).stdout.split()
    return [int(word) for word in printed[:-1]], float(printed[-1])
