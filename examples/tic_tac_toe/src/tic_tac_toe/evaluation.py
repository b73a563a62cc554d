"""What bots know about tic-tac-toe: lines that can still be completed are worth something."""

from __future__ import annotations

from typing import Any

from ludarium.core.rules import evaluate

from .rules import TicTacToeTables

__all__ = ["tic_tac_toe_evaluate"]


@evaluate.implement(TicTacToeTables)
def tic_tac_toe_evaluate(tables: Any, state: Any, player: Any) -> Any:
    """For every line with marks of one player only: 10 for one mark, 40 for two."""
    value = 0
    for line in range(8):
        own = 0
        theirs = 0
        for at in range(3):
            mark = int(state.board[tables.lines[line, at]])
            own += mark == player + 1
            theirs += mark == 2 - player
        if theirs == 0:
            value += 10 * own * own
        elif own == 0:
            value -= 10 * theirs * theirs
    return value
