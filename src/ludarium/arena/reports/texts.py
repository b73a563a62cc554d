"""The table as CSV and as Markdown. Names of players are anybody's text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import asdict, fields

from ludarium.arena.tournament import TournamentResult

from .table import Row, cell_text, cross_table, plain, table

MOST_CROSSED = 12
"""Players of a cross table that stands between lines of text."""


def csv_text(result: TournamentResult) -> str:
    """The table, a line a player. A text that a spreadsheet would take for a formula has an apostrophe before it."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow([field.name for field in fields(Row)])
    for row in table(result):
        lines.writerow([_harmless(value) if isinstance(value, str) else value for value in asdict(row).values()])
    return out.getvalue()


def markdown_text(result: TournamentResult) -> str:
    """The table and, of few players, the cross table."""
    rows = table(result)
    byes = any(row.byes for row in rows)
    headings = ("", "player", "points", *(["of byes"] if byes else []), "Elo", "over the next", "games", "wins", "draws", "losses")
    lines = [f"# {_escaped(result.tournament.name)}", "", f"{_escaped(result.tournament.game.title)}, {played(result)}.", ""]
    body = [
        [str(row.rank), _escaped(row.name), plain(row.points), *([plain(row.byes)] if byes else []), row.elo, row.percent]
        + [str(number) for number in (row.games, row.wins, row.draws, row.losses)]
        for row in rows
    ]
    lines += _table(headings, body)
    if (cells := cross_table(result)) and len(cells) <= MOST_CROSSED:
        crossed = [
            [str(row.rank), _escaped(row.name), *("–" if row.rank == rank else cell_text(cell) for rank, cell in enumerate(line, 1))]
            for row, line in zip(rows, cells, strict=True)
        ]
        lines += ["", "Points of games against each other:", "", *_table(["", "player", *(str(row.rank) for row in rows)], crossed)]
    return "\n".join(lines) + "\n"


def played(result: TournamentResult) -> str:
    """How many games, and whether these are all."""
    count = len(result.games)
    return f"{count:,} game{'s' * (count != 1)}" + ("" if result.is_over else ", not over")


def _table(headings: Sequence[str], body: Sequence[Sequence[str]]) -> list[str]:
    marks = ["---" if heading == "player" else "---:" for heading in headings]
    return [f"| {' | '.join(cells)} |" for cells in (headings, marks, *body)]


def _harmless(text: str) -> str:
    return f"'{text}" if text.lstrip()[:1] in ("=", "+", "-", "@") else text


def _escaped(text: str) -> str:
    """A backslash before every sign of ASCII that could mean something in Markdown."""
    return re.sub(r"([!-+./:-@\[-`{-~])", r"\\\1", text)
