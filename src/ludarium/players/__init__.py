"""Who can sit at a board. ``parse_player("alphabeta:level=3", game).make(game, seed)`` makes a player."""

from .base import Player, PlayerKind, TimeLeft, never
from .opponents import Opponent, opponents_of, strength_of
from .specs import HUMAN, PlayerSpec, can_play, parse_player, player_kinds

__all__ = [
    "HUMAN",
    "Opponent",
    "Player",
    "PlayerKind",
    "PlayerSpec",
    "TimeLeft",
    "can_play",
    "never",
    "opponents_of",
    "parse_player",
    "player_kinds",
    "strength_of",
]
