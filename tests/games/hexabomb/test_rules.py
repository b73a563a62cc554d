"""hexabomb's rules in the common interface: what may be ordered, the order of reception, returns, and that it is the same game as the recorded ones."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

import ludarium
from ludarium.core.jit import JIT, kernel
from ludarium.core.random import generator_from
from ludarium.core.rules import random_action
from ludarium.games.hexabomb import Simulation
from ludarium.games.hexabomb.maps import load_map, map_json, map_names
from ludarium.games.hexabomb.tables import BOMB, NOTHING, REVIVE
from ludarium.search.playouts import playouts
from ludarium.testing.random_games import play_at_random, random_step

LINE = '{"cells":[{"q":0,"r":0},{"q":1,"r":0},{"q":2,"r":0},{"q":3,"r":0}],"initial_positions":{"0":[{"q":0,"r":0}],"1":[{"q":2,"r":0}]}}'
RIGHT, LEFT = 1, 4
"""Orders to move."""


def line(**options: Any) -> ludarium.Game:
    """Two characters on four cells in a row, with an empty cell between them."""
    return ludarium.game("hexabomb", map=LINE, **options)


def orders(state: ludarium.State, player: int, slot: int = 0) -> list[int]:
    return [action.index for action in state.actions(player, slot)]


def changed(state: ludarium.State, **fields: Any) -> ludarium.State:
    """The state with parts of its text replaced."""
    return state.game.parse(json.dumps(json.loads(state.text) | fields))


@pytest.mark.parametrize(
    ("name", "mode"), [("tiny2", "classic"), ("garden3", "classic"), ("lair4", "sudden-death"), ("star6", "sudden-death")]
)
def test_the_common_interface_plays_the_recorded_game(name: str, mode: str) -> None:
    """Random games beside the simulation, to which the same orders come as messages in the order that was drawn."""
    players = 2 if name == "star6" else None
    game = ludarium.game("hexabomb", map=name, mode=mode, turns=40, players=players)
    special = int(mode == "sudden-death")
    simulation = Simulation(name, game.players - special, special, lambda player, reason: pytest.fail(f"legal, but {reason}"))
    choice = random.Random(name)
    state = game.start()
    while not state.is_over:
        step = random_step(state, choice)
        chosen = {player: json.loads(state.action(action, player).text) for player, action in step.items()}
        state = state.play(step)
        step = random_step(state, choice)
        reception = json.loads(state.action(step[ludarium.CHANCE]).text)
        state = state.play(step)
        given = {player: [one for one in all_orders if one["movement"] != "none"] for player, all_orders in chosen.items()}
        simulation.play([{"player_id": player, "actions": given[player]} for player in reception])
        theirs = json.loads(state.text)
        assert {key: theirs[key] for key in theirs if key not in ("mode", "turn")} == simulation.state()
        assert theirs["turn"] == simulation.turn
    assert (-1 if state.winner is None else state.winner) == simulation.winner


def test_orders_that_would_not_be_rejected_are_legal() -> None:
    state = line().start()
    bombs = list(range(BOMB, BOMB + 9))
    assert orders(state, 0) == [NOTHING, RIGHT, *bombs]
    assert orders(state, 1) == [NOTHING, RIGHT, LEFT, *bombs]
    beside = changed(state, characters=[{**one, "q": one["id"]} for one in json.loads(state.text)["characters"]])
    assert orders(beside, 0) == [NOTHING, RIGHT, *bombs], "a move into an occupied cell waits for its turn and is no mistake"
    empty = changed(state, characters=[{**one, "bomb_count": 0} for one in json.loads(state.text)["characters"]])
    assert orders(empty, 0) == [NOTHING, RIGHT]
    bombed = changed(state, bombs=[{"color": 2, "delay": 4, "q": 0, "r": 0, "range": 2}])
    assert orders(bombed, 0) == [NOTHING, RIGHT]


@pytest.mark.parametrize(
    ("delay", "mode", "expected"), [(0, "classic", [NOTHING, REVIVE]), (1, "classic", [NOTHING]), (0, "sudden-death", [NOTHING])]
)
def test_what_the_dead_may_do(delay: int, mode: str, expected: list[int]) -> None:
    state = ludarium.game("hexabomb", map="tiny2", mode=mode).start()
    characters = json.loads(state.text)["characters"]
    characters[-1] |= {"alive": False, "revive_delay": delay}
    assert orders(changed(state, characters=characters), state.game.players - 1) == expected


def test_the_special_player_has_more_bombs_and_another_number_of_characters() -> None:
    game = ludarium.game("hexabomb", map="lair4", mode="sudden-death")
    state = game.start()
    assert game.players == 5
    assert game.dimensions.slots == 2
    assert len(orders(state, 0)) == 1 + 6 + 99 * 99
    assert orders(state, 0, slot=1) == [NOTHING], "it has one character only"
    assert len(orders(state, 1)) <= 1 + 6 + 9
    last = state.actions(0)[-1]
    assert last.index == game.dimensions.action_space - 1
    assert json.loads(last.text) == {"id": 0, "movement": "bomb", "bomb_delay": 100, "bomb_range": 100}


@pytest.mark.parametrize(("reception", "first"), [("[0,1]", 0), ("[1,0]", 1)])
def test_whoever_is_received_first_gets_the_cell(reception: str, first: int) -> None:
    waiting = line().start().play({0: RIGHT, 1: LEFT})
    assert waiting.to_move == (ludarium.CHANCE,)
    assert [(action.text, probability) for action, probability in waiting.outcomes()] == [("[0,1]", 0.5), ("[1,0]", 0.5)]
    characters = json.loads(waiting.play(reception).text)["characters"]
    assert [one["q"] for one in characters] == ([1, 2] if first == 0 else [0, 1])


def test_a_fixed_reception_leaves_no_dice() -> None:
    game = line(reception="fixed")
    after = game.start().play({0: RIGHT, 1: LEFT})
    assert after.to_move == (0, 1)
    assert [one["q"] for one in json.loads(after.text)["characters"]] == [1, 2]
    assert game.dimensions.max_outcomes == 0
    assert line(players=1).dimensions.max_outcomes == 0, "one player has no order"


def test_every_order_of_reception_is_drawn() -> None:
    game = ludarium.game("hexabomb", map="lair4")
    waiting = game.start().play(dict.fromkeys(range(4), (NOTHING, NOTHING)))
    generator = generator_from(3)
    drawn = [json.loads(waiting.sample_chance(generator).text) for _ in range(400)]
    assert len({tuple(one) for one in drawn}) == 24
    assert all(sorted(one) == [0, 1, 2, 3] for one in drawn)
    assert [action.text for action, _ in waiting.outcomes()][:2] == ["[0,1,2,3]", "[0,1,3,2]"]


@kernel()
def draw(tables: Any, states: Any, player: Any, slot: Any, generator: Any, out: Any) -> None:
    for index in range(len(out)):
        out[index] = random_action(tables, states[0], player, slot, generator, out)


@pytest.mark.parametrize(("player", "slot"), [(0, 0), (1, 1), (2, 0), (4, 0)])
def test_every_legal_order_is_drawn_equally_often(player: int, slot: int) -> None:
    state = ludarium.game("hexabomb", map="lair4", mode="sudden-death").start()
    legal = orders(state, player, slot)
    out = np.zeros((100 if JIT else 10) * len(legal), np.int64)
    draw(state.game.tables, state.copy_records(), player, slot, generator_from(1), out)
    found, counts = np.unique(out, return_counts=True)
    expected = len(out) / len(legal)
    freedom = len(legal) - 1
    assert set(found.tolist()) <= set(legal)
    missing = len(legal) - len(found)
    assert ((counts - expected) ** 2 / expected).sum() + missing * expected <= freedom + 5 * (2 * freedom) ** 0.5


def ended(mode: str, players: int, scores: list[int], **options: Any) -> ludarium.State:
    """A finished game with these scores."""
    game = ludarium.game("hexabomb", map="lair4", mode=mode, players=players, turns=50, **options)
    return changed(game.start(), turn=50, score={str(player): score for player, score in enumerate(scores)})


@pytest.mark.parametrize(
    ("mode", "scores", "returns", "winner"),
    [
        ("classic", [30, 10], (1, -1), 0),
        ("classic", [30, 30], (0, 0), None),
        ("classic", [5, 20, 20, 30], (-1, 0, 0, 1), 3),
        ("classic", [30, 30, 10], (0.5, 0.5, -1), None),
        ("classic", [0], (1,), 0),
        ("sudden-death", [0, 50, 20], (-1, 1, 0), 1),
        ("sudden-death", [0, 20, 20], (-1, 0.5, 0.5), None),
        ("sudden-death", [0, 0], (-1, 1), 1),
    ],
)
def test_returns_and_winners(mode: str, scores: list[int], returns: tuple[float, ...], winner: int | None) -> None:
    state = ended(mode, len(scores) - (mode == "sudden-death"), scores)
    assert state.is_over
    assert state.returns == returns
    assert state.winner == winner
    assert state.outcome is not None
    assert ("the best have the same score" in state.outcome.reason) == (winner is None)


@pytest.mark.skipif(not JIT, reason="takes the compiler")
@pytest.mark.parametrize("name", map_names())
def test_no_seat_is_better_for_equal_players(name: str) -> None:
    """The mean return by seat in games of random players: 0 within four standard errors (returns lie in [−1, 1])."""
    games = 1500
    result = playouts(ludarium.game("hexabomb", map=name, turns=60).start(), games, seed=6, workers=1)
    assert all(abs(total / games) < 4 / games**0.5 for total in result.returns)


def test_the_largest_map_and_the_most_characters() -> None:
    cells = [{"q": q, "r": r} for q in range(32) for r in range(32)]
    value = {"cells": cells, "initial_positions": {str(player): cells[player * 40 : player * 40 + 16] for player in range(4)}}
    game = ludarium.game("hexabomb", map=json.dumps(value), turns=25)
    assert (game.tables.cells, game.tables.characters) == (1024, 64)
    timeline = play_at_random(game.start(), 1)
    assert timeline.ply == 50
    assert game.parse(timeline.state.text) == timeline.state
    assert timeline.state.observation(3).shape == (26, 32, 32)


def test_cells_far_apart_are_observed_in_one_row() -> None:
    cells = [{"q": q, "r": r} for q, r in ((-(2**31), 0), (2**31 - 1, 5), (3, 3))]
    game = ludarium.game("hexabomb", map=json.dumps({"cells": cells, "initial_positions": {"0": cells[:1], "1": cells[1:2]}}))
    assert game.start().observation(0).shape == (16, 1, 3)
    assert game.start().observation(1)[6].tolist() == [[0, 0, 1]]
    assert "-2147483648" in game.start().text


def test_observations_say_what_is_where() -> None:
    game = line(turns=10)
    state = game.start().play({0: BOMB + 1, 1: RIGHT}).play("[0,1]")
    own, other = state.observation(0), state.observation(1)
    assert own.shape == (6 + 5 * 2, 1, 4)
    assert own[0].tolist() == [[1, 1, 1, 1]]
    assert own[1].tolist() == [[0.5, 0, 0, 0]], "a delay of 2, where 4 is the longest"
    assert own[2].tolist() == [[0.75, 0, 0, 0]], "a range of 3"
    assert own[5].tolist() == [[1, 0, 0, 0]]
    assert own[6].tolist() == other[11].tolist() == [[1, 0, 0, 0]], "cells of player 0"
    assert own[11].tolist() == other[6].tolist() == [[0, 0, 1, 1]]
    assert own[7, 0, 0] == np.float32(1 / 3), "no bomb is left to carry"
    assert own[9].tolist() == [[1, 0, 0, 0]], "its bomb"
    assert other[10, 0].tolist() == pytest.approx([2 / 40] * 4)


def test_maps_as_text_are_the_maps_of_files() -> None:
    game = ludarium.game("hexabomb", map=map_json(load_map("garden3")))
    assert game.start().text == ludarium.game("hexabomb", map="garden3").start().text
