"""What no type checker would let through gets one line as well, not what NumPy or the compiler say of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ludarium
from ludarium.arena import match, play_game
from ludarium.errors import BadOption


@pytest.mark.parametrize(
    "generator", [None, 1, [1], np.random.default_rng(1), np.zeros(1), np.zeros(2, np.uint64)], ids=lambda one: type(one).__name__
)
def test_what_is_no_generator(generator: Any) -> None:
    state = ludarium.game("roboderby").start()
    for draw in (state.sample_chance, lambda one: state.resample(0, one)):
        with pytest.raises(BadOption, match=r"^a generator is what ludarium\.core\.random\.generator_from\(seed\) returns, not "):
            draw(generator)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"size": "big"}, "the size of a drawing is a whole number of pixels from 1, not 'big'"),
        ({"size": 0}, "the size of a drawing is a whole number of pixels from 1, not 0"),
        ({"size": float("nan")}, "the size of a drawing is a whole number of pixels from 1, not nan"),
        ({"last": "a2-a3"}, "a drawing marks an Action, not 'a2-a3'"),
    ],
)
def test_what_cannot_be_drawn(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(BadOption) as caught:
        ludarium.game("expendibots").start().svg(**wrong)
    assert str(caught.value) == message


@pytest.mark.parametrize("seed", ["1", 1.5, True, -1])
def test_what_is_no_seed(seed: Any) -> None:
    for play in (play_game, match):
        with pytest.raises(BadOption, match=f"^seed={seed!r} is not a whole number of at least 0$"):
            play(ludarium.game("expendibots"), ["random", "random"], seed=seed)
