"""How alpha-beta shares out its time, and what it remembers from one turn to the next."""

from __future__ import annotations

import itertools
import random
from statistics import mean

import pytest

import ludarium
from ludarium.core.game import State
from ludarium.players import TimeLeft, parse_player
from ludarium.players.alphabeta import share_out
from ludarium.search import SearchMemory, SearchResult, alphabeta

EXPENDIBOTS = ludarium.game("expendibots")
MIDDLE = EXPENDIBOTS.parse("BB.BB(2).../...B..BB/.W.W..W./.B..B.../......W./.B..B.../WW(2).W...W/WW.....W w 16")
OPENING = EXPENDIBOTS.parse("BB.BB.BB/.B(2)..B(2)..B/......B./......../......../......../WW(3).W(2)..WW/...WW.WW w 6")


def of_a_game(left: float, increment: float = 0.0) -> TimeLeft:
    return TimeLeft(left, increment, is_per_action=False, patience=left)


@pytest.mark.parametrize("increment", [0.0, 0.5])
def test_a_clock_is_never_used_up(increment: float) -> None:
    left = 60.0
    for _ in range(500):
        most, usual = share_out(of_a_game(left, increment))
        assert usual is not None
        assert 0 < usual <= most < left
        left += increment - most
        if left < 0.01:
            break
    assert left > increment


def test_of_a_time_for_one_action_a_little_is_left() -> None:
    assert share_out(TimeLeft(2.0, 0.0, is_per_action=True, patience=2.05)) == (pytest.approx(1.98), None)
    assert share_out(TimeLeft(0.01, 0.0, is_per_action=True, patience=0.06)) == (pytest.approx(0.005), None)


def thought(state: State, usual: float) -> list[SearchResult]:
    """The results of all depths, by a clock that goes on by a millisecond whenever somebody looks."""
    told: list[SearchResult] = []
    ticks = itertools.count(0, 0.001)
    alphabeta(state, seconds=0.5, usual=usual, clock=lambda: next(ticks), on_iteration=told.append)
    return told


def test_more_time_is_taken_where_the_best_action_changes() -> None:
    calm: list[float] = []
    restless: list[float] = []
    chance = random.Random(1)
    for _ in range(12):
        state = EXPENDIBOTS.start()
        for _ in range(6):
            state = state.play(chance.choice([action for action in state.actions(state.to_move[0]) if not action.text.endswith("!")]))
        told = thought(state, 0.03)
        (calm if len({result.action for result in told[-4:]}) == 1 else restless).append(told[-1].seconds)
    assert mean(calm) < 0.03
    assert mean(calm) < mean(restless) < 0.1


def test_a_player_keeps_its_clock_and_its_own_limit() -> None:
    player = parse_player("alphabeta:time=20ms", EXPENDIBOTS).make(EXPENDIBOTS, 0)
    for left in (60.0, 0.001):
        player.prepare(MIDDLE, 0, of_a_game(left))
        assert player.choose(MIDDLE, 0) in MIDDLE.actions(0)


def test_what_was_found_is_remembered_within_a_game() -> None:
    memory = SearchMemory()
    fresh = alphabeta(OPENING, nodes=20_000, seed=1)
    assert alphabeta(OPENING, nodes=20_000, seed=1, memory=memory).nodes == fresh.nodes
    later = OPENING.play(fresh.line[0]).play(fresh.line[1])
    assert alphabeta(later, depth=fresh.depth, seed=1, memory=memory).nodes < alphabeta(later, depth=fresh.depth, seed=1).nodes
    again = [alphabeta(OPENING, nodes=20_000, seed=1, memory=SearchMemory()) for _ in range(2)]
    assert {(one.action, one.score, one.depth, one.line) for one in again} == {(fresh.action, fresh.score, fresh.depth, fresh.line)}


def test_another_game_begins_with_an_empty_memory() -> None:
    memory = SearchMemory()
    alphabeta(OPENING, nodes=20_000, memory=memory)
    other = ludarium.game("expendibots", turn_limit=100).parse(OPENING.text)
    assert alphabeta(other, depth=4, memory=memory).nodes == alphabeta(other, depth=4).nodes


def test_a_full_width_search_remembers_nothing() -> None:
    memory = SearchMemory()
    results = [alphabeta(MIDDLE, depth=2, full_width=True, memory=memory) for _ in range(2)]
    assert results[0].nodes == results[1].nodes
