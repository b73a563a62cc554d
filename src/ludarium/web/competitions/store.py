"""The store as a server reads it: it may come to be while the server runs, and others write to it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from ludarium.arena.store import (
    CompetitionRow,
    Database,
    competition_of,
    latest_competitions,
    mark_interrupted,
    open_database,
    store_exists,
)
from ludarium.errors import ProtocolError, StoreError

log = logging.getLogger("ludarium.web")


class Store:
    """Opens the store when it is asked for and there is one. Its methods take a while, and may be called in any thread."""

    def __init__(self, where: str | Path | None = None, only: Collection[int] | None = None) -> None:
        """``where`` as for :func:`~ludarium.arena.store.open_database`; ``only``: the ids of the competitions that visitors may see, None for all."""
        self._where = where
        self._only = only
        self._database: Database | None = None
        self._lock = threading.Lock()

    def opened(self) -> Database | None:
        """None while there is no store.

        Raises:
            ProtocolError: ``busy``: it cannot be read.
        """
        with self._lock:
            try:
                if self._database is None and store_exists(self._where):
                    self._database = open_database(self._where, create=False)
                    with suppress(StoreError):  # a store that may only be read has pages too
                        mark_interrupted(self._database)
            except StoreError as problem:
                raise unreadable(problem) from None
            return self._database

    def shows(self, competition: int) -> bool:
        """Whether visitors may see a competition, if there is such a one."""
        return self._only is None or competition in self._only

    def competition(self, id: int) -> CompetitionRow | None:
        """That of an id, if visitors may see it. Raises: ProtocolError: as :meth:`opened`."""
        database = self.opened()
        return competition_of(database, id) if database is not None and self.shows(id) else None

    def latest(self, before: int | None, limit: int) -> tuple[CompetitionRow, ...]:
        """The newest first; those that were begun before the one of an id. Raises: ProtocolError: as :meth:`opened`."""
        database = self.opened()
        if database is None:
            return ()
        if self._only is None:
            return tuple(latest_competitions(database, before=before, limit=limit))
        found = [self.competition(id) for id in sorted(self._only, reverse=True) if before is None or id < before]
        return tuple(row for row in found if row is not None)

    def has_any(self) -> bool:
        """Whether there is a competition to see."""
        try:
            return bool(self.latest(None, 1))
        except (ProtocolError, StoreError):
            return False

    def close(self) -> None:
        with self._lock:
            if self._database is not None:
                self._database.close()
                self._database = None


def unreadable(problem: StoreError) -> ProtocolError:
    """What visitors are told; the log is told why, with the names of files and hosts, which are nobody else's affair."""
    log.error("competitions cannot be read: %s", problem)
    return ProtocolError("busy", "the competitions cannot be read at the moment; the server's log says why", 10)
