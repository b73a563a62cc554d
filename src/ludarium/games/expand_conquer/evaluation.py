"""What bots know about Expand and Conquer: the value of a running game in hundredths of a move.

The weights are those that did best in matches from random boards of 8×8. Squares that only one player can ever reach decide little in the normal variant,
where counting groups and the squares next to them plays as well and is simpler; in the all-small variant they are worth having.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.bits import count_bits
from ludarium.core.jit import compiled
from ludarium.core.rules import evaluate

from .rules import Tables

GROUP = 60  # a group that can expand
BESIDE = 100  # an empty square beside stones of one player only

ALL_SMALL_BESIDE = 26
ALL_SMALL_SEALED = 60  # an empty square that the opponent's groups cannot reach


@compiled
def grown(tables: Any, squares: Any) -> Any:
    """A set of squares of a board of at most 64, with all that are beside them."""
    columns = np.uint64(tables.columns)
    sideways = ((squares << np.uint64(1)) & tables.inner[0]) | ((squares >> np.uint64(1)) & tables.inner[1])
    return squares | sideways | (squares << columns) | (squares >> columns)


@compiled
def _sealed(tables: Any, state: Any, player: Any) -> Any:
    """How many empty squares more than the opponent a player has alone, on a board of at most 64, where groups grow as far as they can."""
    empty = state.empty[0]
    own, theirs = empty & ~state.apart[player, 0], empty & ~state.apart[1 - player, 0]
    while True:
        more, others = grown(tables, own) & empty, grown(tables, theirs) & empty
        if more == own and others == theirs:
            return count_bits(own & ~theirs) - count_bits(theirs & ~own)
        own, theirs = more, others


@evaluate.implement(Tables)
def expand_conquer_evaluate(tables: Any, state: Any, player: Any) -> Any:
    """Groups that can expand, and squares that a player has nearly or surely alone; the latter on boards of at most 64 squares."""
    groups, beside = 0, 0
    for word in range(tables.words):
        groups += count_bits(state.active[player, word]) - count_bits(state.active[1 - player, word])
        beside += count_bits(state.apart[1 - player, word]) - count_bits(state.apart[player, word])
    if not tables.all_small:
        return GROUP * groups + BESIDE * beside
    return ALL_SMALL_BESIDE * beside + (ALL_SMALL_SEALED * _sealed(tables, state, player) if tables.words == 1 else 0)
