"""Boards that may be turned and mirrored without changing the game."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Symmetries:
    """S images of every position; the first is the position itself."""

    cells: NDArray[np.int64]
    """``[S, cells]``: where each cell of the observations' planes goes, in reading order."""
    actions: NDArray[np.int64]
    """``[S, action_space]``: what each action becomes."""


def square_symmetries(side: int) -> NDArray[np.int64]:
    """``int64[8, side²]``: where each cell of a square board goes when it is turned and mirrored."""
    cells = np.arange(side * side).reshape(side, side)
    turned = [np.rot90(cells, quarters) for quarters in range(4)]
    return np.stack([image.reshape(-1) for board in turned for image in (board, board[:, ::-1])])
