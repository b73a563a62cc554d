"""Games of self-play, and the positions that are learned from."""

from __future__ import annotations

import json

import numpy as np
import pytest

import ludarium
from ludarium.train.positions import positions_of
from ludarium.train.self_play import PlayedGame
from tests.train.self_play import self_play


@pytest.mark.parametrize("name", ["tic-tac-toe", "expand-conquer"])
def test_positions_are_those_of_the_game_with_the_policies_of_the_search(name: str) -> None:
    game = ludarium.game(name)
    for played in self_play(game, 3):
        found, state = positions_of(game, played), game.parse(played.opening)
        firsts = np.cumsum(found.counts) - found.counts
        for ply, action in enumerate(played.actions):
            (mover,) = state.to_move
            assert (found.observations[ply] == state.observation(mover)).all()
            assert found.returns[ply] == played.returns[mover]
            legal = [one.index for one in state.actions(mover)]
            place = slice(firsts[ply], firsts[ply] + found.counts[ply])
            assert found.legal[place].tolist() == legal
            policy = dict(played.policies[ply])
            np.testing.assert_allclose(found.policies[place], [policy.get(one, 0.0) for one in legal], atol=0.01)
            state = state.play(action)
        assert state.is_over


def test_games_do_not_depend_on_how_many_go_on_at_once_and_outlast_a_file() -> None:
    game = ludarium.game("tic-tac-toe")
    few, many = ({one.number: one for one in self_play(game, 40, at_once)} for at_once in (3, 40))
    assert few == many
    assert len({tuple(one.actions) for one in few.values()}) > 20, "noise"
    for played in few.values():
        assert PlayedGame.from_json(json.loads(json.dumps(played.as_json()))) == played


def test_without_noise_games_are_the_same() -> None:
    assert len({tuple(one.actions) for one in self_play(ludarium.game("tic-tac-toe"), 5, noisy_plies=0)}) == 1


def test_long_games_are_draws_where_a_game_has_no_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludarium.train.self_play.can_evaluate", lambda game: False)
    (played,) = self_play(ludarium.game("tic-tac-toe"), 1, max_plies=2)
    assert (len(played.actions), played.returns) == (2, [0.0, 0.0])


def test_long_games_are_worth_what_their_evaluation_says() -> None:
    """Which counts tokens above all in Expendibots."""
    game = ludarium.game("expendibots")
    found = list(self_play(game, 8, max_plies=6))
    for played in found:
        state = game.parse(played.opening)
        for action in played.actions:
            state = state.play(action)
        assert not state.is_over
        own, theirs = (state.observation(0)[player].sum() for player in (0, 1))  # in twelfths
        first, second = played.returns
        assert first == -second
        assert abs(own - theirs) < 0.05 or first * (own - theirs) > 0
    assert len({one.returns[0] for one in found}) > 2
