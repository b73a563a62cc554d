"""A study's results as tables for the terminal, readable in 80 columns and without colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ludarium.cgt import Value

from .conjectures import OUTCOMES, Board, Game, found_games, found_starts, odd_boards
from .notebook import Notebook
from .statement import Statement, Verdict

__all__ = ["print_tables"]

STYLES = {Verdict.TRUE: "green", Verdict.SO_FAR: "green", Verdict.MISPRINT: "yellow", Verdict.FALSE: "bold red", Verdict.LOST: "dim"}

AGREES = {True: "yes", False: "NO", None: "–"}


def print_tables(console: Console, statements: Sequence[Statement], notebook: Notebook, *, cut: bool) -> None:
    """Print the statements, the games g_n, the empty boards with an odd number of squares, and the symmetric starts."""
    _print_statements(console, statements, cut)
    _print_games(console, "The games gₙ = X*O…*O* (all-small), n times *O", found_games(notebook), "as expected")
    _print_boards(console, odd_boards(notebook))
    _print_games(console, "Symmetric starts (normal): won by the first or the second player?", found_starts(notebook), None)
    answers, open_ = len(notebook.answers), len(notebook.attempts)
    console.print("search: minus the expected value, it was searched who wins; the second player does if they are equal", style="dim")
    console.print(f"\n{answers} answers and {open_} open attempt{'s' * (open_ != 1)} are kept in {notebook.path}", soft_wrap=True)


def _print_statements(console: Console, statements: Iterable[Statement], cut: bool) -> None:
    table = _table("where", "statement", "expected", "found", "verdict")
    for column, share in zip(table.columns, (13, 25, 9, 14), strict=False):
        column.ratio = share
    table.columns[4].min_width = 11
    table.expand = True
    for one in statements:
        note = f" {one.note}" if one.note and one.verdict is not Verdict.TRUE else ""
        verdict = _text((one.verdict.value, STYLES[one.verdict]))
        table.add_row(_text((one.place, "bold")), _text((one.claim, ""), (note, "dim")), one.expected, one.found, verdict)
    console.print("The paper's statements", style="bold")
    console.print(table)
    if cut:
        console.print("Interrupted: what is missing above was not computed.", style="yellow")


def _print_games(console: Console, title: str, games: Sequence[Game], agrees: str | None) -> None:
    if not games:
        return
    headings = ["", "value", "atomic weight", agrees, "how"] if agrees else ["", "value", "outcome", "how"]
    table = _table(*headings)
    for game in games:
        if agrees:
            table.add_row(game.name, game.text or "–", _weight(game.weight), AGREES[game.agrees], game.how)
        else:
            table.add_row(game.name, game.text or "–", OUTCOMES[game.outcome] if game.outcome else "–", game.how)
    console.print(f"\n{title}", style="bold")
    console.print(table)


def _print_boards(console: Console, boards: Sequence[Board]) -> None:
    if not boards:
        return
    table = _table("board", "value", "is it *?", "how")
    for board in boards:
        table.add_row(f"{board.rows}×{board.columns}", board.text or "–", AGREES[board.agrees], board.how)
    console.print("\nEmpty boards with an odd number of squares (all-small)", style="bold")
    console.print(table)


def _weight(weight: str | None) -> str:
    return "–" if weight is None else Value(weight).unicode


def _table(*headings: str) -> Any:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def _text(*parts: tuple[str, str]) -> Any:
    return Text.assemble(*parts)
