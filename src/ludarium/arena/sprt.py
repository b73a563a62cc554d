"""Is a player stronger than another? A sequential test on pairs of games, which stops as soon as the answer is clear.

Games come in pairs, with the same opening, deal and dice and seats exchanged, so that what a pair has in common does not count. A pair's points are 0, ½, 1, 1½
or 2. The generalized sequential probability ratio test compares how likely their frequencies are if the true Elo difference is ``elo1`` rather than ``elo0``,
where all else about the distribution is what fits best (A. Wald, "Sequential Analysis", 1947; M. Van den Bergh, "The generalized sequential probability ratio
test", 2020).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np

from ludarium.core.game import Game
from ludarium.errors import BadOption, PlayerCrashed
from ludarium.players import never

from .cluster import check_cores, play_games
from .games import GameJob, GamePlan, GameResult
from .openings import THE_START, Openings
from .play import checked_seed, random_seed, seat_players
from .terms import FREE, Terms

POINTS = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""What a game of a pair is worth on average, for each of the five results of a pair."""

UNSEEN = 1e-3
"""How often a result counts that has not been seen yet, so that nothing is impossible."""

Verdict = Literal["stronger", "not stronger", "undecided"]


@dataclass(frozen=True)
class Hypotheses:
    """That the first player's Elo difference is at most ``elo0``, or at least ``elo1``."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    """How often "stronger" may be said of a player whose difference is ``elo0``."""
    beta: float = 0.05
    """How often "not stronger" may be said of one whose difference is ``elo1``."""

    def __post_init__(self) -> None:
        if not -2000 <= self.elo0 < self.elo1 <= 2000:
            raise BadOption(f"elo0={self.elo0:g} is not below elo1={self.elo1:g}, both between -2000 and 2000")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise BadOption(f"{name}={value:g} is not between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test stops."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, pairs: Sequence[int]) -> float:
        """By how much ``elo1`` is likelier than ``elo0``, as a logarithm; ``pairs`` counts pairs by their points, from 0 to 2."""
        if not any(pairs):
            return 0.0
        counts = np.maximum(np.array(pairs, float), UNSEEN)
        seen = counts / counts.sum()
        first, second = (_likeliest(seen, 1 / (1 + 10 ** (-elo / 400))) for elo in (self.elo0, self.elo1))
        return float(counts @ np.log(second / first))

    def verdict(self, pairs: Sequence[int]) -> Verdict:
        """What can be said after so many pairs."""
        low, high = self.bounds
        ratio = self.log_likelihood_ratio(pairs)
        return "stronger" if ratio >= high else "not stronger" if ratio <= low else "undecided"


def _likeliest(seen: np.ndarray, mean: float) -> np.ndarray:
    """The distribution with a mean that makes these frequencies likeliest: ``seen / (1 + t (POINTS − mean))``, with t such that it sums to 1."""
    away = POINTS - mean
    low, high = -1 / away.max(), -1 / away.min()
    for _ in range(100):
        middle = (low + high) / 2
        if (seen * away / (1 + middle * away)).sum() > 0:
            low = middle
        else:
            high = middle
    return seen / (1 + (low + high) / 2 * away)


@dataclass(frozen=True)
class SprtResult:
    """A test as far as it went."""

    game: Game
    players: tuple[str, str]
    hypotheses: Hypotheses
    pairs: tuple[int, int, int, int, int]
    """How many pairs of games brought the first player 0, ½, 1, 1½ and 2 points."""
    verdict: Verdict
    seed: int
    given_up: str = ""
    """Which games are missing because every process that played them died, in words."""


def sprt(
    game: Game,
    players: Sequence[str],
    hypotheses: Hypotheses | None = None,
    *,
    most_pairs: int = 50_000,
    seed: int | None = None,
    workers: int | None = None,
    openings: Openings = THE_START,
    terms: Terms = FREE,
    pin: bool = False,
    before: Sequence[GameResult] = (),
    on_result: Callable[[GameResult], None] | None = None,
    on_pair: Callable[[Sequence[int]], None] | None = None,
    cluster: str | None = None,
    interrupted: Callable[[], bool] = never,
) -> SprtResult:
    """Play pairs of games until it is clear whether the first player is stronger than the second.

    Pairs count in the order of their numbers, so the verdict does not depend on how many processes play. What was still being played when it was fixed does not
    count.

    Args:
        most_pairs: after so many it stays undecided.
        before: the results of games that were finished when this test was interrupted.
        on_result: called with every other game's result, as games are finished.
        workers, pin, cluster: as for :func:`.match.match`.
        on_pair: called with the numbers of pairs whenever one more counts.

    Raises:
        BadNotation, BadOption: a wrong player, a game that is not for two, or more pinned workers than cores; a cluster that cannot be joined.
    """
    if pin:
        check_cores(workers, cluster)
    if game.players != 2:
        raise BadOption(f"whether a player is stronger is tested in games for two; {game.id} has {game.players} players here")
    hypotheses = hypotheses or Hypotheses()
    names = tuple(spec.text for spec in seat_players(game, players, terms.programs))
    seed = random_seed() if seed is None else checked_seed(seed)
    known = {result.number for result in before}
    plans = (GamePlan.at((0, 1), number) for number in range(2 * most_pairs) if number not in known)
    job = GameJob((game,), names, seed, openings, None, terms)
    pairs, given_up = [0] * 5, ""
    played: dict[int, GameResult] = {}
    counted = 0
    try:
        for result in chain(before, play_games(job, plans, workers=workers, pin=pin, cluster=cluster, interrupted=interrupted)):
            if result is None:
                continue
            if on_result is not None and result.number not in known:
                on_result(result)
            played[result.number] = result
            while 2 * counted in played and 2 * counted + 1 in played and hypotheses.verdict(pairs) == "undecided":
                points = sum((1 + played.pop(number).return_of(0)) / 2 for number in (2 * counted, 2 * counted + 1))
                pairs[round(2 * points)] += 1
                counted += 1
                if on_pair is not None:
                    on_pair(pairs)
            if hypotheses.verdict(pairs) != "undecided":
                break
    except PlayerCrashed as problem:
        given_up = str(problem)
    zero, half, one, more, two = pairs
    return SprtResult(game, (names[0], names[1]), hypotheses, (zero, half, one, more, two), hypotheses.verdict(pairs), seed, given_up)
