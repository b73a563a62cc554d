"""The rules of tic-tac-toe as compiled functions.

Cells count from 0 (a1) along the ranks to 8 (c3). X is player 0 and begins, O is player 1. Choosing cell c is action c.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.core.jit import compiled, plain
from ludarium.core.rules import apply_actions, legal_actions, observe, position_key, returns, to_move

__all__ = ["DTYPE", "TicTacToeTables", "make_tables", "place"]

RUNNING, X_WINS, O_WINS, DRAW = range(4)
"""Values of ``state.ending``."""

DTYPE = np.dtype(
    (
        np.record,
        [
            ("board", np.int8, (9,)),  # 0 empty, 1 X, 2 O
            ("ply", np.int8),  # marks on the board
            ("ending", np.int8),
        ],
    )
)


class TicTacToeTables(NamedTuple):
    """What never changes during a game."""

    lines: np.ndarray  # int64[8, 3]: the cells of every row, column and diagonal


def make_tables() -> TicTacToeTables:
    cells = np.arange(9).reshape(3, 3)
    return TicTacToeTables(np.array([*cells, *cells.T, cells.diagonal(), cells[::-1].diagonal()], np.int64))


def place(tables: TicTacToeTables, record: Any, marks: list[int]) -> None:
    """Write a position into a zeroed record: 0, 1 or 2 for every cell."""
    record.board[:] = marks
    record.ply = sum(mark != 0 for mark in marks)
    record.ending = plain(_ending)(tables, record)


@to_move.implement(TicTacToeTables)
def tic_tac_toe_to_move(tables: Any, state: Any) -> Any:
    if state.ending != RUNNING:
        return 0
    return 1 << (int(state.ply) & 1)


@legal_actions.implement(TicTacToeTables)
def tic_tac_toe_legal_actions(tables: Any, state: Any, player: Any, slot: Any, out: Any) -> Any:
    """The empty cells, a1 first."""
    count = 0
    for cell in range(9):
        if state.board[cell] == 0:
            out[count] = cell
            count += 1
    return count


@apply_actions.implement(TicTacToeTables)
def tic_tac_toe_apply_actions(tables: Any, state: Any, joint: Any) -> None:
    player = int(state.ply) & 1
    state.board[joint[player, 0]] = player + 1
    state.ply = int(state.ply) + 1
    state.ending = _ending(tables, state)


@compiled
def _ending(tables: Any, state: Any) -> Any:
    for line in range(8):
        mark = int(state.board[tables.lines[line, 0]])
        if mark != 0 and mark == state.board[tables.lines[line, 1]] and mark == state.board[tables.lines[line, 2]]:
            return mark  # X_WINS or O_WINS
    return DRAW if int(state.ply) == 9 else RUNNING


@returns.implement(TicTacToeTables)
def tic_tac_toe_returns(tables: Any, state: Any, out: Any) -> None:
    crosses = 0.0
    if state.ending == X_WINS:
        crosses = 1.0
    elif state.ending == O_WINS:
        crosses = -1.0
    out[0] = crosses
    out[1] = 0.0 - crosses


@observe.implement(TicTacToeTables)
def tic_tac_toe_observe(tables: Any, state: Any, player: Any, out: Any) -> None:
    """Two planes of 3×3, rank 1 first: own marks, the opponent's."""
    for cell in range(9):
        mark = int(state.board[cell])
        out[0, cell // 3, cell % 3] = mark == player + 1
        out[1, cell // 3, cell % 3] = mark == 2 - player


@position_key.implement(TicTacToeTables)
def tic_tac_toe_position_key(tables: Any, state: Any) -> Any:
    """The board as a number of nine ternary digits; the search mixes its bits where it needs them mixed."""
    key = 0
    for cell in range(9):
        key = 3 * key + int(state.board[cell])
    return key
