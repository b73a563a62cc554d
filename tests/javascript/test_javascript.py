"""The pages' modules: their types, and what they decide."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent

TOOLS = HERE / "node_modules"


@pytest.fixture(scope="session")
def tools() -> Path:
    """TypeScript and axe-core, as ``make .venv/installed-test`` installs them."""
    if not TOOLS.exists():
        assert not os.environ.get("CI"), "TypeScript is missing: make .venv/installed-test"
        pytest.skip("TypeScript is missing: make .venv/installed-test")
    return TOOLS


def test_types(tools: Path) -> None:
    done = subprocess.run([tools / ".bin" / "tsc", "--project", HERE], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("", 0)
