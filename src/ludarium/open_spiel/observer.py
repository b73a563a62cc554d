"""What OpenSpiel's algorithms are told of a player's knowledge, as numbers and as text."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludarium.core.game import Game


class Observer:
    """``tensor`` (``float32``, flat) and its parts by name in ``dict``: ``observation`` as the game gives it, and, where a player gives several orders,
    ``orders``: of those given, (index + 1) / how many actions there are.

    With perfect recall texts tell all that was seen so far, else what is seen now. Tensors always tell what is seen now. Where only what everybody may know
    is asked for, there is no tensor.
    """

    def __init__(self, game: Game, recalls: bool, watches: bool) -> None:
        size = game.dimensions
        self._space = size.action_space
        self._recalls = recalls
        self._watches = watches
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if watches:
            return
        shape = size.observation_shape
        given = size.slots if size.slots > 1 else 0
        self.tensor = tensor = np.zeros(int(np.prod(shape)) + given, np.float32)
        self.dict["observation"] = tensor[: len(tensor) - given].reshape(shape)
        if given:
            self.dict["orders"] = tensor[len(tensor) - given :]

    def set_from(self, state: Any, player: int) -> None:
        if self._watches:
            return
        step = state.step
        self.dict["observation"][:] = step.state.observation(player)
        if "orders" in self.dict:
            self.dict["orders"].fill(0)
            given = step.orders[player]
            self.dict["orders"][: len(given)] = (np.array(given, np.float32) + 1) / self._space

    def string_from(self, state: Any, player: int) -> str:
        viewer = None if self._watches else player
        return state.step.known(viewer) if self._recalls else state.step.text(viewer)
