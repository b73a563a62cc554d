"""A player who looks one action ahead."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from ludarium.core.game import Action, Game, State
from ludarium.errors import BadOption, LudariumError
from ludarium.search import check_alphabeta_plays, one_ply

from .base import Player, never

__all__ = ["GreedyPlayer", "near_best", "refuse_unfit"]


class GreedyPlayer(Player):
    """Chooses the action after which the game's evaluation is best; the seed decides between equal ones."""

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        """Prepare for a game.

        Raises:
            BadOption: the game has no evaluation, or is none for alpha-beta.
        """
        refuse_unfit("greedy", game)
        self._random = random.Random(seed)

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        return self._random.choice(near_best(state, 0))


def near_best(state: State, margin: int) -> list[Action]:
    """The actions whose value one ply ahead is at most ``margin`` below the best."""
    scored = one_ply(state)
    best = max(score for _, score in scored)
    return [action for action, score in scored if score >= best - margin]


def refuse_unfit(name: str, game: Game) -> None:
    """Say in terms of the player that it cannot play a game.

    Raises:
        BadOption: it cannot.
    """
    try:
        check_alphabeta_plays(game)
    except LudariumError as problem:
        raise BadOption(f"player {name}: {problem}") from None
