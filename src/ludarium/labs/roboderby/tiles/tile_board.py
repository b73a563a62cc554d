"""A tile as a board of its own, for what draws boards."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from ludarium.games.roboderby.options import Rules
from ludarium.games.roboderby.sheets.tiles import EAST, NORTH, SOUTH, WEST, Tile
from ludarium.games.roboderby.tables import DTYPE, make_tables


def tile_board(tile: Tile, *, closed: bool) -> Any:
    """What drawings ask of a state, ``game.tables`` and ``record``, for a board that is this one tile as its file shows it, before a race.

    On a ``closed`` one there are walls all around, where beams end; otherwise only those that the tile itself has there.
    """
    size = tile.size
    tables = make_tables(Rules())._replace(
        size=size,
        width=size,
        height=size,
        squares=size * size,
        step=np.array([-size, 1, size, -1], np.int64),
        place_column=np.zeros(1, np.int64),
        place_row=np.zeros(1, np.int64),
        board_lasers=np.insert(tile.lasers, 0, 0, axis=2).transpose(1, 0, 2),
    )
    record = np.zeros(1, DTYPE)[0]
    record.dealt, record.start_edge = 1, -1
    walls = tile.walls[0].reshape(size, size).copy()
    if closed:
        walls[0] |= NORTH
        walls[:, -1] |= EAST
        walls[-1] |= SOUTH
        walls[:, 0] |= WEST
    record.walls[: size * size] = walls.reshape(-1)
    record.kinds[: size * size] = tile.kinds[0]
    return SimpleNamespace(game=SimpleNamespace(tables=tables), record=record)
