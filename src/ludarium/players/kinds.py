"""The kinds of players that can sit at every board."""

from __future__ import annotations

from .random import RandomPlayer
from .specs import PlayerKind

__all__ = ["KINDS"]

KINDS = (PlayerKind("random", "chooses uniformly among the legal actions", (), RandomPlayer),)
