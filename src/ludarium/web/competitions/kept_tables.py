"""Tables of competitions, which take longest of what pages show: made once for all pages of a competition."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from ludarium.arena.reports.stored import StoredTable, stored_table
from ludarium.arena.store import CompetitionRow, Database

from . import kept_pages

MOST = 20
"""Competitions whose tables are kept."""


@dataclass
class _Kept:
    """The table as it was when the competition stood as ``row`` says."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    row: CompetitionRow | None = None
    table: StoredTable | None = None
    next: float = 0.0


_kept = WeakKeyDictionary[Database, dict[int, _Kept]]()


def table_of(database: Database, row: CompetitionRow, seats: int) -> tuple[StoredTable, bool]:
    """The table of a competition whose games have so many seats, and whether it is the newest one: where making it takes long, it may be a little older.

    It knows everybody who takes part. Called in threads.
    """
    tables = _kept.setdefault(database, {})
    if row.id not in tables and len(tables) >= MOST:
        tables.pop(next(iter(tables)), None)
    kept = tables.setdefault(row.id, _Kept())
    with kept.lock:
        begun = time.monotonic()
        is_old = kept.row is None or kept.row.players != row.players or (kept.row != row and begun >= kept.next)
        if kept.table is None or is_old:
            kept.row, kept.table = row, stored_table(database, row, seats)
            kept.next = time.monotonic() + kept_pages.SHARE * (time.monotonic() - begun)
        return kept.table, kept.row == row
