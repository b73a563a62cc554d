"""The table as JSON, CSV and Markdown. Names of players are untrusted text, which CSV and Markdown escape."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ludarium.arena.tournament import TournamentResult

from .option_sets import results_by_set, shared_options
from .table import Row, cell_text, cross_table, duration, plain, table

MOST_CROSSED = 12
"""Players of a cross table that stands between lines of text."""


def table_json(result: TournamentResult) -> dict[str, Any]:
    """Return everything in plain values. Rows and columns of matrices, and the results of option sets, are in the order of ``players``."""
    tournament, ratings = result.tournament, result.ratings
    order = np.ix_(result.ranking, result.ranking)
    return {
        "tournament": tournament.name,
        "game": tournament.game.id,
        "options": shared_options([game.options for game in tournament.option_sets]),
        "format": tournament.format,
        "rounds": tournament.rounds,
        "seed": tournament.seed,
        "games": len(result.games),
        "over": result.is_over,
        "players": [row.as_json() for row in table(result)],
        "option_sets": [
            {
                "options": dict(game.options),
                "points": [cell[0] if cell else 0 for cell in one.cells],
                "games": [cell[1] if cell else 0 for cell in one.cells],
            }
            for game, one in zip(tournament.option_sets, results_by_set(result), strict=False)
        ],
        "superiority": ratings and np.round(ratings.superiority[order], 6).tolist(),
        "cross_table": ratings and {"points": ratings.pair_points[order].tolist(), "games": ratings.pair_games[order].tolist()},
        "draws": ratings and ratings.draws and round(ratings.draws, 6),
    }


def csv_text(result: TournamentResult) -> str:
    """The table, a line a player. A text that a spreadsheet would take for a formula has an apostrophe before it."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    rows = [row.as_json() for row in table(result)]
    lines.writerow(rows[0])
    for row in rows:
        lines.writerow([_harmless(value) if isinstance(value, str) else value for value in row.values()])
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
    behaved = [[str(row.rank), _escaped(row.name), *conduct_cells(row)] for row in rows]
    lines += ["", "Thinking time and forfeits:", "", *_table(["", "player", *CONDUCT_HEADINGS], behaved)]
    if (cells := cross_table(result)) and len(cells) <= MOST_CROSSED:
        crossed = [
            [str(row.rank), _escaped(row.name), *("–" if row.rank == rank else cell_text(cell) for rank, cell in enumerate(line, 1))]
            for row, line in zip(rows, cells, strict=True)
        ]
        lines += ["", "Points of games against each other:", "", *_table(["", "player", *(str(row.rank) for row in rows)], crossed)]
    if sets := results_by_set(result):
        body = [[str(row.rank), _escaped(row.name), *(cell_text(one.cells[place]) for one in sets)] for place, row in enumerate(rows)]
        lines += ["", "Points with each option set:", "", *_table(["", "player", *(_escaped(one.name) for one in sets)], body)]
    return "\n".join(lines) + "\n"


CONDUCT_HEADINGS = ("time per action", "timeouts", "late answers", "crashes", "other forfeits")


def conduct_cells(row: Row) -> list[str]:
    """Return a player's cells under :data:`CONDUCT_HEADINGS`."""
    one = row.conduct
    return [duration(one.seconds_per_action), *map(str, (one.timeouts, one.late_answers, one.crashes, one.other_forfeits))]


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
