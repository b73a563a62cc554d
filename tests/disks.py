"""Disks that take no more, and what a power cut leaves of them."""

from __future__ import annotations

import os
import random
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file of this process grows beyond so many bytes: the system writes up to there, perhaps half a line, and then refuses.

    Python keeps no compiled modules meanwhile: of one that it could write only half it would say nothing, and fail to import it ever after.
    """
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, usual[1]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)
        patch.setenv("PYTHONDONTWRITEBYTECODE", "1")
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, usual)


@dataclass
class Inode:
    """A file's content as it is on the disk for sure, and what was done to it since it was flushed."""

    flushed: bytes = b""
    since: list[bytes | int] = field(default_factory=list[bytes | int])
    """Bytes that were written at its end, or to how many it was cut."""

    def after(self, operations: list[bytes | int]) -> bytes:
        content = self.flushed
        for operation in operations:
            content = content[:operation] if isinstance(operation, int) else content + operation
        return content

    def torn(self, chance: random.Random) -> bytes:
        """What a power cut may leave: some of what was done since, of a write perhaps the beginning."""
        done = self.since[: chance.randint(0, len(self.since))]
        if done and isinstance(done[-1], bytes):
            done[-1] = done[-1][: chance.randint(0, len(done[-1]))]
        return self.after(done)


class Disk:
    """Stands below all that is written to one folder, and knows what of it was flushed: files by themselves, and the folder's list of them."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        self._listed: dict[str, Inode] = {}
        self._flushed_list: dict[str, Inode] = {}
        self._open: dict[int, Inode | None] = {}
        self._real: dict[str, Any] = {}
        for name in ("open", "write", "ftruncate", "fsync", "close", "unlink", "replace"):
            self._real[name] = getattr(os, name)
            monkeypatch.setattr(os, name, getattr(self, f"_{name}_file"))

    def _open_file(self, path: Any, flags: int, mode: int = 0o777, **more: Any) -> int:
        file = self._real["open"](path, flags, mode, **more)
        self._open.pop(file, None)
        if path == self._folder:
            self._open[file] = None
        elif isinstance(path, Path) and path.parent == self._folder:
            self._open[file] = self._listed.setdefault(path.name, Inode())
        return file

    def _write_file(self, file: int, data: bytes) -> int:
        count = self._real["write"](file, data)
        if inode := self._open.get(file):
            inode.since.append(data[:count])
        return count

    def _ftruncate_file(self, file: int, size: int) -> None:
        self._real["ftruncate"](file, size)
        if inode := self._open.get(file):
            inode.since.append(size)

    def _fsync_file(self, file: int) -> None:
        done = len(inode.since) if (inode := self._open.get(file)) else 0
        self._real["fsync"](file)
        if inode:
            inode.flushed, inode.since = inode.after(inode.since[:done]), inode.since[done:]
        elif file in self._open:
            self._flushed_list = dict(self._listed)

    def _close_file(self, file: int) -> None:
        self._open.pop(file, None)
        self._real["close"](file)

    def _unlink_file(self, path: Any, **more: Any) -> None:
        self._real["unlink"](path, **more)
        if Path(path).parent == self._folder:
            self._listed.pop(Path(path).name, None)

    def _replace_file(self, path: Any, target: Any, **more: Any) -> None:
        self._real["replace"](path, target, **more)
        if Path(path).parent == self._folder:
            self._listed[Path(target).name] = self._listed.pop(Path(path).name)

    def cut(self, target: Path, chance: random.Random) -> None:
        """Make a folder of what a power cut now could leave."""
        target.mkdir(parents=True)
        for name, inode in (self._flushed_list | (self._listed if chance.random() < 0.5 else {})).items():
            (target / name).write_bytes(inode.torn(chance))
