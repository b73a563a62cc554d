"""The rules of Expendibots as compiled functions (A. Kues, M. Farrugia-Roberts, "Rules for the Game of Expendibots", 2020).

Squares count from 0 (a1) along the ranks to 63 (h8). White is player 0, Black is player 1.

Actions, 10,816 in all: a boom of square s is ``BOOM + s``; moving n tokens from square s is ``(s * 14 + line) * 12 + n - 1`` where ``line`` numbers the
other squares of s's file (0–6, upwards) and of its rank (7–13, from the left).
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ludarium.core.bits import bit, lowest_bit
from ludarium.core.fields import dtype_of
from ludarium.core.jit import compiled, plain
from ludarium.core.rules import (
    apply_actions,
    copy_state,
    legal_actions,
    observe,
    position_key,
    returns,
    tactical_actions,
    to_move,
)

from .neural_network import MAX_TOKENS, Network

MAX_TURNS = 1000
BOOM = 64 * 14 * MAX_TOKENS
ACTIONS = BOOM + 64
MAX_LEGAL_ACTIONS = 171  # three stacks of four: 3 * (14 * 4 + 1)
OBSERVATION_SHAPE = (4, 8, 8)

RUNNING, WHITE_WINS, BLACK_WINS, NO_TOKENS, REPETITION, TURN_LIMIT = range(6)
"""Values of ``state.ending``; the last three are draws."""


class ExpendibotsRecord(Protocol):
    """The fields of a state."""

    key: np.uint64  # Zobrist hash of the board configuration
    tokens: Annotated[NDArray[np.uint64], 2]  # squares of each player's stacks
    board: Annotated[NDArray[np.int8], 64]  # height of a stack, positive White, negative Black
    ply: np.int16  # turns played
    history_length: np.int16
    ending: np.int16
    occurrences: np.int16  # how often the current configuration has stood, this time included
    history: Annotated[NDArray[np.uint64], MAX_TURNS + 1]  # keys since the last boom, the current one last


DTYPE = dtype_of(ExpendibotsRecord)


class ExpendibotsTables(NamedTuple):
    """What never changes during a game."""

    turn_limit: int  # a draw after so many turns; 0: no limits at all
    occurrences: int  # a draw when a configuration stands for this time; 0: never
    stride: int  # 1: a configuration is the board; 2: the board and the side to move
    near: NDArray[np.uint64]  # [64, 13]: the squares that a stack of a height reaches from a square
    first: NDArray[np.int64]  # [64, 64]: the action that moves one token from a square to another
    target: NDArray[np.int64]  # [64, 14]: the target of a line number
    zobrist: NDArray[np.uint64]  # [64, 25]: by square and signed height + 12
    network: Network  # what positions are worth

    def without_limits(self) -> ExpendibotsTables:
        """The same game without its limits on length and repetition, for counting."""
        return self._replace(turn_limit=0, occurrences=0)


Tables = ExpendibotsTables


def make_tables(turn_limit: int, occurrences: int, with_side: bool, network: Network) -> ExpendibotsTables:
    """Geometry and hash numbers, the two limits (0 switches one off), and what bots evaluate with."""
    file = [square % 8 for square in range(64)]
    rank = [square // 8 for square in range(64)]
    near = np.zeros((64, MAX_TOKENS + 1), np.uint64)
    first = np.zeros((64, 64), np.int64)
    target = np.zeros((64, 14), np.int64)
    for origin in range(64):
        others = [s for s in range(64) if file[s] == file[origin] and s != origin]
        others += [s for s in range(64) if rank[s] == rank[origin] and s != origin]
        target[origin] = others
        first[origin, others] = (origin * 14 + np.arange(14)) * MAX_TOKENS
        for other in others:
            distance = abs(file[other] - file[origin]) + abs(rank[other] - rank[origin])
            near[origin, distance:] |= np.uint64(1 << other)
    zobrist = np.random.Generator(np.random.Philox(2020)).integers(0, 2**64, (64, 25), np.uint64)
    zobrist[:, MAX_TOKENS] = 0
    return ExpendibotsTables(turn_limit, occurrences, 2 if with_side else 1, near, first, target, zobrist, network)


FILES_B_TO_H = np.uint64(0xFEFEFEFEFEFEFEFE)
FILES_A_TO_G = np.uint64(0x7F7F7F7F7F7F7F7F)


@compiled
def chain_step(exploding: Any, occupied: Any) -> Any:
    """The stacks inside the 3×3 areas of the exploding ones, those included: one step of the chain (both sets as ``uint64``)."""
    row = exploding | ((exploding << np.uint64(1)) & FILES_B_TO_H) | ((exploding >> np.uint64(1)) & FILES_A_TO_G)
    return (row | (row << np.uint64(8)) | (row >> np.uint64(8))) & occupied


def place(tables: ExpendibotsTables, record: Any, heights: list[int], ply: int) -> None:
    """Write a position into a zeroed record: signed heights by square, turns played. Its history starts here."""
    for square, height in enumerate(heights):
        record.board[square] = height
        if height:
            record.tokens[int(height < 0)] |= np.uint64(1 << square)
            record.key ^= tables.zobrist[square, height + MAX_TOKENS]
    record.ply = ply
    plain(_remember)(tables, record)
    record.ending = plain(_ending)(tables, record)


@compiled
def _remember(tables: Any, state: Any) -> None:
    """Add the current configuration to the history and count how often it has stood; without that limit there is no history."""
    if tables.occurrences == 0:
        return
    length = int(state.history_length)
    key = state.key
    state.history[length] = key
    seen = 1
    at = length - 4  # nothing returns sooner: both players must have moved back
    while at >= 0:
        if state.history[at] == key:
            seen += 1
        at -= tables.stride
    state.history_length = length + 1
    state.occurrences = seen


@to_move.implement(ExpendibotsTables)
def expendibots_to_move(tables: Any, state: Any) -> Any:
    if state.ending != RUNNING and (state.ending <= NO_TOKENS or tables.turn_limit > 0):
        return 0
    return 1 << (int(state.ply) & 1)


@legal_actions.implement(ExpendibotsTables)
def expendibots_legal_actions(tables: Any, state: Any, player: Any, slot: Any, out: Any) -> Any:
    """Moves stack by stack in the order of squares, targets likewise, one token first; each stack's boom after its moves."""
    count = 0
    free = ~state.tokens[1 - player]
    stacks = state.tokens[player]
    while stacks:
        square = lowest_bit(stacks)
        stacks &= stacks - np.uint64(1)
        height = abs(int(state.board[square]))
        targets = tables.near[square, height] & free
        if height == 1:
            while targets:
                out[count] = tables.first[square, lowest_bit(targets)]
                targets &= targets - np.uint64(1)
                count += 1
        while targets:
            action = tables.first[square, lowest_bit(targets)]
            targets &= targets - np.uint64(1)
            for extra in range(height):
                out[count + extra] = action + extra
            count += height
        out[count] = BOOM + square
        count += 1
    return count


