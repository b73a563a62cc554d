"""What bots know about Expendibots: the value of a running game in hundredths of a token."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.bits import count_bits, lowest_bit
from ludarium.core.jit import compiled
from ludarium.core.rules import evaluate

from .rules import FILES_A_TO_G, FILES_B_TO_H, MAX_TOKENS, Tables, chain_of, chain_step, count_tokens

TOKEN = 100
TRADE = 600  # what being ahead by all tokens on the board is worth beyond the tokens
NEIGHBOURS = 24  # two stacks of one colour side by side fall to one boom
BEST_THREAT = 30  # hundredths of what the opponent's best boom would gain: it is one's own turn, so it can mostly be parried
OTHER_THREATS = 80  # the same of the others, which are left standing then


def _stack_values() -> np.ndarray:
    """What a stack is worth by its square and height (``int64[64, 25]``, signed heights + 12, Black's negative)."""
    values = np.zeros((64, 2 * MAX_TOKENS + 1), np.int64)
    height_bonus = [0, 0, 8, 12, 12, 10, 6, 0, -8, -16, -24, -32, -40]
    for square in range(64):
        file, rank = square % 8, square // 8
        central = 3 - max(abs(2 * file - 7), abs(2 * rank - 7)) // 2
        for height in range(1, MAX_TOKENS + 1):
            white = height_bonus[height] + 2 * central + 2 * min(rank, 5)
            black = height_bonus[height] + 2 * central + 2 * min(7 - rank, 5)
            values[square, MAX_TOKENS + height] = white
            values[square, MAX_TOKENS - height] = -black
    return values


STACK_VALUES = _stack_values()


@compiled
def _neighbouring_pairs(stacks: Any) -> Any:
    """How many pairs of stacks touch each other."""
    east = (stacks << np.uint64(1)) & FILES_B_TO_H
    west = (stacks >> np.uint64(1)) & FILES_A_TO_G
    north = stacks << np.uint64(8)
    return (
        count_bits(stacks & east)
        + count_bits(stacks & north)
        + count_bits(stacks & (east << np.uint64(8)))
        + count_bits(stacks & (west << np.uint64(8)))
    )


@compiled
def _threats(state: Any, own: Any, theirs: Any) -> Any:
    """What the opponent's booms threaten the side to move with, in hundredths of a token."""
    best, others = 0, 0
    occupied = own | theirs
    contact = theirs & chain_step(own, occupied)
    while contact:
        chain = chain_of(lowest_bit(contact), occupied)
        contact &= ~chain
        loss = count_tokens(state, chain & own) - count_tokens(state, chain & theirs)
        if loss > best:
            others += best
            best = loss
        elif loss > 0:
            others += loss
    return best * BEST_THREAT + others * OTHER_THREATS


@evaluate.implement(Tables)
def expendibots_evaluate(tables: Any, state: Any, player: Any) -> Any:
    """Tokens, a bonus for being nearly alone on the board, spread and useful stacks, and the threats against the side to move."""
    lead, tokens, value = 0, 0, 0
    stacks = state.tokens[0] | state.tokens[1]
    while stacks:
        square = lowest_bit(stacks)
        stacks &= stacks - np.uint64(1)
        height = int(state.board[square])
        lead += height
        tokens += abs(height)
        value += STACK_VALUES[square, MAX_TOKENS + height]
    value += TOKEN * lead + (1 if lead > 0 else -1) * (TRADE * abs(lead) // tokens)
    value -= NEIGHBOURS * (_neighbouring_pairs(state.tokens[0]) - _neighbouring_pairs(state.tokens[1]))
    mover = int(state.ply) & 1
    threats = _threats(state, state.tokens[mover], state.tokens[1 - mover])
    value += threats if mover else -threats
    return value if player == 0 else -value
