"""A file that grows by whole lines, whatever happens meanwhile: the process is killed, the disk is full, the power fails."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ludarium.errors import StoreError, store_errors


class LineFile:
    """A file of JSON Lines to which lines are added. A line is one write: whoever is killed meanwhile leaves all of it, or an incomplete last line.

    What the system refuses is raised as ``OSError``.
    """

    def __init__(self, path: Path, flags: int = os.O_CREAT, mode: int = 0o666) -> None:
        """Open a file. ``flags`` of ``os.open`` say whether it is created. An incomplete last line is cut off."""
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | flags, mode)
        data = path.read_bytes()
        self.lines = data.count(b"\n")
        """How many it had when it was opened."""
        self.end = data.rfind(b"\n") + 1
        """Where the next line begins."""
        self._is_torn = self.end < len(data)
        self._cut_off()

    def add(self, line: Mapping[str, Any]) -> None:
        """Write a line. Where that fails, what was written of it is cut off before the next one, or when the file is closed."""
        rest = data = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n").encode("utf-8", "replace")
        self._cut_off()
        self._is_torn = True
        while rest:  # on a disk that is nearly full some of it is written, and then none
            rest = rest[os.write(self._file, rest) :]
        self._is_torn = False
        self.end += len(data)

    def go_back(self, end: int) -> None:
        """Drop the lines from where one began."""
        self.end = end
        self._is_torn = True

    def _cut_off(self) -> None:
        if self._is_torn:
            os.ftruncate(self._file, self.end)
            self._is_torn = False

    def sync(self) -> None:
        """Flush to the disk what is written. Where that fails, the system may have dropped any of it that was not flushed before."""
        os.fsync(self._file)

    def close(self) -> None:
        """Close the file, if it is open."""
        file, self._file = self._file, -1
        if file >= 0:
            try:
                if self._is_torn:
                    os.ftruncate(file, self.end)
            finally:
                os.close(file)


def kept_lines(path: Path, subject: str, kind: str, take: Callable[[bytes], None]) -> LineFile:
    """The file in which a server keeps ``subject``, for its owner alone to read; ``take`` is given each line that it has.

    Raises:
        StoreError: the file cannot be used, or a line is no ``kind``: ``take`` raised ``ValueError`` or ``LookupError``.
    """
    with store_errors(f"{subject} {path} cannot be kept"):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = LineFile(path, mode=0o600)
        lines = path.read_bytes().splitlines()
    for number, line in enumerate(lines, 1):
        try:
            take(line)
        except (ValueError, LookupError):
            raise StoreError(f"{path}, line {number}: no {kind}: {line[:80]!r}") from None
    return file


def sync_folder(folder: Path) -> None:
    """Flush to the disk which files a folder has, where the system has a way to."""
    with suppress(PermissionError):  # some folders may be entered only
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
