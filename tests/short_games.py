"""Games as tests play them to the end: with options that make random games short, where random players would go on for thousands of steps."""

from __future__ import annotations

import ludarium

__all__ = ["short_game"]

SHORT = {"roboderby": {"turn_limit": 5}}


def short_game(id: str) -> ludarium.Game:
    """A game with its default options, but for those that bound its length."""
    return ludarium.game(id, **SHORT.get(id, {}))
