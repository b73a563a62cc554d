"""What the endgame tables say of a position: ``known_ending`` for searches."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludarium.core.bits import count_bits
from ludarium.core.jit import compiled
from ludarium.core.rules import UNKNOWN, known_ending

from ..rules import Tables
from .index import EndgameIndex, endgame_index, entry_of, word_on

LOST, DRAWN, WON = range(3)
"""Outcomes for the player to move."""

A_BYTE = 5
"""Outcomes that a byte holds, as digits to the base of 3, the lowest first."""

_WEIGHTS = 3 ** np.arange(A_BYTE)


class EndgameTables(NamedTuple):
    """All positions of at most ``most`` tokens, by the entries of the index."""

    most: int
    numbering: EndgameIndex
    outcomes: NDArray[np.uint8]  # five to a byte
    distances: NDArray[np.uint8]  # plies to the end; 0 where it is a draw
    powers: NDArray[np.int64]  # [5]: the digits' weights


def packed(values: NDArray[np.int8], most: int) -> EndgameTables:
    """The tables of the values that :func:`.solving.solve` finds."""
    outcomes = np.full(-(-len(values) // A_BYTE) * A_BYTE, DRAWN, np.uint8)
    outcomes[: len(values)] += np.sign(values).view(np.uint8)
    digits = outcomes.reshape(-1, A_BYTE)
    whole = np.zeros(len(digits), np.uint8)
    for place in range(A_BYTE):
        whole += digits[:, place] * np.uint8(_WEIGHTS[place])
    return tables_of(most, whole, np.abs(values).view(np.uint8))


def tables_of(most: int, outcomes: NDArray[np.uint8], distances: NDArray[np.uint8]) -> EndgameTables:
    """Tables as they are looked into."""
    return EndgameTables(most, endgame_index(), outcomes, distances, _WEIGHTS.astype(np.int64))


@compiled
def value_at(endgames: Any, entry: Any) -> Any:
    """In how many plies the player to move wins (positive) or loses (negative); 0 is a draw."""
    byte = entry // 5
    outcome = int(endgames.outcomes[byte]) // endgames.powers[entry - 5 * byte] % 3
    return (outcome - DRAWN) * int(endgames.distances[entry]) if outcome != DRAWN else 0


@known_ending.implement(Tables)
def expendibots_known_ending(tables: Any, endgames: Any, state: Any) -> Any:
    """By the tables, where the tokens are few enough. A win that the turn limit is too near for is a draw; repetition is left aside."""
    if count_bits(state.tokens[0] | state.tokens[1]) > endgames.most:
        return UNKNOWN
    player = int(state.ply) & 1
    own, own_count = word_on(state.board, state.tokens[player], endgames.most - 1)
    other, other_count = word_on(state.board, state.tokens[1 - player], endgames.most - 1)
    if own_count + other_count > endgames.most or own_count == 0 or other_count == 0:
        return UNKNOWN
    value = value_at(endgames, entry_of(endgames.numbering, own, own_count, other, other_count))
    if tables.turn_limit > 0 and int(state.ply) + abs(value) > tables.turn_limit:
        return 0
    return value
