"""Who meets whom, in tournaments of all kinds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import combinations, groupby
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludarium.arena import GamePlan, GameResult
from ludarium.arena.schedules import Field, Schedule, gauntlet, knockout, points_of_byes, round_robin, swiss
from ludarium.arena.schedules.knockout import MOST_REPLAYS, bracket
from ludarium.errors import BadOption

Play = Callable[[GamePlan], tuple[float, ...]]


def stronger_wins(plan: GamePlan) -> tuple[float, ...]:
    """Of two, the one with the lower number."""
    return (1.0, -1.0) if plan.seats[0] < plan.seats[1] else (-1.0, 1.0)


def played(plan: GamePlan, returns: tuple[float, ...]) -> GameResult:
    return GameResult(plan, returns, "", {}, 1, "", None)


def hold(schedule: Schedule, field: Field, play: Play = stronger_wins, at_once: int = 3, seed: int = 1) -> list[GamePlan]:
    """All games that are played, when so many are played at once and end in any order."""
    chance = random.Random(seed)
    results: dict[int, GameResult] = {}
    found: list[GamePlan] = []
    running: list[GamePlan] = []
    plans = schedule(field, results)
    while True:
        plan = next(plans, None) if len(running) < at_once else None
        if plan is not None:
            found.append(plan)
            running.append(plan)
        elif running:
            ended = running.pop(chance.randrange(len(running)))
            results[ended.number] = played(ended, play(ended))
        else:
            break
    assert next(plans, "no more") == "no more"
    assert [plan.number for plan in found] == list(range(len(found)))
    return found


def meetings(plans: list[GamePlan]) -> Counter[frozenset[int]]:
    return Counter(frozenset(plan.seats) for plan in plans)


@pytest.mark.parametrize(("players", "seats"), [(2, 2), (3, 2), (7, 2), (5, 3), (6, 4), (4, 4)])
def test_in_a_round_robin_everybody_meets_everybody(players: int, seats: int) -> None:
    plans = hold(round_robin, Field(players, seats, 2 * seats), lambda plan: (0.0,) * seats)
    assert meetings(plans) == {frozenset(table): 2 * seats for table in combinations(range(players), seats)}
    sat = Counter((player, seat) for plan in plans for seat, player in enumerate(plan.seats))
    assert len(set(sat.values())) == 1, "everybody sits as often at each seat"
    assert {plan.round for plan in plans} == {0, 1}
    for table in combinations(range(players), seats):
        for round_number in (0, 1):
            assert len({plan.seats for plan in plans if set(plan.seats) == set(table) and plan.round == round_number}) == seats


@pytest.mark.parametrize("option_sets", [1, 2, 3])
@pytest.mark.parametrize("rounds", [1, 2, 3, 6])
@pytest.mark.parametrize(
    ("schedule", "players", "seats"),
    [
        *((round_robin, players, seats) for players, seats in [(2, 2), (7, 2), (8, 3), (8, 4), (6, 6)]),
        *((gauntlet, players, seats) for players, seats in [(6, 2), (8, 3), (7, 4)]),
        *((partial(swiss, 5), players, 2) for players in (6, 9)),
        *((knockout, players, 2) for players in (5, 8)),
    ],
)
def test_seats_meetings_and_option_sets_are_balanced(schedule: Schedule, players: int, seats: int, rounds: int, option_sets: int) -> None:
    field = Field(players, seats, rounds * seats, option_sets)

    def level(plan: GamePlan) -> tuple[float, ...]:
        return stronger_wins(plan) if seats == 2 and plan.number % 5 else (0.0,) * seats

    plans = hold(schedule, field, level)
    sat = Counter((player, seat, plan.option_set) for plan in plans for seat, player in enumerate(plan.seats))
    for player, option_set in {(player, option_set) for player, _, option_set in sat}:
        assert len({sat[player, seat, option_set] for seat in range(seats)}) == 1, "as often at each seat, with each option set"
    for _, of_round in groupby(plans, lambda plan: (frozenset(plan.seats), plan.round)):
        games = list(of_round)
        assert len({plan.option_set for plan in games}) == 1
        assert len(games) == len({plan.seats for plan in games}) == seats

    def spread(key: Callable[[GamePlan], list[object]]) -> int:
        """By how many rounds the option set that a key has most often is ahead of the one that it has least often, at most."""
        counts = Counter((one, plan.option_set) for plan in plans for one in key(plan))
        of_each = [[counts[one, option_set] for option_set in range(option_sets)] for one in {one for one, _ in counts}]
        return max(max(times) - min(times) for times in of_each) // seats

    assert spread(lambda plan: [frozenset(plan.seats)]) <= (0 if rounds % option_sets == 0 else 1)
    assert spread(lambda plan: list(plan.seats)) <= (0 if rounds % option_sets == 0 else 3)
    assert spread(lambda plan: [None]) <= (0 if rounds % option_sets == 0 else 2)
    met = Counter(pair for plan in plans for pair in combinations(sorted(plan.seats), 2))
    if schedule is round_robin:
        assert set(met.values()) == {comb(players - 2, seats - 2) * field.games}
    if schedule is gauntlet:
        assert {met[0, other] for other in range(1, players)} == {comb(players - 2, seats - 2) * field.games}
        others = {met[pair] for pair in combinations(range(1, players), 2)}
        assert others == {comb(players - 3, seats - 3) * field.games if seats > 2 else 0}


def test_one_option_set_changes_no_game() -> None:
    plans = hold(round_robin, Field(4, 3, 6), lambda plan: (0.0,) * 3)
    assert plans[:7] == [
        GamePlan(number, number // 3 % 2, seats)
        for number, seats in enumerate([(0, 2, 3), (3, 0, 2), (2, 3, 0), (0, 2, 3), (3, 0, 2), (2, 3, 0), (0, 1, 3)])
    ]


def test_in_a_gauntlet_the_first_meets_everybody_else() -> None:
    assert meetings(hold(gauntlet, Field(5, 2, 4))) == {frozenset((0, other)): 4 for other in range(1, 5)}
    assert all(0 in plan.seats for plan in hold(gauntlet, Field(5, 3, 3), lambda plan: (0.0,) * 3))


@given(players=st.integers(2, 16), seed=st.integers(0, 10**6))
def test_in_a_swiss_tournament_nobody_meets_again_and_byes_go_round(players: int, seed: int) -> None:
    chance = random.Random(seed)
    rounds = players // 2
    plans = hold(
        partial(swiss, rounds), Field(players, 2, 2), lambda plan: chance.choice([(1.0, -1.0), (0.0, 0.0), (-1.0, 1.0)]), seed=seed
    )
    assert len(plans) == rounds * (players // 2) * 2
    assert set(meetings(plans).values()) == {2}
    played_by = Counter(player for plan in plans for player in plan.seats)
    assert all(count in ((rounds - 1) * 2, rounds * 2) for count in played_by.values()) or players % 2 == 0
    if players % 2 == 0:
        assert set(played_by.values()) == {rounds * 2}


def test_where_players_must_meet_again_few_do() -> None:
    for seed in range(30):
        wins = random.Random(seed).choice
        plans = hold(partial(swiss, 5), Field(6, 2, 2), lambda plan, wins=wins: wins([(1.0, -1.0), (-1.0, 1.0)]))
        assert len(plans) == 5 * 3 * 2
        assert len(meetings(plans)) >= 12, "of 15 pairs that could meet"


def test_in_a_swiss_tournament_those_with_equal_points_meet() -> None:
    plans = hold(partial(swiss, 3), Field(8, 2, 2))
    pairs = [frozenset(plan.seats) for plan in plans[::2]]
    assert set(pairs[:4]) == {frozenset(pair) for pair in [(0, 1), (2, 3), (4, 5), (6, 7)]}
    assert set(pairs[4:8]) == {frozenset(pair) for pair in [(0, 2), (4, 6), (1, 3), (5, 7)]}
    assert set(pairs[8:]) == {frozenset(pair) for pair in [(0, 4), (1, 2), (5, 6), (3, 7)]}


def test_a_bye_is_worth_the_games_of_a_round_and_goes_to_the_last_player_that_had_none() -> None:
    field = Field(7, 2, 2)
    plans = hold(partial(swiss, 3), field)
    results = {plan.number: played(plan, stronger_wins(plan)) for plan in plans}
    rounds = [[tuple(sorted(plan.seats)) for plan in plans[first : first + 6 : 2]] for first in (0, 6, 12)]
    assert rounds == [
        [(0, 1), (2, 3), (4, 5)],
        [(0, 2), (4, 6), (1, 3)],  # by their points 0 2 4 6, 1 3 5: 6 had the bye
        [(0, 4), (1, 2), (5, 6)],  # 0 4, 1 2 5 6, 3: 5 had it
    ]
    for games, byes in ((6, {6}), (11, {6}), (12, {5, 6}), (18, {3, 5, 6})):
        found = points_of_byes(field, {number: results[number] for number in range(games)})
        assert found == [2.0 if player in byes else 0.0 for player in range(7)]


@given(players=st.integers(2, 17), seed=st.integers(0, 100))
def test_the_strongest_wins_a_knockout(players: int, seed: int) -> None:
    plans = hold(knockout, Field(players, 2, 2), seed=seed)
    assert len(plans) == 2 * (players - 1)
    last = plans[-1].seats
    assert set(last) == {0, 1}


def test_who_has_a_bye_in_a_knockout() -> None:
    assert bracket(6) == [0, None, 3, 4, 1, None, 2, 5]
    assert bracket(2) == [0, 1]


def test_a_level_table_of_a_knockout_is_played_again_and_then_the_better_seeded_goes_on() -> None:
    plans = hold(knockout, Field(4, 2, 2), lambda plan: (0.0, 0.0))
    assert meetings(plans) == {frozenset(pair): 2 * (1 + MOST_REPLAYS) for pair in [(0, 3), (1, 2), (0, 1)]}


@pytest.mark.parametrize("schedule", [round_robin, gauntlet, partial(swiss, 3), knockout])
def test_it_goes_on_where_it_was_stopped(schedule: Schedule) -> None:
    field = Field(5, 2, 2)
    whole = hold(schedule, field)
    for stopped in range(len(whole)):
        results = {plan.number: played(plan, stronger_wins(plan)) for plan in whole[:stopped]}
        plans = schedule(field, results)
        again: list[GamePlan] = []
        while (plan := next(plans, None)) is not None:
            again.append(plan)
            results[plan.number] = played(plan, stronger_wins(plan))
        assert again == whole


@pytest.mark.parametrize(
    ("schedule", "field", "message"),
    [
        (round_robin, Field(2, 3, 3), "2 players cannot fill a table of 3"),
        (round_robin, Field(200, 4, 4), "64,684,950 tables with 4 games each are more than 10,000,000 games"),
        (partial(swiss, 3), Field(5, 3, 3), "a swiss tournament is for games with two seats, not 3"),
        (partial(swiss, 4), Field(4, 2, 2), "4 rounds of 4 players cannot be: everybody has met everybody after 3"),
        (partial(swiss, 1), Field(1, 2, 2), "1 rounds of 1 players cannot be"),
        (knockout, Field(4, 4, 4), "a knockout is for games with two seats, not 4"),
        (knockout, Field(1, 2, 2), "a knockout needs two players"),
    ],
)
def test_what_cannot_be(schedule: Schedule, field: Field, message: str) -> None:
    with pytest.raises(BadOption, match=message):
        next(schedule(field, {}))
