"""What bots know about Expand and Conquer: the value of a running game in hundredths of a move.

The weights come from logistic regression on the outcomes of some thousand games between alpha-beta players from random boards of 7×7 to 10×10.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.bits import count_bits
from ludarium.core.jit import compiled
from ludarium.core.rules import evaluate

from .rules import Tables

__all__ = ["expand_conquer_evaluate"]

GROUP = 90  # a group that can expand
NEARER = 28  # an empty square that is fewer expansions away from a player than from the opponent
SEALED = 55  # an empty square that the opponent cannot reach
BESIDE = 40  # an empty square beside stones of one player only

ALL_SMALL_SEALED = 60
ALL_SMALL_BESIDE = 26


@compiled
def _grown(tables: Any, squares: Any) -> Any:
    """A set of squares of a board of at most 64, with all that are beside them."""
    columns = np.uint64(tables.columns)
    sideways = ((squares << np.uint64(1)) & tables.inner[0]) | ((squares >> np.uint64(1)) & tables.inner[1])
    return squares | sideways | (squares << columns) | (squares >> columns)


@compiled
def _territory(tables: Any, state: Any, player: Any, nearer: Any, sealed: Any) -> Any:
    """What empty squares are worth on a board of at most 64, where both players grow over all of them as if alone."""
    empty = state.empty[0]
    own, theirs = empty & ~state.apart[player, 0], empty & ~state.apart[1 - player, 0]
    first, second = own & ~theirs, theirs & ~own
    while True:
        more, others = _grown(tables, own) & empty, _grown(tables, theirs) & empty
        if more == own and others == theirs:
            break
        first |= more & ~own & ~others
        second |= others & ~theirs & ~more
        own, theirs = more, others
    return nearer * (count_bits(first) - count_bits(second)) + sealed * (count_bits(own & ~theirs) - count_bits(theirs & ~own))


@evaluate.implement(Tables)
def expand_conquer_evaluate(tables: Any, state: Any, player: Any) -> Any:
    """Groups that can expand, and the squares that a player reaches sooner or alone; on more than 64 squares, those that are next only."""
    groups, beside = 0, 0
    for word in range(tables.words):
        groups += count_bits(state.active[player, word]) - count_bits(state.active[1 - player, word])
        beside += count_bits(state.apart[1 - player, word]) - count_bits(state.apart[player, word])
    if tables.all_small:
        return ALL_SMALL_BESIDE * beside + (_territory(tables, state, player, 0, ALL_SMALL_SEALED) if tables.words == 1 else 0)
    return GROUP * groups + (_territory(tables, state, player, NEARER, SEALED) if tables.words == 1 else BESIDE * beside)
