"""What bots know about Expand and Conquer: the value of a running game in hundredths of a move."""

from __future__ import annotations

from typing import Any

from ludarium.core.bits import count_bits
from ludarium.core.rules import evaluate

from .rules import Tables

__all__ = ["expand_conquer_evaluate"]

GROUP = 60
OWN = 100


@evaluate.implement(Tables)
def expand_conquer_evaluate(tables: Any, state: Any, player: Any) -> Any:
    value = 0
    for word in range(tables.words):
        value += GROUP * (count_bits(state.active[player, word]) - count_bits(state.active[1 - player, word]))
        value += OWN * (count_bits(state.apart[1 - player, word]) - count_bits(state.apart[player, word]))
    return value
