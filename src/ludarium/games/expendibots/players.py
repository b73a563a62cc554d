"""Whom people play against, and how programs of a class ``Player`` are seated."""

from __future__ import annotations

from pathlib import Path

from ludarium.core.game import State
from ludarium.players import OfficialTerms, Opponent, PlayerKind, by_alphabeta

KINDS: tuple[PlayerKind, ...] = ()
"""None but those of every game."""

CLASS_ADAPTER = Path(__file__).with_name("class_adapter.py")
"""Runs a ``class:`` player, see its docstring."""

OFFICIAL = OfficialTerms({"repetition": "board and side", "turn_limit": 500}, seconds=60, megabytes=100)
"""Those of the course."""

LEVELS = {
    "alphabeta": (
        "lapse=100,glance=80",
        "lapse=100",
        "nodes=300,lapse=50",
        "nodes=600,lapse=30",
        "nodes=1200,lapse=18",
        "nodes=2300,lapse=10",
        "nodes=4800,lapse=4",
        "nodes=9500",
        "nodes=27000",
        "nodes=95000",
        "nodes=450000",
        "nodes=10000000",
    )
}
"""By the name of the kind, what a level from 1 on stands for; see ``docs/expendibots-strength.md`` for how they were fitted."""

FORMER_OPTIONS = {
    1: {"alphabeta": {"level=1": "lapse=100", "level=2": "depth=2,lapse=30", "level=3": "nodes=30000", "level=4": "time=3s"}},
    2: {
        "alphabeta": {
            "level=5": "nodes=1400,lapse=15",
            "level=6": "nodes=2700,lapse=8",
            "level=7": "nodes=6000,lapse=3",
            "level=8": "nodes=14000",
            "level=9": "nodes=50000",
            "level=10": "nodes=200000",
            "level=11": "nodes=1000000",
            "level=12": "nodes=5000000",
        }
    },
}
"""By the last format of records in which they meant it, and by the name of the kind, what options meant, in today's words."""

OPPONENTS = (
    Opponent("Tin", "alphabeta:level=1", "Plays almost any move that does not lose much at once."),
    Opponent("Lead", "alphabeta:level=2", "Picks one of the moves that look good at a glance."),
    Opponent("Zinc", "alphabeta:level=3", "Thinks on every other turn, and plays the rest at a glance."),
    Opponent("Copper", "alphabeta:level=4", "Sees your answer coming, except when it dozes."),
    Opponent("Brass", "alphabeta:level=5", "Sees its own next move as well, and dozes less."),
    Opponent("Bronze", "alphabeta:level=6", "Reads two thousand positions, and seldom dozes."),
    Opponent("Nickel", "alphabeta:level=7", "Reads five thousand positions, and hardly ever dozes."),
    Opponent("Cobalt", "alphabeta:level=8", "Never dozes, and reads nearly ten thousand positions."),
    Opponent("Iron", "alphabeta:level=9", "Reads twenty-seven thousand positions before it lights a fuse."),
    Opponent("Chrome", "alphabeta:level=10", "Reads nearly a hundred thousand positions before it lights a fuse."),
    Opponent("Steel", "alphabeta:level=11", "Reads almost half a million positions before it lights a fuse."),
    Opponent("Titanium", "alphabeta:level=12", "Gives all it has: ten million positions for every move."),
)


def estimate(state: State) -> tuple[float, float]:
    """Four tokens ahead is a clear advantage."""
    return by_alphabeta(state, unit=400)
