"""OpenSpiel's own checks and algorithms on our games. ``make test-open-spiel`` installs it; ``make test`` skips them, because Numba starts slower where
SciPy is installed."""

from __future__ import annotations

import copy
import functools
import hashlib
import pickle
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import pytest

import ludarium
from ludarium.core.game import Action, State
from ludarium.core.random import generator_from
from ludarium.core.timeline import Timeline
from ludarium.errors import IllegalAction
from ludarium.players import parse_player

if find_spec("pyspiel") is None:
    pytest.skip("OpenSpiel is not installed: make test-open-spiel", allow_module_level=True)

import numpy as np
import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability, mcts, minimax
from open_spiel.python.algorithms.generate_playthrough import playthrough

import ludarium.envs.open_spiel  # registers the games
from ludarium.open_spiel import SpielState, spiel_game

TINY = "ludarium_expand_conquer(rows=2,columns=3,start=empty,variant=all-small)"


@pytest.mark.parametrize(
    "name",
    [
        "ludarium_expendibots(turn_limit=60)",
        "ludarium_expand_conquer",
        "ludarium_hexabomb(turns=5)",
        "ludarium_hexabomb(map=garden3,turns=3)",
        "ludarium_roboderby(turn_limit=3)",
        "ludarium_roboderby(players=3,turn_limit=2)",
        "ludarium_liars_dice(players=3)",
        "ludarium_tic_tac_toe",
    ],
)
def test_random_games_keep_all_that_openspiel_asks_for(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("id", ["hexabomb", "roboderby", "liars-dice"])
def test_games_are_those_of_the_rules(id: str) -> None:
    game = ludarium.game(id)
    spiel, state, chance = SpielState(spiel_game(game)), game.start(), np.random.default_rng(3)
    for _ in range(40):
        if state.is_over:
            break
        assert spiel.step.state == state
        if state.to_move == (ludarium.CHANCE,):
            place = int(chance.integers(len(state.outcomes())))
            spiel.apply_action(place)
            state = state.play(state.outcomes()[place][0])
            continue
        chosen: dict[int, list[int]] = {player: [] for player in state.to_move}
        for slot in range(game.dimensions.slots):
            for player, orders in chosen.items():
                orders.append(int(chance.choice(state.legal(player, slot))))
            step = [orders[-1] for orders in chosen.values()]
            if len(chosen) > 1:
                assert spiel.is_simultaneous_node()
                spiel.apply_actions(step)
            else:
                spiel.apply_action(step[0])
        state = state.play({player: tuple(orders) if len(orders) > 1 else orders[0] for player, orders in chosen.items()})
    assert spiel.returns() == list(state.returns)


@pytest.mark.parametrize(
    ("id", "options"),
    [("hexabomb", {"map": "garden3", "turns": 4}), ("roboderby", {"players": 3, "turn_limit": 2}), ("liars-dice", {"players": 3})],
)
def test_the_others_play_on_after_a_player_has_left(id: str, options: dict[str, Any]) -> None:
    """As in a timeline, to its returns."""
    game = ludarium.game(id, **options)
    timeline, chance = Timeline(game.start()), np.random.default_rng(3)
    spiel = SpielState(spiel_game(game))
    left = False
    while timeline.outcome is None:
        state = timeline.state
        if state.to_move == (ludarium.CHANCE,):
            place = int(chance.integers(len(state.outcomes())))
            spiel.apply_action(place)
            timeline.act({ludarium.CHANCE: state.outcomes()[place][0]})
        elif not left:
            timeline.leave({1: "resigned"})
            spiel, left = spiel.without(1), True
        else:
            chosen: dict[int, list[int]] = {player: [] for player in timeline.to_move}
            for slot in range(game.dimensions.slots):
                for player, orders in chosen.items():
                    orders.append(int(chance.choice(state.legal(player, slot))))
                if spiel.is_simultaneous_node():
                    assert spiel.legal_actions(1) == []
                    spiel.apply_actions([chosen[player][-1] if player in chosen else 0 for player in range(3)])
                else:
                    spiel.apply_action(chosen[spiel.current_player()][-1])
            timeline.act({player: tuple(orders) if len(orders) > 1 else orders[0] for player, orders in chosen.items()})
        assert spiel.step.state == timeline.state
        copied = pickle.loads(pickle.dumps(spiel))
        assert str(copied) == str(spiel)
        assert spiel.is_terminal() is (timeline.outcome is not None)
    assert spiel.returns() == list(timeline.outcome.returns)
    assert spiel.returns()[1] == -1


@pytest.mark.parametrize("name", ["ludarium_roboderby(players=3)", "ludarium_hexabomb(map=garden3)", "ludarium_liars_dice(players=3)"])
def test_the_last_player_wins(name: str) -> None:
    state = pyspiel.load_game(name).new_initial_state().without(1).without(0)
    assert state.is_terminal()
    assert state.returns() == [0, -1, 1]
    with pytest.raises(IllegalAction):
        state.without(2)
    with pytest.raises(IllegalAction):
        pyspiel.load_game("ludarium_roboderby").new_initial_state().without(1)


def test_what_is_secret_is_told_to_nobody_else() -> None:
    state = pyspiel.load_game("ludarium_liars_dice").new_initial_state()
    seen: dict[int, set[str]] = {0: set(), 1: set()}
    watched: set[str] = set()
    for first in range(0, 56, 5):
        for second in range(0, 56, 5):
            dealt = state.child(first).child(second)
            seen[0].add(dealt.information_state_string(0))
            seen[1].add(dealt.information_state_string(1))
            public = pyspiel.load_game("ludarium_liars_dice").make_py_observer(
                pyspiel.IIGObservationType(perfect_recall=True, public_info=True, private_info=pyspiel.PrivateInfoType.NONE)
            )
            watched.add(public.string_from(dealt, 0))
    assert len(seen[0]) == len(seen[1]) == 12
    assert len(watched) == 1


def test_orders_are_given_one_after_the_other_and_seen_by_who_gives_them() -> None:
    state = pyspiel.load_game("ludarium_hexabomb").new_initial_state()
    before = state.observation_string(0)
    state.apply_actions([state.legal_actions(0)[0], state.legal_actions(1)[1]])
    later = [state.observation_string(player) for player in (0, 1)]
    assert later[0] != before
    assert later[0] != later[1]
    assert state.observation_tensor(0)[-3:] != state.observation_tensor(1)[-3:]
    assert state.observation_tensor(0)[:-3] == state.clone().observation_tensor(0)[:-3]


def test_nothing_is_won_against_the_solved_policy() -> None:
    game = pyspiel.load_game(TINY)
    solved = policy.TabularPolicy(game)
    for state in solved.states:
        values = [value(child) * (1 if state.current_player() == 0 else -1) for child in map(state.child, state.legal_actions())]
        row = solved.policy_for_key(state.information_state_string())
        row[:] = 0
        row[state.legal_actions()[int(np.argmax(values))]] = 1
    assert exploitability.exploitability(game, solved) == 0
    assert exploitability.exploitability(game, policy.UniformRandomPolicy(game)) > 0.5


def value(state: Any) -> float:
    """For the first player, as our own solver knows it."""
    return solved_value(state.step.state)


@functools.cache
def solved_value(position: State) -> float:
    if position.is_over:
        return position.returns[0]
    solver = parse_player("perfect:time=1000s", position.game).make(position.game, 0)
    return solved_value(position.play(solver.choose(position, position.to_move[0])))


def test_searches_of_openspiel_find_what_wins() -> None:
    game = pyspiel.load_game(TINY)
    state = game.new_initial_state()
    best, _ = minimax.alpha_beta_search(game, state, maximizing_player_id=0)
    assert best == value(state)
    bot = mcts.MCTSBot(game, 2, 300, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), random_state=np.random.RandomState(1))
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    assert state.returns()[0] == best


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("ludarium_expendibots(turn_limit=10)", "8cff6ce3bbbedc09"),
        ("ludarium_expand_conquer", "4787ac072d85d175"),
        ("ludarium_hexabomb(turns=2)", "35e195986662bd6f"),
        ("ludarium_roboderby(turn_limit=1)", "03a25eb6d3c24586"),
        ("ludarium_liars_dice", "4d5ff6ab110c85e1"),
    ],
)
def test_playthroughs_are_stable(name: str, digest: str) -> None:
    """Digests of OpenSpiel 2.0.2's text: whatever changes it (our rules, observations or words, or its own form) changes them."""
    assert hashlib.sha256(playthrough(name, None, seed=5).encode()).hexdigest().startswith(digest)


