"""Messages of ``make`` without a usable Python."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.missing import need

MAKEFILE = Path(__file__).parents[2] / "Makefile"


@pytest.mark.parametrize(
    ("fails", "words"),
    [
        ("*version_info*", "Ludarium needs Python 3.11 or newer, which './python' is not; choose another one: make PYTHON=python3.12"),
        ("*ensurepip*", "'./python' cannot create virtual environments; install venv: apt-get install python3-venv"),
    ],
)
def test_a_python_that_will_not_do(fails: str, words: str, tmp_path: Path) -> None:
    """The error is one line, and no half-made environment stays."""
    need("make", "make")
    shutil.copy(MAKEFILE, tmp_path)
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "python").write_text(f'#!/bin/sh\ncase "$*" in {fails}) exit 1;; esac\n')
    (tmp_path / "python").chmod(0o755)
    done = subprocess.run(["make", "play", "PYTHON=./python"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert words in done.stderr.splitlines()
    assert not (tmp_path / ".venv").exists()
