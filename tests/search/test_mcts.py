"""Monte Carlo tree search on tic-tac-toe and on tiny games whose values are known."""

from __future__ import annotations

import itertools
import json
import os
import pickle
import subprocess
import sys
from dataclasses import replace
from functools import cache

import pytest

import ludarium
from ludarium.core.game import Dimensions, State
from ludarium.errors import BadOption, IllegalAction, LudariumError
from ludarium.players import parse_player
from ludarium.search import MctsResult, mcts
from tests.folders import ROOT
from tests.tiny_games.cups import Cups
from tests.tiny_games.die import KEEP, ROLL, Die
from tests.tiny_games.heap import Heap
from tests.tiny_games.matrix import Matrix


def tic_tac_toe(text: str = ".../.../...") -> State:
    return ludarium.game("tic-tac-toe").parse(text)


def seen(result: MctsResult) -> dict[int, list[tuple[str, int, float]]]:
    return {player: [(arm.action.text, arm.visits, arm.value) for arm in arms] for player, arms in result.arms.items()}


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("OO./XX./...", "c2"),  # X wins
        ("XX./OO./X..", "c2"),  # O wins rather than stopping X
        (".../OO./X.X", "b1"),  # X wins rather than stopping O
        ("X../.O./..X", None),  # only the sides hold
        ("XX./.O./...", "c3"),  # O stops X
    ],
)
def test_a_win_in_one_is_taken_and_a_loss_in_one_is_stopped(text: str, action: str | None) -> None:
    found = mcts(tic_tac_toe(text), sims=2000, seed=3).action.text
    assert found in ({action} if action else {"b1", "b3", "a2", "c2"})


def test_a_won_action_has_the_value_of_a_win() -> None:
    result = mcts(tic_tac_toe("OO./XX./..."), sims=500)
    values = {arm.action.text: arm.value for arm in result.arms[0]}
    assert values["c2"] == 1.0
    assert all(-1 <= value < 1 for text, value in values.items() if text != "c2")


@cache
def value(state: State) -> float:
    """The return of X when both play perfectly."""
    if state.is_over:
        return state.returns[0]
    values = [value(state.play(action)) for action in state.actions()]
    return max(values) if state.to_move == (0,) else min(values)


@pytest.mark.parametrize("side", [0, 1])
def test_perfect_play_never_beats_it(side: int) -> None:
    """Against every reply that keeps the opponent's best return, from the start to every end."""

    def play(state: State) -> None:
        if state.is_over:
            assert state.returns[side] >= 0
        elif state.to_move == (side,):
            play(state.play(mcts(state, sims=3000, seed=1).action))
        else:
            best = value(state)
            for action in state.actions():
                following = state.play(action)
                if value(following) == best:
                    play(following)

    play(tic_tac_toe())


@pytest.mark.parametrize(("text", "action"), [("2 0", "2"), ("5 0", "1"), ("5 1", "1"), ("5 2", "1"), ("2 1", "2")])
def test_three_players_each_play_for_themselves(text: str, action: str) -> None:
    result = mcts(Heap().parse(text), sims=2000)
    assert result.action.text == action
    assert list(result.arms) == [int(text[-1])]


def test_three_players_values_are_the_movers_own() -> None:
    lost, won = mcts(Heap().parse("2 1"), sims=2000).arms[1]
    assert (won.value, lost.value) == (1.0, -0.5)


@pytest.mark.parametrize(
    ("shows", "rolls", "choice", "expectation"),
    [
        (3, 1, ROLL, 0.0),  # another roll is worth 3.5
        (4, 1, KEEP, 0.2),
        (4, 2, ROLL, 0.3),  # two rolls are worth 4.25: keep 4 to 6, else roll once more
        (5, 2, KEEP, 0.6),
    ],
)
def test_dice_are_worth_their_expectation(shows: int, rolls: int, choice: int, expectation: float) -> None:
    result = mcts(Die().parse(f"{shows} {rolls} 0"), sims=20_000, seed=5)
    assert result.action.index == choice
    assert result.arms[0][choice].value == pytest.approx(expectation, abs=0.03)


def test_every_fallen_face_has_its_own_branch() -> None:
    # The root, the falling die, the six faces; then under each face a second falling die with six faces, and what is kept.
    assert mcts(Die().parse("1 1 0"), sims=5000).nodes == 1 + 1 + 1 + 6 + 6


def test_players_who_act_together_find_the_dominant_actions() -> None:
    result = mcts(Matrix(payoffs="dominance").start(), sims=5000)
    assert {player: action.index for player, action in result.actions.items()} == {0: 1, 1: 2}
    with pytest.raises(LudariumError, match="act together"):
        _ = result.action


