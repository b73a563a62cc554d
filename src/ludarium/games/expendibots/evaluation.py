"""What bots know about Expendibots: the value of a running game in hundredths of a token."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.bits import count_bits, lowest_bit
from ludarium.core.jit import compiled
from ludarium.core.rules import evaluate

from .neural_network import BEST_THREAT, FINE, HEIGHTS, NEIGHBOURS, OFFSET, OTHER_THREATS, TRADE, WORDS
from .rules import FILES_A_TO_G, FILES_B_TO_H, MAX_TOKENS, Tables, chain_of, chain_step, count_tokens

MOST = 20_000
"""No running game is worth more."""

ODD_FILES = np.uint64(0x5555555555555555)
ODD_PAIRS = np.uint64(0x3333333333333333)
LEFT_HALF = np.uint64(0x0F0F0F0F0F0F0F0F)
ODD_RANKS = np.uint64(0x00FF00FF00FF00FF)
EVERY_LANE = np.uint64(0x0001000100010001)
EVERY_OTHER_LANE = np.uint64(0x0000FFFF0000FFFF)
LOWER_HALF = np.uint64(0x00000000FFFFFFFF)
ALL_BUT_THE_LAST = np.uint64(0x0000FFFFFFFFFFFF)


@compiled
def neighbouring_pairs(stacks: Any) -> Any:
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
def threats(state: Any, own: Any, theirs: Any) -> Any:
    """How many tokens the opponent's best boom would gain, and how many all its others that gain some."""
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
    return best, others


@compiled
def _hidden(words: Any) -> Any:
    """The hidden units of a word's four lanes, two to each half of the word: of the lanes' sums, those below zero count for nothing."""
    active = (words >> np.uint64(15)) & EVERY_LANE
    units = words & ((active << np.uint64(15)) - active)
    return (units & EVERY_OTHER_LANE) + ((units >> np.uint64(16)) & EVERY_OTHER_LANE)


@compiled
def _total(halves: Any) -> Any:
    return int(halves >> np.uint64(32)) + int(halves & LOWER_HALF)


@compiled
def _mirrored(squares: Any) -> Any:
    """The set with its files exchanged."""
    squares = ((squares >> np.uint64(1)) & ODD_FILES) | ((squares & ODD_FILES) << np.uint64(1))
    squares = ((squares >> np.uint64(2)) & ODD_PAIRS) | ((squares & ODD_PAIRS) << np.uint64(2))
    return ((squares >> np.uint64(4)) & LEFT_HALF) | ((squares & LEFT_HALF) << np.uint64(4))


@compiled
def _flipped(squares: Any) -> Any:
    """The set with its ranks exchanged."""
    squares = ((squares >> np.uint64(8)) & ODD_RANKS) | ((squares & ODD_RANKS) << np.uint64(8))
    squares = ((squares >> np.uint64(16)) & EVERY_OTHER_LANE) | ((squares & EVERY_OTHER_LANE) << np.uint64(16))
    return (squares >> np.uint64(32)) | (squares << np.uint64(32))


@compiled
def _turn(state: Any, mover: Any) -> Any:
    """What a square's number is combined with by exclusive or: Black's board is turned round, and of two mirror images all take the same one."""
    turned = 63 * mover
    for player in (mover, 1 - mover):
        squares = state.tokens[player]
        image = _flipped(squares) if mover else _mirrored(squares)
        seen = _mirrored(image) if mover else squares
        if image != seen:
            return turned ^ 7 if image > seen else turned
    for square in range(64):
        height, other = int(state.board[square ^ turned]), int(state.board[square ^ turned ^ 7])
        if height != other:
            return turned ^ 7 if abs(other) > abs(height) else turned
    return turned


@evaluate.implement(Tables)
def expendibots_evaluate(tables: Any, state: Any, player: Any) -> Any:
    """The network's value of the stacks, a bonus for being nearly alone on the board, one for spread stacks, and the threats against the side to move."""
    network = tables.network
    rows, bias, terms = network.stacks, network.bias, network.terms
    mover = int(state.ply) & 1
    turn, sign = _turn(state, mover), 1 - 2 * mover
    lead, tokens = 0, 0
    # Written out, because compiled code has no small arrays that cost nothing to make.
    sums0, sums1, sums2, sums3 = bias[0], bias[1], bias[2], bias[3]
    sums4, sums5, sums6, sums7 = bias[4], bias[5], bias[6], bias[7]
    stacks = state.tokens[0] | state.tokens[1]
    while stacks:
        square = lowest_bit(stacks)
        stacks &= stacks - np.uint64(1)
        height = sign * int(state.board[square])
        lead += height
        tokens += abs(height)
        row = np.uint64(((square ^ turn) * HEIGHTS + MAX_TOKENS + height) * WORDS)  # unsigned: no look at whether it counts from the end
        sums0 += rows[row]
        sums1 += rows[row + np.uint64(1)]
        sums2 += rows[row + np.uint64(2)]
        sums3 += rows[row + np.uint64(3)]
        sums4 += rows[row + np.uint64(4)]
        sums5 += rows[row + np.uint64(5)]
        sums6 += rows[row + np.uint64(6)]
        sums7 += rows[row + np.uint64(7)]
    favourable = _total(_hidden(sums0) + _hidden(sums1) + _hidden(sums2) + _hidden(sums3))
    adverse = _total(_hidden(sums4) + _hidden(sums5) + _hidden(sums6) + _hidden(sums7 & ALL_BUT_THE_LAST))
    value = (favourable - adverse + int(sums7 >> np.uint64(48)) - OFFSET) // FINE
    own, theirs = state.tokens[mover], state.tokens[1 - mover]
    value += (1 if lead > 0 else -1) * (terms[TRADE] * abs(lead) // tokens)
    value += terms[NEIGHBOURS] * (neighbouring_pairs(own) - neighbouring_pairs(theirs))
    best, others = threats(state, own, theirs)
    value += terms[BEST_THREAT] * best + terms[OTHER_THREATS] * others
    value = min(max(value, -MOST), MOST)
    return value if player == mover else -value
