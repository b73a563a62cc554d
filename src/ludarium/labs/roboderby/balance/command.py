"""``ludarium roboderby balance``: a report for those who design tiles, dice and rules."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium.cli.common import GameOptions, check_writable, notices, number_option, path_option, screen
from ludarium.cli.signals import StopSignal, stop_signal
from ludarium.core.cores import usable_cores
from ludarium.errors import BadOption, LudariumError

from ..given import given_options

if TYPE_CHECKING:
    from rich.progress import Progress

    from .batches import Series
    from .findings import Findings
    from .store import Store

SUFFIXES = (".html", ".md")


def command(
    tiles: Annotated[
        list[str] | None, typer.Option("--tiles", metavar="TILES", help="A tile set's name or file; several are compared.")
    ] = None,
    dice: Annotated[str | None, typer.Option("--dice", metavar="DICE", help="A dice set's name, or a TOML file with dice.")] = None,
    games: Annotated[int, number_option(1, 10_000_000, "How many games, with each tile set.", "--games", "-n")] = 1000,
    players: Annotated[
        str, typer.Option(metavar="PLAYER,…", help="One for every seat, or one for all seats; they take turns on the seats.")
    ] = "greedy",
    options: GameOptions = None,
    seed: Annotated[int, number_option(0, 2**64 - 1, "Another number, other games.", "--seed")] = 1,
    out: Annotated[Path | None, path_option("FILE", "Write a report: .html, or .md with pictures beside it.", "--out")] = None,
    workers: Annotated[int | None, number_option(1, 256, "How many processes play.", show_default="one a core")] = None,
    data: Annotated[Path | None, path_option("DIR", "Where games are kept.", show_default="ludarium in the user's data folder")] = None,
) -> None:
    """Play many games, and report what tiles, dice and options do to them.

    The same seed gives the same games, however many processes play. What
    was played is kept: after Ctrl-C, the same command goes on where it was,
    and with more games it plays only those that are missing.
    """
    from ludarium.core.data_folder import data_folder

    from .findings import Findings
    from .store import Store

    if out is not None:
        _check_report(out)
    all_series = _all_series(tiles or [], dice, options, players, seed)
    stores = [Store((data or data_folder()) / "roboderby" / "balance", series) for series in all_series]
    for store in stores:
        for notice in store.notices:
            notices().print(f"notice: {notice}", soft_wrap=True)
    found: list[Findings] = []
    failure: LudariumError | None = None
    with stop_signal() as stopped, _progress() as progress:
        advance = functools.partial(progress.advance, progress.add_task("games", total=games * len(stores)))
        for series, store in zip(all_series, stores, strict=True):
            try:
                _play(series, store, games, workers or len(usable_cores()), stopped, advance)
                store.close()
            except LudariumError as problem:  # which takes nothing from what was played
                failure = failure or problem
            found.append(Findings(series, store.known(games)))
    _show(found, games)
    if failure is not None:
        raise failure
    if stopped():  # drawing takes seconds, and whoever wants this to end does not wait for them
        then = " and writes the report" if out is not None else ""
        notices().print(f"The same command goes on where this one stopped{then}.", soft_wrap=True)
    elif out is not None:
        from .report import write_report

        write_report(out, found, games)
        notices().print(f"The report is {out}.", soft_wrap=True)
    stopped.exit_if_stopped()


def _check_report(out: Path) -> None:
    if out.suffix not in SUFFIXES:
        raise BadOption(f"--out {out} is neither .html nor .md")
    from .plots import check_matplotlib

    check_matplotlib()
    check_writable(out)


def _all_series(tiles: Sequence[str], dice: str | None, options: Sequence[str] | None, players: str, seed: int) -> list[Series]:
    """One series a tile set."""
    from ludarium.games.roboderby.game import RoboDerby

    from .batches import Series

    if len(set(tiles)) < len(tiles):
        raise BadOption(f"--tiles {next(one for one in tiles if tiles.count(one) > 1)} is given twice")
    found: list[Series] = []
    for one in tiles or [None]:
        game = RoboDerby(**given_options(options, tiles=one, dice=dice))
        found.append(Series.of(game, split_players(players, game.players), seed))
    return found


def split_players(text: str, seats: int) -> list[str]:
    """The specs in a list with commas. A part with ``=`` and without ``:`` is another option of the spec before it. One spec alone is for all seats."""
    specs: list[str] = []
    for part in text.split(","):
        if specs and "=" in part and ":" not in part:
            specs[-1] += f",{part}"
        else:
            specs.append(part)
    return specs * seats if len(specs) == 1 else specs


def _play(series: Series, store: Store, games: int, workers: int, stopped: StopSignal, advance: Callable[[int], None]) -> None:
    from .batches import play_batches

    wanted = store.missing(games)
    advance(games - sum(size for _, size in wanted))
    if not wanted or stopped():
        return
    for batch in play_batches(series, wanted, workers=workers, interrupted=stopped):
        store.add(batch)
        advance(len(batch.games))


def _progress() -> Progress:
    """A bar on the terminal; elsewhere nothing."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(compact=True))
    return Progress(*columns, console=notices(), transient=True, disable=not sys.stderr.isatty())


def _show(found: Sequence[Findings], wanted: int) -> None:
    from rich.table import Table

    from .summary import heading, summary

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim", show_header=len(found) > 1)
    table.add_column("")
    for one in found:
        screen().print(heading(one, wanted), style="bold", soft_wrap=True)
        table.add_column(one.rules.tiles if len(found) > 1 else "", justify="right")
    for name, texts, _ in summary(found):
        table.add_row(name, *texts)
    screen().print(table)
