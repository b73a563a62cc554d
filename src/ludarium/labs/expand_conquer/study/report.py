"""A study's report: one HTML page that needs nothing else, for light and dark screens and for paper."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from html import escape
from pathlib import Path

from ludarium.cgt import Value
from ludarium.games.expand_conquer.game import ExpandConquer

from .findings import OUTCOMES, Found, found, found_boards, found_games, found_odd_boards, found_starts
from .notebook import Notebook
from .statement import NORMAL, Statement, Verdict, value_of
from .subjects import BOARD_SIDE, empty

__all__ = ["board_svg", "report"]

SQUARE = 19
"""Pixels of a square in the report."""

UNITS, EDGE = 20, 2
"""A square, and what is shown around the board, in the drawing's own units."""

MARKS = {"zero": "0", "star": "*", "other": "≠", "contradiction": "!", "unknown": "?"}

HOT_BOARDS = ("***O|**X*", "*X***|**O*X", "*OO|X**|O**")
"""Small boards of the normal variant with a temperature of 1, or about as much."""

SEARCH = "“Search”: the expected value was subtracted, and it was searched who wins; the second player does exactly if the two are equal."

PROOF = (
    "Halve a side that has an even number of squares, and let the second player answer every move in the mirror, in the other colour. After each answer the "
    "two squares of a mirrored pair are both empty or have different colours. So the two squares of a pair that meet at the middle never have one colour, and "
    "no group crosses the middle. When the first player expands a group, its neighbour across the middle is taken already, by the other colour, so that only "
    "squares of one half are filled, and the mirrored group can fill their images. When the first player places a stone, the image of that square is empty, "
    "and it has no neighbour of the second player's colour, for the images of its neighbours in its own half do not have the first player's, and its "
    "neighbour across the middle has. So the second player always has an answer, whoever begins, and the board is 0."
)


def report(statements: Sequence[Statement], notebook: Notebook, *, cut: bool) -> str:
    """The page: the statements with their verdicts, the games g_n, the map of conjecture 5.1, and the symmetric starts.

    Args:
        cut: whether the study was interrupted, so that statements may be missing.
    """
    parts = (
        _head(statements, cut),
        _statements(statements),
        _games(found_games(notebook)),
        _boards(notebook),
        _starts(found_starts(notebook)),
        _thermographs(),
        _method(notebook),
    )
    styles = f"<style>{_own_style()}{_board_style()}</style>"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Expand and Conquer, computed anew</title>\n{styles}\n</head>\n<body>\n{''.join(parts)}</body>\n</html>\n"
    )


@cache
def _own_style() -> str:
    return Path(__file__).with_name("report.css").read_text(encoding="utf-8")


@cache
def _board_style() -> str:
    """The rules that every drawing of a board has; the page needs them once."""
    found = re.search(r"<style>(.*?)</style>", _drawing(NORMAL, "*"), re.DOTALL)
    return "" if found is None else found[1]


def _drawing(variant: str, board: str) -> str:
    return ExpandConquer(variant=variant, start="O*").parse(board).svg()


def board_svg(board: str) -> str:
    """A board without its coordinates, every square :data:`SQUARE` pixels wide, and without the style that its page has already."""
    rows = board.split("|")
    drawing = _drawing(NORMAL, board)
    x, y = (float(shift) - EDGE for shift in re.findall(r'<g transform="translate\((\S+) (\S+)\)">', drawing)[0])
    width, height = UNITS * len(rows[0]) + 2 * EDGE, UNITS * len(rows) + 2 * EDGE
    inner = drawing[drawing.index("</style>") + len("</style>") :]
    inner = re.sub(r'<g class="xc-k".*?</g>', "", inner, flags=re.DOTALL)
    inner = re.sub(r' (?:data-pick|role|aria-label)="[^"]*"', "", inner)
    return (
        f'<svg class="xc" role="img" aria-label="the board {escape(board)}" width="{width * SQUARE // UNITS}" height="{height * SQUARE // UNITS}" '
        f'viewBox="{x:g} {y:g} {width} {height}">{inner}'
    )


def _value(text: str) -> str:
    return f'<span class="value">{escape(text)}</span>'


def _shown(text: str) -> str:
    """A value in symbols, or words about it."""
    return "–" if not text else escape(text) if text[0].isalpha() else _value(text)


def _verdict(verdict: Verdict) -> str:
    return f'<span class="verdict {verdict.name.lower().replace("_", "-")}">{verdict.value}</span>'


