"""A random Expendibots action without a list of them all, for playouts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.bits import count_bits, lowest_bit
from ludarium.core.random import random_below
from ludarium.core.rules import random_action

from .rules import BOOM, Tables


@random_action.implement(Tables)
def expendibots_random_action(tables: Any, state: Any, player: Any, slot: Any, generator: Any, scratch: Any) -> Any:
    """The action of ``legal_actions`` at a random place; stacks are counted and passed over as a whole."""
    free = ~state.tokens[1 - player]
    total = 0
    stacks = state.tokens[player]
    while stacks:
        square = lowest_bit(stacks)
        stacks &= stacks - np.uint64(1)
        height = abs(int(state.board[square]))
        total += height * count_bits(tables.near[square, height] & free) + 1
    index = random_below(generator, total)
    stacks = state.tokens[player]
    while True:
        square = lowest_bit(stacks)
        stacks &= stacks - np.uint64(1)
        height = abs(int(state.board[square]))
        targets = tables.near[square, height] & free
        size = height * count_bits(targets) + 1
        if index < size:
            break
        index -= size
    if index == size - 1:
        return BOOM + square
    while index >= height:
        index -= height
        targets &= targets - np.uint64(1)
    return tables.first[square, lowest_bit(targets)] + index
