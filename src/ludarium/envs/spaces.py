"""A game's observations and actions in the words of Gymnasium, on which the other libraries' environments stand too."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from ludarium.core.game import Game

FORFEIT = -1.0
"""The reward of an illegal action, which ends the game."""


def observation_space(game: Game) -> spaces.Space[Any]:
    return spaces.Box(-np.inf, np.inf, game.dimensions.observation_shape, np.float32)


def action_space(game: Game, ranks: bool) -> spaces.Discrete | spaces.MultiDiscrete:
    """Actions by their index, or by their place among the legal ones; an array of them where a player gives several orders."""
    size = game.dimensions.max_actions if ranks else game.dimensions.action_space
    return spaces.Discrete(size) if game.dimensions.slots == 1 else spaces.MultiDiscrete([size] * game.dimensions.slots)


def fresh_seed() -> int:
    """Until somebody seeds them, games differ from run to run."""
    return int(np.random.SeedSequence().generate_state(1)[0])
