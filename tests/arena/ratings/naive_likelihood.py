"""The likelihood of games as the papers write it, choice by choice: nothing is summed beforehand, differentiated or compiled."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import combinations

import numpy as np

from ludarium.arena.ratings import Result

MEAN = -1
"""The number of a player whose rating is 0."""


def log_likelihood(
    results: Iterable[Result], ratings: list[float], ties: dict[tuple[int, int, int], float], first_seat: float = 0.0, prior: float = 0.0
) -> float:
    """Ratings in natural units; of ties log δ by the size of the table, the number of players left and how many are tied."""

    def choice(group: list[int], left: list[int], table: int, first: int | None) -> float:
        """The logarithm of the chance that this group comes next."""

        def worth(some: tuple[int, ...]) -> float:
            strengths = [(0.0 if one == MEAN else ratings[one]) + (first_seat if seat == first else 0.0) for seat, one in some]
            tie = ties.get((table, len(left), len(some)), -math.inf) if len(some) > 1 else 0.0
            return math.exp(tie + sum(strengths) / len(strengths))

        seated = list(enumerate(left))
        chosen = tuple((seat, one) for seat, one in seated if seat in group)
        return math.log(worth(chosen) / sum(worth(some) for size in range(1, len(left) + 1) for some in combinations(seated, size)))

    total = 0.0
    for players, returns in results:
        left, got = list(players), list(returns)
        while len(left) > 1:
            group = [seat for seat in range(len(left)) if got[seat] == max(got)]
            total += choice(group, left, len(players), 0 if len(players) == 2 else None)
            left = [one for seat, one in enumerate(left) if seat not in group]
            got = [one for seat, one in enumerate(got) if seat not in group]
    for player in range(len(ratings)):
        for seats in ([player, MEAN], [MEAN, player]):
            total += prior / 4 * (choice([0], seats, 2, 0) + choice([1], seats, 2, 0))
    for table, left_over in {(table, left_over) for table, left_over, _ in ties if table > 2}:
        total += prior * choice([0], [MEAN] * left_over, table, None)
    return total


def slopes(function: Callable[[np.ndarray], float], at: np.ndarray, step: float = 1e-4) -> np.ndarray:
    """The gradient, by central differences."""
    axes = np.eye(len(at)) * step
    return np.array([(function(at + axis) - function(at - axis)) / (2 * step) for axis in axes])


def curvatures(function: Callable[[np.ndarray], float], at: np.ndarray, step: float = 1e-3) -> np.ndarray:
    """The matrix of second derivatives, by central differences."""
    return np.array(
        [
            slopes(lambda where, a=axis: (function(where + a) - function(where - a)) / (2 * step), at, step)
            for axis in np.eye(len(at)) * step
        ]
    )