def test_options_are_parameters() -> None:
    game = pyspiel.load_game("ludarium_expand_conquer(rows=3,columns=4,start=empty,variant=all-small)")
    assert (game.num_distinct_actions(), game.game.options["columns"]) == (24, 4)
    assert pyspiel.load_game("ludarium_expand_conquer").num_distinct_actions() == 64
    assert pyspiel.load_game(str(game)).game == game.game


def test_its_search_plays_here() -> None:
    game = ludarium.game("tic-tac-toe")
    state = game.start()
    for square in ("a1", "b1", "b2", "a3"):
        state = state.play(square)
    for seed in (0, 1, 2**62):
        player = parse_player("openspiel-mcts:sims=200", game).make(game, seed)
        player.prepare(state, 0)
        assert player.choose(state, 0).text == "c3"
    assert again(state, 4) == again(state, 4)


def again(state: State, seed: int) -> Action:
    return parse_player("openspiel-mcts:sims=20", state.game).make(state.game, seed).choose(state, 0)


def test_a_search_that_is_interrupted_answers_with_what_it_tried_most() -> None:
    game = ludarium.game("tic-tac-toe")
    asked = iter([False] * 150 + [True])
    state = game.start().play("a1").play("b1").play("b2").play("a3")
    assert parse_player("openspiel-mcts:sims=1000000", game).make(game, 1).choose(state, 0, lambda: next(asked)).text == "c3"


