"""The Elo difference that a match's score shows, with its 95 % confidence interval.

A score of p (win 1, draw ½) is an Elo difference of 400·log10(p / (1 − p)) (A. Elo, "The Rating of Chessplayers", 1978).

The interval is Tango's score interval (T. Tango, "Equivalence test and confidence interval for the difference in proportions for the
paired-sample design", Statistics in Medicine 17, 1998) for the margin λ = (wins − losses) / games, which is 2p − 1. With no draws it is
Wilson's interval. It uses the draws that were seen, stays within what a score can be, and has a width even when every game was won or
drawn. Games count as independent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

Z = 1.959963984540054
"""The 97.5 % point of the normal distribution."""


@dataclass(frozen=True, slots=True)
class EloDifference:
    """The first player's lead and the bounds of its 95 % interval, in Elo points. None is infinite, or unknown without games."""

    difference: float | None
    low: float | None
    high: float | None


def elo_difference(wins: int, draws: int, losses: int) -> EloDifference:
    """The Elo difference for the first player's score, rounded to a tenth."""
    games = wins + draws + losses
    if games == 0:
        return EloDifference(None, None, None)
    margin = (wins - losses) / games
    return EloDifference(_elo(margin), _elo(_bound(wins, losses, games, -1.0)), _elo(_bound(wins, losses, games, 1.0)))


def _elo(margin: float) -> float | None:
    return round(400 * math.log10((1 + margin) / (1 - margin)), 1) + 0.0 if abs(margin) < 1 else None


def _bound(wins: int, losses: int, games: int, end: float) -> float:
    """The margin between the observed one and ``end`` (−1 or 1) at which the score test just rejects."""
    if _excess(wins, losses, games, end) <= 0:
        return end
    inside, outside = (wins - losses) / games, end
    for _ in range(60):
        middle = (inside + outside) / 2
        if _excess(wins, losses, games, middle) <= 0:
            inside = middle
        else:
            outside = middle
    return inside


def _excess(wins: int, losses: int, games: int, margin: float) -> float:
    """Above 0 where a true margin is rejected: the squared deviation less Z² times its variance, with the likeliest chance of a loss."""
    a = 2 * games
    b = (2 * games - wins + losses) * margin - wins - losses
    c = -losses * margin * (1 - margin)
    loss = (math.sqrt(max(b * b - 4 * a * c, 0.0)) - b) / (2 * a)
    variance = games * max(2 * loss + margin * (1 - margin), 0.0)
    return (wins - losses - games * margin) ** 2 - Z * Z * variance
