"""A study's results as tables for the terminal, readable in 80 columns and without colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .findings import OUTCOMES, Found, found_games, found_odd_boards, found_starts
from .notebook import Notebook
from .statement import Statement, Verdict

STYLES = {Verdict.TRUE: "green", Verdict.SO_FAR: "green", Verdict.MISPRINT: "yellow", Verdict.FALSE: "bold red", Verdict.LOST: "dim"}

AGREES = {True: "yes", False: "NO", None: "–"}


def print_tables(console: Console, statements: Sequence[Statement], notebook: Notebook, *, cut: bool) -> None:
    """Print the statements, the games g_n, the empty boards with an odd number of squares, and the symmetric starts."""
    _print_statements(console, statements, cut)
    games = {"name": "", "value": "value", "weight": "atomic weight", "agrees": "as expected", "how": "how"}
    _print_found(console, "The games gₙ = X*O…*O* (all-small), n times *O", found_games(notebook), games)
    boards = {"name": "board", "value": "value", "agrees": "is it *?", "how": "how"}
    _print_found(console, "Empty boards with an odd number of squares (all-small)", found_odd_boards(notebook), boards)
    starts = {"name": "", "value": "value", "outcome": "outcome", "how": "how"}
    _print_found(console, "Symmetric starts (normal): won by the first or the second player?", found_starts(notebook), starts)
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
        verdict = Text.assemble((one.verdict.value, STYLES[one.verdict]))
        claim = Text.assemble((one.claim, ""), (note, "dim"))
        table.add_row(Text.assemble((one.place, "bold")), claim, one.expected, one.found, verdict)
    console.print("The paper's statements", style="bold")
    console.print(table)
    if cut:
        console.print("Interrupted: what is missing above was not computed.", style="yellow")


def _print_found(console: Console, title: str, several: Sequence[Found], headings: dict[str, str]) -> None:
    """Print what is known of some subjects; ``headings`` names the cells that are wanted."""
    if not several:
        return
    table = _table(*headings.values())
    for one in several:
        cells = {
            "name": one.name,
            "value": one.text or "–",
            "weight": one.weight or "–",
            "outcome": OUTCOMES[one.outcome] if one.outcome else "–",
            "agrees": AGREES[one.agrees],
            "how": one.how,
        }
        table.add_row(*(cells[wanted] for wanted in headings))
    console.print(f"\n{title}", style="bold")
    console.print(table)


def _table(*headings: str) -> Any:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table
