"""The rules as compiled functions: each player takes one, two or three stones in turn, and whoever takes the last one wins.

Taking n stones is action n − 1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.core.rules import apply_actions, legal_actions, observe, returns, to_move

__all__ = ["DTYPE", "MOST", "HeapOfStonesTables"]

MOST = 3
"""How many stones a player may take at once."""

DTYPE = np.dtype((np.record, [("left", np.int16), ("turn", np.int8)]))
"""A state: stones in the heap, and whose turn it is (0 or 1)."""


class HeapOfStonesTables(NamedTuple):
    """What never changes during a game."""

    stones: int


@to_move.implement(HeapOfStonesTables)
def heap_of_stones_to_move(tables: Any, state: Any) -> Any:
    return 0 if int(state.left) == 0 else 1 << int(state.turn)


@legal_actions.implement(HeapOfStonesTables)
def heap_of_stones_legal_actions(tables: Any, state: Any, player: Any, slot: Any, out: Any) -> Any:
    count = min(int(state.left), MOST)
    for action in range(count):
        out[action] = action
    return count


@apply_actions.implement(HeapOfStonesTables)
def heap_of_stones_apply_actions(tables: Any, state: Any, joint: Any) -> None:
    state.left = int(state.left) - (joint[int(state.turn), 0] + 1)
    state.turn = 1 - int(state.turn)


@returns.implement(HeapOfStonesTables)
def heap_of_stones_returns(tables: Any, state: Any, out: Any) -> None:
    """Whoever is not to move has taken the last stone."""
    won = 0.0 if int(state.left) else 1.0
    out[1 - int(state.turn)] = won
    out[int(state.turn)] = 0.0 - won


@observe.implement(HeapOfStonesTables)
def heap_of_stones_observe(tables: Any, state: Any, player: Any, out: Any) -> None:
    """The part of the stones that is left, and whether it is the player's turn."""
    out[0] = int(state.left) / tables.stones
    out[1] = int(state.turn) == player
