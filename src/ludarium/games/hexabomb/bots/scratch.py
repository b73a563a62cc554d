"""The arrays that compiled players of hexabomb work in, as compiled code makes none."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..maps import MAX_CELLS
from ..tables import Tables

__all__ = ["Scratch", "make_scratch"]


class Scratch(NamedTuple):
    """What is found out about one position for one player. All are ``int64``; the shape comes first."""

    danger: (
        np.ndarray
    )  # [cells]: bit k is set when the cell explodes at the end of the k-th turn from now, 1 being the turn that is chosen for
    survival: np.ndarray  # [cells]: bit k is set when who stands there at the end of that turn can live on
    bomb_time: np.ndarray  # [bombs]: at the end of which turn it explodes, chains included
    own_reach: np.ndarray  # [cells]: 1 where a bomb of the player's will explode
    hit: np.ndarray  # [cells]: what may explode within two turns whatever the others do
    foe_distance: np.ndarray  # [cells]: moves that the nearest character of another player needs
    distance: np.ndarray  # [cells]: moves from where a search began
    step: np.ndarray  # [cells]: the first move on the way there, 1 to 6
    queue: np.ndarray  # [cells]
    taken: np.ndarray  # [cells]: 1 where the team's characters are, will be, or have to be able to flee to
    weight: np.ndarray  # [cells]: what painting the cell is worth
    gain: np.ndarray  # [cells]: what a bomb of the longest range is worth there
    orders: np.ndarray  # [characters]: what was chosen
    target: np.ndarray  # [characters]: the cell where the order leads
    wish: np.ndarray  # [characters]: 1: would like to drop a bomb where it stands
    escape: (
        np.ndarray
    )  # [characters, 3]: how a character leaves the reach of its team's bomb: the turn, the cell to enter then, the one after
    tentative: np.ndarray  # [characters, 2]: the two cells of an escape that a bomb would need


def make_scratch(tables: Tables) -> Scratch:
    """Arrays for one player (or one search) in a game with these tables. Only ``escape`` lives on from turn to turn."""

    def numbers(*shape: int) -> np.ndarray:
        return np.zeros(shape, np.int64)

    cells, characters = tables.cells, tables.characters
    return Scratch(
        danger=numbers(cells),
        survival=numbers(cells),
        bomb_time=numbers(MAX_CELLS),
        own_reach=numbers(cells),
        hit=numbers(cells),
        foe_distance=numbers(cells),
        distance=numbers(cells),
        step=numbers(cells),
        queue=numbers(cells),
        taken=numbers(cells),
        weight=numbers(cells),
        gain=numbers(cells),
        orders=numbers(characters),
        target=numbers(characters),
        wish=numbers(characters),
        escape=np.full((characters, 3), -1, np.int64),
        tentative=numbers(characters, 2),
    )
