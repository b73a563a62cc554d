"""The kinds of players that can sit at every board."""

from __future__ import annotations

from .mcts import MCTS_OPTIONS, MctsPlayer
from .random import RandomPlayer
from .specs import PlayerKind

__all__ = ["KINDS"]

KINDS = (
    PlayerKind("random", "chooses uniformly among the legal actions", (), RandomPlayer),
    PlayerKind("mcts", "Monte Carlo tree search: simulates games to their end", MCTS_OPTIONS, MctsPlayer),
)
