"""The program as people start it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

COMPILING = "compiling for this computer; later starts need not do it again …\n"
"""What the program says once, if it must compile: a test cannot know."""

PROGRAM = Path(sys.executable).with_name("ludarium")


def run_program(*arguments: str | bytes, typed: str | bytes = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """Run ``ludarium`` with something to read; what it wrote, as text, but for the line that it compiles."""
    done = subprocess.run(
        [PROGRAM, *arguments],
        input=typed.encode() if isinstance(typed, str) else typed,
        capture_output=True,
        timeout=120,
        env={**os.environ, "COLUMNS": "100", **variables},
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode().replace(COMPILING, "", 1))
