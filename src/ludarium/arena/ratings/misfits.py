"""Pairs of players whose results against each other fit no rating, such as those of a player that loses on purpose to one name.

A pair's results are compared with the ratings fitted to all other games. These say that the difference between the two ratings is normal, with the
fit's estimate as its mean. The statistic is twice the logarithm of the likelihood ratio (Wilks): what is gained if the pair has a difference of its own.

A pair has few games, and Wilks' chi-squared distribution would make a sweep look ten times too unlikely. The p-value is therefore summed exactly: the
chance that such a pair's games have a ratio as large, over all differences that the other games allow (Box). Draws are as in Davidson's model.

One test for each pair would not do. Many pairs that lose to one name make its rating fit them, so its honest games look wrong. The pair with the
largest ratio is therefore left out, the others are rated again, and so on (Rosner). Each step corrects for the number of pairs, as does the p-value
that is returned (Holm), so at most that share of honest tournaments has a named pair.

- S. Wilks, "The large-sample distribution of the likelihood ratio for testing composite hypotheses", Annals of Mathematical Statistics 9, 1938.
- S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979.
- G. Box, "Sampling and Bayes' inference in scientific modelling and robustness", JRSS A 143, 1980.
- B. Rosner, "Percentage points for a generalized ESD many-outlier procedure", Technometrics 25, 1983.
- R. Davidson: see :mod:`.likelihood`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from .fit import fit
from .ratings import PRIOR
from .results import Floats, Integers, Results, of_pairs

LEVEL = 0.05
"""Largest share of honest tournaments in which a pair is named."""

SPREAD = np.linspace(-8, 8, 161)
"""Standard errors from the estimated difference, at which the chances of results are summed."""

_WEIGHTS = np.exp(-(SPREAD**2) / 2) / np.sum(np.exp(-(SPREAD**2) / 2))

NO_TIES = -30.0
"""Logarithm of Davidson's ν if no games were drawn."""

MIN_REMAINDER = 1e-3
"""Smallest part of a variance's inverse that may remain without a pair's own games."""

MIN_SHARE = 1e-6
"""Smallest share of points for which a difference of ratings is computed."""

TOLERANCE = 1e-9
"""Newton's method stops when no difference changes by more, in natural units."""

MAX_ROUNDS = 100
"""Steps of Newton's method."""


@dataclass(frozen=True)
class Misfit:
    """A pair whose results fit no rating."""

    player: int
    """The player that made more points than its rating predicts."""
    opponent: int
    games: int
    expected: float
    """Average number of points by the ratings from all games except those of such pairs."""
    score: float
    """Points of the player: one for a win, half a point for a draw."""
    p: float
    """Holm's adjusted p-value."""


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs that have met, and their results. Arrays have an item for each pair."""

    players: int
    one: Integers
    other: Integers
    wins: Integers
    draws: Integers
    losses: Integers
    shared: float
    """Factor for variances, because comparisons at one table are not independent. It is 1 in games of two."""

    @classmethod
    def of(cls, results: Results) -> _Pairs:
        players = len(results.games)
        one, other = np.nonzero(np.triu(results.ahead + results.ahead.T + results.level, 1))
        ahead, level = results.ahead, results.level
        counted = ahead[one, other], level[one, other], ahead[other, one]
        taken, met = int(results.games.sum()), int(sum(map(np.sum, counted)))
        return cls(players, one, other, *counted, max(1.0, (1 + 2 * met / taken) / 2) if taken else 1.0)

    def __len__(self) -> int:
        return len(self.one)

    @property
    def games(self) -> Integers:
        return self.wins + self.draws + self.losses

    @property
    def scores(self) -> Floats:
        return self.wins + self.draws / 2

    def without(self, left_out: Collection[int]) -> Results:
        """Return the results without those of some pairs."""
        kept = np.setdiff1d(np.arange(len(self)), list(left_out))
        columns = (self.one, self.other, self.wins, self.draws, self.losses)
        return of_pairs(self.players, zip(*(column[kept].tolist() for column in columns), strict=True))


@dataclass(frozen=True, eq=False)
class _Expected:
    """Each pair's difference of ratings as estimated from all other games, in natural units (400 Elo are ln 10)."""

    difference: Floats
    variance: Floats
    tie: float
    """Logarithm of Davidson's ν."""


def misfits(results: Results, level: float = LEVEL) -> list[Misfit]:
    """Return the pairs whose results fit no rating, the least likely first.

    Args:
        results: games of players whose strength does not change. At tables of more than two, a pair's result is which of the two came first.
        level: largest share of honest tournaments in which a pair is named.
    """
    pairs = _Pairs.of(results)
    left_out: list[int] = []
    named = 0
    while len(left_out) < len(pairs):
        expected = _expected(pairs, left_out)
        ratios = _ratios(pairs.games, pairs.scores, expected.difference, expected.variance, expected.tie)
        ratios[left_out] = -1
        worst = int(np.argmax(ratios))
        chance = _chance(pairs, worst, expected) * (len(pairs) - len(left_out))
        if chance > 1:  # the smallest of so many is expected to be as small
            break
        left_out.append(worst)
        if chance <= level:
            named = len(left_out)
    return _confirmed(pairs, left_out[:named], level)


def _confirmed(pairs: _Pairs, named: Sequence[int], level: float) -> list[Misfit]:
    """Return the named pairs that misfit the ratings from all other pairs' games, with Holm's correction."""
    while named:
        expected = _expected(pairs, named)
        chances = {number: _chance(pairs, number, expected) for number in named}
        found: list[Misfit] = []
        adjusted = 0.0
        for place, number in enumerate(sorted(named, key=lambda number: chances[number])):
            adjusted = max(adjusted, min(1.0, chances[number] * (len(pairs) - place)))
            if adjusted <= level:
                found.append(_misfit(pairs, number, expected, adjusted))
        if len(found) == len(named):
            return found
        named = sorted(named, key=lambda number: chances[number])[: len(found)]
    return []


