"""Which expansions win: every continuation searched, on boards of at most 64 squares and in the normal variant.

A position is two sets of squares, those of who is to move and the opponent's: the game is the same for both. Depth first, actions that leave the opponent the
fewest squares of its own before others, and a table of positions with who wins. The table is trusted by 63 bits of a hash.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.bits import bit, count_bits
from ludarium.core.jit import compiled, subroutine
from ludarium.core.rules import outcomes

from .evaluation import grown
from .rules import Tables

OWN, OTHERS, COUNT, TRIED, FIRST = range(5)
"""A line of the search: the stones of who is to move, the opponent's, how many actions are to be tried, and how many were; then pairs of the stones after an
action and how good it looks."""

MOST_GROUPS = 32
LINE = FIRST + 2 * MOST_GROUPS
MANY = 64
"""More than what an action can look like, so that it can be kept without a sign."""

NOBODY = np.uint64(0)
WON = np.uint64(1)


@compiled
def _hash(own: Any, others: Any) -> Any:
    mixed = own * np.uint64(0x9E3779B97F4A7C15) ^ (others + np.uint64(0x632BE59BD9B4E019)) * np.uint64(0xD6E8FEB86659FD93)
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return mixed ^ (mixed >> np.uint64(32))


@compiled
def _place(memory: Any, mixed: Any) -> Any:
    """Where the upper half of the memory has what is known of a position with this hash."""
    half = len(memory) >> 1
    return half + (np.int64(mixed >> np.uint64(33)) & (half - 1))


@compiled
def _known(memory: Any, mixed: Any) -> Any:
    """Who wins a position with this hash: 1 who is to move, 0 the opponent, −1 not known."""
    entry = memory[_place(memory, mixed)]
    return np.int64(entry & WON) if (entry | WON) == (mixed | WON) else -1


@compiled
def _next_group(tables: Any, own: Any, stones: Any) -> Any:
    """The group of the first of some stones."""
    group = stones & (~stones + np.uint64(1))
    while True:
        larger = grown(tables, group) & own
        if larger == group:
            return group
        group = larger


@compiled
def _enter(tables: Any, memory: Any, line: Any, board: Any) -> Any:
    """List the actions that are to be tried in the position of a line, the best first; whether one is known to win at once."""
    own, others = memory[line + OWN], memory[line + OTHERS]
    empty = board & ~(own | others)
    movable = own & grown(tables, empty)
    count = 0
    while movable != NOBODY:
        group = _next_group(tables, own, movable)
        movable &= ~group
        after = own | (grown(tables, group) & empty)
        left = board & ~(after | others)
        theirs = grown(tables, others) & left
        if theirs == NOBODY:
            return True
        known = _known(memory, _hash(others, after))
        if known == 0:
            return True
        if known == 1:
            continue
        mine = grown(tables, after) & left
        looks = np.uint64(MANY + count_bits(mine & ~theirs) - count_bits(theirs & ~mine))
        at = line + FIRST + 2 * count
        while at > line + FIRST and memory[at - 1] < looks:
            memory[at], memory[at + 1] = memory[at - 2], memory[at - 1]
            at -= 2
        memory[at], memory[at + 1] = after, looks
        count += 1
    memory[line + COUNT], memory[line + TRIED] = np.uint64(count), np.uint64(0)
    return False


@subroutine
def _wins(tables: Any, memory: Any, board: Any, own: Any, others: Any) -> Any:
    """Whether who is to move wins."""
    line = 0
    memory[OWN], memory[OTHERS] = own, others
    won = _enter(tables, memory, line, board)
    while True:
        if not won and memory[line + TRIED] < memory[line + COUNT]:
            tried = np.int64(memory[line + TRIED])
            memory[line + TRIED] = np.uint64(tried + 1)
            memory[line + LINE + OWN] = memory[line + OTHERS]
            memory[line + LINE + OTHERS] = memory[line + FIRST + 2 * tried]
            line += LINE
            won = _enter(tables, memory, line, board)
            continue
        mixed = _hash(memory[line + OWN], memory[line + OTHERS])
        memory[_place(memory, mixed)] = (mixed & ~WON) | np.uint64(won)
        if line == 0:
            return won
        line -= LINE
        won = not won


@compiled
def _stones(tables: Any, state: Any, player: Any) -> Any:
    found = NOBODY
    for cell in range(tables.cells):
        if int(state.board[cell]) == player + 1:
            found |= bit(cell)
    return found


@outcomes.implement(Tables)
def expand_conquer_outcomes(tables: Any, state: Any, player: Any, memory: Any, out: Any) -> Any:
    if tables.words > 1 or tables.all_small:
        return -1
    own, others = _stones(tables, state, player), _stones(tables, state, 1 - player)
    empty = state.empty[0]
    board = own | others | empty
    rest, count = own, 0
    while rest != NOBODY:  # groups by their first stones, which need not be beside empty squares
        group = _next_group(tables, own, rest)
        rest &= ~group
        added = grown(tables, group) & empty
        if added == NOBODY:
            continue
        after = own | added
        known = _known(memory, _hash(others, after))
        lost = known == 1 or (known < 0 and _wins(tables, memory, board, others, after))
        out[count] = -1 if lost else 1
        count += 1
    return count
