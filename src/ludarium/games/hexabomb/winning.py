"""Who has won, by the scores."""

from __future__ import annotations

from typing import Any

__all__ = ["winner_of"]


def winner_of(tables: Any, record: Any) -> int:
    """The player with the strictly highest score, −1 if several have it or nobody plays. The special player does not take part."""
    scores = {player: int(record.score[player]) for player in range(tables.special, tables.players)}
    best = [player for player, score in scores.items() if score == max(scores.values())]
    return best[0] if len(best) == 1 else -1
