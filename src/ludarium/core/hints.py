"""Errors about a game's notation that show by legal examples how it is written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ludarium.errors import BadNotation

if TYPE_CHECKING:
    from .state import State


def alternatives(words: Sequence[str], most: int = 8) -> str:
    """Return ``a, b or c``; of more than ``most``, the first ones and how many more there are."""
    if len(words) > most:
        return f"{', '.join(words[:most])} or {len(words) - most} more"
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def not_an_action(state: State, player: int, text: str, forms: Mapping[str, str]) -> BadNotation:
    """Return the error for a text that is no notation of an action: ``'x' is not an action; write a1-b1 (move one token) or a1! (boom)``.

    Args:
        state: where the text was given.
        player: the player who gave it.
        text: what was given.
        forms: by a pattern of the notation, what such an action does. Each form that is legal here gets its first legal action as example.
    """
    legal = state.texts(player) if player in state.to_move else []
    found = ((next((one for one in legal if re.fullmatch(pattern, one)), None), meaning) for pattern, meaning in forms.items())
    examples = [f"{example} ({meaning})" for example, meaning in found if example is not None]
    return BadNotation(f"'{text[:40]}' is not an action" + (f"; write {alternatives(examples)}" if examples else ""))
