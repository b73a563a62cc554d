"""The most likely ratings, and how far they can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludarium.errors import BadOption

from .likelihood import Choices, cumulants, groups_of
from .results import LARGEST_TABLE, Floats, Results, Stage

Tie = tuple[int, int, int]
"""The size of the table, how many players were left of it, and how many of them came next together."""

DRAW = (2, 2, 2)
LEAST_PRIOR = 0.001
ROUNDS = 200
SURE_GAIN, LAST_GAIN = 1e-6, 1e-9
"""Twice what a step promises the logarithm of the likelihood: so little that it needs no check, which rounding would fail; and that no other need follow,
since the distance to the maximum, in standard errors, is then at most the gain."""


@dataclass(frozen=True, eq=False)
class Fit:
    """The parameters in natural units: the players' ratings, whose mean is 0, and then the others."""

    parameters: Floats
    covariance: Floats
    """The inverse of Fisher's information where the mean of the ratings is 0, ``[parameters, parameters]``."""
    ties: tuple[Tie, ...]
    """Those there were. Their log δ follow the ratings, and the advantage of the first seat, if it is fitted, follows them."""
    players: int

    @property
    def draw(self) -> int | None:
        """Which parameter is log ν, of draws in games of two players; None if there were none."""
        return self.players + self.ties.index(DRAW) if DRAW in self.ties else None


def fit(results: Results, *, prior: float, first_seat: bool) -> Fit:
    """Maximise the likelihood of the results and of the imaginary games that are the prior.

    Every player has ``prior`` imaginary games of two against a player of mean strength, half of them won and half lost, from both seats alike. Whenever 2 to 6
    were left at a larger table, players of mean strength made ``prior`` more choices there without a tie, so that no tie is certain.

    Raises:
        BadOption: a wrong prior; or none, where the results alone have no finite ratings.
    """
    _check(results, prior, first_seat)
    players = len(results.games)
    stages = results.stages
    if prior and not any(stage.table == 2 for stage in stages):
        stages = (Stage(2, 2, np.zeros((0, 2), np.int64), np.zeros(0, np.int64), np.zeros(3, np.int64)), *stages)
    ties = {(stage.table, stage.left, size): stage.tied[size] for stage in stages for size in range(2, stage.left + 1) if stage.tied[size]}
    observed = np.concatenate(
        [
            prior / 2 + np.sum(results.chosen[1:] / np.arange(1, LARGEST_TABLE + 1)[:, None], axis=0),
            list(ties.values()),
            [results.first_seat + players * prior / 2] if first_seat else [],
            [0.0],
        ]
    )
    choices = [_choices(stage, tuple(ties), players, prior, first_seat) for stage in stages]
    return Fit(*_maximise(choices, observed, players), tuple(ties), players)


def _check(results: Results, prior: float, first_seat: bool) -> None:
    if not (prior == 0 or LEAST_PRIOR <= prior < np.inf):
        raise BadOption(f"prior={prior} is neither 0 nor at least {LEAST_PRIOR}")
    if first_seat and any(stage.table > 2 for stage in results.stages):
        raise BadOption("the advantage of the first seat is fitted to games of two players only")
    if not prior and first_seat:
        raise BadOption("the advantage of the first seat needs a prior above 0")
    if not prior and not (results.are_connected and all(stage.tied[1] for stage in results.stages)):
        raise BadOption(
            "prior=0 leaves these results without finite ratings: nobody lost to the others, or all are drawn; take a prior above 0"
        )


def _choices(stage: Stage, ties: tuple[Tie, ...], players: int, prior: float, first_seat: bool) -> Choices:
    """A stage, with the imaginary games added."""
    sets, counts = stage.sets, stage.counts.astype(np.float64)
    mean_player = players + len(ties) + first_seat
    if prior and stage.table == 2:
        everybody = np.arange(players)
        against = np.full(players, mean_player)
        sets = np.concatenate([sets, np.stack([everybody, against], 1), np.stack([against, everybody], 1)])
        counts = np.concatenate([counts, np.full(2 * players, prior / 2)])
    elif prior:
        sets = np.concatenate([sets, np.full((1, stage.left), mean_player)])
        counts = np.concatenate([counts, [prior]])
    own = [number for number, (table, left, _) in enumerate(ties) if (table, left) == (stage.table, stage.left)]
    others = np.array([*(players + number for number in own), *([players + len(ties)] if first_seat else [])], np.int64)
    groups = groups_of(stage.left, [ties[number][2] for number in own], first_seat=first_seat)
    return Choices(groups, np.concatenate([sets, np.tile(others, (len(sets), 1))], axis=1), counts)


def _maximise(choices: Sequence[Choices], observed: Floats, players: int) -> tuple[Floats, Floats]:
    """Newton's method, with steps that are halved until they go up. The last parameter is fixed at 0, and so is the mean of the players'."""
    parameters = np.zeros(len(observed))
    now = cumulants(choices, parameters)
    for _ in range(ROUNDS):
        gradient = (observed - now.expected)[:-1]
        gradient[:players] -= gradient[:players].mean()
        step = np.append(np.linalg.solve(_about_the_mean(now.information, players), gradient), 0.0)
        gain = float(gradient @ step[:-1])
        before, here = float(observed @ parameters) - now.value, parameters
        now = cumulants(choices, parameters := here + step)
        while gain > SURE_GAIN and float(observed @ parameters) - now.value < before:
            step /= 2
            now = cumulants(choices, parameters := here + step)
        if gain < LAST_GAIN:
            covariance = np.linalg.inv(_about_the_mean(now.information, players)).astype(np.float64)
            covariance[:players, :players] -= 1 / players
            return parameters[:-1], covariance
    raise ArithmeticError(f"no maximum of the likelihood after {ROUNDS} rounds")


def _about_the_mean(information: Floats, players: int) -> Floats:
    """The information on the players' ratings less their mean, on which there is 1, so that there is an inverse."""
    about = information[:-1, :-1].copy()
    about[:players] -= about[:players].mean(axis=0)
    about[:, :players] -= about[:, :players].mean(axis=1, keepdims=True)
    about[:players, :players] += 1 / players
    return about
