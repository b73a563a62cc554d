"""Gumbel search on tic-tac-toe, where what is right is known, and on games with many actions."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import ludarium
from ludarium.core.game import Game, State
from ludarium.core.random import generator_from
from ludarium.errors import BadOption
from ludarium.search import gumbel
from ludarium.search.gumbel import Evaluate, Found, GumbelSearch
from tests.search.naive_gumbel import NaiveGumbel


def ignorant(game: Game) -> Evaluate:
    """A network that prefers nothing and expects a draw."""
    return lambda observations: (
        np.zeros((len(observations), game.dimensions.action_space), np.float32),
        np.zeros(len(observations), np.float32),
    )


def opinionated(game: Game) -> Evaluate:
    """One that says of every position something else, and of equal ones the same."""
    chance = np.random.default_rng(1)
    inputs = int(np.prod(game.dimensions.observation_shape))
    preferences, worth = chance.normal(size=(inputs, game.dimensions.action_space)), chance.normal(size=inputs)

    def evaluate(observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rows = [row.ravel().astype(float) for row in observations]  # one by one: sums of matrices depend on how many rows they have
        return np.array([row @ preferences for row in rows], np.float32), np.array([np.tanh(row @ worth) for row in rows], np.float32)

    return evaluate


def search(states: list[State], simulations: int, evaluate: Evaluate | None = None, **more: int) -> Found:
    game = states[0].game
    records = np.concatenate([state.copy_records() for state in states])
    return GumbelSearch(game, len(states), simulations=simulations, **more).run(records, np.arange(len(states)), evaluate or ignorant(game))


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("OO./XX./...", "c2"),  # X wins
        ("XX./OO./X..", "c2"),  # O wins rather than stopping X
        ("X../.X./O..", "c1"),  # O stops X
    ],
)
def test_it_sees_what_the_network_does_not(text: str, action: str) -> None:
    state = ludarium.game("tic-tac-toe").parse(text)
    found = search([state], 100)
    assert state.action(int(found.actions[0]), state.to_move[0]).text == action
    best = found.policies[0, : found.counts[0]].argmax()
    assert found.legal[0, best] == found.actions[0]


def test_what_is_found_is_a_policy_over_the_legal_actions() -> None:
    game = ludarium.game("tic-tac-toe")
    states = [game.parse(text) for text in ("OO./XX./...", "XX./OO./X..", "X.O/.../O.X", ".../.../...")]
    found = search(states, 64)
    for row, state in enumerate(states):
        count = int(found.counts[row])
        assert found.legal[row, :count].tolist() == [action.index for action in state.actions(state.to_move[0])]
        assert found.policies[row, :count].sum() == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["expendibots", "expand-conquer"])
def test_games_side_by_side_are_searched_as_each_alone(name: str) -> None:
    game = ludarium.game(name)
    states, chance = [game.start()], np.random.default_rng(2)
    for _ in range(5):
        state = states[-1]
        states.append(state.play(state.actions(state.to_move[0])[chance.integers(len(state.actions(state.to_move[0])))]))
    evaluate = opinionated(game)
    together = search(states, 40, evaluate)
    for row, state in enumerate(states):
        alone = search([state], 40, evaluate)
        assert alone.actions[0] == together.actions[row]
        assert (alone.policies[0] == together.policies[row]).all()


@pytest.mark.parametrize(("simulations", "considered"), [(2, 2), (13, 4), (50, 3), (90, 16)])
def test_it_finds_what_the_equations_of_its_paper_say(simulations: int, considered: int) -> None:
    """Values are close, so no action has all of the policy."""
    game = ludarium.game("tic-tac-toe")
    opinion = opinionated(game)

    def evaluate(observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        logits, values = opinion(observations)
        return logits, values / 16

    states = [game.parse(text) for text in (".../.../...", "X../.O./...", "XO./.X./..O", "OO./XX./...")]
    found = search(states, simulations, evaluate, considered=considered)
    for row, state in enumerate(states):
        expected = NaiveGumbel(state, simulations, considered, evaluate)
        policy = expected.root.improved()
        assert found.actions[row] == expected.action
        assert found.policies[row, : found.counts[row]] == pytest.approx(
            [policy[action] for action in state.legal(state.to_move[0])], abs=1e-4
        )


def test_without_simulations_the_network_chooses_and_noise_draws_by_its_probabilities() -> None:
    game = ludarium.game("tic-tac-toe")
    state = game.parse("XO./.../.XO")
    logits = np.array([1.0, 9.0, 9.0, 0.0, -1.0, 0.5, 9.0, 9.0, 0.2], np.float32)  # those of taken cells count for nothing

    def evaluate(observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.tile(logits, (len(observations), 1)), np.zeros(len(observations), np.float32)

    legal = [action.index for action in state.actions(0)]
    best = max(legal, key=lambda action: logits[action])
    assert search([state], 0, evaluate).actions.tolist() == [best]
    draws = 4000
    records = np.repeat(state.copy_records(), draws)
    generators = np.stack([generator_from(3, number) for number in range(draws)])
    drawn = GumbelSearch(game, draws, simulations=0).run(records, np.arange(draws), evaluate, generators).actions
    again = GumbelSearch(game, draws, simulations=0).run(
        records, np.arange(draws), evaluate, np.stack([generator_from(3, number) for number in range(draws)])
    )
    assert (again.actions == drawn).all()
    counts = Counter(drawn.tolist())
    total = sum(np.exp(logits[action]) for action in legal)
    assert set(counts) == set(legal)
    for action in legal:
        share = np.exp(logits[action]) / total
        assert abs(counts[action] / draws - share) < 5 * (share * (1 - share) / draws) ** 0.5


def test_more_simulations_than_a_tree_has_room_for_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gumbel.trees, "USUAL_ACTIONS", 1)
    game = ludarium.game("expendibots")
    found = search([game.start()], 60)
    assert found.actions[0] in [action.index for action in game.start().actions(0)]
    assert found.policies[0, : found.counts[0]].sum() == pytest.approx(1.0)


def test_a_single_legal_action_is_not_searched() -> None:
    game = ludarium.game("tic-tac-toe")
    asked: list[int] = []

    def evaluate(observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        asked.append(len(observations))
        return ignorant(game)(observations)

    found = search([game.parse("XOX/XOO/OX.")], 50, evaluate)
    assert (found.actions.tolist(), asked) == ([2], [1])


def test_who_interrupts_gets_an_answer() -> None:
    game = ludarium.game("tic-tac-toe")
    found = GumbelSearch(game, 1, simulations=10**4).run(
        game.start().copy_records(), np.zeros(1, np.int64), ignorant(game), interrupted=lambda: True
    )
    assert found.counts.tolist() == [9]


@pytest.mark.parametrize(("name", "options"), [("roboderby", {}), ("hexabomb", {}), ("liars-dice", {"players": 2})])
def test_other_games_are_refused(name: str, options: dict[str, int]) -> None:
    with pytest.raises(BadOption, match="two players who move in turn, without dice and secrets"):
        GumbelSearch(ludarium.game(name, **options), 1, simulations=1)


@pytest.mark.parametrize("wrong", [{"simulations": -1}, {"simulations": 1, "considered": 1}])
def test_numbers_out_of_bounds(wrong: dict[str, int]) -> None:
    with pytest.raises(BadOption, match="gumbel search"):
        GumbelSearch(ludarium.game("tic-tac-toe"), 1, **wrong)
