"""Finished batches, kept in a journal: a crash loses at most the batches in work."""

from __future__ import annotations

from pathlib import Path

from ludarium.core.journal import Journal

from .batches import BATCH, Batch, Series


class Store:
    """The batches of a series that are known."""

    def __init__(self, folder: Path, series: Series) -> None:
        """Read the series' file in a folder, if there is one; nothing is written before the first batch.

        Raises:
            BadRecord: it is damaged.
            StoreError: it cannot be read.
        """
        self.series = series
        self.batches: dict[tuple[int, int], Batch] = {}
        """By number and how many games: the last batch of a report may have been a short one."""
        header = {
            "balance": series.game.id,
            "format": 1,
            "series": series.digest,
            "options": dict(series.game.options),
            "players": list(series.players),
            "seed": series.seed,
        }
        self.path = folder / f"{series.digest[:20]}.jsonl"
        self._journal = Journal(self.path, "the batches", header)
        self._journal.read(lambda entry: self._know(series.read(entry)), "a batch of games")
        self.notices = self._journal.notices

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
        self._journal.add(batch.as_json())
        self._know(batch)

    def close(self) -> None:
        """Close the file."""
        self._journal.close()


def _keys(games: int) -> list[tuple[int, int]]:
    return [(number, min(BATCH, games - BATCH * number)) for number in range(-(-games // BATCH))]