def _agrees(found: Found) -> str:
    if found.agrees is None:
        return "–"
    return f'<span class="verdict {"true" if found.agrees else "false"}">{"yes" if found.agrees else "no"}</span>'


def _typeset(text: str) -> str:
    """A sentence, with board strings set as code."""
    return re.sub(
        r"(?<![\w*])[XO*|]*(?:[XO][XO*|]*\*|\*[XO*|]*[XO])[XO*|]*(?![\w*])", lambda found: f"<code>{found[0]}</code>", escape(text)
    )


def _head(statements: Sequence[Statement], cut: bool) -> str:
    counts = Counter(one.verdict for one in statements)
    said = ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict if counts[verdict])
    interrupted = "<p>The study was interrupted; statements that are missing were not computed.</p>" if cut else ""
    today = datetime.now(UTC)
    return (
        "<h1>Expand and Conquer, computed anew</h1>\n"
        f'<p class="byline">The statements of A. Khambete’s <cite>IE 619 Ruleset Report: Expand and Conquer</cite> (IIT Bombay), and what lies beyond them. '
        f"Computed with Ludarium on {today.day} {today:%B %Y}.</p>\n"
        f'<div class="summary"><p>{len(statements)} statements: {said}.</p>{interrupted}</div>\n'
        "<p>Blue is Left and has the rings (<code>O</code>), red is Right and has the crosses (<code>X</code>); <code>*</code> is an empty square in a board "
        "string, and the game {0|0} elsewhere. Pale groups cannot expand. Every value is exact.</p>\n"
    )


def _statements(statements: Sequence[Statement]) -> str:
    rows = []
    for one in statements:
        boards = "".join(board_svg(board) for board in one.boards)
        drawn = f'<div class="boards">{boards}</div>' if boards else ""
        note = f'<span class="note">{_typeset(one.note)}</span>' if one.note else ""
        rows.append(
            f'<tr><th scope="row"><span class="where">{escape(one.place)}</span>{_typeset(one.claim)}{drawn}{note}</th>'
            f'<td data-label="expected">{_value(one.expected)}</td><td data-label="found">{_value(one.found)}</td>'
            f"<td>{_verdict(one.verdict)}</td></tr>\n"
        )
    return (
        '<h2>The statements</h2>\n<table class="statements"><thead><tr><th scope="col">statement</th><th scope="col">expected</th><th scope="col">found</th>'
        f'<th scope="col">verdict</th></tr></thead>\n<tbody>\n{"".join(rows)}</tbody></table>\n'
        "<p><small>“True so far”: no counterexample where it was computed. “Misprint”: wrong as printed, but the paper’s own argument or table has it right. "
        "“Figure lost”: not checkable, for the text does not say enough.</small></p>\n"
    )


