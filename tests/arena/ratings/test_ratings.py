"""Ratings as reports print them: what the points mean, what they do not depend on, and what stays finite."""

from __future__ import annotations

import json
import math
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludarium.arena import elo_difference
from ludarium.arena.ratings import Ratings, Result, Results, collect, of_pairs, rate
from ludarium.errors import BadOption

WON, DRAWN, LOST = ((0, 1), (1.0, -1.0)), ((0, 1), (0.0, 0.0)), ((0, 1), (-1.0, 1.0))


@st.composite
def fields(draw: st.DrawFn, sizes: tuple[int, ...] = (2, 3, 4, 5, 6)) -> tuple[int, list[Result]]:
    players = draw(st.integers(max(sizes), 7))
    results: list[Result] = []
    for _ in range(draw(st.integers(0, 12))):
        size = draw(st.sampled_from(sizes))
        seats = draw(st.permutations(range(players)))[:size]
        results.append((tuple(seats), tuple(draw(st.sampled_from([-1.0, -1 / 3, 0.0, 1.0])) for _ in seats)))
    return players, results


def named(players: int) -> list[str]:
    return [f"p{number}" for number in range(players)]


def lead(ratings: Ratings) -> float:
    return float(ratings.ratings[0] - ratings.ratings[1])


@pytest.mark.parametrize(("wins", "losses"), [(1, 1), (3, 1), (75, 25), (1, 99), (640, 360)])
def test_two_players_without_draws_have_the_elo_difference_of_their_score(wins: int, losses: int) -> None:
    found = rate("ab", [WON] * wins + [LOST] * losses, prior=0)
    share = wins / (wins + losses)
    assert lead(found) == pytest.approx(400 * math.log10(share / (1 - share)), abs=1e-6)
    error = 400 / math.log(10) / math.sqrt((wins + losses) * share * (1 - share))
    assert found.high - found.ratings == pytest.approx(1.959964 * error / 2, rel=1e-6)
    assert found.draws == 0


@pytest.mark.parametrize(("wins", "draws", "losses"), [(36, 36, 9), (9, 12, 4), (25, 50, 25), (1, 20, 100)])
def test_points_mean_the_score_where_draws_are_two_halves_of_a_game(wins: int, draws: int, losses: int) -> None:
    """With ν = 2 Davidson's chances are those of two games that are both to be won."""
    assert draws == 2 * math.sqrt(wins * losses)
    found = rate("ab", [WON] * wins + [DRAWN] * draws + [LOST] * losses, prior=0)
    assert lead(found) == pytest.approx(elo_difference(wins, draws, losses).difference, abs=0.06)
    assert found.draws == pytest.approx(0.5)


@settings(max_examples=15)
@given(fields((2,)))
def test_of_games_of_two_the_counts_of_pairs_are_enough(field: tuple[int, list[Result]]) -> None:
    players, results = field
    counts: dict[tuple[int, int], list[int]] = {}
    for seats, returns in results:
        one, other = sorted(seats)
        came = returns[seats.index(one)] - returns[seats.index(other)]
        counts.setdefault((one, other), [0, 0, 0])[0 if came > 0 else 2 if came < 0 else 1] += 1
    pairs = [(one, other, wins, draws, losses) for (one, other), (wins, draws, losses) in counts.items()]
    # What points are beyond wins and draws, games of two do not say: returns that are neither are left out of the comparison.
    found, expected = (rate(named(players), counted).as_json() for counted in (of_pairs(players, pairs), collect(players, results)))
    for told in (found, expected):
        for player in told["players"]:
            del player["points"], player["score"]
    assert found == expected


@pytest.mark.parametrize("draws", [10, 30, 60, 90])
def test_points_mean_the_score_for_nearly_equal_players(draws: int) -> None:
    wins = (100 - draws) * 6 // 11
    found = rate("ab", ([WON] * wins + [DRAWN] * draws + [LOST] * (100 - draws - wins)) * 10, prior=0)
    score = elo_difference(wins * 10, draws * 10, (100 - draws - wins) * 10)
    assert lead(found) == pytest.approx(score.difference, rel=0.05, abs=0.06)
    half_width = 1.959964 * math.sqrt(found.covariance[0, 0]) * 2
    assert half_width == pytest.approx((score.high - score.low) / 2, rel=0.02)


