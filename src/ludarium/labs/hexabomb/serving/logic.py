"""hexabomb as a game logic of netorcai."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ludarium.games.hexabomb.maps import HexMap
from ludarium.games.hexabomb.simulation import Simulation
from ludarium.netorcai.messages import PlayerActions

MOST_ORDERS = 10_000
"""Orders in one message that are looked at. A player has 64 characters at most."""


class HexabombLogic:
    """One game on a map; see :class:`ludarium.netorcai.logic.GameLogic`."""

    def __init__(self, board: HexMap) -> None:
        self.board = board
        self.simulation: Simulation | None = None
        """The game, once it has begun."""
        self.on_rejected: Callable[[int, str], None] | None = None
        """Is called with a player's number and a reason for every wrong order; to be set before the game begins."""

    def initial_state(self, players: int, special_players: int, turns: int) -> bytes:
        """Begin. The game is sudden death with a special player.

        Raises:
            BadOption: the map has no places for so many.
        """
        self.simulation = Simulation(self.board, players, special_players, self.on_rejected)
        return self.simulation.json()

    def turn(self, players_actions: Sequence[PlayerActions]) -> tuple[bytes, int]:
        simulation = self.simulation
        assert simulation is not None
        simulation.play({"player_id": one.player_id, "actions": self._few(one)} for one in players_actions)
        return simulation.json(), simulation.winner

    def _few(self, one: PlayerActions) -> list[Any]:
        """A player's orders, of very many the first: no turn stands still for millions of them."""
        if len(one.actions) > MOST_ORDERS and self.on_rejected is not None:
            self.on_rejected(one.player_id, f"More than {MOST_ORDERS:,} actions in one message: the others are not looked at")
        return one.actions[:MOST_ORDERS]

    def warm_up(self) -> None:
        """Compile, or load, what a turn needs, so that the first one is as quick as the others."""
        one = Simulation(self.board, 1)
        one.play([{"player_id": 0, "actions": [{"id": 0, "movement": "move", "direction": "x+"}]}])
        one.json()
