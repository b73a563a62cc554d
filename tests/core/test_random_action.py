"""Games that draw a random action in their own way draw each legal one equally often."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ludarium
from ludarium.core.game import State
from ludarium.core.jit import JIT, kernel
from ludarium.core.random import generator_from
from ludarium.core.rules import random_action
from ludarium.errors import BadOption

DRAWS = 400_000 if JIT else 4_000


@kernel()
def draw(tables: Any, states: Any, player: Any, generator: Any, scratch: Any, out: Any) -> None:
    for index in range(len(out)):
        out[index] = random_action(tables, states[0], player, 0, generator, scratch)


def drawn(state: State, player: int) -> np.ndarray:
    game = state.game
    out = np.zeros(DRAWS, np.int64)
    draw(game.tables, state.copy_records(), player, generator_from(5), np.zeros(game.dimensions.max_actions, np.int64), out)
    return out


@pytest.mark.parametrize(
    ("id", "text"),
    [
        ("expendibots", "BB.BB.BB/BB.BB.BB/......../......../......../......../WW.WW.WW/WW.WW.WW w 0"),
        (
            "expendibots",
            "......../......../......../...B..../..BW(3)B.../...B..../......../W(4)......B(2) w 0",
        ),  # edges and blocked squares
        ("expendibots", "......../......../......../......../......../......../B......./WB...... w 0"),  # nothing but a boom
        ("expendibots", "B(12)......./......../......../......../......../......../......../.......W b 1"),
        ("tic-tac-toe", "X../.O./..."),
    ],
)
def test_every_legal_action_is_drawn_equally_often(id: str, text: str) -> None:
    state = ludarium.game(id).parse(text)
    player = state.to_move[0]
    legal = sorted(action.index for action in state.actions())
    found, counts = np.unique(drawn(state, player), return_counts=True)
    assert found.tolist() == legal
    expected = DRAWS / len(legal)
    # The sum of squares of so many nearly normal deviations: its mean is the number of degrees of freedom, its variance twice that.
    freedom = len(legal) - 1
    assert ((counts - expected) ** 2 / expected).sum() <= freedom + 5 * (2 * freedom) ** 0.5


@pytest.mark.parametrize("seed", [-1, 1.5, "one"])
def test_seeds_that_are_no_whole_numbers_from_zero_are_refused(seed: Any) -> None:
    with pytest.raises(BadOption, match="a seed is a whole number from 0, not"):
        generator_from(seed)
    with pytest.raises(BadOption):
        ludarium.game("expendibots").start(seed)
