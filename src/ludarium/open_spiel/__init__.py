"""Ludarium's games in OpenSpiel: as its algorithms see them."""

from .game import SpielGame, SpielState, register, spiel_game, spiel_name

__all__ = ["SpielGame", "SpielState", "register", "spiel_game", "spiel_name"]
