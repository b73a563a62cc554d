"""Whole games from what clients sent: the original's states and winners, turn by turn."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ludarium.core.faces import normalised

from .maps import HexMap, check_players, load_map, read_map
from .notation.state_json import state_json
from .orders import Order, order_number, read_orders, why_not_carried_out, why_not_tried
from .rules import winner_of
from .tables import DTYPE, NOTHING, make_tables, place_start
from .turn import BLOCKED, DONE, play_received


class Simulation:
    """One game on the way, as a game logic plays it: orders as they were received, in any form, change the state."""

    def __init__(
        self,
        map: HexMap | Mapping[str, Any] | str,
        nb_players: int,
        nb_special_players: int = 0,
        on_rejected: Callable[[int, str], None] | None = None,
    ) -> None:
        """Begin a game.

        Args:
            map: a map, its JSON as Python values, or what :func:`.maps.load_map` takes.
            nb_players: normal players, 0 allowed; they come after the special one.
            nb_special_players: 1 is sudden death.
            on_rejected: called with a player's number and a reason, for every order that is not even tried, or tried and refused.

        Raises:
            BadOption: no map, or one that has no places for so many players.
        """
        board = map if isinstance(map, HexMap) else load_map(map) if isinstance(map, str) else read_map(map)
        check_players(board, nb_players, nb_special_players)
        self.tables = normalised(make_tables(board, nb_players, nb_special_players, 0, random_reception=False))
        self.states = np.zeros(1, DTYPE)
        """The state, shape ``(1,)``: a record of :data:`.tables.DTYPE`."""
        place_start(self.tables, self.states[0])
        self._owners: list[int] = self.tables.owner.tolist()
        self._last: list[tuple[Order, int]] = []
        self._on_rejected = on_rejected or _ignore

    def play(self, received: Iterable[Mapping[str, Any]]) -> None:
        """Play one turn.

        Args:
            received: messages ``{"player_id": …, "actions": […]}`` in the order in which they came; other keys are not looked at.
        """
        orders = [(message["player_id"], order) for message in received for order in self._tried(message["player_id"], message["actions"])]
        numbers = np.array([order for _, order in orders], np.int64).reshape(-1, 4)
        positions, revive_delays = (self.states[name][0].tolist() for name in ("position", "revive_delay"))
        results = np.zeros(len(orders), np.int64)
        play_received(self.tables, self.states, numbers, results)
        self._last = [(order, result) for (_, order), result in zip(orders, results.tolist(), strict=True)]
        for (player, order), result in zip(orders, results.tolist(), strict=True):
            if result not in (DONE, BLOCKED):
                cell, delay = positions[order.character], revive_delays[order.character]
                self._on_rejected(player, why_not_carried_out(self.tables, order, result, cell, delay))

    def _tried(self, player: int, actions: Sequence[Any]) -> Iterator[Order]:
        """The orders of one message that may be tried."""

        def reject(reason: str) -> None:
            self._on_rejected(player, reason)

        owners = self._owners
        for order in read_orders(actions, reject):
            if 0 <= order.character < len(owners) and owners[order.character] == player:
                yield order
            else:
                reject(why_not_tried(self.tables, player, order.character))

    @property
    def carried_out(self) -> dict[int, tuple[int, ...]]:
        """What was carried out of the last turn's orders: every player's action in the common interface.

        These actions lead to the same state there, whatever the order of reception; but bombs of one player are listed by their characters' numbers.
        """
        tables = self.tables
        slots = int(np.diff(tables.first).max(initial=0))
        found = {player: [NOTHING] * slots for player in range(tables.players)}
        for order, result in self._last:
            if result == DONE:
                player = self._owners[order.character]
                found[player][order.character - int(tables.first[player])] = order_number(int(tables.width[player]), order)
        return {player: tuple(orders) for player, orders in found.items()}

    @property
    def turn(self) -> int:
        """How many turns have been played."""
        return int(self.states[0].turn)

    @property
    def winner(self) -> int:
        """The player with the highest score, never the special one; −1 if several have it."""
        return winner_of(self.tables, self.states[0])

    def json(self) -> bytes:
        """The state as the original sends it, in one line."""
        return state_json(self.tables, self.states)

    def state(self) -> dict[str, Any]:
        """The same as Python values."""
        return json.loads(self.json())


def _ignore(player: int, reason: str) -> None:
    pass


def simulate(
    map: HexMap | Mapping[str, Any] | str,
    nb_players: int,
    nb_special_players: int,
    turns: Iterable[Iterable[Mapping[str, Any]]],
    on_rejected: Callable[[int, str], None] | None = None,
) -> Iterator[tuple[dict[str, Any], int | None]]:
    """Play a game of recorded turns: yields the state and the winner (None at the start, −1 for nobody), one pair for the start and one a turn.

    Args:
        map: as for :class:`Simulation`, likewise ``nb_players``, ``nb_special_players`` and ``on_rejected``.
        turns: for each turn the messages in the order of their reception.

    Raises:
        BadOption: no map, or one that has no places for so many players.
    """
    game = Simulation(map, nb_players, nb_special_players, on_rejected)
    yield game.state(), None
    for received in turns:
        game.play(received)
        yield game.state(), game.winner
