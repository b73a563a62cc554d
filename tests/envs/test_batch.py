"""Batches of games: that they are the games of the rules, whoever plays them."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import ludarium
from ludarium.core.state import State
from ludarium.envs import Batch
from ludarium.errors import BadOption, IllegalAction
from ludarium.players.greedy import near_best

GAMES = (("tic-tac-toe", None), ("liars-dice", None), ("expendibots", None), ("hexabomb", None), ("hexabomb", "painter"))


def draw(generator: np.random.Generator, batch: Batch) -> np.ndarray:
    """Places of legal actions in their lists."""
    return (generator.random(batch.counts.shape) * batch.counts).astype(np.int64)


def chosen(batch: Batch, ranks: np.ndarray) -> np.ndarray:
    return np.take_along_axis(batch.legal, ranks[:, :, None], 2)[:, :, 0]


def check(batch: Batch) -> None:
    """Everything that is to be read is what the state itself says."""
    masks = batch.masks()
    for at in range(len(batch)):
        state, player = batch.state(at), int(batch.players[at])
        assert batch.over[at] == state.is_over
        assert tuple(batch.returns[at]) == state.returns
        assert (batch.observations[at] == state.observation(player)).all()
        for slot in range(batch.game.dimensions.slots):
            legal = [] if state.is_over else state.legal(player, slot)
            assert batch.legal[at, slot, : batch.counts[at, slot]].tolist() == legal
            assert np.flatnonzero(masks[at, slot]).tolist() == sorted(legal)


@pytest.mark.parametrize(("id", "opponent"), GAMES)
def test_a_batch_plays_by_the_rules_until_all_games_are_over(id: str, opponent: str | None) -> None:
    """And what is to be read of games that begin anew is of them alone."""
    batch = Batch(ludarium.game(id), 6, opponent=opponent, seed=3)
    generator = np.random.default_rng(1)
    plies = 0
    while not batch.over.all():
        if plies % 7 == 0 or plies < 5:
            check(batch)
        ranks = draw(generator, batch)
        before = [batch.state(at) for at in range(6)]
        movers, actions = batch.players.copy(), chosen(batch, ranks)
        running = ~batch.over
        batch.step(ranks if plies % 2 else actions, running, ranks=bool(plies % 2))
        for at in np.flatnonzero(running).tolist():
            follows(before[at], int(movers[at]), actions[at], batch.state(at))
        plies += 1
    check(batch)
    batch.begin(np.arange(6) < 3)
    check(batch)
    batch.close()


def follows(before: State, player: int, orders: np.ndarray, after: State) -> None:
    """Where one player acts and no chance follows, the next state is the one that the state itself plays."""
    if before.to_move != (player,):
        return
    played = before.play(tuple(orders.tolist()) if len(orders) > 1 else int(orders[0]))
    if played.to_move != (ludarium.CHANCE,):
        assert after == played


@pytest.mark.parametrize("opponent", ["random", "greedy", "mcts:sims=2"])
def test_the_same_seed_gives_the_same_games_and_another_one_others(opponent: str) -> None:
    def play(seed: int, workers: int) -> bytes:
        batch = Batch(ludarium.game("tic-tac-toe"), 200, opponent=opponent, seed=seed, workers=workers)
        generator = np.random.default_rng(1)
        for _ in range(2):
            batch.step(draw(generator, batch), ranks=True)
        found = batch.observations.tobytes()
        batch.close()
        return found

    assert play(1, 1) == play(1, 3) != play(2, 1)


def test_greedy_in_compiled_code_chooses_as_the_player_does() -> None:
    batch = Batch(ludarium.game("tic-tac-toe"), 16, opponent="greedy", seat=0, seed=2)
    generator = np.random.default_rng(3)
    replies = set()
    for _ in range(3):
        running, ranks = ~batch.over, draw(generator, batch)
        before = [batch.state(at) for at in range(16)]
        actions = chosen(batch, ranks)
        batch.step(ranks, running, ranks=True)
        for at in np.flatnonzero(running).tolist():
            played = before[at].play(int(actions[at, 0]))
            if not played.is_over:
                assert batch.state(at) in [played.play(action) for action in near_best(played, 1, 0)]
                replies.add(batch.state(at).text)
    assert len(replies) > 16


def test_seats_are_drawn_and_the_opponent_begins_where_it_has_the_first() -> None:
    batch = Batch(ludarium.game("tic-tac-toe"), 64, opponent="random", seat=None, seed=5)
    assert set(batch.players.tolist()) == {0, 1}
    marks = batch.observations.sum((1, 2, 3))
    assert (marks == batch.players).all()


def test_what_is_chosen_together_stays_hidden_until_all_have_chosen() -> None:
    batch = Batch(ludarium.game("hexabomb"), 1, seed=1)
    generator = np.random.default_rng(0)
    before = batch.state(0)
    assert batch.players[0] == 0
    batch.step(draw(generator, batch), ranks=True)
    assert batch.players[0] == 1
    assert batch.state(0) == before
    batch.step(draw(generator, batch), ranks=True)
    assert batch.players[0] == 0
    assert batch.state(0) != before


def test_an_illegal_action_changes_nothing() -> None:
    batch = Batch(ludarium.game("tic-tac-toe"), 3)
    before = batch.state(0)
    with pytest.raises(IllegalAction, match="game 1: action 9 is not legal for X, who has 9 legal actions"):
        batch.step(np.array([0, 9, 0]))
    with pytest.raises(IllegalAction, match="game 2: action -1"):
        batch.step(np.array([0, 0, -1]), ranks=True)
    with pytest.raises(BadOption, match="actions of the shape"):
        batch.step(np.array([0, 1]))
    assert batch.state(0) == before


def test_bad_wishes_are_told() -> None:
    game = ludarium.game("tic-tac-toe")
    for wish, line in (
        ({"count": 0}, "the number of games"),
        ({"opponent": "human"}, "is a person"),
        ({"opponent": "cmd:./bot"}, "only built-in players play here"),
        ({"opponent": "nobody"}, "nobody"),
        ({"opponent": "random", "seat": 2}, "there is no seat 2"),
        ({"seat": 0}, "a seat is for those with an opponent"),
        ({"opponent": 3}, "an opponent is a player as on the command line"),
        ({"workers": 0}, "workers"),
        ({"workers": "two"}, "workers is a whole number from 1, not 'two'"),
        ({"seed": -1}, "a seed is a whole number"),
    ):
        arguments = {"count": 1, **wish}
        with pytest.raises(BadOption, match=line):
            Batch(game, **arguments)
    with pytest.raises(BadOption, match="looking one action ahead needs single choices"):
        Batch(ludarium.game("hexabomb"), 1, opponent="greedy")
    batch = Batch(game, 3)
    for actions in (np.array([0.0, 1.0, 2.0]), [None] * 3, ["0"] * 3):
        with pytest.raises(BadOption, match="actions are whole numbers, not"):
            batch.step(np.asarray(actions))
    for which in (np.array([True, False]), np.array([0, 1, 2])):
        with pytest.raises(BadOption, match="which of 3 games are meant"):
            batch.begin(which)
        with pytest.raises(BadOption, match="which of 3 games are meant"):
            batch.step(np.array([0, 1, 2]), which)
    with pytest.raises(BadOption, match="3 games take one seed or 3 of them, not 2"):
        batch.seed([1, 2])


def test_thousands_of_games_take_little_memory() -> None:
    game = ludarium.game("expendibots")
    Batch(game, 1)  # what compiling takes is nobody's
    tracemalloc.start()
    batch = Batch(game, 4096, workers=2)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(batch) * game.dtype.itemsize < taken < 64e6


def test_a_game_s_own_player_sits_where_it_has_the_name_of_a_generic_one() -> None:
    batch = Batch(ludarium.game("roboderby", turn_limit=1, board="first-lap", marks="fixed"), 1, opponent="greedy", seat=0, seed=1)
    while not batch.over.all():
        batch.step(np.zeros((1, 1), np.int64), ranks=True)
    with pytest.raises(BadOption, match="player greedy: looking one action ahead needs single choices"):
        Batch(ludarium.game("hexabomb"), 1, opponent="greedy")
