"""Locks that end with the process that has them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import BinaryIO

import pytest

from ludarium.core import locks

HOLDS = "import sys, time; from pathlib import Path; from ludarium.core.locks import locked\nwith locked(Path(sys.argv[1])): print(flush=True); time.sleep(60)"


def test_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with locks.locked(path) as first, locks.locked(path) as second:
        assert (first, second) == (True, False)
    assert not path.exists()
    with locks.locked(path) as again:
        assert again


def test_a_killed_process_has_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with subprocess.Popen([sys.executable, "-c", HOLDS, str(path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with locks.locked(path) as mine:
            assert not mine
        process.kill()
    assert path.exists()
    with locks.locked(path) as mine:
        assert mine
    assert not path.exists()


def test_a_file_that_is_removed_before_it_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever had it removes it between opening and locking; a third program may have made it again."""
    path, lock = tmp_path / "lock", locks.lock
    removed: list[bool] = []

    def late(file: BinaryIO) -> bool:
        if not removed:
            removed.append(True)
            path.unlink()
        return lock(file)

    monkeypatch.setattr(locks, "lock", late)
    with locks.locked(path) as mine:
        assert mine
        assert path.exists()