@pytest.mark.parametrize("seed", range(5))
def test_rock_paper_scissors_is_played_evenly(seed: int) -> None:
    result = mcts(Matrix().start(), sims=30_000, seed=seed)
    for arms in result.arms.values():
        assert sum(arm.visits for arm in arms) == 30_000
        for arm in arms:
            assert arm.visits == pytest.approx(10_000, rel=0.1)
            assert arm.value == pytest.approx(0, abs=0.2)


@pytest.mark.parametrize("cutoff", [0, 3])
def test_a_cutoff_asks_the_game_for_its_evaluation(cutoff: int) -> None:
    state = ludarium.game("expendibots").parse("......../......../......../......../..B(3)...../..W...../......../W......B w 0")
    cut, whole = mcts(state, sims=2000, cutoff=cutoff), mcts(state, sims=2000)
    assert cut.action.text == "c3!"  # three tokens for one, before Black does the same
    assert seen(cut) != seen(whole)
    assert all(-1 <= arm.value <= 1 for arm in cut.arms[0])
    won = mcts(tic_tac_toe("OO./XX./..."), sims=300, cutoff=cutoff)
    assert (won.action.text, max(arm.value for arm in won.arms[0])) == ("c2", 1.0)
    with pytest.raises(LudariumError, match="Heap has none"):
        mcts(Heap().start(), sims=10, cutoff=cutoff)


def test_equal_seeds_give_equal_results_and_others_do_not() -> None:
    start = ludarium.game("expendibots").start()
    first, again, other = (mcts(start, sims=3000, seed=seed) for seed in (7, 7, 8))
    assert seen(first) == seen(again)
    assert seen(first) != seen(other)
    assert first.simulations == sum(arm.visits for arm in first.arms[0]) == 3000


def test_a_result_goes_to_other_processes() -> None:
    result = mcts(tic_tac_toe(), sims=20)
    assert pickle.loads(pickle.dumps(result)) == result


def test_time_ends_a_search() -> None:
    result = mcts(tic_tac_toe(), seconds=20.0, clock=itertools.count().__next__)
    assert result.simulations > 1
    assert 20 <= result.seconds <= 22  # read before and after every slice, and for the result


def test_an_interrupted_search_answers_with_what_it_has() -> None:
    start = ludarium.game("expendibots").start()
    at_once = mcts(start, sims=10**9, interrupted=lambda: True)
    assert at_once.simulations == 1
    assert at_once.action in start.actions()
    assert mcts(start, sims=10**30, interrupted=itertools.chain([False], itertools.repeat(True)).__next__).action in start.actions()
    asked = itertools.count()
    assert 1 < mcts(start, sims=10**9, interrupted=lambda: next(asked) == 5).simulations < 10**6


def test_a_tree_without_room_goes_on_learning() -> None:
    start = ludarium.game("expendibots").start()
    small, large = (mcts(start, sims=30_000, seed=1, megabytes=megabytes) for megabytes in (1, 100))
    assert small.bytes <= 1_000_000 < large.bytes
    assert small.nodes < large.nodes
    assert small.simulations == large.simulations == sum(arm.visits for arm in small.arms[0])


def test_a_growing_tree_is_the_same_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    module = importlib.import_module("ludarium.search.mcts")
    start = ludarium.game("expendibots").start()
    growing = mcts(start, sims=5000, seed=2)
    new_tree = module.new_tree
    monkeypatch.setattr(module, "new_tree", lambda nodes, arms, players: new_tree(1 << 14, 1 << 18, players))
    at_once = mcts(start, sims=5000, seed=2)
    assert (seen(growing), growing.nodes) == (seen(at_once), at_once.nodes)


PLAIN = """
import json, sys
sys.path.insert(0, sys.argv[1])
from tests.tiny_games.cups import Cups
from tests.tiny_games.die import Die
from tests.tiny_games.matrix import Matrix
import ludarium
from ludarium.search import mcts
states = [ludarium.game("tic-tac-toe").start(), ludarium.game("expendibots").start(), Die().parse("3 2 0"), Matrix().start()]
results = [mcts(state, sims=120, seed=4) for state in states]
print(json.dumps([[[arm.visits, arm.value] for arms in result.arms.values() for arm in arms] for result in results]))
"""


