"""A player without a plan."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from ludarium.core.game import Action, Game, State

from .base import Player, never


class RandomPlayer(Player):
    """Chooses uniformly among the legal actions; where a player gives several orders at once, each of them by itself."""

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        slots = state.game.dimensions.slots
        orders = tuple([self._random.choice(state.legal(player, slot)) for slot in range(slots)])
        return state.action(orders if slots > 1 else orders[0], player)
