"""What bots know about Expendibots: the value of a running game in hundredths of a token."""

from __future__ import annotations

from typing import Any

from ludarium.core.rules import evaluate

from .rules import Tables

__all__ = ["expendibots_evaluate"]


@evaluate.implement(Tables)
def expendibots_evaluate(tables: Any, state: Any, player: Any) -> Any:
    """Tokens, and a bonus for being nearly alone on the board: trades are good for whoever is ahead."""
    white = 0
    black = 0
    for square in range(64):
        height = int(state.board[square])
        white += max(height, 0)
        black += max(-height, 0)
    lead = 100 * (white - black) + 600 * (white - black) // (white + black)
    return lead if player == 0 else -lead
