"""Search by a neural network's preferences and values, in many games at once, with few simulations.

It is the search of Gumbel AlphaZero: I. Danihelka, A. Guez, J. Schrittwieser, D. Silver, "Policy improvement by planning with Gumbel", ICLR 2022. Some of the
root's actions are drawn without replacement by the network's probabilities; sequential halving shares the simulations out among them; below the root the
search follows the improved policy. What it answers improves on the network's own policy even with two simulations.

All games' positions that the network is to be asked about are handed over at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludarium.core.game import Game
from ludarium.errors import BadOption

from ..checks import check_whole, never
from .kernel import answer, consider, learn, plant, walk
from .trees import new_leaves, new_trees

__all__ = ["CONSIDERED", "Evaluate", "Found", "GumbelSearch", "check_gumbel_plays"]

CONSIDERED = 16
"""Actions of a root that are looked at, by default."""

Evaluate = Callable[[NDArray[np.float32]], tuple[NDArray[np.float32], NDArray[np.float32]]]
"""What a network says of observations, ``float32[R, *observation_shape]``: logits of all actions, legal or not (``float32[R, action_space]``), and the
expected returns of the players who are to move there (``float32[R]``)."""


class _Scratch(NamedTuple):
    """Room for one search."""

    states: np.ndarray  # the game's dtype[1]
    joint: np.ndarray  # int64[players, 1]
    actions: np.ndarray  # int64[max_actions]
    policy: np.ndarray  # float64[max_actions]
    values: np.ndarray  # float64[players]


@dataclass(frozen=True)
class Found:
    """What searches of k positions have found. Where L actions are legal, the first L columns say something."""

    actions: NDArray[np.int64]
    """``[k]``: the chosen ones."""
    counts: NDArray[np.int64]
    """``[k]``: how many actions are legal."""
    legal: NDArray[np.int32]
    """``[k, max_actions]``: these."""
    policies: NDArray[np.float32]
    """``[k, max_actions]``: their probabilities by the improved policy."""


class GumbelSearch:
    """Searches positions of many games side by side. It keeps the memory that it needs; one is for one thread. A copy gets memory of its own."""

    def __init__(self, game: Game, games: int, *, simulations: int, considered: int = CONSIDERED) -> None:
        """Make room.

        Args:
            games: of how many games positions are searched at once.
            simulations: in each of them, from 0: then the network alone chooses.
            considered: among how many actions of a root the search chooses at most, from 2.

        Raises:
            BadOption: a number out of these bounds, or a game that this search cannot play.
        """
        check_gumbel_plays(game)
        check_whole("gumbel search: games", games, 1)
        check_whole("gumbel search: simulations", simulations, 0)
        check_whole("gumbel search: considered", considered, 2)
        size = game.dimensions
        self.game = game
        self.simulations = simulations
        self._games, self._considered = games, considered
        self._trees = new_trees(games, simulations, considered, size.max_actions)
        self._leaves = new_leaves(games * min(considered, size.max_actions), simulations, size.observation_shape)
        self._scratch = _Scratch(
            states=np.zeros(1, game.dtype),
            joint=np.zeros((game.players, 1), np.int64),
            actions=np.zeros(size.max_actions, np.int64),
            policy=np.zeros(size.max_actions),
            values=np.zeros(game.players),
        )

    def __reduce__(self) -> Any:
        """Leave out the memory: no search depends on an earlier one."""
        return partial(type(self), simulations=self.simulations, considered=self._considered), (self.game, self._games)

    def run(
        self,
        states: NDArray[Any],
        which: NDArray[np.int64],
        evaluate: Evaluate,
        generators: NDArray[np.uint64] | None = None,
        noisy: NDArray[np.bool_] | None = None,
        interrupted: Callable[[], bool] = never,
    ) -> Found:
        """Search positions of which none is over.

        Args:
            states: the game's dtype ``[games]``.
            which: which of them, k different numbers.
            generators: ``uint64[games, 1]``: of the noise by which actions are drawn; None: no noise, so that the same position has the same answer.
            noisy: ``bool[games]``: where there is noise; None: everywhere.
            interrupted: asked before every evaluation; once it says yes, the searches answer with what they have.
        """
        tables, trees, leaves, scratch = self.game.tables, self._trees, self._leaves, self._scratch
        if generators is None:
            generators, noisy = np.zeros((len(states), 1), np.uint64), np.zeros(len(states), np.bool_)
        noisy = np.ones(len(states), np.bool_) if noisy is None else noisy
        plant(tables, trees, states, which, scratch, leaves)
        self._ask(evaluate, len(which))
        consider(trees, which, generators, noisy, scratch.policy)
        while not interrupted():
            rows, tries = walk(tables, trees, states, which, self.simulations, scratch, leaves)
            if not tries:
                break
            if rows:
                self._ask(evaluate, rows)
        size = len(which), self.game.dimensions.max_actions
        found = Found(
            np.zeros(size[0], np.int64),
            np.zeros(size[0], np.int64),
            np.zeros(size, np.int32),
            np.zeros(size, np.float32),
        )
        answer(trees, which, scratch, found.actions, found.counts, found.legal, found.policies)
        return found

    def _ask(self, evaluate: Evaluate, rows: int) -> None:
        logits, values = evaluate(self._leaves.observations[:rows])
        learn(self._trees, self._leaves, rows, logits, values)


def check_gumbel_plays(game: Game) -> None:
    """Refuse a game that this search cannot play.

    Raises:
        BadOption: it is not for two players who move in turn, without dice and secrets.
    """
    if (
        game.players != 2
        or game.dimensions.max_outcomes
        or game.dimensions.slots > 1
        or game.secrets is not None
        or len(game.start().to_move) > 1
    ):
        raise BadOption(
            f"this search plays games of two players who move in turn, without dice and secrets; {game.title} with these options is none"
        )