def test_plain_python_searches_the_same() -> None:
    def run(**environment: str) -> list[list[list[float]]]:
        command = [sys.executable, "-c", PLAIN, str(ROOT)]
        done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    for compiled, plain in zip(run(NUMBA_DISABLE_JIT="0"), run(NUMBA_DISABLE_JIT="1"), strict=True):
        for (visits, mean), (plain_visits, plain_mean) in zip(compiled, plain, strict=True):
            assert visits == plain_visits
            assert mean == pytest.approx(plain_mean, abs=1e-12)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({}, "say when to stop"),
        ({"sims": 0}, "sims is a whole number from 1, not 0"),
        ({"sims": 1.5}, "sims is a whole number from 1, not 1.5"),
        ({"seconds": 0}, "seconds is a number above 0, not 0"),
        ({"seconds": float("nan")}, "seconds is a number above 0, not nan"),
        ({"sims": 5, "seed": -1}, "seed is a whole number from 0, not -1"),
        ({"sims": 5, "exploration": -1}, "exploration is a number above 0, not -1"),
        ({"sims": 5, "cutoff": -1}, "cutoff is a whole number from 0, not -1"),
        ({"sims": 5, "megabytes": 0}, "megabytes is a whole number from 1, not 0"),
    ],
)
def test_limits_that_make_no_sense_are_refused(limits: dict[str, float], message: str) -> None:
    with pytest.raises(BadOption, match=message):
        mcts(tic_tac_toe(), **limits)  # type: ignore[arg-type]


class Orders(Matrix):
    def make_dimensions(self) -> Dimensions:
        return replace(super().make_dimensions(), slots=2)


def test_states_and_games_that_it_cannot_search_are_refused() -> None:
    with pytest.raises(LudariumError, match="nobody is to move: X has three in a row"):
        mcts(tic_tac_toe("XXX/OO./..."), sims=10)
    with pytest.raises(LudariumError, match="dice are to fall"):
        mcts(Die().start(), sims=10)
    with pytest.raises(LudariumError, match="say for whom"):
        mcts(Cups().parse("0 0 N3 S5 0 0 0 0 0 0"), sims=10)
    with pytest.raises(IllegalAction, match="player 1 is not to move"):
        mcts(tic_tac_toe(), player=1, sims=10)
    with pytest.raises(LudariumError, match="one choice at a time"):
        mcts(Orders().start(), sims=10)


@pytest.mark.parametrize("cutoff", [None, 2])
def test_what_is_hidden_is_drawn_and_not_looked_at(cutoff: int | None) -> None:
    game = Cups(rounds=1)
    for mine in (1, 6):
        results = [mcts(game.parse(f"0 0 N{mine} S{other} 0 0 0 0 0 0"), player=0, sims=2000, seed=1, cutoff=cutoff) for other in "16?"]
        assert seen(results[0]) == seen(results[1]) == seen(results[2])
        assert results[0].simulations == 2000
        assert results[0].action.text == ("shake" if mine == 1 else "keep")
        keep, shake = results[0].arms[0]
        assert keep.visits + shake.visits == 2000
        assert keep.value == pytest.approx(-5 / 6 if mine == 1 else 5 / 6, abs=0.25)


def test_a_search_for_one_of_those_who_act_together() -> None:
    both, one = (mcts(Matrix().start(), player=player, sims=300, seed=4) for player in (None, 1))
    assert set(both.arms) == {0, 1}
    assert one.arms == {1: both.arms[1]}


def test_many_worlds_share_the_simulations_and_the_time() -> None:
    state = Cups().parse("0 0 N3 S5 0 0 0 0 0 0")
    assert mcts(state, player=1, sims=5).simulations == 5
    now = itertools.count()
    result = mcts(state, player=1, seconds=100.0, clock=lambda: next(now) / 100)
    assert result.simulations > 16
    assert 95 <= result.seconds < 101
    stopped = mcts(state, player=1, sims=10**9, interrupted=lambda: True)
    assert stopped.simulations == 1


def test_the_player_repeats_its_games_and_refuses_two_limits() -> None:
    game = ludarium.game("tic-tac-toe")

    def play(seed: int) -> list[str]:
        players = [parse_player("mcts:sims=40", game).make(game, seed + side) for side in (0, 1)]
        state, texts = game.start(), []
        while not state.is_over:
            action = players[state.to_move[0]].choose(state, state.to_move[0])
            texts.append(action.text)
            state = state.play(action)
        return texts

    assert play(1) == play(1)
    assert len({tuple(play(seed)) for seed in range(6)}) > 1
    with pytest.raises(BadOption, match="sims and time are two limits"):
        parse_player("mcts:sims=10,time=1s", game)
    with pytest.raises(BadOption, match="sims=0"):
        parse_player("mcts:sims=0", game)
    assert parse_player("mcts:time=20ms", game).make(game, 0).choose(game.start(), 0) in game.start().actions()
