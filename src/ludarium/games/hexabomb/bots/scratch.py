"""The arrays that compiled players of hexabomb work in, as compiled code makes none."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..tables import Tables


class Scratch(NamedTuple):
    """What is found out about one position for one player. All are ``int64``."""

    # By cell; turns are counted from now, 1 being the turn that is chosen for.
    danger: np.ndarray  # bit k is set when the cell explodes at the end of turn k
    survival: np.ndarray  # bit k is set when who stands there at the end of turn k can live on
    own_reach: np.ndarray  # 1 where a bomb of the player's will explode
    hit: np.ndarray  # what may explode within two turns whatever the others do
    foe_distance: np.ndarray  # moves that the nearest character of another player needs
    distance: np.ndarray  # moves from where a search began
    step: np.ndarray  # the first move on the way there, 1 to 6
    queue: np.ndarray
    taken: np.ndarray  # 1 where the team's characters are, will be, or have to be able to flee to
    weight: np.ndarray  # what painting the cell is worth
    gain: np.ndarray  # what a bomb of the longest range is worth there
    bomb_time: np.ndarray  # by bomb, of which a cell has one at most: at the end of which turn it explodes, chains included
    # By character.
    orders: np.ndarray  # what was chosen
    target: np.ndarray  # the cell where the order leads
    wish: np.ndarray  # 1: would like to drop a bomb where it stands
    tentative: np.ndarray  # [characters, 2]: the two cells of an escape that a bomb would need
    escape: np.ndarray  # [characters, 3]: how it leaves the reach of its team's bomb: the turn, the cell to enter then, the one after


def make_scratch(tables: Tables) -> Scratch:
    """Arrays for one player (or one search) in a game with these tables. Only ``escape`` lives on from turn to turn."""
    by_cell, by_character = np.zeros((12, tables.cells), np.int64), np.zeros((3, tables.characters), np.int64)
    escape = np.full((tables.characters, 3), -1, np.int64)
    return Scratch(*by_cell, *by_character, tentative=np.zeros((tables.characters, 2), np.int64), escape=escape)