def test_the_interval_takes_into_account_that_the_share_of_draws_was_estimated() -> None:
    """The delta method, against resampling: 1,000 times the games of a multinomial draw."""
    generator = np.random.default_rng(5)
    shares = np.array([0.6, 0.3, 0.1])
    leads = [
        lead(rate("ab", [WON] * won + [DRAWN] * drawn + [LOST] * lost, prior=0))
        for won, drawn, lost in generator.multinomial(200, shares, 1000).tolist()
    ]
    found = rate("ab", [WON] * 120 + [DRAWN] * 60 + [LOST] * 20, prior=0)
    assert 2 * math.sqrt(found.covariance[0, 0]) == pytest.approx(np.std(leads), rel=0.05)


def test_the_prior_is_half_a_win_and_half_a_loss_against_the_mean() -> None:
    """Two players a and b at ±x: 20.5 points of 21 + half a point of what is imaginary; the score equations solved by bisection."""
    found = rate("ab", [WON] * 20)
    low, high = 0.0, 20.0
    for _ in range(80):
        x = (low + high) / 2
        expected = 20 / (1 + math.exp(-2 * x)) + 1 / (1 + math.exp(-x))
        low, high = (x, high) if expected < 20.5 else (low, x)
    assert found.ratings == pytest.approx([400 / math.log(10) * x, -400 / math.log(10) * x], abs=1e-6)


@pytest.mark.parametrize(
    ("share", "without", "with_it"), [(60, 70.4, 70.1), (75, 190.8, 189.6), (90, 381.7, 377.0), (100, math.inf, 942.7)]
)
def test_how_much_the_prior_moves_at_100_games(share: int, without: float, with_it: float) -> None:
    """As the documentation says."""
    games = [WON] * share + [LOST] * (100 - share)
    assert lead(rate("ab", games)) == pytest.approx(with_it, abs=0.05)
    assert share == 100 or lead(rate("ab", games, prior=0)) == pytest.approx(without, abs=0.05)


