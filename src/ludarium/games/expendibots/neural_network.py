"""What the evaluation has learned: its weights as they are kept, and as compiled code reads them.

The network sees the board as its mover does (Black's turned round) and has one hidden layer. A stack adds a row of numbers to the sums, one for each lane, that
depends on its square and height. The last lane's sum counts as it is: what the stacks are worth one by one. Those of the other lanes are the hidden units,
which count where they are above zero: half of them for the mover, the others against. Some terms that a small network does not see are weighed besides.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MAX_TOKENS = 12
LANES = 32
WORDS = LANES // 4
HEIGHTS = 2 * MAX_TOKENS + 1
FAVOURABLE = LANES // 2
"""The first so many lanes count for the mover, the others but the last against."""

FINE = 4
"""Sums are in parts of a hundredth of a token."""

BOUND = 1300
"""No token adds more than this to a sum, or takes more away, so that no sum leaves 16 bits."""

OFFSET = 1 << 15
"""Added to every sum, so that none is negative and carries to the next lane."""

MOST_BIAS = OFFSET - 1 - 2 * MAX_TOKENS * BOUND

TRADE, NEIGHBOURS, BEST_THREAT, OTHER_THREATS = range(4)
"""Terms: being ahead by all tokens on the board; own pairs of neighbouring stacks more than the opponent's; tokens that the opponent's best boom would gain;
those that its others would."""

WEIGHTS = np.dtype(
    [
        ("stacks", "<i2", (64, HEIGHTS, LANES)),  # by square and height + 12, the opponent's negative
        ("bias", "<i2", LANES),
        ("terms", "<i2", 4),  # hundredths of a token each
    ]
)
SHIPPED = Path(__file__).with_name("evaluation.weights")
"""What ``ludarium expendibots tune`` has made."""


class Network(NamedTuple):
    """Weights for compiled code: four lanes to a word, so that one addition adds four sums."""

    stacks: NDArray[np.uint64]  # [64 * 25 * WORDS]: by square and height + 12
    bias: NDArray[np.uint64]  # [WORDS], and the offset
    terms: NDArray[np.int64]  # [4]


def network_of(weights: NDArray[np.void]) -> Network:
    """The network of kept weights (``WEIGHTS[1]``)."""
    one = weights[0]
    return Network(
        _words(one["stacks"].astype(np.int64)).ravel(),
        _words(one["bias"].astype(np.int64) + OFFSET),
        one["terms"].astype(np.int64),
    )


def _words(lanes: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Sums of four lanes each, the first lowest, modulo 2**64."""
    return (lanes.reshape(*lanes.shape[:-1], -1, 4) << np.arange(0, 64, 16)).sum(-1).view(np.uint64)


def hand_made() -> NDArray[np.void]:
    """Weights without a hidden unit: a bonus for spread and useful stacks, and for being nearly alone on the board. Learning begins with them."""
    weights = np.zeros(1, WEIGHTS)
    height_bonus = [0, 0, 8, 12, 12, 10, 6, 0, -8, -16, -24, -32, -40]
    for square in range(64):
        file, rank = square % 8, square // 8
        central = 3 - max(abs(2 * file - 7), abs(2 * rank - 7)) // 2
        for height in range(1, MAX_TOKENS + 1):
            worth = weights["stacks"][0, :, :, -1]
            worth[square, MAX_TOKENS + height] = FINE * (100 * height + height_bonus[height] + 2 * central + 2 * min(rank, 5))
            worth[63 - square, MAX_TOKENS - height] = -worth[square, MAX_TOKENS + height]
    # Two stacks of one colour side by side fall to one boom. It is one's own turn, so the best threat can mostly be parried; the others are left standing then.
    weights["terms"][0] = 600, -24, -30, -80
    return weights


@functools.cache
def shipped() -> Network:
    """The network that bots evaluate positions with."""
    return network_of(np.frombuffer(SHIPPED.read_bytes(), WEIGHTS))
