"""Alpha-beta search: against plain minimax, in won and lost positions, at its limits, and stopped."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import ludarium
from ludarium.core.game import State
from ludarium.core.jit import kernel
from ludarium.core.rules import evaluate, tactical_actions
from ludarium.errors import BadOption, LudariumError
from ludarium.games.expendibots.endgames.keeping import endgames
from ludarium.games.expendibots.neural_network import hand_made, network_of
from ludarium.search import WIN, SearchResult, alphabeta, one_ply
from tests.conftest import Python
from tests.tiny_games.die import Die
from tests.tiny_games.heap import Heap
from tests.tiny_games.matrix import Matrix

EXPENDIBOTS = ludarium.game("expendibots")

SMALL = (
    "......../......../......../...B..../......../...W..../......../........ w 0",
    "......../......../......../...B..../....W.../...W..../.B....../........ w 0",
    "......../.B....../..W...../......../....B.../......../..W...../........ b 1",
    "......../......../..B(2)...../......../.....W../......../......../........ b 1",
    "W......./......../......../...B..../...WW.../......../......../.......B b 3",
)
MIDDLE = "BB.BB(2).../...B..BB/.W.W..W./.B..B.../......W./.B..B.../WW(2).W...W/WW.....W w 16"
START = EXPENDIBOTS.start().text


@kernel()
def judge(tables: Any, states: Any, player: Any, out: Any) -> Any:
    """The evaluation; how many tactical actions there are goes into the last cell of ``out``."""
    out[-1] = tactical_actions(tables, states[0], player, out)
    return evaluate(tables, states[0], player)


def minimax(state: State, depth: int, distance: int = 0) -> int:
    """The value of a state for the player to move (of an ended one, for who would be to move), by the book; quiescence below depth 0."""
    best = -10 * WIN
    mover = state.to_move[0]
    actions = [action.index for action in state.actions(mover)]
    if depth <= 0:
        out = np.zeros(state.game.dimensions.max_actions + 1, np.int64)
        best = int(judge(state.game.tables, state.copy_records(), mover, out))
        actions = out[: out[-1]].tolist()
    for after in map(state.play, actions):
        value = int(after.returns[mover]) * (WIN - distance - 1) if after.is_over else -minimax(after, depth - 1, distance + 1)
        best = max(best, value)
    return best


@pytest.mark.parametrize(("text", "depth"), [*itertools.product(SMALL, (1, 2)), (SMALL[0], 3), (MIDDLE, 1)])
def test_a_full_width_search_finds_the_value_of_minimax(text: str, depth: int) -> None:
    state = EXPENDIBOTS.parse(text)
    result = alphabeta(state, depth=depth, full_width=True)
    assert result.score == minimax(state, depth)
    if result.depth == depth:  # otherwise a win was found earlier
        after = state.play(result.action)
        assert after.is_over or -minimax(after, depth - 1, 1) == result.score


def test_minimax_and_search_agree_near_the_turn_limit_and_on_repetition() -> None:
    game = ludarium.game("expendibots", turn_limit=12)
    state = game.parse("......../......../..B(2)...../......../.....W../......../......../........ w 10")
    assert alphabeta(state, depth=6, full_width=True).score == minimax(state, 2) == 0
    state = EXPENDIBOTS.parse(SMALL[0])
    for _ in range(2):
        for text in ("d3-d2", "d5-d6", "d2-d3", "d6-d5"):
            state = state.play(text)
    assert state.record.occurrences == 3
    for depth in (1, 2, 3):
        assert alphabeta(state, depth=depth, full_width=True).score == minimax(state, depth)


def test_a_win_in_one_is_found() -> None:
    state = EXPENDIBOTS.parse("......../......../......../...B..../..W...../......../......../W....... w 0")
    result = alphabeta(state, depth=4)
    assert result.action.text == "c4!"
    assert result.score == WIN - 1
    assert result.line == (result.action,)


def test_a_win_in_two_own_actions_is_found_and_played() -> None:
    state = EXPENDIBOTS.parse("..B...../......../...W(2).W../......../......../......../.W....../B....... w 50")
    result = alphabeta(state, nodes=300_000)
    assert WIN - 20 < result.score < WIN
    left = WIN - result.score
    while not state.is_over:
        result = alphabeta(state, nodes=300_000)
        assert abs(result.score) >= WIN - left
        left = WIN - abs(result.score) - 1
        state = state.play(result.action)
    assert state.returns == (1.0, -1.0)


def test_the_side_about_to_be_wiped_out_moves_away() -> None:
    state = EXPENDIBOTS.parse("......../......../......../..WB..../......../......../......../W....... b 1")
    losing = [action for action in state.actions(1) if any(after.returns[0] == 1 for after in replies(state.play(action)))]
    assert losing
    result = alphabeta(state, depth=2)
    assert result.action not in losing


def replies(state: State) -> list[State]:
    return [state.play(action) for action in state.actions(state.to_move[0])] if not state.is_over else [state]


def test_quiescence_sees_the_exchange_behind_the_horizon() -> None:
    """A stack of six steps beside a lone token that can take it along: one ply ahead looks fine, quiescence does not."""
    state = EXPENDIBOTS.parse("B......./......../......../......../....B.../......../....W(6).../W.......  w 0")
    after = alphabeta(state, depth=1).action
    reached = state.play(after)
    best_reply = alphabeta(reached, depth=1)
    assert best_reply.score < 0  # Black found nothing that takes the six


@pytest.mark.parametrize("text", [START, MIDDLE])
def test_limits_of_nodes_and_depth_repeat_exactly_whatever_the_clock_says(text: str) -> None:
    state = EXPENDIBOTS.parse(text)
    slow, fast = itertools.count(0, 1.0), itertools.count(0, 1e-6)
    first = alphabeta(state, nodes=30_000, seed=5, clock=lambda: next(slow))
    second = alphabeta(state, nodes=30_000, seed=5, clock=lambda: next(fast))
    assert (first.action, first.score, first.depth, first.nodes, first.line) == (
        second.action,
        second.score,
        second.depth,
        second.nodes,
        second.line,
    )
    assert first.nodes == 30_000


def test_nodes_are_actions_applied() -> None:
    state = EXPENDIBOTS.start()
    assert alphabeta(state, depth=1).nodes == len(state.actions(0))
    assert alphabeta(state, nodes=7).nodes == 7


def test_an_interrupted_search_answers_with_a_legal_action() -> None:
    state = EXPENDIBOTS.parse(MIDDLE)
    asked = itertools.count()
    result = alphabeta(state, depth=50, interrupted=lambda: next(asked) >= 3)
    assert result.action in state.actions(0)
    assert next(asked) == 4
    assert result.nodes < 10_000_000
    result = alphabeta(state, depth=50, nodes=1, interrupted=lambda: True)
    assert result.action in state.actions(0)


def test_time_is_read_from_the_clock() -> None:
    ticks = itertools.count(0, 0.1)
    result = alphabeta(EXPENDIBOTS.parse(MIDDLE), seconds=2.0, clock=lambda: next(ticks))
    assert 2.0 <= result.seconds < 3.0


def test_every_iteration_is_told_and_its_line_can_be_played() -> None:
    told: list[SearchResult] = []
    state = EXPENDIBOTS.parse(MIDDLE)
    alphabeta(state, depth=6, on_iteration=told.append)
    assert [result.depth for result in told] == [1, 2, 3, 4, 5, 6]
    for result in told:
        reached = state
        for action in result.line:
            reached = reached.play(action)
        assert result.line[0] == result.action


def test_the_seed_chooses_among_equal_actions() -> None:
    found = {alphabeta(EXPENDIBOTS.start(), depth=2, seed=seed).action.text for seed in range(8)}
    assert len(found) > 1


def test_the_colours_are_alike() -> None:
    white = "......../.....W../......../...B..../....WW(2)../...W..../.B....../........ w 0"
    black = "......../.W....../...B..../....BB(2)../...W..../......../.....B../........ b 1"
    scores = [alphabeta(EXPENDIBOTS.parse(text), depth=4, full_width=True).score for text in (white, black)]
    assert scores[0] == scores[1]


def test_tic_tac_toe_is_a_draw_and_its_wins_are_seen() -> None:
    pytest.importorskip("tic_tac_toe")
    game = ludarium.game("tic-tac-toe")
    assert alphabeta(game.start(), depth=9, full_width=True).score == 0


def test_one_ply_scores_every_action() -> None:
    state = EXPENDIBOTS.parse("......../......../......../...B..../..W...../......../......../W....... w 0")
    scores = dict(one_ply(state))
    assert list(scores) == list(state.actions(0))
    assert scores[state.action("c4!")] == WIN - 1


@pytest.mark.parametrize("game", [Die(), Heap(), Matrix()])
def test_games_of_another_kind_are_refused(game: Any) -> None:
    with pytest.raises(LudariumError, match="alpha-beta needs"):
        alphabeta(game.start(), depth=2)


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"depth": 0},
        {"nodes": 0},
        {"seconds": 0.0},
        {"depth": 1.5},
        {"nodes": 1e6},
        {"seconds": float("nan")},
        {"depth": True},
        {"depth": 1, "seed": -1},
    ],
)
def test_limits_that_make_no_sense_are_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match="alphabeta"):
        alphabeta(EXPENDIBOTS.start(), **limits)


def test_a_finished_game_is_not_searched() -> None:
    state = EXPENDIBOTS.parse("......../......../......../...B..../..W...../......../......../W....... w 0").play("c4!")
    with pytest.raises(LudariumError, match="the game is over"):
        alphabeta(state, depth=1)


def test_plain_python_searches_the_same(python: Python) -> None:
    code = (
        "import ludarium; from ludarium.search import alphabeta\n"
        f"result = alphabeta(ludarium.game('expendibots').parse({MIDDLE!r}), nodes=300, seed=3)\n"
        "print(result.score, result.depth, result.nodes, *result.line)"
    )
    done = python(code, NUMBA_DISABLE_JIT="1")
    here = alphabeta(EXPENDIBOTS.parse(MIDDLE), nodes=300, seed=3)
    assert done.stdout.split() == [str(value) for value in (here.score, here.depth, here.nodes, *here.line)], done.stderr


def test_an_action_that_is_seen_to_lose_is_left_for_one_that_is_not_searched_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """The nodes run out in the depth at which the best action so far is refuted; another one holds. No endgame tables say so before, nor a network."""
    monkeypatch.setattr(EXPENDIBOTS, "tables", EXPENDIBOTS.tables._replace(network=network_of(hand_made())))
    monkeypatch.setattr(EXPENDIBOTS, "endgames", lambda: endgames()._replace(most=0))
    state = EXPENDIBOTS.parse("......../......../...W..../.....W(2)../......../......../......B./........ b 1")
    told: list[SearchResult] = []
    stopped = alphabeta(state, nodes=2600, on_iteration=told.append)
    assert told[-1].action.text == "g2-f2"
    refuted = alphabeta(state.play("g2-f2"), depth=5, full_width=True).score
    assert refuted == WIN - 5
    assert stopped.action.text != "g2-f2"
    assert stopped.score == told[-1].score
    assert abs(alphabeta(state.play(stopped.action), depth=5, full_width=True).score) < WIN - 100


def test_a_completed_depth_is_told_though_it_used_the_last_node() -> None:
    state = EXPENDIBOTS.parse(MIDDLE)
    needed = alphabeta(state, depth=2).nodes
    told: list[SearchResult] = []
    result = alphabeta(state, nodes=needed, on_iteration=told.append)
    assert [one.depth for one in told] == [1, 2]
    assert (result.depth, result.nodes) == (2, needed)
