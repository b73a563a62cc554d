"""OpenSpiel's Monte Carlo tree search as a player."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ludarium.core.game import Action, Game, State
from ludarium.core.options import Option
from ludarium.errors import BadOption

from .base import Player, TimeLeft, never

if TYPE_CHECKING:
    from ludarium.open_spiel.search import Search

NAME = "openspiel-mcts"

OPTIONS = (
    Option("sims", "whole number", 100, "simulations a turn, each with one random game to the end", minimum=2, shared_maximum=1000),
    Option("exploration", "number", 2.0, "how much it tries what it has tried little: the constant of UCT", minimum=0),
)


class OpenSpielMctsPlayer(Player):
    """The search of ``open_spiel.python.algorithms.mcts``, which plays games without dice or secrets in which one player is to move."""

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        """Prepare for a game.

        Raises:
            BadOption: OpenSpiel is not installed, or this search cannot play the game.
        """
        if game.dimensions.max_outcomes or game.dimensions.slots > 1 or game.secrets is not None or len(game.start().to_move) > 1:
            raise BadOption(f"player {NAME}: {game.title} has dice, secrets or players who act together, which it does not play")
        if find_spec("pyspiel") is None:
            raise BadOption(f"player {NAME}: OpenSpiel is not installed; pip install 'ludarium[rl]'")
        self._game, self._options, self._seed = game, options, seed

    def prepare(self, state: State, player: int, time_left: TimeLeft | None = None) -> None:
        _ = self._search

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        actions = state.actions(player)
        return actions[0] if len(actions) == 1 else state.action(self._search.best(state, interrupted), player)

    @cached_property
    def _search(self) -> Search:
        from ludarium.open_spiel.search import Search  # OpenSpiel and what it needs take a second to load

        return Search(self._game, self._options["sims"], self._options["exploration"], self._seed)
