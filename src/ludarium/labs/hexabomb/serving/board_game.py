"""The game of the common interface that a networked game is, for whoever draws, records or plays it."""

from __future__ import annotations

from ludarium.games.hexabomb.game import MOST_PLAYERS, Hexabomb
from ludarium.games.hexabomb.maps import HexMap, map_json
from ludarium.games.hexabomb.notation.state_text import CLASSIC, SUDDEN_DEATH
from ludarium.games.hexabomb.tables import MAX_RECEPTIONS


def game_on(board: HexMap, players: int, special_players: int, turns: int, *, reception: str = "fixed") -> Hexabomb | None:
    """The game; None where the common interface has no such one: nobody but a special player takes part, or there are more than 62."""
    if players == 0 or players + special_players > MOST_PLAYERS:
        return None
    mode = SUDDEN_DEATH if special_players else CLASSIC
    if players + special_players > MAX_RECEPTIONS:
        reception = "fixed"
    return Hexabomb(map=map_json(board), players=players, mode=mode, turns=turns, reception=reception)
