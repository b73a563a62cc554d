"""A player who looks one action ahead."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from ludarium.core.game import Action, Game, State
from ludarium.errors import BadOption, LudariumError
from ludarium.search import check_one_ply_plays, one_ply

from .base import Player, never


class GreedyPlayer(Player):
    """Chooses the action after which the game's evaluation is best; the seed decides between equal ones."""

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        """Prepare for a game.

        Raises:
            BadOption: the game has no evaluation, or its players give several orders at once.
        """
        try:
            check_one_ply_plays(game)
        except LudariumError as problem:
            raise BadOption(f"player greedy: {problem}") from None
        self._random = random.Random(seed)
        self._draws = random.Random(f"draws of {seed}")

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        return self._random.choice(near_best(state, player, 0, self._draws.getrandbits(32)))


def near_best(state: State, player: int, margin: int, seed: int = 0) -> list[Action]:
    """The actions whose value one ply ahead is at most ``margin`` below the best. ``seed``: of what must be drawn for that."""
    scored = one_ply(state, player, seed)
    best = max(score for _, score in scored)
    return [action for action, score in scored if score >= best - margin]