def _subscript(name: str) -> str:
    """``g₁₂`` set with a subscript."""
    digits = name[1:].translate(str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789"))
    return f"<i>g</i><sub>{digits}</sub>"


def _games(games: Sequence[Found]) -> str:
    if not games:
        return ""
    rows = "".join(
        f'<tr><th scope="row">{_subscript(game.name)}</th><td>{_shown(game.text)}</td><td>{_shown(game.weight)}</td>'
        f"<td>{_value(Value(game.subject.expected).unicode)}</td><td>{_agrees(game)}</td><td>{escape(game.how)}</td></tr>\n"
        for game in games
    )
    drawn = (games[0], games[-1] if len(games) < 4 else games[3])
    return (
        "<h2>The games g<sub>n</sub></h2>\n"
        "<p><i>g</i><sub>n</sub> is <code>X</code>, then <i>n</i> times <code>*O</code>, then <code>*</code>, in the all-small variant. Conjecture 4.2 says "
        f"that the odd ones are the multiples of ↑. The even ones seem to be the same with a star, from <i>g</i><sub>6</sub> on. {SEARCH}</p>\n"
        f'<div class="boards">{"".join(board_svg(game.subject.board) for game in drawn)}</div>\n'
        '<table><thead><tr><th scope="col">game</th><th scope="col">value</th><th scope="col">atomic weight</th><th scope="col">expected</th>'
        f'<th scope="col">as expected</th><th scope="col">decided by</th></tr></thead>\n<tbody>\n{rows}</tbody></table>\n'
    )


def _boards(notebook: Notebook) -> str:
    sides = range(1, BOARD_SIDE + 1)
    head = "".join(f'<th scope="col">{columns}</th>' for columns in sides)
    rows = "".join(
        f'<tr><th scope="row">{height}</th>{"".join(_cell(found(notebook, empty(height, width))) for width in sides)}</tr>\n'
        for height in sides
    )
    legend = (
        ("zero", "the game 0"),
        ("star", "the game *"),
        ("other", "neither: the conjecture fails"),
        ("unknown", "not known yet"),
    )
    items = "".join(f"<li><b>{MARKS[kind]}</b> {escape(text)}</li>" for kind, text in legend)
    table = "".join(
        f'<tr><th scope="row">{board.name}</th><td>{_shown(board.text)}</td><td>{_shown(board.weight)}</td>'
        f"<td>{_agrees(board)}</td><td>{escape(board.how)}</td></tr>\n"
        for board in found_odd_boards(notebook)
    )
    return (
        "<h2>Conjecture 5.1: the empty boards</h2>\n"
        "<p>The conjecture: in the all-small variant, an empty board of <i>m</i>×<i>n</i> squares is 0 if <i>mn</i> is even, and * if it is odd. "
        f"{_judgement(notebook)}</p>\n"
        f'<table class="map"><caption>Empty boards by rows and columns</caption><thead><tr><th></th>{head}</tr></thead>\n<tbody>{rows}</tbody></table>\n'
        f'<ul class="legend">{items}</ul>\n'
        f"<p><b>Why even boards are 0.</b> {PROOF}</p>\n"
        '<table><caption>Boards with an odd number of squares</caption><thead><tr><th scope="col">board</th><th scope="col">value</th>'
        '<th scope="col">atomic weight</th><th scope="col">is it *?</th><th scope="col">decided by</th></tr></thead>\n'
        f"<tbody>\n{table}</tbody></table>\n"
    )


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


def _cell(board: Found) -> str:
    title = f"{board.name}: {board.text or 'not known'} ({board.how})"
    return f'<td class="{board.kind}" title="{escape(title)}">{MARKS[board.kind]}</td>'


def _starts(starts: Sequence[Found]) -> str:
    cards = "".join(
        f'<figure class="start">{board_svg(start.subject.board)}<figcaption><strong>{escape(start.name)}</strong>{_told(start)}</figcaption></figure>\n'
        for start in starts
    )
    return (
        "<h2>Symmetric starts</h2>\n"
        "<p>The paper’s last section asks for interesting starts of the normal variant in which the two colours have the same chances. Such a start is a win "
        f"for whoever moves first or for whoever moves second, and it is not easy to see for which of them.</p>\n"
        f'<div class="starts">{cards}</div>\n'
    )


def _told(start: Found) -> str:
    """Who wins a start, its value, and how that was found."""
    if start.outcome is None:
        return f"Not known: {escape(start.how)}"
    value = (
        f", value {_value(start.text)}" if start.text and not start.text[0].isalpha() else f"; {escape(start.text)}" if start.text else ""
    )
    return f"{OUTCOMES[start.outcome].capitalize()}{value} <small>(by {'its value' if start.how == 'value' else 'search'})</small>"


def _thermographs() -> str:
    """Thermographs where they say something: the positions above have no temperature above 0."""
    figures = []
    for board in HOT_BOARDS:
        found = value_of(board)
        figures.append(
            f'<figure class="thermograph">{board_svg(board)}{found.thermograph.svg(size=300)}<figcaption>{_value(found.unicode)}: mean '
            f"{_value(Value(found.mean).unicode)}, temperature {_value(Value(found.temperature).unicode)}</figcaption></figure>\n"
        )
    return (
        "<h2>How hot it gets</h2>\n"
        "<p>The positions of the paper are numbers or infinitesimal, so that their thermographs are a mast and no more. On boards with several rows the normal "
        "variant becomes hot, and a move can be worth more than one turn. A thermograph shows where play stops at every temperature.</p>\n"
        f'<div class="thermographs">{"".join(figures)}</div>\n'
    )


def _method(notebook: Notebook) -> str:
    seconds, given_up = sum(notebook.seconds.values()), len(notebook.attempts)
    left = f", and {given_up} question{'s' * (given_up != 1)} given up for want of time or memory" if given_up else ""
    return (
        "<h2>How this was computed</h2>\n"
        "<p>Positions are split into independent components; mirror images and exchanged colours count once. Every component gets its canonical form, which "
        "decides every question of value, outcome and atomic weight exactly. Where the canonical form is too large, a search decides who wins. The statements "
        f"were computed anew for this report. The games and boards beyond the paper are kept from study to study: {len(notebook.answers)} answers so far, "
        f"which took {seconds:,.0f} s{left}. A study with more time or memory goes on from there.</p>\n"
    )
