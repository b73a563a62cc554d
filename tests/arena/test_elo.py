"""Elo differences and their intervals."""

import math

import pytest

from ludarium.arena import EloDifference, elo_difference

Z = 1.959963984540054


def elo(score: float) -> float:
    return 400 * math.log10(score / (1 - score))


def wilson(wins: int, games: int) -> tuple[float, float]:
    """E. Wilson's interval for a proportion, as printed in textbooks."""
    share, k = wins / games, Z * Z / games
    half = math.sqrt(k * (share * (1 - share) + k / 4))
    return (share + k / 2 - half) / (1 + k), (share + k / 2 + half) / (1 + k)


@pytest.mark.parametrize(("wins", "losses"), [(10, 10), (17, 3), (1, 99), (600, 400)])
def test_without_draws_it_is_wilsons_interval(wins: int, losses: int) -> None:
    low, high = wilson(wins, wins + losses)
    found = elo_difference(wins, 0, losses)
    assert found.difference == pytest.approx(elo(wins / (wins + losses)), abs=0.06)
    assert found.low == pytest.approx(elo(low), abs=0.06)
    assert found.high == pytest.approx(elo(high), abs=0.06)


def test_a_clean_sweep_keeps_the_finite_bound() -> None:
    won = elo_difference(20, 0, 0)
    assert (won.difference, won.high) == (None, None)
    assert won.low == pytest.approx(elo(20 / (20 + Z * Z)), abs=0.06)
    lost = elo_difference(0, 0, 20)
    assert (lost.difference, lost.low, lost.high) == (None, None, -won.low)


def test_draws_narrow_the_interval_but_never_to_nothing() -> None:
    decided, half_drawn, drawn = (elo_difference(n, 40 - 2 * n, n).high for n in (20, 10, 0))
    assert decided > half_drawn > drawn > 20


def test_a_published_interval() -> None:
    """Tango's interval for (1, 1, 7, 12), in M. Fagerland, S. Lydersen, P. Laake, Statistics in Medicine 33 (2014): −0.517 to −0.026."""
    found = elo_difference(1, 13, 7)
    margin = [(10 ** (bound / 400) - 1) / (10 ** (bound / 400) + 1) for bound in (found.low, found.high)]
    assert margin == pytest.approx([-0.517, -0.026], abs=6e-4)


def test_it_is_odd() -> None:
    one, other = elo_difference(12, 5, 3), elo_difference(3, 5, 12)
    assert (one.difference, one.low, one.high) == (-other.difference, -other.high, -other.low)


def test_no_games_no_knowledge() -> None:
    assert elo_difference(0, 0, 0) == EloDifference(None, None, None)


@pytest.mark.parametrize(("wins", "draws", "losses"), [(w, d, 12 - w - d) for w in range(13) for d in range(13 - w)])
def test_bounds_enclose_the_difference(wins: int, draws: int, losses: int) -> None:
    found = elo_difference(wins, draws, losses)
    low = -math.inf if found.low is None else found.low
    high = math.inf if found.high is None else found.high
    middle = found.difference if found.difference is not None else math.copysign(math.inf, wins - losses)
    assert low <= middle <= high
    assert low < high
