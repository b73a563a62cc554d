"""The pages' modules: their types, and what they decide."""

from __future__ import annotations

import subprocess
from pathlib import Path

HERE = Path(__file__).parent


def test_types(javascript_tools: Path) -> None:
    done = subprocess.run([javascript_tools / ".bin" / "tsc", "--project", HERE], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("", 0)
