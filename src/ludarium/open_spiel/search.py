"""OpenSpiel's Monte Carlo tree search, which can be interrupted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from open_spiel.python.algorithms import mcts

from ludarium.core.game import Game, State

from .game import SpielState, spiel_game


class Search:
    """One game's searches. Leaves are evaluated by a random game to its end. Equal seeds give equal actions."""

    def __init__(self, game: Game, simulations: int, exploration: float, seed: int) -> None:
        self._set_up(game, simulations, exploration, np.random.RandomState(np.random.MT19937(seed)))

    def _set_up(self, game: Game, simulations: int, exploration: float, chance: np.random.RandomState) -> None:
        self._given = game, simulations, exploration, chance
        self._game = spiel_game(game)
        self._rollouts = _Rollouts(chance)
        self._bot = mcts.MCTSBot(self._game, exploration, simulations, self._rollouts, random_state=chance)

    def __getstate__(self) -> Any:
        """Leave out OpenSpiel's bot, which can't be pickled and has no state but its random numbers."""
        return self._given

    def __setstate__(self, state: Any) -> None:
        self._set_up(*state)

    def best(self, state: State, interrupted: Callable[[], bool]) -> int:
        """The index of the action that it plays; once interrupted, of the one that it has tried most."""
        self._rollouts.begin(interrupted)
        try:
            return int(self._bot.step(SpielState(self._game, state)))
        except _Interrupted:
            return self._rollouts.most_tried(state.legal())


class _Interrupted(Exception):
    """The thought is to end."""


class _Rollouts(mcts.RandomRolloutEvaluator):
    """Counts what was tried first, and ends the search when asked to."""

    def __init__(self, chance: np.random.RandomState) -> None:
        super().__init__(1, chance)
        self.begin(lambda: False)

    def begin(self, interrupted: Callable[[], bool]) -> None:
        self._interrupted = interrupted
        self._tried: Counter[int] = Counter()

    def most_tried(self, legal: list[int]) -> int:
        return max(legal, key=lambda action: self._tried[action])

    def evaluate(self, state: Any) -> Any:
        if self._interrupted():
            raise _Interrupted
        self._tried.update(state.history()[:1])
        return super().evaluate(state)
