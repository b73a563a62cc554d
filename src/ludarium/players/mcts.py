"""A player that searches by simulated games."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from ludarium.core.game import Action, Game, State
from ludarium.core.options import Option
from ludarium.errors import BadOption, LudariumError
from ludarium.search import can_evaluate, check_mcts_plays, mcts
from ludarium.search.mcts import MEGABYTES

from .base import Player, never

DEFAULT_SIMULATIONS = 10_000

CUTOFF = 4
"""Random steps before a game that can evaluate is evaluated. Of 16 games of Expendibots at equal time against playing to the end, it won 15."""

MCTS_OPTIONS = (
    Option(
        "sims",
        "whole number",
        None,
        f"simulations a turn ({DEFAULT_SIMULATIONS:,} unless time is given)",
        minimum=1,
        shared_maximum=1_000_000,
    ),
    Option("time", "seconds", None, "time a turn, instead of sims", minimum=0.001),
    Option("memory", "whole number", MEGABYTES, "megabytes that its tree may take, which then grows no more", minimum=1, shared_maximum=16),
)


class MctsPlayer(Player):
    """Chooses the action that Monte Carlo tree search tried most. Limited by simulations, equal seeds give equal games.

    Its simulations end with the evaluation of games that have one, and play other games to their end.
    """

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        """Prepare for a game.

        Raises:
            BadOption: both limits are given, or this search cannot play the game.
        """
        sims, seconds = options["sims"], options["time"]
        if sims is not None and seconds is not None:
            raise BadOption("player mcts: sims and time are two limits; give one of them")
        try:
            check_mcts_plays(game)
        except LudariumError as problem:
            raise BadOption(f"player mcts: {problem}") from None
        self._limits: dict[str, Any] = {
            "sims": DEFAULT_SIMULATIONS if seconds is None and sims is None else sims,
            "seconds": seconds,
            "megabytes": options["memory"],
        }
        self._cutoff = CUTOFF if can_evaluate(game) else None
        self._random = random.Random(seed)

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        actions = state.actions(player)
        if len(actions) == 1:
            return actions[0]
        seed = self._random.getrandbits(63)
        return mcts(state, player=player, **self._limits, seed=seed, cutoff=self._cutoff, interrupted=interrupted).actions[player]
