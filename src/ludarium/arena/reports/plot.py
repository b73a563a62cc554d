"""Where the dots and the axis of the rating plot are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .table import Row, signed

EDGE = 6.0
"""Percent of the width that are free at either side, for the numbers of the axis."""

TICKS = 5
"""About so many numbers stand at the axis, as many as a telephone has room for."""

LONGEST_NAME = 40


@dataclass(frozen=True)
class Mark:
    """A player's rating: how far from the left it stands, in percent of the width, and between where its interval reaches."""

    name: str
    elo: str
    at: float
    low: float
    high: float


@dataclass(frozen=True)
class Plot:
    marks: tuple[Mark, ...]
    ticks: tuple[tuple[float, str], ...]
    """How far from the left, and the rating in words."""


def rating_plot(rows: Sequence[Row]) -> Plot | None:
    """None for players who are not rated."""
    lows, highs = ([bound for bound in bounds if bound is not None] for bounds in zip(*((row.low, row.high) for row in rows), strict=True))
    if not lows:
        return None
    least, most = min(lows), max(highs)
    width = most - least

    def place(rating: float | None) -> float:
        return round(EDGE + (100 - 2 * EDGE) * ((rating or 0.0) - least) / width, 2)

    ticks = round_numbers(least, most)
    marks = [Mark(_shortened(row.name), row.elo, place(row.rating), place(row.low), place(row.high)) for row in rows]
    return Plot(tuple(marks), tuple((place(tick), signed(tick)) for tick in ticks))


def round_numbers(least: float, most: float) -> list[float]:
    """About :data:`TICKS` numbers from ``least`` to ``most``: multiples of 1, 2 or 5 with zeros."""
    width = most - least
    power = 10.0 ** math.floor(math.log10(width / TICKS))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= width / TICKS)
    return [step * number for number in range(math.ceil(least / step), math.floor(most / step) + 1)]


def _shortened(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
