"""A random Expendibots action without a list of them all, for playouts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.bits import bit, lowest_bit
from ludarium.core.random import random_below
from ludarium.core.rules import random_action

from .rules import BOOM, MAX_TOKENS, Tables

__all__ = ["expendibots_random_action"]


@random_action.implement(Tables)
def expendibots_random_action(tables: Any, state: Any, player: Any, slot: Any, generator: Any, scratch: Any) -> Any:
    """Draw among all that stacks of these heights could do on an empty board without edges, until what is drawn is legal.

    A stack of n tokens could do 4 n² + 1 things: move 1 to n tokens by 1 to n squares in four directions, or explode. Every legal action is one of
    these and is drawn with the same probability as every other.
    """
    total = 0
    count = 0
    stacks = state.tokens[player]
    while stacks:
        square = lowest_bit(stacks)
        stacks &= stacks - np.uint64(1)
        height = abs(int(state.board[square]))
        total += 4 * height * height + 1
        scratch[count] = total * 64 + square
        count += 1
    theirs = state.tokens[1 - player]
    while True:
        drawn = random_below(generator, total)
        index = 0
        while scratch[index] >> 6 <= drawn:
            index += 1
        square = scratch[index] & 63
        choice = (scratch[index] >> 6) - drawn - 1
        if choice == 0:
            return BOOM + square
        height = abs(int(state.board[square]))
        choice -= 1
        direction = choice & 3
        choice >>= 2
        distance = 1 + choice // height
        tokens = 1 + choice % height
        if distance > tables.reach[square, direction]:
            continue
        rank = square >> 3
        file = square & 7
        if direction == 0:
            target, line = square + 8 * distance, rank + distance - 1
        elif direction == 1:
            target, line = square - 8 * distance, rank - distance
        elif direction == 2:
            target, line = square + distance, 6 + file + distance
        else:
            target, line = square - distance, 7 + file - distance
        if not theirs & bit(target):
            return (square * 14 + line) * MAX_TOKENS + tokens - 1
