"""Ratings of the players of a tournament, as reports print them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ludarium.arena.elo import EloDifference, Z
from ludarium.errors import BadOption

from .fit import Fit, fit
from .results import Floats, Integers, Result, Results, collect

ELO = 400 / math.log(10)
"""Elo points of a natural unit."""

PRIOR = 1.0


@dataclass(frozen=True, eq=False)
class Ratings:
    """A field's ratings in Elo points, whose mean is 0. Arrays are in the order of ``names``; a pair's are ``[players, players]``."""

    names: tuple[str, ...]
    ratings: Floats
    covariance: Floats
    """Of the ratings, in squared Elo points."""
    games: Integers
    """How many games each player played."""
    points: Floats
    """A point a win, half a point a draw; with more than two players (1 + return) / 2."""
    ahead: Integers
    """In how many games the one finished before the other."""
    level: Integers
    """In how many games the two were tied."""
    draws: float | None
    """The chance that two equal players draw; None without games, and if some have more than two players."""
    first_seat: EloDifference | None
    """The advantage of the first seat, if it was fitted."""
    prior: float

    @property
    def low(self) -> Floats:
        """The lower bounds of the 95 % intervals."""
        return self.ratings - Z * np.sqrt(np.diag(self.covariance))

    @property
    def high(self) -> Floats:
        """The upper bounds of the 95 % intervals."""
        return self.ratings + Z * np.sqrt(np.diag(self.covariance))

    @property
    def scores(self) -> Floats:
        """Points a game; NaN without games."""
        return np.divide(self.points, self.games, out=np.full(len(self.names), math.nan), where=self.games > 0)

    @property
    def pair_games(self) -> Integers:
        """How many games the two played."""
        return self.ahead + self.ahead.T + self.level

    @property
    def pair_points(self) -> Floats:
        """What the one made against the other: a point for each game in which it finished before it, half a point where they were tied."""
        return self.ahead + self.level / 2

    @cached_property
    def superiority(self) -> Floats:
        """How likely it is that the one is stronger than the other: Φ(difference / its standard error). ½ on the diagonal."""
        variances = np.diag(self.covariance)
        errors = np.sqrt(np.maximum(variances[:, None] + variances - 2 * self.covariance, 0))
        differences = self.ratings[:, None] - self.ratings
        deviations = np.divide(differences, errors, out=np.zeros_like(errors), where=errors > 0)
        return np.array([[math.erfc(-deviation / math.sqrt(2)) / 2 for deviation in row] for row in deviations.tolist()])

    @property
    def ranking(self) -> tuple[int, ...]:
        """The players' numbers, the highest rating first."""
        return tuple(np.argsort(-self.ratings, kind="stable").tolist())

    def as_json(self) -> dict[str, Any]:
        """Everything in plain values, rounded; players and the rows and columns of matrices are in the order of ``names``."""
        columns = zip(self.names, self.ratings, self.low, self.high, self.games, self.points, self.scores, strict=True)
        return {
            "players": [
                {
                    "name": name,
                    "rating": _tenths(rating),
                    "low": _tenths(low),
                    "high": _tenths(high),
                    "games": int(games),
                    "points": float(points),
                    "score": round(float(score), 6) if games else None,
                }
                for name, rating, low, high, games, points, score in columns
            ],
            "superiority": np.round(self.superiority, 6).tolist(),
            "cross_table": {"games": self.pair_games.tolist(), "points": self.pair_points.tolist()},
            "draws": None if self.draws is None else round(self.draws, 6),
            "first_seat": asdict(self.first_seat) if self.first_seat else None,
            "prior": self.prior,
        }


def rate(names: Sequence[str], results: Iterable[Result] | Results, *, prior: float = PRIOR, first_seat: bool = False) -> Ratings:
    """Rate the players of games by maximum likelihood, with 95 % intervals.

    Args:
        names: of the players, by their numbers.
        results: games of 2 to 6 players, in any order, or what :func:`.collect` made of them.
        prior: how many imaginary games everybody has against a player of mean strength, half won and half lost. 0 for none.
        first_seat: whether an advantage of the first seat is fitted, to games of two players.

    Raises:
        BadOption: no players, a result that cannot be, a wrong prior; or none, where the results alone have no finite ratings.
    """
    if not names:
        raise BadOption("there are no players to rate")
    counted = results if isinstance(results, Results) else collect(len(names), results)
    if len(counted.games) != len(names):
        raise BadOption(f"{len(names)} names are not one for each of {len(counted.games)} players")
    found = fit(counted, prior=prior, first_seat=first_seat)
    of_pairs = {stage.table for stage in counted.stages} == {2}
    decided = 2 / (2 + math.exp(found.parameters[found.draw])) if of_pairs and found.draw is not None else 1.0
    elo, covariance = _in_elo(found, decided)
    players = len(names)
    advantage = _with_interval(elo[-1], covariance[-1, -1]) if first_seat else None
    return Ratings(
        tuple(names),
        elo[:players],
        covariance[:players, :players],
        counted.games,
        counted.points,
        counted.ahead,
        counted.level,
        1 - decided if of_pairs else None,
        advantage,
        prior,
    )


def _in_elo(found: Fit, decided: float) -> tuple[Floats, Floats]:
    """The parameters and their covariance in Elo points. Between equal players ``decided`` of the games have a winner, 2 / (2 + ν) in games of two.

    With draws, a natural unit moves the score of two equal players by ``decided`` of what it does without (Davidson's model, differentiated). Points are
    shortened by that, so that they mean in every field what a score says; ``decided`` was estimated itself, which the covariance takes into account
    (the delta method).
    """
    covariance = found.covariance
    if found.draw is not None and decided < 1:
        moved = (1 - decided) * found.parameters
        crossed = np.outer(moved, covariance[found.draw])
        covariance = covariance - crossed - crossed.T + np.outer(moved, moved) * covariance[found.draw, found.draw]
    return ELO * decided * found.parameters, (ELO * decided) ** 2 * covariance


def _with_interval(points: float, variance: float) -> EloDifference:
    error = Z * math.sqrt(variance)
    return EloDifference(_tenths(points), _tenths(points - error), _tenths(points + error))


def _tenths(points: float) -> float:
    return round(float(points), 1) + 0.0
