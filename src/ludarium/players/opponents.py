"""Whom people play against: players with a name, a face and a sentence, in an order of strength."""

from __future__ import annotations

from dataclasses import dataclass

from ludarium.core.game import Game
from ludarium.core.registry import game_module


@dataclass(frozen=True)
class Opponent:
    """A player of some spec, as people see it."""

    name: str
    spec: str
    sentence: str
    """How it plays."""
    face: str = ""
    """Its picture as SVG, which shows the same in light and dark surroundings; empty: one is drawn from its id."""

    @property
    def id(self) -> str:
        """What programs call it: its name in small letters."""
        return self.name.lower().replace(" ", "-")


GENERIC = (
    Opponent("Dizzy", "random", "Plays whatever comes to mind first."),
    Opponent("Magpie", "greedy", "Takes what glitters now, and never asks what comes next."),
    Opponent("Nettle", "alphabeta:level=2", "Thinks of your answer, and sometimes forgets to."),
    Opponent("Juniper", "mcts:sims=300", "Tries a few hundred games in its head before it moves."),
    Opponent("Basalt", "mcts:sims=3000", "Tries thousands of games in its head before it moves."),
    Opponent("Meridian", "mcts:sims=30000", "Tries tens of thousands of games in its head before it moves."),
)
"""For games that name none. Where one of these cannot play, it is left out."""


def opponents_of(game: Game | type[Game]) -> tuple[Opponent, ...]:
    """A game's opponents (``OPPONENTS`` in its ``players.py``, else the generic ones), the weakest first. With some options not all of them can play."""
    own = game_module(game.id, "players")
    return getattr(own, "OPPONENTS", GENERIC)


def strength_of(spec: str, game: Game) -> tuple[Opponent, int, int] | None:
    """The opponent who plays like this spec, its place in the order of strength, from 1, and how many there are; None if none does."""
    known = opponents_of(game)
    return next(((one, place, len(known)) for place, one in enumerate(known, 1) if one.spec == spec), None)
