"""Games of self-play without a network."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ludarium.core.game import Game
from ludarium.search.gumbel import GumbelSearch
from ludarium.train.self_play import PlayedGame, Side, play_games


def self_play(game: Game, count: int, at_once: int = 16, **more: int) -> Iterator[PlayedGame]:
    """Games of a search whose network prefers nothing and expects nothing."""

    def evaluate(observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros((len(observations), game.dimensions.action_space), np.float32), np.zeros(len(observations), np.float32)

    side = Side(GumbelSearch(game, at_once, simulations=16), evaluate)
    settings = {"max_plies": 1000, "noisy_plies": 1000, "seed": 1} | more
    return play_games(
        game,
        range(count),
        lambda _: game.start(),
        lambda _: (side, side),
        at_once=at_once,
        is_kept=True,
        interrupted=lambda: False,
        **settings,
    )
