"""A file to which long work adds what it has found, so that it can be stopped and taken up again: JSON Lines, a header and then a line for every finding.

Each line is written at once, whole, so that a crash loses at most the one being written. Reading drops an incomplete last line with a notice and refuses any
other damage.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ludarium.errors import BadRecord, StoreError, store_errors

from .lines import LineFile


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
        self._file: LineFile | None = None

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
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            self.notices.append(f"{self.path.name}: the last line is incomplete and was dropped (the program was cut off while it wrote)")
        for number, line in enumerate(data[:whole].splitlines(), start=1):
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
            if self._file is None:
                self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._file = LineFile(self.path, mode=0o600)
            if not self._file.end:
                self._file.add(self._header)
            self._file.add(entry)
            self._file.sync()

    def close(self) -> None:
        """Close the file; a later line opens it again.

        Raises:
            StoreError: what could not be written of a line cannot be cut off.
        """
        if self._file is not None:
            with store_errors(f"{self._subject} {self.path} cannot be written"):
                self._file.close()
            self._file = None
