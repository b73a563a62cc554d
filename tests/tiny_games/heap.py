"""Three players take one or two from a heap in turn; whoever takes the last one wins."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.core.game import Dimensions
from ludarium.core.rules import apply_actions, legal_actions, observe, returns, to_move
from tests.tiny_games.tiny import TinyGame


class HeapTables(NamedTuple):
    players: int


@to_move.implement(HeapTables)
def heap_to_move(tables: Any, state: Any) -> Any:
    return 0 if int(state.left) == 0 else 1 << int(state.turn)


@legal_actions.implement(HeapTables)
def heap_legal_actions(tables: Any, state: Any, player: Any, slot: Any, out: Any) -> Any:
    out[0] = 1
    out[1] = 2
    return min(int(state.left), 2)


@apply_actions.implement(HeapTables)
def heap_apply_actions(tables: Any, state: Any, joint: Any) -> None:
    state.left = int(state.left) - joint[int(state.turn), 0]
    state.turn = (int(state.turn) + 1) % tables.players


@returns.implement(HeapTables)
def heap_returns(tables: Any, state: Any, out: Any) -> None:
    last = (int(state.turn) + tables.players - 1) % tables.players
    for player in range(tables.players):
        out[player] = 0.0
        if int(state.left) == 0:
            out[player] = 1.0 if player == last else -1.0 / (tables.players - 1)


@observe.implement(HeapTables)
def heap_observe(tables: Any, state: Any, player: Any, out: Any) -> None:
    out[0] = int(state.left)


class Heap(TinyGame):
    """Positions: how many are left, whose turn it is."""

    id = "test-heap"
    title = "Heap"
    dtype = np.dtype((np.record, [("left", np.int8), ("turn", np.int8)]))

    def make_tables(self) -> HeapTables:
        return HeapTables(3)

    def make_dimensions(self) -> Dimensions:
        return Dimensions(("first", "second", "third"), 2, 3, (1,))

    def write_initial(self, record: Any) -> None:
        record.left = 9
