"""Where the lasers of a board shine, as far as no robot is in their way."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.jit import plain

from ..damage import laser_place
from ..tables import RoboDerbyTables

__all__ = ["beams_on_squares"]


def beams_on_squares(tables: RoboDerbyTables, record: Any) -> np.ndarray:
    """``int64[squares]``: how many lasers of the board hit a robot on each square, in every register."""
    beams = np.zeros(tables.squares, np.int64)
    for laser in range(len(tables.board_lasers)):
        square, direction = (int(number) for number in plain(laser_place)(tables, record, laser))
        beams[square] += 1
        while (int(record.walls[square]) >> direction) & 1 == 0:
            square += int(tables.step[direction])
            beams[square] += 1
    return beams
