"""Whom people play against, and how programs of a class ``Player`` are seated."""

from __future__ import annotations

from pathlib import Path

from ludarium.core.game import State
from ludarium.players import OfficialTerms, Opponent, PlayerKind, by_alphabeta

KINDS: tuple[PlayerKind, ...] = ()
"""None but those of every game."""

CLASS_ADAPTER = Path(__file__).with_name("class_adapter.py")
"""Runs a ``class:`` player, see its docstring."""

OFFICIAL = OfficialTerms({"repetition": "board and side"}, seconds=60, megabytes=100)
"""Those of the course."""

OPPONENTS = (
    Opponent("Tin", "alphabeta:level=1", "Picks one of the moves that look good at a glance."),
    Opponent("Copper", "alphabeta:level=2", "Sees your answer coming, except when it dozes."),
    Opponent("Bronze", "alphabeta:depth=2", "Sees every answer of yours, and nothing beyond."),
    Opponent("Iron", "alphabeta:level=3", "Reads thirty thousand positions before it lights a fuse."),
    Opponent("Steel", "alphabeta:nodes=1000000", "Reads a million positions before it lights a fuse."),
)


def estimate(state: State) -> tuple[float, float]:
    """Four tokens ahead is a clear advantage."""
    return by_alphabeta(state, unit=400)
