"""The players greedy and alphabeta: their options, their games, their strength."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

import ludarium
from ludarium.arena import play_game
from ludarium.core.game import Game, State
from ludarium.errors import BadOption
from ludarium.games.expendibots import players
from ludarium.players import parse_player, player_kinds
from ludarium.players.alphabeta import ALPHABETA_OPTIONS, AlphaBetaPlayer
from ludarium.players.greedy import GreedyPlayer
from ludarium.players.levels import LEVELS
from tests.tiny_games.cups import Cups
from tests.tiny_games.die import Die
from tests.tiny_games.heap import Heap

EXPENDIBOTS = ludarium.game("expendibots")


def play(first: str, second: str, seed: int, plies: int = 500) -> State:
    """A game between two specs, or its beginning."""
    seated = [parse_player(spec, EXPENDIBOTS).make(EXPENDIBOTS, seed + number) for number, spec in enumerate((first, second))]
    state = EXPENDIBOTS.start()
    for _ in range(plies):
        if state.is_over:
            break
        mover = state.to_move[0]
        state = state.play(seated[mover].choose(state, mover))
    return state


def points(one: str, other: str, games: int) -> float:
    """What the first of two specs scores in games with sides alternating; a draw is half a point."""
    total = 0.0
    for number in range(games):
        pair = (one, other) if number % 2 == 0 else (other, one)
        total += (play(*pair, seed=100 * number).returns[number % 2] + 1) / 2
    return total


@pytest.mark.parametrize("spec", ["greedy", "alphabeta:level=1", "alphabeta:level=2", "alphabeta:nodes=3000", "alphabeta:depth=3"])
def test_equal_seeds_give_equal_games(spec: str) -> None:
    assert play(spec, spec, seed=7, plies=12) == play(spec, spec, seed=7, plies=12)


@pytest.mark.parametrize("spec", ["greedy", "alphabeta:level=1", "alphabeta:level=2"])
def test_different_seeds_give_different_games(spec: str) -> None:
    assert len({play(spec, spec, seed=seed, plies=10).text for seed in range(0, 40, 10)}) > 1


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("alphabeta:time=1s,nodes=5", "time and nodes exclude each other; give one of time, depth, nodes"),
        ("alphabeta:level=2,depth=2", "level and depth exclude each other; level=2 is lapse=100"),
        ("alphabeta:lapse=1,nodes=1,level=2,slip=3", "level and nodes and lapse exclude each other; level=2 is lapse=100"),
    ],
)
def test_limits_exclude_each_other(spec: str, said: str) -> None:
    with pytest.raises(BadOption, match=f"player alphabeta: {said}$"):
        parse_player(spec, EXPENDIBOTS)


@pytest.mark.parametrize(
    "spec",
    [
        "alphabeta:level=0",
        "alphabeta:level=13",
        "alphabeta:depth=0",
        "alphabeta:nodes=0",
        "alphabeta:time=0s",
        "alphabeta:lapse=101",
        "greedy:level=1",
    ],
)
def test_values_out_of_bounds_are_refused(spec: str) -> None:
    with pytest.raises(BadOption):
        parse_player(spec, EXPENDIBOTS)


@pytest.mark.parametrize("game", [Die(), Heap()])
@pytest.mark.parametrize(
    ("make", "message"), [(GreedyPlayer, "greedy: looking one action ahead needs an"), (AlphaBetaPlayer, "alphabeta: alpha-beta needs")]
)
def test_games_without_an_evaluation_are_refused(game: Game, make: Callable[..., object], message: str) -> None:
    with pytest.raises(BadOption, match=f"player {message}"):
        make(game, {option.name: None for option in ALPHABETA_OPTIONS}, 0)


@pytest.mark.parametrize(("id", "levels", "played"), [("expendibots", players.LEVELS, 7), ("tic-tac-toe", LEVELS, 2)])
def test_a_level_is_other_options(id: str, levels: Mapping[str, Sequence[str]], played: int) -> None:
    game = ludarium.game(id)
    texts = levels["alphabeta"]
    level = next(option for option in player_kinds(game)["alphabeta"].options if option.name == "level")
    assert level.maximum == len(texts)
    assert all(f"{number} is {text}" in level.help for number, text in enumerate(texts, 1))
    for number, text in enumerate(texts[:played], 1):
        one, other = (play_game(game, [f"alphabeta:{spec},slip=5"] * 2, seed=3).state for spec in (f"level={number}", text))
        assert one == other


@pytest.mark.parametrize("spec", ["alphabeta", "alphabeta:level=12", "alphabeta:depth=50", "alphabeta:time=1000s"])
def test_an_interrupted_player_answers_soon(spec: str) -> None:
    asked: list[bool] = []

    def interrupted() -> bool:
        asked.append(True)
        return len(asked) > 2

    state = EXPENDIBOTS.start()
    assert parse_player(spec, EXPENDIBOTS).make(EXPENDIBOTS, 0).choose(state, 0, interrupted) in state.actions(0)
    assert len(asked) <= 4


@pytest.mark.parametrize("spec", ["greedy", *(f"alphabeta:level={level}" for level in (1, 2, 3, 12)), "mcts:sims=500"])
def test_a_win_at_hand_is_taken(spec: str) -> None:
    state = EXPENDIBOTS.parse("......../......../......../...B..../..W...../......../......../W....... w 0")
    assert parse_player(spec, EXPENDIBOTS).make(EXPENDIBOTS, 3).choose(state, 0).text == "c4!"


@pytest.mark.parametrize("spec", ["greedy", "mcts:sims=400"])
@pytest.mark.usefixtures("cups")
def test_a_hidden_die_is_drawn_and_not_looked_at(spec: str) -> None:
    game = Cups()
    for mine, wanted in ((1, "shake"), (6, "keep")):
        states = [game.parse(f"0 0 N{mine} S{other} 0 0 0 0 0 0") for other in "123456?"]
        for seed in range(3):
            assert {parse_player(spec, game).make(game, seed).choose(state, 0).text for state in states} == {wanted}


def test_each_player_beats_the_weaker_ones() -> None:
    assert points("greedy", "random", 20) >= 19
    assert points("greedy", "alphabeta:level=1", 40) >= 28
    assert points("alphabeta:depth=2", "greedy", 10) >= 8
    assert points("alphabeta:depth=2", "alphabeta:depth=2,lapse=30", 20) >= 15


def test_levels_rise() -> None:
    assert points("alphabeta:level=1", "random", 10) >= 9
    for level in range(4, 8):
        assert points(f"alphabeta:level={level}", f"alphabeta:level={level - 3}", 20) >= 15