@compiled
def chain_of(square: Any, occupied: Any) -> Any:
    """All stacks that a boom of this one removes."""
    chain = np.uint64(0)
    wider = bit(square)
    while wider != chain:
        chain = wider
        wider = chain_step(chain, occupied)
    return chain


@compiled
def count_tokens(state: Any, stacks: Any) -> Any:
    """How many tokens stand on a set of one player's stacks."""
    tokens = 0
    while stacks:
        tokens += abs(int(state.board[lowest_bit(stacks)]))
        stacks &= stacks - np.uint64(1)
    return tokens


@tactical_actions.implement(ExpendibotsTables)
def expendibots_tactical_actions(tables: Any, state: Any, player: Any, out: Any) -> Any:
    """Booms, one for each chain, that take no fewer of the opponent's tokens than of one's own, or all of them; the best first."""
    count = 0
    own = state.tokens[player]
    theirs = state.tokens[1 - player]
    occupied = own | theirs
    stacks = own & chain_step(theirs, occupied)
    while stacks:
        square = lowest_bit(stacks)
        chain = chain_of(square, occupied)
        stacks &= ~chain
        gain = count_tokens(state, chain & theirs) - count_tokens(state, chain & own)
        if theirs & ~chain == 0:
            gain = MAX_TOKENS + 1
        if gain >= 0:
            at = count
            while at > 0 and out[at - 1] >> 8 < gain:
                out[at] = out[at - 1]
                at -= 1
            out[at] = (gain << 8) | square
            count += 1
    for index in range(count):
        out[index] = BOOM + (out[index] & 255)
    return count


