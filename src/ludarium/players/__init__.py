"""Who can sit at a board. ``parse_player("alphabeta:level=3", game).make(game, seed)`` makes a player."""

from .base import Player, PlayerKind, TimeLeft, never
from .estimates import Estimate, by_alphabeta, estimate_of
from .official import OfficialTerms, official_terms
from .opponents import Opponent, opponents_of, strength_of
from .specs import HUMAN, PlayerSpec, can_play, parse_player, player_kinds

__all__ = [
    "HUMAN",
    "Estimate",
    "OfficialTerms",
    "Opponent",
    "Player",
    "PlayerKind",
    "PlayerSpec",
    "TimeLeft",
    "by_alphabeta",
    "can_play",
    "estimate_of",
    "never",
    "official_terms",
    "opponents_of",
    "parse_player",
    "player_kinds",
    "strength_of",
]
