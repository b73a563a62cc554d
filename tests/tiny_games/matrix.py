"""Two players choose a row and a column at once, and a table says what the one wins from the other."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.core.game import Dimensions
from ludarium.core.options import Option
from ludarium.core.rules import apply_actions, legal_actions, observe, returns, to_move
from tests.tiny_games.tiny import TinyGame

PAYOFFS = {
    "rock paper scissors": [[0, -1, 1], [1, 0, -1], [-1, 1, 0]],
    # Row 1 dominates row 0, then column 2 dominates the others, then row 1 dominates row 2.
    "dominance": [[0.1, 0.0, 0.2], [0.5, 0.6, 0.3], [0.9, 1.0, -0.5]],
}


class MatrixTables(NamedTuple):
    payoffs: np.ndarray  # float64[3, 3]


@to_move.implement(MatrixTables)
def matrix_to_move(tables: Any, state: Any) -> Any:
    return 0 if int(state.row) else 0b11


@legal_actions.implement(MatrixTables)
def matrix_legal_actions(tables: Any, state: Any, player: Any, slot: Any, out: Any) -> Any:
    for action in range(3):
        out[action] = action
    return 3


@apply_actions.implement(MatrixTables)
def matrix_apply_actions(tables: Any, state: Any, joint: Any) -> None:
    state.row = 1 + joint[0, 0]
    state.column = 1 + joint[1, 0]


@returns.implement(MatrixTables)
def matrix_returns(tables: Any, state: Any, out: Any) -> None:
    out[0] = tables.payoffs[int(state.row) - 1, int(state.column) - 1] if int(state.row) else 0.0
    out[1] = -out[0]


@observe.implement(MatrixTables)
def matrix_observe(tables: Any, state: Any, player: Any, out: Any) -> None:
    out[0] = int(state.row)


class Matrix(TinyGame):
    """Positions: the row and the column that were chosen, from 1; 0 0 before."""

    id = "test-matrix"
    title = "Matrix"
    option_list = (Option("payoffs", "word", "rock paper scissors", "what the row player wins", choices=tuple(PAYOFFS)),)
    dtype = np.dtype((np.record, [("row", np.int8), ("column", np.int8)]))

    def make_tables(self) -> MatrixTables:
        return MatrixTables(np.array(PAYOFFS[self.options["payoffs"]], np.float64))

    def make_dimensions(self) -> Dimensions:
        return Dimensions(("row", "column"), 3, 3, (1,))

    def write_initial(self, record: Any) -> None:
        """All zeros: nobody has chosen."""
