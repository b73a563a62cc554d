"""Pairs whose results fit no rating, in tournaments whose honest players are simulated by their strengths."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import comb

import numpy as np
import pytest

from ludarium.arena.ratings import Result, Results, collect, of_pairs
from ludarium.arena.ratings.misfits import LEVEL, misfits

Pair = tuple[int, int]


def tournament(seed: int, strengths: Sequence[float], games: int, ties: float, traded: Collection[Pair] = ()) -> Results:
    """Play from half of ``games`` to all of them between each pair, by Davidson's model; of a traded pair, the first wins all."""
    random = np.random.default_rng(seed)
    rows: list[tuple[int, int, int, int, int]] = []
    for one in range(len(strengths)):
        for other in range(one + 1, len(strengths)):
            half = (strengths[one] - strengths[other]) / 2
            chances = np.array([np.exp(half), ties, np.exp(-half)])
            wins, draws, losses = map(int, random.multinomial(random.integers(games // 2, games + 1), chances / chances.sum()))
            played = wins + draws + losses
            if (one, other) in traded:
                wins, draws, losses = played, 0, 0
            elif (other, one) in traded:
                wins, draws, losses = 0, 0, played
            rows.append((one, other, wins, draws, losses))
    return of_pairs(len(strengths), rows)


def named(results: Results) -> set[Pair]:
    return {(one.player, one.opponent) for one in misfits(results)}


@pytest.mark.parametrize("ties", [0.0, 0.5])
def test_eight_that_lose_on_purpose_to_one_name_are_named(ties: float) -> None:
    """The name's own strength is that of its honest games, which are half of all."""
    strengths = np.random.default_rng(4).normal(0, 0.4, 17)
    name, traders = 5, [1, 3, 8, 9, 11, 12, 14, 16]
    traded = {(name, trader) for trader in traders}
    for seed in (1, 2, 3):
        found = misfits(tournament(seed, strengths.tolist(), 60, ties, traded))
        assert {(one.player, one.opponent) for one in found} == traded
        assert found[0].p < 1e-6
        for one in found:
            assert one.score == one.games >= 30
            win, loss = np.exp([half := (strengths[name] - strengths[one.opponent]) / 2, -half])
            assert one.expected == pytest.approx(one.games * (win + ties / 2) / (win + ties + loss), abs=0.1 * one.games)


def test_a_pair_is_named_in_few_honest_tournaments(scale: int) -> None:
    wrong = seeds = 0
    for players, games, ties in ((8, 10, 0.5), (6, 30, 0.0), (12, 6, 0.2)):
        for seed in range(100 * scale):
            strengths = np.random.default_rng(1000 + seed).normal(0, 0.7, players)
            wrong += bool(named(tournament(seed, strengths.tolist(), games, ties)))
            seeds += 1
    assert 0 < wrong <= LEVEL * seeds


def test_the_chance_is_exact_where_ratings_are_sure() -> None:
    """The chi-squared distribution would say that thirteen wins in a row between equals are five times less likely."""
    pairs = [(one, other) for one in range(6) for other in range(one + 1, 6)]
    rows = [(one, other, 13, 0, 0) if (one, other) == (2, 4) else (one, other, 5000, 0, 5000) for one, other in pairs]
    (found,) = misfits(of_pairs(6, rows))
    assert (found.player, found.opponent, found.games, found.score) == (2, 4, 13, 13.0)
    assert found.expected == pytest.approx(6.5, abs=0.01)
    assert found.p == pytest.approx(len(pairs) * 2 * 0.5**13, rel=0.02)
    rows = [(one, other, 1, 0, 12) if wins == 13 else (one, other, wins, draws, losses) for one, other, wins, draws, losses in rows]
    assert not misfits(of_pairs(6, rows))  # 28 such results of 8,192, times 15 pairs, are more than 0.05
    (lax,) = misfits(of_pairs(6, rows), level=0.1)
    assert (lax.player, lax.opponent, lax.score) == (4, 2, 12.0)
    assert lax.p == pytest.approx(len(pairs) * 2 * (1 + comb(13, 1)) / 2**13, rel=0.02)


def test_draws_are_results_too() -> None:
    """A weak player draws with a strong one again and again, and does so with no other."""
    strengths = [2.0, 0.3, -0.2, 0.1, -2.0, 0.0]
    honest = tournament(3, strengths, 80, 0.6)
    assert not misfits(honest)
    rows = [
        (one, other, int(honest.ahead[one, other]), int(honest.level[one, other]), int(honest.ahead[other, one]))
        for one in range(6)
        for other in range(one + 1, 6)
    ]
    agreed = [
        (one, other, 0, wins + draws + losses, 0) if (one, other) == (0, 4) else (one, other, wins, draws, losses)
        for one, other, wins, draws, losses in rows
    ]
    (found,) = misfits(of_pairs(6, agreed))
    assert (found.player, found.opponent, found.score) == (4, 0, found.games / 2)
    assert found.expected < 0.2 * found.games


@pytest.mark.parametrize("seats", [3, 4])
def test_tables_of_more_than_two(seats: int) -> None:
    """Two players come last whenever the first is at their table."""
    random, players = np.random.default_rng(seats), 9
    strengths, honest, traded = random.normal(0, 0.5, players), list[Result](), list[Result]()
    for _ in range(1200):
        seated = random.choice(players, seats, replace=False)
        luck = strengths[seated] + random.gumbel(size=seats)
        for results, is_traded in ((honest, False), (traded, True)):
            keys = np.where(is_traded & (0 in seated) & (seated >= 7), luck - 100, luck)
            places = np.argsort(np.argsort(-keys))
            results.append((tuple(seated.tolist()), tuple((1 - 2 * places / (seats - 1)).tolist())))
    assert not misfits(collect(players, honest))
    assert named(collect(players, traded)) >= {(0, 7), (0, 8)}


def test_too_few_games_name_nobody() -> None:
    assert misfits(of_pairs(3, [])) == []
    assert misfits(of_pairs(2, [(0, 1, 100, 0, 0)])) == []  # no other games say what was to be expected
    assert misfits(of_pairs(3, [(0, 1, 2, 0, 0), (1, 2, 2, 0, 0), (0, 2, 0, 0, 2)])) == []