@pytest.mark.parametrize(
    "name",
    ["ludarium_expendibots(turn_limit=60)", "ludarium_expand_conquer", "ludarium_hexabomb(turns=5)", "ludarium_roboderby(turn_limit=3)"],
)
def test_copies_of_games_and_states_are_the_same(name: str) -> None:
    game, chance = pyspiel.load_game(name), np.random.default_rng(2)
    state = game.new_initial_state()
    while not state.is_terminal() and len(state.history()) < 12:
        if state.is_simultaneous_node():
            state.apply_actions([int(chance.choice(state.legal_actions(player))) for player in range(game.num_players())])
        else:
            state.apply_action(int(chance.choice(state.legal_actions())))
    for same in (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))):
        assert same(game).game == game.game
        again = same(state)
        assert (str(again), again.history()) == (str(state), state.history())
        assert [again.information_state_string(0), again.legal_actions()] == [state.information_state_string(0), state.legal_actions()]
    middle = SpielState(game, state.step.state)
    assert str(pickle.loads(pickle.dumps(middle))) == str(middle)


def test_copies_of_its_search_go_on_alike() -> None:
    game = ludarium.game("tic-tac-toe")
    player = parse_player("openspiel-mcts:sims=20,slip=5", game).make(game, 1)
    player.prepare(game.start(), 0)
    player.choose(game.start(), 0)
    copies = [pickle.loads(pickle.dumps(player)), copy.deepcopy(player)]
    chosen = [player.choose(game.start(), 0) for _ in range(4)]
    for one in copies:
        assert [one.choose(game.start(), 0) for _ in range(4)] == chosen


def test_a_process_that_has_registered_games_ends_in_order() -> None:
    done = subprocess.run([sys.executable, "-c", "import ludarium.envs.open_spiel"], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_dice_of_chance_are_those_of_the_rules() -> None:
    game = ludarium.game("roboderby")
    state = SpielState(spiel_game(game))
    generator = generator_from(1)
    drawn = game.start().sample_chance(generator)
    assert drawn in [action for action, _ in state.step.outcomes]
    assert sum(probability for _, probability in state.chance_outcomes()) == pytest.approx(1)
