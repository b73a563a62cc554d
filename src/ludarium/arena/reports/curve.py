"""Where the line of a rating curve is: a player's rating, and its interval, by how many games it was made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from .plot import round_numbers
from .table import signed

WIDTH, HEIGHT, EDGE = 1000, 220, 10
"""Of the drawing in which the line is; its width is stretched to that of the page."""

MOST_POINTS = 200
"""As many as can be told apart."""


class Rated(Protocol):
    """A rating with the bounds of its 95 % interval, and how many games it was made of."""

    @property
    def rating(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def games(self) -> int: ...


@dataclass(frozen=True)
class Curve:
    line: str
    """Paths in a drawing of :data:`WIDTH` to :data:`HEIGHT`, as ``band``, which is where the interval is."""
    band: str
    levels: tuple[tuple[float, str], ...]
    """How far from the top, and the rating in words."""
    ends: tuple[str, str]
    """The numbers of games at the left and at the right."""
    words: str
    """The curve for who does not see it."""


def rating_curve(history: Sequence[Rated]) -> Curve | None:
    """None where there are not two ratings, the oldest first."""
    if len(history) < 2:
        return None
    every = math.ceil(len(history) / MOST_POINTS)
    shown = [one for number, one in enumerate(history) if number % every == 0 or number == len(history) - 1]
    least, most = min(one.low for one in shown), max(one.high for one in shown)
    first, last = shown[0], shown[-1]
    games = max(1, last.games - first.games)

    def down(rating: float) -> float:
        return round(EDGE + (HEIGHT - 2 * EDGE) * (most - rating) / (most - least), 1)

    def path(points: Sequence[tuple[int, float]]) -> str:
        return "M" + "L".join(f"{round(WIDTH * (at - first.games) / games, 1)} {down(rating)}" for at, rating in points)

    high, low = [(one.games, one.high) for one in shown], [(one.games, one.low) for one in reversed(shown)]
    return Curve(
        path([(one.games, one.rating) for one in shown]),
        path([*high, *low]) + "Z",
        tuple((down(level), signed(level)) for level in round_numbers(least, most)),
        (f"{first.games:,}", f"{last.games:,}"),
        f"Rating after {first.games:,} games {signed(first.rating)}, after {last.games:,} games {signed(last.rating)}; "
        f"highest {signed(max(one.rating for one in shown))}, lowest {signed(min(one.rating for one in shown))}",
    )
