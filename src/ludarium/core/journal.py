"""A file to which long work adds what it has found, so that it can be stopped and taken up again: JSON Lines, a header and then a line for every finding.

Each line is written at once, whole, so that a crash loses at most the one being written. Reading drops an incomplete last line with a notice and refuses any
other damage.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ludarium.errors import BadRecord, StoreError, store_errors


class Journal:
    """The lines of one file. Nothing is written before the first line is added."""

    def __init__(self, path: Path, subject: str, header: Mapping[str, Any]) -> None:
        """Name the file.

        Args:
            subject: what it holds, for messages: ``"the study's results"``.
            header: the first line; a file that begins otherwise is refused.
        """
        self.path = path
        self.notices: list[str] = []
        self._subject = subject
        self._header = dict(header)
        self._whole = 0
        self._file = -1

    def read(self, take: Callable[[Any], None], wanted: str) -> None:
        """Hand every line after the header to ``take``; a file that does not exist has none.

        ``wanted`` is what such a line is, for messages. ``take`` refuses one by ``ValueError``, ``LookupError``, ``TypeError``, ``AttributeError`` or
        ``OverflowError``.

        Raises:
            BadRecord: the file is damaged, or another one.
            StoreError: it cannot be read.
        """
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as problem:
            raise StoreError(f"{self._subject} {self.path} cannot be read: {problem.strerror}") from None
        self._whole = data.rfind(b"\n") + 1
        if self._whole < len(data):
            self.notices.append(f"{self.path.name}: the last line is incomplete and was dropped (the program was cut off while it wrote)")
        for number, line in enumerate(data[: self._whole].splitlines(), start=1):
            try:
                entry = json.loads(line.decode("utf-8"))
                if number > 1:
                    take(entry)
                elif entry != self._header:
                    raise ValueError
            except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
                told = f"the header of {self._subject}" if number == 1 else wanted
                raise BadRecord(f"{self.path}, line {number}: not {told}: {line[:60]!r}; move the file away to begin anew") from None

    def add(self, entry: Mapping[str, Any]) -> None:
        """Write a line, with the header before the first, and flush it to the disk.

        Raises:
            StoreError: it cannot be written.
        """
        with store_errors(f"{self._subject} {self.path} cannot be written"):
            if self._file < 0:
                self._open()
            lines = [entry] if self._whole else [self._header, entry]
            data = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines).encode()
            if os.write(self._file, data) != len(data):
                raise OSError(0, "the disk is full")
            os.fsync(self._file)
        self._whole += len(data)

    def _open(self) -> None:
        """Open the file and cut off what stands behind its last line's end; another program may have written since this one read."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600)
        self._whole = self.path.read_bytes().rfind(b"\n") + 1
        os.ftruncate(self._file, self._whole)

    def close(self) -> None:
        """Close the file; a later line opens it again."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
