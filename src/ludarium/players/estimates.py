"""How good a position is for everybody, as a game's own players see it at a glance: for looking back at a game that is over."""

from __future__ import annotations

from collections.abc import Callable
from math import tanh

from ludarium.core.game import Game, State
from ludarium.core.registry import game_module
from ludarium.search import alphabeta

Estimate = Callable[[State], tuple[float, ...]]
"""What a running position is worth to each player, from −1 to 1. It takes some hundredths of a second at most."""


def estimate_of(game: Game) -> Estimate | None:
    """A game's estimate (``estimate`` in its ``players.py``); None if it has none."""
    return getattr(game_module(game.id, "players"), "estimate", None)


def by_alphabeta(state: State, *, unit: float) -> tuple[float, float]:
    """The estimate of alpha-beta, which looks at 20,000 positions. ``unit`` is the score that makes a clear advantage (0.76)."""
    worth = tanh(alphabeta(state, nodes=20_000).score / unit)
    return (worth, -worth) if state.to_move == (0,) else (-worth, worth)
