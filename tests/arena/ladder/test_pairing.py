"""Who meets whom on a ladder."""

from __future__ import annotations

from collections import Counter

from ludarium.arena.ladder.form import LatestGames
from ludarium.arena.ladder.pairing import LATEST, SETTLED, Candidate, next_table, tables_at_once


def test_few_games_come_first_then_a_long_wait() -> None:
    settled = [Candidate(number, SETTLED + number, since=number, rating=0.0) for number in range(4)]
    assert set(next_table(settled, 2) or ()) == {0, 1}
    new = Candidate(4, SETTLED - 1, since=9.0, rating=0.0)
    assert 4 in (next_table([*settled, new], 2) or ())


def test_opponents_are_near_in_rating_but_not_always_the_same() -> None:
    near = [Candidate(0, 50, 0.0, 0.0), Candidate(1, 50, 3.0, 500.0), Candidate(2, 50, 2.0, -40.0), Candidate(3, 50, 1.0, 60.0)]
    assert set(next_table(near, 2) or ()) == {0, 2}
    assert set(next_table([Candidate(0, 50, 0.0, 0.0, met=[2]), *near[1:]], 2) or ()) == {0, 3}
    assert set(next_table(near, 3) or ()) == {0, 2, 3}


def test_too_few_are_no_table() -> None:
    assert next_table([Candidate(0, 0, 0.0, 0.0)], 2) is None
    assert [tables_at_once(present, 2) for present in range(7)] == [0, 0, 1, 1, 1, 2, 2]
    assert [tables_at_once(present, 4) for present in (3, 4, 8, 9)] == [0, 1, 1, 2]


def test_in_the_long_run_everybody_meets_everybody_and_sits_everywhere() -> None:
    """Six who are as strong as they are numbered, three at a table."""
    latest, since = LatestGames(3), dict.fromkeys(range(6), 0.0)
    seats, met = Counter[tuple[int, int]](), Counter[frozenset[int]]()
    for number in range(300):
        candidates = [Candidate(one, number, since[one], 100.0 * one, latest.met(one, LATEST), list(latest.sat(one))) for one in range(6)]
        table = next_table(candidates, 3)
        assert table is not None
        latest.add(number, table, (1.0, 0.0, -1.0))
        since.update(dict.fromkeys(table, number + 1.0))
        seats.update((one, seat) for seat, one in enumerate(table))
        met.update(frozenset({one, other}) for one in table for other in table if one < other)
    assert all(abs(seats[one, seat] - seats[one, 0]) <= 2 for one in range(6) for seat in range(3))
    assert len(met) == 15
    assert met[frozenset({0, 1})] > met[frozenset({0, 5})]


def test_a_game_counts_as_long_as_it_is_among_anybodys_latest() -> None:
    latest = LatestGames(2, window=2)
    for number, table in enumerate([(0, 1), (0, 2), (0, 2), (2, 0)]):
        latest.add(number, table, (1.0, -1.0))
    assert [seats for seats, _ in latest.results()] == [(0, 1), (0, 2), (2, 0)]  # the first is the only one of 1
    assert latest.met(0, 5) == [2, 2]
    assert list(latest.sat(0)) == [3, 1]
