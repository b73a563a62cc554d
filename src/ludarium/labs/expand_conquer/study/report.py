"""A study's report: one HTML page that needs nothing else, for light and dark screens and for paper."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

from markupsafe import Markup

from ludarium.arena.reports.parts import template
from ludarium.arena.reports.words import day
from ludarium.cgt import Value
from ludarium.games.expand_conquer.game import ExpandConquer

from .findings import OUTCOMES, found, found_boards, found_games, found_odd_boards, found_starts
from .notebook import Notebook
from .statement import Statement, Verdict, value_of
from .subjects import BOARD_SIDE, empty

FOLDER = Path(__file__).parent

SQUARE = 19
"""Pixels of a square in the report."""

UNITS, EDGE = 20, 2
"""A square, and what is shown around the board, in the drawing's own units."""

MARKS = {"zero": "0", "star": "*", "other": "≠", "contradiction": "!", "unknown": "?"}

HOT_BOARDS = ("***O|**X*", "*X***|**O*X", "*OO|X**|O**")
"""Small boards of the normal variant with a temperature of 1, or about as much."""


def report(statements: Sequence[Statement], notebook: Notebook, *, cut: bool) -> str:
    """The page: the statements with their verdicts, the games g_n, the map of conjecture 5.1, and the symmetric starts.

    Args:
        cut: whether the study was interrupted, so that statements may be missing.
    """
    filters: dict[str, Callable[[Any], str]] = {"drawn": board_svg, "symbols": lambda of: Value(of).unicode, "typeset": _typeset}
    counts = Counter(one.verdict for one in statements)
    sides = range(1, BOARD_SIDE + 1)
    return template(FOLDER / "report.html", filters).render(
        statements=statements,
        verdicts=", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict if counts[verdict]),
        cut=cut,
        games=found_games(notebook),
        map=[[found(notebook, empty(rows, columns)) for columns in sides] for rows in sides],
        odd_boards=found_odd_boards(notebook),
        judgement=_judgement(notebook),
        starts=found_starts(notebook),
        hot_boards={board: value_of(board) for board in HOT_BOARDS},
        notebook=notebook,
        marks=MARKS,
        outcomes=OUTCOMES,
        styles=Markup((FOLDER / "report.css").read_text(encoding="utf-8") + _board_style()),
        today=day(datetime.now(UTC)),
    )


def _board_style() -> str:
    """The rules that every drawing of a board has; the page needs them once."""
    rules = re.search(r"<style>(.*?)</style>", _drawing("*"), re.DOTALL)
    return "" if rules is None else rules[1]


def _drawing(board: str) -> str:
    return ExpandConquer(start="O*").parse(board).svg()


def board_svg(board: str) -> Markup:
    """A board without its coordinates, every square :data:`SQUARE` pixels wide, and without the style that its page has already."""
    rows = board.split("|")
    drawing = _drawing(board)
    x, y = (float(shift) - EDGE for shift in re.findall(r'<g transform="translate\((\S+) (\S+)\)">', drawing)[0])
    width, height = UNITS * len(rows[0]) + 2 * EDGE, UNITS * len(rows) + 2 * EDGE
    inner = drawing[drawing.index("</style>") + len("</style>") :]
    inner = re.sub(r'<g class="xc-k".*?</g>', "", inner, flags=re.DOTALL)
    inner = re.sub(r' (?:data-pick|role|aria-label)="[^"]*"', "", inner)
    return Markup(
        f'<svg class="xc" role="img" aria-label="the board {escape(board)}" width="{width * SQUARE // UNITS}" height="{height * SQUARE // UNITS}" '
        f'viewBox="{x:g} {y:g} {width} {height}">{inner}'
    )


def _typeset(text: str) -> Markup:
    """A sentence, with board strings set as code."""
    codes = re.sub(
        r"(?<![\w*])[XO*|]*(?:[XO][XO*|]*\*|\*[XO*|]*[XO])[XO*|]*(?![\w*])", lambda found: f"<code>{found[0]}</code>", escape(text)
    )
    return Markup(codes)


def _judgement(notebook: Notebook) -> str:
    """What the map shows, in words."""
    boards = found_boards(notebook)
    broken = [board.name for board in boards if board.kind == "contradiction"]
    first = f"Computation and proof disagree on {', '.join(broken)}." if broken else "The first half holds on every board."
    larger = [board.agrees for board in boards if board.subject.rows > 1 and not board.subject.proof and board.agrees is not None]
    if not larger:
        return f"{first} Boards with an odd number of squares and more than one row are not decided yet."
    if not any(larger):
        return f"{first} The second half fails on every board with more than one row on which it was decided."
    return f"{first} The second half holds on {sum(larger)} of {len(larger)} boards with more than one row on which it was decided."
