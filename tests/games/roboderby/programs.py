"""The programs of a hand, as compiled players list them, for Python."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import kernel
from ludarium.games.roboderby.solo.tables import programs_of_hand

__all__ = ["list_programs"]


@kernel()
def list_programs(solo: Any, place: Any, hand: Any, registers: Any, suffix: Any, codes: Any, values: Any) -> Any:
    """:func:`programs_of_hand` for Python."""
    return programs_of_hand(solo, place, hand, registers, suffix, codes, values)
