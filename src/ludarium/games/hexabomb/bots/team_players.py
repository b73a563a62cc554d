"""The players that look at the position once: painter, bomber, and hunter, the special player of sudden death."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ludarium.core.game import Action, Game, State
from ludarium.core.random import generator_from
from ludarium.errors import BadOption
from ludarium.players import Player, never

from ..tables import NOTHING
from .deciding import decide
from .scratch import make_scratch


def action_of(state: State, player: int, orders: np.ndarray) -> Action:
    """The action that consists of orders (``int64[characters]``, by character)."""
    tables, game = state.game.tables, state.game
    first, last = int(tables.first[player]), int(tables.first[player + 1])
    index = [*orders[first:last].tolist(), *[NOTHING] * (game.dimensions.slots - last + first)]
    return state.action(tuple(index) if game.dimensions.slots > 1 else index[0], player)


class _TeamPlayer(Player):
    """One look at the position, one order for each character. On the special player's seat in sudden death it hunts, whatever it is."""

    bombs = 1

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        self._tables = game.tables
        self._scratch = make_scratch(game.tables)
        self._states = np.zeros(2, game.dtype)
        self._generator = generator_from(seed)

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        self._states[0] = state.record
        decide(self._tables, self._states[:1], self._states[1:], player, self.bombs, self._scratch, self._generator)
        return action_of(state, player, self._scratch.orders)


class PainterPlayer(_TeamPlayer):
    """Walks to the nearest cells that are not its own, out of the way of explosions."""

    bombs = 0


class BomberPlayer(_TeamPlayer):
    """Drops bombs where they gain most and only where they cannot kill its own team, and paints on the way. In sudden death it keeps out of explosions."""


class HunterPlayer(_TeamPlayer):
    """Drops bombs that leave others the fewest ways to survive, and goes where they are. On a normal player's seat it plays as bomber does."""

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        """Prepare for a game.

        Raises:
            BadOption: there is no special player.
        """
        if not game.tables.special:
            raise BadOption("player hunter: it is the special player of sudden death; give the game mode=sudden-death")
        super().__init__(game, options, seed)
