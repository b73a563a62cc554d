"""The player that counts commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludarium.core.game import Action, Game, State
from ludarium.core.random import generator_from
from ludarium.players import Player, never

from ..solo.tables import SoloTables
from ..tables import are_placed
from .courses import race_of
from .greedy import command_distances, greedy_kernel
from .scratch import make_scratch


class GreedyPlayer(Player):
    """Takes the program that leaves it the fewest commands from its finish, as if it were alone; rolls again when six rolls say that it helps."""

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        self._scratch = make_scratch()
        self._generator = generator_from(seed)
        self._known: tuple[Any, SoloTables] | None = None

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        if not are_placed(state.record):
            actions = state.actions(player)
            return actions[int(self._generator[0]) % len(actions)]
        solo = self._distances(state, player)
        index = greedy_kernel(state.game.tables, state.copy_records(), player, solo, self._scratch, self._generator)
        return state.action(int(index), player)

    def _distances(self, state: State, player: int) -> SoloTables:
        race = race_of(state.record, player)
        if self._known is None or self._known[0] != race:
            self._known = race, command_distances(state.game.tables, state.record, player)
        return self._known[1]