def _misfit(pairs: _Pairs, number: int, expected: _Expected, p: float) -> Misfit:
    games, score = int(pairs.games[number]), float(pairs.scores[number])
    at = _around(expected, number)
    mean = games * float(_share(at, expected.tie) @ _WEIGHTS)
    two = int(pairs.one[number]), int(pairs.other[number])
    if score < mean:
        two, mean, score = two[::-1], games - mean, games - score
    return Misfit(two[0], two[1], games, mean, score, p)


def _expected(pairs: _Pairs, left_out: Sequence[int]) -> _Expected:
    """Estimate each pair's difference of ratings without the games of some pairs.

    A pair that is not left out has its own games taken away, by one step of Newton's method from the ratings that it had a part in (Sherman and Morrison's
    formula for the covariance).
    """
    found = fit(pairs.without(left_out), prior=PRIOR, first_seat=False)
    tie = NO_TIES if found.draw is None else float(found.parameters[found.draw])
    one, other, covariance = pairs.one, pairs.other, found.covariance
    difference = found.parameters[one] - found.parameters[other]
    variance = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
    games, scores = pairs.games.astype(np.float64), pairs.scores
    games[left_out] = scores[left_out] = 0.0
    variance /= np.maximum(1 - games * _slope(difference, tie) * variance, MIN_REMAINDER)
    difference -= variance * (scores - games * _share(difference, tie))
    return _Expected(difference, variance * pairs.shared, tie)


def _normaliser(difference: Floats, tie: float) -> Floats:
    """Return the logarithm of the sum of the weights of a win, a draw and a loss."""
    return np.logaddexp(np.logaddexp(difference / 2, -difference / 2), tie)


def _share(difference: Floats, tie: float) -> Floats:
    """Return the expected score of a game, from 0 to 1."""
    highest = _normaliser(difference, tie)
    return np.exp(difference / 2 - highest) + np.exp(tie - highest) / 2


def _slope(difference: Floats, tie: float) -> Floats:
    """Return the derivative of the expected score. It is also the variance of a game's score."""
    highest = _normaliser(difference, tie)
    win, draw = np.exp(difference / 2 - highest), np.exp(tie - highest)
    return win + draw / 4 - (win + draw / 2) ** 2


def _ratios(games: Floats | Integers, scores: Floats, difference: Floats, variance: Floats, tie: float) -> Floats:
    """Return twice the logarithm of the likelihood ratio of scores, given the difference and variance that other games suggest."""
    signs, odds = scores - games / 2, math.exp(tie)
    # The best difference for these games alone makes the expected score the real one: a quadratic equation in exp(difference / 2).
    part = np.clip(scores / games, MIN_SHARE, 1 - MIN_SHARE)
    middle = odds * (part - 0.5)
    own = 2 * np.log((middle + np.sqrt(middle**2 + 4 * part * (1 - part))) / (2 * (1 - part)))
    # The best difference for all games: Newton's method between bounds, because the logarithm of the likelihood is concave.
    low, high = np.minimum(own, difference), np.maximum(own, difference)
    here = difference
    for _ in range(MAX_ROUNDS):
        slope = scores - games * _share(here, tie) - (here - difference) / variance
        low, high = np.where(slope > 0, here, low), np.where(slope < 0, here, high)
        before, there = here, here + slope / (games * _slope(here, tie) + 1 / variance)
        here = np.where((there > low) & (there < high), there, (low + high) / 2)
        if np.max(np.abs(here - before)) < TOLERANCE:
            break
    bound = signs * here - games * _normaliser(here, tie) - (here - difference) ** 2 / (2 * variance)
    return 2 * (signs * own - games * _normaliser(own, tie) - bound)


def _around(expected: _Expected, number: int) -> Floats:
    """Return the differences of a pair at which chances are summed, see ``SPREAD``."""
    return expected.difference[number] + SPREAD * math.sqrt(expected.variance[number])


def _chance(pairs: _Pairs, number: int, expected: _Expected) -> float:
    """Return the p-value of a pair's results: the chance of a ratio at least as large."""
    games, half_points = int(pairs.games[number]), round(2 * float(pairs.scores[number]))
    scores, ones = np.arange(2 * games + 1) / 2, np.ones(2 * games + 1)
    ratios = _ratios(games * ones, scores, expected.difference[number] * ones, expected.variance[number] * ones, expected.tie)
    at = _around(expected, number)
    logs = _ways(games, expected.tie)[:, None] + np.outer(scores - games / 2, at) - games * _normaliser(at, expected.tie)
    return float(np.sum((np.exp(logs) @ _WEIGHTS)[ratios >= ratios[half_points] - TOLERANCE]))


def _ways(games: int, tie: float) -> Floats:
    """Return the logarithms of the coefficients of (1 + νy + y²)ⁿ: the weighted number of ways to each score in half points.

    It uses the recurrence for powers of a polynomial (L. Euler; D. Knuth, "Seminumerical Algorithms", 4.7), of which all terms are positive up to the middle.
    """
    logs = [0.0]
    for half in range(1, games + 1):
        before = logs[half - 1] + tie + math.log(games + 1 - half)
        earlier = logs[half - 2] + math.log(2 * (games + 1) - half) if half > 1 else -math.inf
        highest = max(before, earlier)
        logs.append(highest + math.log(math.exp(before - highest) + math.exp(earlier - highest)) - math.log(half))
    return np.array(logs + logs[-2::-1])
