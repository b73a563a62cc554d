"""The most likely ratings: against the likelihood as it is written in papers, iterations of other kinds, and published figures."""

from __future__ import annotations

import math
import random
from itertools import permutations

import numpy as np
import pytest

from ludarium.arena.ratings import Result, collect
from ludarium.arena.ratings.fit import Fit, fit

from .naive_likelihood import curvatures, log_likelihood, slopes

DAVIDSON_1970 = """
1 2 19 22 16 | 1 3 16 19 12 | 2 3 19 19 10 | 1 4 18 23 13 | 2 4 23 19  9 | 3 4 19 20 15 | 1 5 13 19 18 | 2 5 16 20 12
3 5 16 15 17 | 4 5 17 14 16 | 1 6 18 21 12 | 2 6 22 20 12 | 3 6 13 18 10 | 4 6 14 19 18 | 5 6 11 21 12
"""
"""Six puddings: which were compared, how often the one and the other was preferred, and how often neither (Davidson, 1970)."""


def games(seed: int, players: int, sizes: list[int], count: int, levels: int = 4) -> list[Result]:
    """Random games in which returns take few values, so that many are tied; lower numbers are stronger."""
    generator = random.Random(seed)
    found: list[Result] = []
    for _ in range(count):
        seats = tuple(generator.sample(range(players), generator.choice(sizes)))
        found.append((seats, tuple(int(generator.random() ** (1 + one / 3) * levels) / levels for one in seats)))
    return found


def naive(results: list[Result], found: Fit, prior: float, vector: np.ndarray) -> float:
    players, tied = found.players, len(found.ties)
    ties = dict(zip(found.ties, vector[players : players + tied].tolist(), strict=True))
    return log_likelihood(results, vector[:players].tolist(), ties, float(vector[players + tied :].sum()), prior)


def mean_free(players: int, parameters: int) -> np.ndarray:
    """Directions, as columns, along which the mean of the ratings stays 0."""
    directions = np.eye(parameters)[:, 1:]
    directions[0, : players - 1] = -1
    return directions


@pytest.mark.parametrize(
    ("results", "players", "prior", "first_seat"),
    [
        (games(1, 4, [2], 60, levels=2), 4, 0.0, False),
        (games(2, 4, [2], 60, levels=2), 4, 1.0, True),
        (games(3, 5, [3], 50), 5, 1.0, False),
        (games(4, 5, [4], 30), 5, 2.5, False),
        (games(5, 6, [2, 3, 5, 6], 12), 6, 0.5, False),
        ([((0, 1, 2), (1.0, -0.5, -0.5))] * 5 + [((0, 1, 2), (-0.5, 1.0, -0.5))] * 3, 3, 1.0, False),
    ],
)
def test_the_likelihood_is_level_and_bends_as_the_covariance_says(
    results: list[Result], players: int, prior: float, first_seat: bool
) -> None:
    """It is concave, so where it is level there is its maximum."""
    found = fit(collect(players, results), prior=prior, first_seat=first_seat)
    directions = mean_free(players, len(found.parameters))

    def along(offset: np.ndarray) -> float:
        return naive(results, found, prior, found.parameters + directions @ offset)

    origin = np.zeros(directions.shape[1])
    assert found.parameters[:players].sum() == pytest.approx(0, abs=1e-9)
    assert slopes(along, origin) == pytest.approx(0, abs=1e-5)
    covariance = directions @ np.linalg.inv(-curvatures(along, origin)) @ directions.T
    assert found.covariance == pytest.approx(covariance, rel=1e-3, abs=1e-4)


