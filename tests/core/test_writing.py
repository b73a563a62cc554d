"""Files that are whole or not there, whatever happens while they are written and whoever else writes them."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ludarium.core import writing
from ludarium.core.writing import replace_file, write_bytes, write_text
from ludarium.errors import StoreError


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is done to the disk, in order."""
    done: list[str] = []
    fsync, replace = os.fsync, os.replace

    def sync(file: int) -> None:
        done.append("fsync folder" if stat.S_ISDIR(os.fstat(file).st_mode) else f"fsync {os.fstat(file).st_size} bytes")
        fsync(file)

    def rename(source: Path, target: Path) -> None:
        done.append(f"rename to {Path(target).name}")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", rename)
    monkeypatch.setattr(os, "rename", rename)
    return done


def test_a_file_is_flushed_before_it_is_renamed_and_its_folder_afterwards(tmp_path: Path, done: list[str]) -> None:
    write_text(tmp_path / "file", "seven b")
    assert done == ["fsync 7 bytes", "rename to file", "fsync folder"]
    done.clear()
    replace_file(tmp_path / "file", b"cached", is_durable=False)
    assert done == ["rename to file"]
    assert names(tmp_path) == ["file"]


def test_where_the_disk_fails_the_earlier_content_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_text(path, "earlier")

    def fail(file: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StoreError, match="file cannot be written: Input/output error"):
        write_text(path, "later")
    assert path.read_text() == "earlier"
    assert names(tmp_path) == ["file"]


def test_threads_may_write_one_file(tmp_path: Path) -> None:
    path, contents = tmp_path / "file", [bytes([number]) * 5_000 for number in range(8)]
    with ThreadPoolExecutor(8) as threads:
        for written in [threads.submit(write_bytes, path, contents[number % 8]) for number in range(400)]:
            written.result()
            assert path.read_bytes() in contents
    assert names(tmp_path) == ["file"]


def test_processes_may_write_one_file(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from ludarium.core.writing import write_bytes\n"
        "for _ in range(100): write_bytes(Path(sys.argv[1]), sys.argv[2].encode() * 5_000)"
    )
    path = tmp_path / "file"
    processes = [subprocess.Popen([sys.executable, "-c", code, str(path), mark]) for mark in "abc"]
    while any(process.poll() is None for process in processes):
        if path.exists():
            assert path.read_bytes() in (b"a" * 5_000, b"b" * 5_000, b"c" * 5_000)
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert names(tmp_path) == ["file"]


def test_what_a_killed_process_left_behind_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", killed)
        patch.setattr(Path, "unlink", lambda *_, **__: None)
        with pytest.raises(KeyboardInterrupt):
            write_text(tmp_path / "file", "text")
    (left,) = tmp_path.iterdir()
    ours = tmp_path / ".ours.tmp"
    ours.touch()
    hour_ago = time.time() - writing.OLD - 1
    os.utime(ours, (hour_ago, hour_ago))
    writing._cleaned.clear()
    write_text(tmp_path / "file", "text")
    assert left.exists()  # another process may be writing it
    os.utime(left, (hour_ago, hour_ago))
    writing._cleaned.clear()
    write_text(tmp_path / "file", "text")
    assert names(tmp_path) == [".ours.tmp", "file"]


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    write_text(path, "key", mode=0o600)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    link.symlink_to("file")
    write_text(link, "another")
    assert link.is_symlink()
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("another", 0o600)
    write_text(tmp_path / ("é" * 127), "a name of 254 bytes")
    with pytest.raises(StoreError, match="cannot be written"):
        write_text(tmp_path, "a folder")
