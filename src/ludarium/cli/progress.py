"""Bars that tell how far long work is, and the score of a running match."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ludarium.arena import GameResult

from .common import notices


@contextmanager
def score_bar(players: list[str], games: int) -> Generator[Callable[[GameResult], None]]:
    """Show a bar on standard error, if that is a terminal; what it gives is to be called with every result."""
    points = [0.0] * len(players)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(compact=True))
    with Progress(*columns, console=notices(), transient=True, disable=not notices().is_terminal) as progress:
        bar = progress.add_task(_score(players, points), total=games)

        def add(result: GameResult) -> None:
            for player, value in zip(result.plan.seats, result.returns, strict=True):
                points[player] += (1 + value) / 2
            progress.update(bar, advance=1, description=_score(players, points))

        yield add


@contextmanager
def counting_bar(what: str, total: int) -> Generator[Callable[[], None]]:
    """Show a bar on standard error, if that is a terminal; what it gives is to be called whenever one of so many things is done."""
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(compact=True))
    with Progress(*columns, console=notices(), transient=True, disable=not notices().is_terminal) as progress:
        bar = progress.add_task(what, total=total)
        yield lambda: progress.update(bar, advance=1)


def _score(players: list[str], points: list[float]) -> str:
    return " : ".join(f"{name} {point:g}" for name, point in zip(players, points, strict=True))
