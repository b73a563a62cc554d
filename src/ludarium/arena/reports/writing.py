"""Writes a tournament's reports."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from ludarium.arena.tournament import TournamentResult
from ludarium.core.writing import write_text

from .page import html_page
from .texts import csv_text, markdown_text, table_json


def write_reports(result: TournamentResult, replays: Mapping[int, str] = MappingProxyType({})) -> Path:
    """Write ``table.json``, ``table.csv``, ``table.md`` and ``report.html`` into the tournament's folder, each whole or not at all.

    The same games give the same files, but for the days on which they were played and the thinking times.

    Args:
        replays: packed games (:func:`.replays.packed_games`), by number, which the page itself shows.

    Returns:
        The page.

    Raises:
        StoreError: one of them cannot be written.
    """
    folder = result.tournament.folder
    texts = {
        "table.json": json.dumps(table_json(result)) + "\n",
        "table.csv": csv_text(result),
        "table.md": markdown_text(result),
        "report.html": html_page(result, replays),
    }
    for name, text in texts.items():
        write_text(folder / name, text.encode("utf-8", "replace").decode())  # the name of the tournament's file may be no Unicode
    return folder / "report.html"
