"""Who can sit at a board. ``parse_player("alphabeta:level=3", game).make(game, seed)`` makes a player."""

from .base import Player, PlayerKind, TimeLeft, never
from .specs import HUMAN, PlayerSpec, can_play, parse_player, player_kinds

__all__ = ["HUMAN", "Player", "PlayerKind", "PlayerSpec", "TimeLeft", "can_play", "never", "parse_player", "player_kinds"]
