"""``ludarium replay``: check a record and print it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium.core.writing import write_text
from ludarium.errors import BadOption, StoreError

from .common import file_or_folder, notices, number_option, path_option, screen

if TYPE_CHECKING:
    from rich.table import Table

    from ludarium.core.record import Header
    from ludarium.core.timeline import Timeline


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", parser=file_or_folder, help="A game record.")],
    svg: Annotated[Path | None, path_option("OUT", "Draw the position into this SVG file.", "--svg")] = None,
    at: Annotated[
        int | None, number_option(0, 10**9, "The position after N turns, or steps where there are dice.", "--at", show_default="the last")
    ] = None,
    page: Annotated[Path | None, path_option("OUT", "Write an HTML page in which to walk through the game.", "--page")] = None,
) -> None:
    """Check a game record through the rules and print it.

    An incomplete last line, as a crash leaves it, is dropped with a notice. Any other damage is refused with its line and reason.
    """
    from ludarium.core.record import read_record

    from .picture import counted, outcome_text, show_state, unit_of

    if page is not None and page.exists():
        raise StoreError(f"{page} exists already; a page is written into a new file")
    if svg is not None and svg.exists() and file.exists() and svg.samefile(file):
        raise StoreError(f"{svg} is the record itself; a position is drawn into another file")
    record = read_record(file)
    timeline = record.replay()
    if record.notice:
        notices().print(f"notice: {record.notice}", soft_wrap=True)
    for was, now in record.renamed.items():
        notices().print(f"notice: {record.source}: the player {was} of this older record is called {now} now", soft_wrap=True)
    unit = unit_of(timeline)
    if at is not None and at > timeline.ply:
        raise BadOption(f"--at {at}: the game has {counted(timeline.ply, unit)}")
    number = timeline.ply if at is None else at
    step = timeline.steps[number]
    if svg is not None:
        write_text(svg, step.state.svg(last=step.action))
    if page is not None:
        from ludarium.arena.reports.replays import replay_page  # with all of the arena, which only who wants it has to wait for

        write_text(page, replay_page(record, timeline))
    _print_header(record.header, timeline)
    screen().print(_moves(timeline, unit))
    screen().print(f"\nAfter {unit} {number}:" if number else "\nAt the start:")
    show_state(step.state, last=step.action)
    outcome = timeline.outcome
    screen().print(outcome_text(timeline.state, outcome) if outcome else f"Unfinished after {counted(timeline.ply, unit)}.", soft_wrap=True)
    if page is not None:
        screen().print(f"page: {page}", soft_wrap=True)


def _print_header(header: Header, timeline: Timeline) -> None:
    seats = ", ".join(f"{seat}: {name}" for seat, name in zip(timeline.game.player_names, header.players, strict=False))
    options = " ".join(f"{name}={value}" for name, value in header.options.items() if value is not None)
    screen().print(timeline.game.title, style="bold", end="")
    screen().print(f"  {seats}", soft_wrap=True)
    details = [options, f"seed {header.seed}" if header.seed is not None else "", header.time]
    screen().print("  ".join(detail for detail in details if detail), style="dim", soft_wrap=True)


def _moves(timeline: Timeline, unit: str) -> Table:
    """A row a round: a new one starts where a seat's cell is taken or the order of the seats starts again."""
    from rich.table import Table

    from ludarium.core.rules import CHANCE

    from .orders import step_text

    seats = [CHANCE] if any(CHANCE in step.actions for step in timeline.steps) else []
    seats += range(timeline.game.players)
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    table.add_column(unit, justify="right", style="dim")
    for seat in seats:
        table.add_column("dice" if seat == CHANCE else timeline.game.player_names[seat])
    row: dict[int, str] = {}
    first = 1
    for number, step in enumerate(timeline.steps[1:], start=1):
        if row and seats.index(min(step.actions, key=seats.index)) <= max(seats.index(seat) for seat in row):
            table.add_row(str(first), *(row.get(seat, "") for seat in seats))
            row, first = {}, number
        before = timeline.steps[number - 1].state
        row |= {seat: step_text(before, seat, action) for seat, action in step.actions.items()}
    if row:
        table.add_row(str(first), *(row.get(seat, "") for seat in seats))
    return table
