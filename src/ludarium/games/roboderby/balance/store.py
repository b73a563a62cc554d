"""Finished batches on disk: JSON Lines, a header and then a line a batch. Each is written at once, so that a crash loses at most the batches in work.

Reading drops an incomplete last line with a notice and refuses any other damage.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ludarium.errors import BadRecord, StoreError

from .batches import BATCH, Batch, Series

__all__ = ["Store"]


class Store:
    """The batches of a series that are known."""

    def __init__(self, folder: Path, series: Series) -> None:
        """Read the series' file in a folder, if there is one; nothing is written before the first batch.

        Raises:
            BadRecord: it is damaged.
            StoreError: it cannot be read.
        """
        self.path = folder / f"{series.digest[:20]}.jsonl"
        self.series = series
        self.batches: dict[tuple[int, int], Batch] = {}
        """By number and how many games: the last batch of a report may have been a short one."""
        self.notices: list[str] = []
        self._header: dict[str, Any] = {
            "balance": series.game.id,
            "format": 1,
            "series": series.digest,
            "options": dict(series.game.options),
            "players": list(series.players),
            "seed": series.seed,
        }
        self._whole = 0
        self._file = -1
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as problem:
            raise StoreError(f"the batches {self.path} cannot be read: {problem.strerror}") from None
        self._read(data)

    def _read(self, data: bytes) -> None:
        self._whole = data.rfind(b"\n") + 1
        if self._whole < len(data):
            self.notices.append(f"{self.path.name}: the last line is incomplete and was dropped (a report that was cut off)")
        for number, line in enumerate(data[: self._whole].splitlines(), start=1):
            try:
                entry = json.loads(line.decode("utf-8"))
                if number == 1:
                    if entry["series"] != self.series.digest:
                        raise ValueError
                else:
                    self._know(self.series.read(entry))
            except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
                wanted = "the header of this series" if number == 1 else "a batch of games"
                raise BadRecord(f"{self.path}, line {number}: not {wanted}: {line[:60]!r}; move the file away to begin anew") from None

    def _know(self, batch: Batch) -> None:
        self.batches[batch.number, len(batch.games)] = batch

    def missing(self, games: int) -> list[tuple[int, int]]:
        """The batches to play for so many games: their numbers, and how many games each shall have."""
        return [key for key in _keys(games) if key not in self.batches]

    def known(self, games: int) -> list[Batch]:
        """Those of the first so many games that are known, in order."""
        return [self.batches[key] for key in _keys(games) if key in self.batches]

    def add(self, batch: Batch) -> None:
        """Keep a batch.

        Raises:
            StoreError: it cannot be written.
        """
        try:
            if self._file < 0:
                self._open()
            lines = [batch.as_json()] if self._whole else [self._header, batch.as_json()]
            data = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode()
            if os.write(self._file, data) != len(data):
                raise OSError(0, "the disk is full")
        except OSError as problem:
            raise StoreError(f"the batches {self.path} cannot be written: {problem.strerror}") from None
        self._whole += len(data)
        self._know(batch)

    def _open(self) -> None:
        """Open the file and cut off what stands behind its last line's end; another report may have written since this one read."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600)
        self._whole = self.path.read_bytes().rfind(b"\n") + 1
        os.ftruncate(self._file, self._whole)

    def close(self) -> None:
        """Close the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _keys(games: int) -> list[tuple[int, int]]:
    return [(number, min(BATCH, games - BATCH * number)) for number in range(-(-games // BATCH))]
