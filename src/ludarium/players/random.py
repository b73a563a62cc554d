"""A player without a plan."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, cast

from ludarium.core.game import Action, Game, State

from .base import Player, never

__all__ = ["RandomPlayer"]


class RandomPlayer(Player):
    """Chooses uniformly among the legal actions; where a player gives several orders at once, each of them by itself."""

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        if state.game.slots == 1:
            return self._random.choice(state.actions(player))
        orders = (self._random.choice(state.actions(player, slot)).index for slot in range(state.game.slots))
        return state.action(tuple(cast("int", order) for order in orders), player)
