"""Whole batches of hexabomb, as vector environments step them, on the largest map that there may be: 1,024 cells and 64 characters."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import ludarium
from ludarium.core.jit import JIT, kernel
from ludarium.core.random import generator_from
from ludarium.core.rules import CHANCE, apply_actions, apply_chance, observe, random_action, sample_chance, to_move
from ludarium.games.hexabomb.maps import MAX_CELLS, MAX_CHARACTERS
from ludarium.search import playouts

SIDE = 32
STATES = 64 if JIT else 2
TURNS = 30 if JIT else 4


def largest(special: bool = False) -> str:
    """A rhombus of 32 × 32 cells with eight teams of eight characters, or with seven teams and the special player's eight."""
    rows = [[{"q": 4 * place + 1, "r": 4 * team + 1} for place in range(8)] for team in range(8)]
    board: dict[str, Any] = {"cells": [{"q": q, "r": r} for q in range(SIDE) for r in range(SIDE)]}
    if special:
        board["special_initial_positions"] = rows.pop()
    return json.dumps(board | {"initial_positions": dict(enumerate(rows))})


@kernel()
def step_batch(tables: Any, states: Any, generators: Any, joints: Any, outcomes: Any, scratch: Any) -> None:
    """One turn of every state with random orders; what was chosen and drawn is kept."""
    for index in range(len(states)):
        state = states[index]
        generator = generators[index]
        joint = joints[index]
        for player in range(joint.shape[0]):
            for slot in range(joint.shape[1]):
                joint[player, slot] = random_action(tables, state, player, slot, generator, scratch)
        apply_actions(tables, state, joint)
        outcomes[index] = -1
        if to_move(tables, state) == CHANCE:
            outcomes[index] = sample_chance(tables, state, generator)
            apply_chance(tables, state, outcomes[index])


@kernel()
def observe_batch(tables: Any, states: Any, player: Any, out: Any) -> None:
    for index in range(len(states)):
        observe(tables, states[index], player, out[index])


@pytest.mark.parametrize("mode", ["classic", "sudden-death"])
def test_a_batch_is_as_many_games(mode: str) -> None:
    game = ludarium.game("hexabomb", map=largest(mode == "sudden-death"), mode=mode)
    assert (game.tables.cells, game.tables.characters, game.players, game.dimensions.slots) == (MAX_CELLS, MAX_CHARACTERS, 8, 8)
    states = np.repeat(game.start().copy_records(), STATES)
    generators = np.stack([generator_from(7, index) for index in range(STATES)])
    joints, outcomes = np.zeros((STATES, game.players, game.dimensions.slots), np.int64), np.zeros(STATES, np.int64)
    scratch = np.zeros(game.dimensions.max_actions, np.int64)
    watched = [0, STATES - 1]
    alone = dict.fromkeys(watched, game.start())
    for _ in range(TURNS):
        step_batch(game.tables, states, generators, joints, outcomes, scratch)
        for index in watched:
            waiting = alone[index].play({player: tuple(joints[index, player].tolist()) for player in range(game.players)})
            assert waiting.to_move == (CHANCE,)
            alone[index] = waiting.play(int(outcomes[index]))
    out = np.zeros((STATES, *game.dimensions.observation_shape), np.float32)
    observe_batch(game.tables, states, 3, out)
    for index in watched:
        assert states[index].tobytes() == alone[index].record.tobytes()
        assert (out[index] == alone[index].observation(3)).all()
        assert game.parse(alone[index].text) == alone[index]
    assert len({state.tobytes() for state in states}) == STATES


@pytest.mark.skipif(not JIT, reason="thousands of turns on the largest map")
def test_random_games_on_the_largest_map_are_the_same_in_threads() -> None:
    state = ludarium.game("hexabomb", map=largest(), turns=20).start()
    one, two = (playouts(state, 2100, seed=3, workers=workers) for workers in (1, 2))
    assert one == two
    assert one.plies == 2100 * 2 * 20
    assert sum(one.wins) + one.draws == 2100