@apply_actions.implement(ExpendibotsTables)
def expendibots_apply_actions(tables: Any, state: Any, joint: Any) -> None:
    player = int(state.ply) & 1
    action = joint[player, 0]
    if action >= BOOM:
        _boom(tables, state, action - BOOM)
    else:
        _move(tables, state, player, action)
    state.ply = int(state.ply) + 1
    _remember(tables, state)
    state.ending = _ending(tables, state)


@compiled
def _move(tables: Any, state: Any, player: Any, action: Any) -> None:
    sign = 1 - 2 * player
    count = sign * (action % MAX_TOKENS + 1)
    route = action // MAX_TOKENS
    origin = route // 14
    target = tables.target[origin, route - origin * 14]
    before, there = int(state.board[origin]), int(state.board[target])
    after, joined = before - count, there + count
    state.board[origin] = after
    state.board[target] = joined
    tokens = state.tokens[player] | bit(target)
    if after == 0:
        tokens &= ~bit(origin)
    state.tokens[player] = tokens
    zobrist = tables.zobrist
    state.key ^= (
        zobrist[origin, before + MAX_TOKENS]
        ^ zobrist[origin, after + MAX_TOKENS]
        ^ zobrist[target, there + MAX_TOKENS]
        ^ zobrist[target, joined + MAX_TOKENS]
    )


@compiled
def _boom(tables: Any, state: Any, square: Any) -> None:
    chain = chain_of(square, state.tokens[0] | state.tokens[1])
    state.tokens[0] &= ~chain
    state.tokens[1] &= ~chain
    key = state.key
    while chain:
        gone = lowest_bit(chain)
        chain &= chain - np.uint64(1)
        key ^= tables.zobrist[gone, int(state.board[gone]) + MAX_TOKENS]
        state.board[gone] = 0
    state.key = key
    # Fewer tokens than ever before: nothing that stood earlier can return.
    for index in range(int(state.history_length)):
        state.history[index] = 0
    state.history_length = 0


@compiled
def _ending(tables: Any, state: Any) -> Any:
    """How the game has ended after an action; a win comes before a draw."""
    if state.tokens[0] == 0:
        return NO_TOKENS if state.tokens[1] == 0 else BLACK_WINS
    if state.tokens[1] == 0:
        return WHITE_WINS
    if tables.occurrences > 0 and int(state.occurrences) >= tables.occurrences:
        return REPETITION
    if tables.turn_limit > 0 and int(state.ply) >= tables.turn_limit:
        return TURN_LIMIT
    return RUNNING


@returns.implement(ExpendibotsTables)
def expendibots_returns(tables: Any, state: Any, out: Any) -> None:
    white = 0.0
    if state.ending == WHITE_WINS:
        white = 1.0
    elif state.ending == BLACK_WINS:
        white = -1.0
    out[0] = white
    out[1] = 0.0 - white


@copy_state.implement(ExpendibotsTables)
def expendibots_copy_state(tables: Any, source: Any, target: Any) -> None:
    target.key = source.key
    target.tokens[0] = source.tokens[0]
    target.tokens[1] = source.tokens[1]
    for square in range(64):
        target.board[square] = source.board[square]
    target.ply = source.ply
    target.ending = source.ending
    target.occurrences = source.occurrences
    length = int(source.history_length)
    target.history_length = length
    for index in range(length):
        target.history[index] = source.history[index]


@observe.implement(ExpendibotsTables)
def expendibots_observe(tables: Any, state: Any, player: Any, out: Any) -> None:
    """Planes of 8×8, rank 1 first: own heights / 12, the opponent's / 12, occurrences / 4, turns played / the limit on them."""
    sign = 1 - 2 * player
    occurrences = int(state.occurrences) / 4
    turns = int(state.ply) / max(tables.turn_limit, 1)
    for rank in range(8):
        for file in range(8):
            height = sign * int(state.board[8 * rank + file])
            out[0, rank, file] = max(height, 0) / MAX_TOKENS
            out[1, rank, file] = max(-height, 0) / MAX_TOKENS
            out[2, rank, file] = occurrences
            out[3, rank, file] = turns


@position_key.implement(ExpendibotsTables)
def expendibots_position_key(tables: Any, state: Any) -> Any:
    key = state.key
    if int(state.ply) & 1:
        key = ~key
    return np.int64(key)