@pytest.mark.parametrize(
    ("chance", "points", "score"), [(0.0, 400, 400), (0.2, 400, 385), (1 / 3, 400, 382), (0.5, 400, 400), (0.8, 100, 115)]
)
def test_what_points_mean_with_draws(chance: float, points: float, score: float) -> None:
    """As the documentation says: a million games go as Davidson's model expects."""
    half = points / (1 - chance) * math.log(10) / 800
    weights = np.array([math.exp(half), 2 * chance / (1 - chance), math.exp(-half)])
    won, drawn, lost = np.round(1e6 * weights / weights.sum()).astype(int).tolist()
    assert elo_difference(won, drawn, lost).difference == pytest.approx(score, abs=0.5)
    hundredth = [WON] * (won // 100) + [DRAWN] * (drawn // 100) + [LOST] * (lost // 100)
    assert lead(rate("ab", hundredth, prior=0)) == pytest.approx(points, rel=0.005)


def test_perfect_scores_and_strangers_are_finite_with_wide_intervals() -> None:
    results: list[Result] = [WON] * 30 + [((2, 3), (1.0, -1.0)), ((3, 2), (1.0, -1.0))] * 50
    found = rate(named(5), results)
    width = found.high - found.low
    assert np.all(np.isfinite(found.ratings))
    assert found.ratings[0] > 200 > -200 > found.ratings[1]
    assert width[0] > 400
    assert width[4] > 1000  # it played no game
    assert found.superiority[0, 1] > 0.99
    assert found.superiority[2, 3] == pytest.approx(0.5)
    assert found.as_json()["players"][4] == {
        "name": "p4", "rating": found.as_json()["players"][4]["rating"], "low": round(float(found.low[4]), 1),
        "high": round(float(found.high[4]), 1), "games": 0, "points": 0.0, "score": None,
    }  # fmt: skip
    drawn = rate("ab", [DRAWN] * 100)
    assert lead(drawn) == 0
    assert 5 < drawn.high[0] - drawn.low[0] < 40


def test_a_field_of_one_and_games_that_none_played() -> None:
    assert rate(["alone"], []).as_json()["players"] == [
        {"name": "alone", "rating": 0.0, "low": 0.0, "high": 0.0, "games": 0, "points": 0.0, "score": None}
    ]
    assert rate("ab", []).superiority.tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_tables_cross_table_and_json() -> None:
    results: list[Result] = [((2, 0, 1), (1.0, 0.0, -1.0)), ((0, 1, 2), (0.5, 0.5, -1.0)), ((1, 2), (0.0, 0.0))]
    found = rate(["x", "y", "z"], results)
    assert found.points.tolist() == [1.25, 1.25, 1.5]
    assert found.pair_games.tolist() == [[0, 2, 2], [2, 0, 3], [2, 3, 0]]
    assert found.pair_points.tolist() == [[0, 1.5, 1], [0.5, 0, 1.5], [1, 1.5, 0]]
    assert found.draws is None
    told = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert [player["name"] for player in told["players"]] == ["x", "y", "z"]
    assert [player["rating"] for player in told["players"]] == [round(rating, 1) for rating in found.ratings.tolist()]
    assert [player["score"] for player in told["players"]] == [0.625, pytest.approx(1.25 / 3), 0.5]
    assert told["cross_table"] == {"games": found.pair_games.tolist(), "points": found.pair_points.tolist()}
    assert told["superiority"] == np.round(found.superiority, 6).tolist()
    assert (told["first_seat"], told["draws"], told["prior"]) == (None, None, 1.0)
    assert found.ranking[-1] == 1


def test_the_first_seat_takes_its_advantage_out_of_ratings() -> None:
    """Equal players, one of whom had the first seat in three games of four; the first seat won three games of four."""
    results: list[Result] = [WON] * 90 + [LOST] * 30 + [((1, 0), (1.0, -1.0))] * 30 + [((1, 0), (-1.0, 1.0))] * 10
    unaware, aware = rate("ab", results), rate("ab", results, first_seat=True)
    assert lead(unaware) > 80
    assert lead(aware) == pytest.approx(0, abs=2)
    assert unaware.first_seat is None
    assert aware.first_seat is not None
    assert aware.first_seat.difference == pytest.approx(400 * math.log10(3), abs=4)
    assert aware.first_seat.low < 180 < 200 < aware.first_seat.high


def test_mirrored_seats_hide_nothing_but_shrink_differences() -> None:
    """As the documentation says: an advantage of 100 points that is not fitted takes 8 of 100 points, one of 50 takes 2."""
    for advantage, shrunk in ((50, 98), (100, 92)):
        first, second = (1 / (1 + 10 ** (-(100 + sign * advantage) / 400)) for sign in (1, -1))
        score = (first + second) / 2
        assert 400 * math.log10(score / (1 - score)) == pytest.approx(shrunk, abs=0.5)


def facts(results: Results) -> list[object]:
    arrays = [results.chosen, results.games, results.points, results.ahead, results.level]
    stages = [(stage.table, stage.left, stage.sets.tolist(), stage.counts.tolist(), stage.tied.tolist()) for stage in results.stages]
    return [results.first_seat, stages, *(array.tolist() for array in arrays)]


@given(fields(), st.randoms(use_true_random=False))
def test_the_order_of_games_is_forgotten(field: tuple[int, list[Result]], generator: object) -> None:
    players, results = field
    shuffled = list(results)
    generator.shuffle(shuffled)
    assert facts(collect(players, shuffled)) == facts(collect(players, results))


@settings(deadline=None, max_examples=60)
@given(fields(), st.randoms(use_true_random=False))
def test_numbers_and_seats_of_players_are_names(field: tuple[int, list[Result]], generator: object) -> None:
    players, results = field
    number = list(range(players))
    generator.shuffle(number)
    renamed: list[Result] = []
    for seats, returns in results:
        order = list(range(len(seats)))
        generator.shuffle(order)
        renamed.append((tuple(number[seats[place]] for place in order), tuple(returns[place] for place in order)))
    one, other = rate(named(players), results), rate(named(players), renamed)
    assert other.ratings[number] == pytest.approx(one.ratings, abs=1e-5)
    assert other.low[number] == pytest.approx(one.low, abs=1e-5)
    assert other.superiority[np.ix_(number, number)] == pytest.approx(one.superiority, abs=1e-7)


@settings(deadline=None, max_examples=60)
@given(fields())
def test_what_holds_for_every_field(field: tuple[int, list[Result]]) -> None:
    players, results = field
    found = rate(named(players), results)
    assert found.ratings.sum() == pytest.approx(0, abs=1e-6)
    assert np.all(found.low < found.ratings)
    assert np.all(np.isfinite(found.high))
    assert found.superiority + found.superiority.T == pytest.approx(1)
    surer = found.superiority > 0.5 + 1e-9
    assert np.all((found.ratings[:, None] > found.ratings)[surer])
    assert found.covariance.sum(axis=0) == pytest.approx(0, abs=1e-3)
    assert found.pair_points + found.pair_points.T == pytest.approx(found.pair_games)
    assert found.games.sum() == sum(len(seats) for seats, _ in results)


@settings(deadline=None, max_examples=60)
@given(fields(sizes=(2,)))
def test_results_turned_round_turn_the_ratings_round(field: tuple[int, list[Result]]) -> None:
    players, results = field
    one = rate(named(players), results, first_seat=True)
    other = rate(named(players), [(seats, tuple(-got for got in returns)) for seats, returns in results], first_seat=True)
    assert other.ratings == pytest.approx(-one.ratings, abs=1e-5)
    assert other.first_seat.difference == pytest.approx(-one.first_seat.difference, abs=0.11)


@pytest.mark.parametrize("size", [2, 4])
def test_intervals_hold_the_true_ratings_as_often_as_they_say(size: int) -> None:
    """200 fields of eight players each, drawn by the model itself; 1,600 intervals, of which 95 % should hold."""
    generator = np.random.default_rng(18)
    held: list[bool] = []
    for _ in range(200):
        strengths = generator.normal(0, 0.6, 8)
        strengths -= strengths.mean()
        results: list[Result] = []
        for seats in list(combinations(range(8), size)) * (10 if size == 2 else 3):
            order = sorted(seats, key=lambda one: -strengths[one] - generator.gumbel())
            results.append((tuple(order), tuple(1 - 2 * place / (size - 1) for place in range(size))))
        found = rate(named(8), results)
        truth = strengths * 400 / math.log(10)
        held += ((found.low < truth) & (truth < found.high)).tolist()
    assert 0.935 < np.mean(held) < 0.97


def test_likelihood_of_superiority_is_how_often_the_one_is_stronger() -> None:
    """Strengths drawn from the prior's like, games drawn from them: among pairs said to be 90 to 97 % certain so many are the right way round."""
    generator = np.random.default_rng(7)
    right: list[bool] = []
    said: list[float] = []
    for _ in range(400):
        strengths = generator.logistic(0, 1, 4)
        results: list[Result] = []
        for one, other in combinations(range(4), 2):
            chance = 1 / (1 + math.exp(strengths[other] - strengths[one]))
            results += [((one, other), (1.0, -1.0) if generator.random() < chance else (-1.0, 1.0)) for _ in range(8)]
        found = rate(named(4), results)
        for one, other in permutations(range(4), 2):
            if 0.85 < found.superiority[one, other] < 0.98:
                said.append(float(found.superiority[one, other]))
                right.append(bool(strengths[one] > strengths[other]))
    assert len(right) > 300
    assert np.mean(right) == pytest.approx(np.mean(said), abs=0.03)


@pytest.mark.parametrize(
    ("results", "options", "said"),
    [
        ([((0, 0), (1.0, -1.0))], {}, "players=(0, 0) returns=(1.0, -1.0) cannot be: players are different numbers from 0 to 1"),
        ([WON, ((0, 2), (1.0, -1.0))], {}, "players=(0, 2)"),
        ([((-1, 0), (1.0, -1.0))], {}, "players=(-1, 0)"),
        ([((0.0, 1.0), (1.0, -1.0))], {}, "players=(0.0, 1.0)"),
        ([((0, 1), (1.0, -1.5))], {}, "returns lie in [−1, 1]"),
        ([((0, 1), (math.nan, 0.0))], {}, "returns lie in [−1, 1]"),
        ([((0,), (1.0,))], {}, "a game has from 2 to 6 players with a return each"),
        ([WON, ((0, 1), (1.0,))], {}, "players=(0, 1) returns=(1.0,) cannot be"),
        ([WON], {"prior": -1}, "prior=-1 is neither 0 nor at least 0.001"),
        ([WON], {"prior": math.nan}, "prior=nan is neither"),
        ([WON], {"prior": 0}, "prior=0 leaves these results without finite ratings"),
        ([DRAWN], {"prior": 0}, "prior=0 leaves these results without finite ratings"),
        ([], {"prior": 0}, "prior=0 leaves these results without finite ratings"),
        ([WON, LOST], {"prior": 0, "first_seat": True}, "the advantage of the first seat needs a prior above 0"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(results: list[Result], options: dict[str, float], said: str) -> None:
    with pytest.raises(BadOption) as refused:
        rate("ab", results, **options)
    assert said in str(refused.value)


def test_fields_that_cannot_be() -> None:
    with pytest.raises(BadOption, match="no players"):
        rate([], [])
    with pytest.raises(BadOption, match="2 names are not one for each of 3 players"):
        rate("ab", collect(3, []))
    with pytest.raises(BadOption, match="games of two players only"):
        rate("abc", [((0, 1, 2), (1.0, 0.0, -1.0))], first_seat=True)