def test_a_search_along_the_axes_finds_the_same_maximum() -> None:
    results = games(6, 3, [2, 3], 25)
    found = fit(collect(3, results), prior=1.0, first_seat=False)
    directions = mean_free(3, len(found.parameters))
    reached, step = np.zeros(directions.shape[1]), 1.0
    best = naive(results, found, 1.0, directions @ reached)
    while step > 1e-5:
        tries = [reached + sign * step * axis for axis in np.eye(len(reached)) for sign in (1, -1)]
        value, place = max(((naive(results, found, 1.0, directions @ one), number) for number, one in enumerate(tries)))
        if value > best:
            best, reached = value, tries[place]
        else:
            step /= 2
    assert directions @ reached == pytest.approx(found.parameters, abs=1e-3)


def test_davidsons_puddings() -> None:
    """The estimates are those of Davidson's method as the vignette of the R package PlackettLuce prints them, after 7 iterations: π1 to π6, and ν."""
    results: list[Result] = []
    for line in DAVIDSON_1970.replace("\n", "|").strip("|").split("|"):
        one, other, won, lost, tied = map(int, line.split())
        results += [((one - 1, other - 1), (1.0, -1.0))] * won + [((one - 1, other - 1), (-1.0, 1.0))] * lost
        results += [((one - 1, other - 1), (0.0, 0.0))] * tied
    found = fit(collect(6, results), prior=0, first_seat=False)
    worths = np.exp(found.parameters[:6])
    published = [0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855]
    assert worths / worths.sum() == pytest.approx(published, abs=5e-5)
    assert math.exp(found.parameters[6]) == pytest.approx(0.7468147, abs=5e-5)


@pytest.mark.parametrize(("size", "count"), [(2, 150), (3, 80), (6, 30)])
def test_hunters_iteration_agrees(size: int, count: int) -> None:
    """D. Hunter, "MM algorithms for generalized Bradley–Terry models", Annals of Statistics 32, 2004: (30) for rankings; for two it is Zermelo's."""
    generator = random.Random(size)
    rankings = [tuple(generator.sample(range(7), size)) for _ in range(count)]
    results = [(ranking, tuple(1 - 2 * place / (size - 1) for place in range(size))) for ranking in rankings]
    placed = np.array(rankings)
    chosen, worths = np.bincount(placed[:, :-1].ravel(), minlength=7), np.ones(7)
    for _ in range(1000):
        chances = np.zeros(7)
        for place in range(size - 1):
            left = placed[:, place:]
            chances += np.bincount(left.ravel(), np.repeat(1 / worths[left].sum(axis=1), size - place), 7)
        worths = chosen / chances
        worths /= worths.sum()
    logarithms = np.log(worths)
    found = fit(collect(7, results), prior=0, first_seat=False)
    assert found.parameters == pytest.approx(logarithms - logarithms.mean(), abs=1e-6)


def test_places_that_are_always_shared_say_nothing() -> None:
    """Who is not first at a table of four is last with two others: the likelihood is that of the first places alone."""
    won = [9, 5, 3, 3]
    results = [
        (tuple(range(4)), tuple(1.0 if one == first else -1 / 3 for one in range(4))) for first in range(4) for _ in range(won[first])
    ]
    found = fit(collect(4, results), prior=0.001, first_seat=False)
    logarithms = np.log(won)
    assert found.parameters[:4] == pytest.approx(logarithms - logarithms.mean(), abs=2e-3)


def test_the_first_seat() -> None:
    """Equal players and 3 wins of 4 for the first seat: its advantage is log 3."""
    results = [(seats, (1.0, -1.0)) for seats in permutations(range(2))] * 3000 + [
        (seats, (-1.0, 1.0)) for seats in permutations(range(2))
    ] * 1000
    found = fit(collect(2, results), prior=0.001, first_seat=True)
    assert found.parameters == pytest.approx([0, 0, math.log(3)], abs=1e-4)


def test_many_players_whose_sets_make_no_number() -> None:
    """1,500⁶ is more than 64 bits: the same stages as with players few enough."""
    results = games(7, 9, [6], 40)
    few, many = collect(9, results), collect(1500, results)
    for one, other in zip(few.stages, many.stages, strict=True):
        assert np.array_equal(one.sets, other.sets)
        assert np.array_equal(one.counts, other.counts)
