"""The sequential test: its ratio, its errors, and that its verdict is fixed when it stops."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest

import ludarium
from ludarium.arena import GameResult
from ludarium.arena.sprt import POINTS, Hypotheses, sprt
from ludarium.errors import BadOption

SCORES = np.array([0.03, 0.17, 0.55, 0.2, 0.05])


def likeliest_by_search(counts: np.ndarray, mean: float) -> float:
    """The greatest log-likelihood of these counts with a mean, by trying: three probabilities are free."""
    best = -math.inf
    centre, width = np.array([0.2, 0.2, 0.2]), 0.2
    for _ in range(40):
        found = centre
        for shift in np.stack(np.meshgrid(*[np.linspace(-width, width, 9)] * 3), -1).reshape(-1, 3):
            first, second, fourth = centre + shift
            # the other two follow from the sum and the mean
            rest, moment = 1 - first - second - fourth, mean - 0.25 * second - 0.75 * fourth
            last = (moment - 0.5 * rest) / 0.5
            chances = np.array([first, second, rest - last, fourth, last])
            if (chances > 0).all():
                value = float(counts @ np.log(chances))
                if value > best:
                    best, found = value, centre + shift
        centre, width = found, width * (1 if found is not centre else 0.6)
    return best


@pytest.mark.parametrize("pairs", [(3, 17, 55, 20, 5), (1, 8, 30, 40, 12), (20, 10, 5, 3, 2)])
def test_the_ratio_is_that_of_the_greatest_likelihoods(pairs: tuple[int, ...]) -> None:
    hypotheses = Hypotheses(0, 20)
    counts = np.array(pairs, float)
    score = 1 / (1 + 10 ** (-20 / 400))
    expected = likeliest_by_search(counts, score) - likeliest_by_search(counts, 0.5)
    assert hypotheses.log_likelihood_ratio(pairs) == pytest.approx(expected, abs=2e-3)


def test_bounds_are_walds() -> None:
    assert Hypotheses(alpha=0.05, beta=0.05).bounds == pytest.approx((-2.944439, 2.944439))
    assert Hypotheses(alpha=0.01, beta=0.1).bounds == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))


def test_symmetry() -> None:
    pairs = (3, 17, 55, 20, 5)
    forward, backward = Hypotheses(-5, 12), Hypotheses(-12, 5)
    assert forward.log_likelihood_ratio(pairs) == pytest.approx(-backward.log_likelihood_ratio(pairs[::-1]))
    assert Hypotheses(-10, 10).log_likelihood_ratio((5, 10, 7, 10, 5)) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("pairs", [(0, 0, 0, 0, 0), (0, 0, 0, 0, 9), (9, 0, 0, 0, 0), (0, 0, 9, 0, 0)])
def test_it_is_finite_whatever_was_seen(pairs: tuple[int, ...]) -> None:
    assert math.isfinite(Hypotheses().log_likelihood_ratio(pairs))


def verdict_of(chances: np.ndarray, hypotheses: Hypotheses, chance: random.Random) -> str:
    pairs = [0] * 5
    while (verdict := hypotheses.verdict(pairs)) == "undecided":
        pairs[chance.choices(range(5), list(chances))[0]] += 1
    return verdict


def with_elo(elo: float) -> np.ndarray:
    """The usual scores, moved to the mean that an Elo difference has."""
    mean = 1 / (1 + 10 ** (-elo / 400))
    low, high = -20.0, 20.0
    for _ in range(80):
        middle = (low + high) / 2
        tilted = SCORES * np.exp(middle * POINTS)
        if POINTS @ tilted / tilted.sum() < mean:
            low = middle
        else:
            high = middle
    return tilted / tilted.sum()


@pytest.mark.parametrize(("elo", "wrong"), [(0, "stronger"), (120, "not stronger")])
def test_its_errors_are_as_rare_as_promised(elo: float, wrong: str) -> None:
    hypotheses, chance = Hypotheses(0, 120), random.Random(7)
    tests = 100
    errors = sum(verdict_of(with_elo(elo), hypotheses, chance) == wrong for _ in range(tests))
    assert errors <= 0.05 * tests + 2.6 * math.sqrt(0.05 * 0.95 * tests)


def test_a_stronger_player_is_found_and_the_number_of_processes_changes_nothing() -> None:
    game = ludarium.game("expendibots")
    heard: list[int] = []

    def on_pair(pairs: Sequence[int]) -> None:
        heard.append(sum(pairs))

    alone = sprt(game, ["greedy", "random"], Hypotheses(0, 50), seed=3, on_pair=on_pair)
    assert alone.verdict == "stronger"
    assert heard == list(range(1, sum(alone.pairs) + 1))
    assert sprt(game, ["greedy", "random"], Hypotheses(0, 50), seed=3, workers=2) == alone
    assert sprt(game, ["random", "greedy"], Hypotheses(0, 50), seed=3).verdict == "not stronger"


def test_an_interrupted_test_plays_what_is_missing_also_below_its_last_game() -> None:
    game, hypotheses = ludarium.game("tic-tac-toe"), Hypotheses(0, 40)
    whole: list[GameResult] = []
    expected = sprt(game, ["greedy", "random"], hypotheses, seed=5, most_pairs=8, on_result=whole.append)
    assert sorted(result.number for result in whole) == list(range(16))
    again: list[GameResult] = []
    before = [whole[number] for number in (0, 3, 4, 11)]
    found = sprt(game, ["greedy", "random"], hypotheses, seed=5, most_pairs=8, before=before, on_result=again.append)
    assert [result for result in whole if result not in before] == again
    assert found == expected


def test_it_stays_undecided_after_the_last_pair() -> None:
    result = sprt(ludarium.game("expendibots"), ["random", "random"], Hypotheses(0, 5), seed=1, most_pairs=4)
    assert (result.verdict, sum(result.pairs)) == ("undecided", 4)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"elo0": 5, "elo1": 5}, "elo0=5 is not below elo1=5"),
        ({"elo1": 1e9}, "elo0=0 is not below elo1=1e"),
        ({"elo0": math.nan}, "elo0=nan"),
        ({"alpha": 0}, "alpha=0 is not between 0 and 0.5"),
        ({"beta": 0.5}, "beta=0.5 is not between"),
    ],
)
def test_what_cannot_be_tested(values: dict[str, float], message: str) -> None:
    with pytest.raises(BadOption, match=message):
        Hypotheses(**values)


def test_games_for_more_than_two() -> None:
    with pytest.raises(BadOption, match="tested in games for two; liars-dice has 3 players here"):
        sprt(ludarium.game("liars-dice", players=3), ["random"] * 3)
