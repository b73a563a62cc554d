"""The arrays that compiled players of RoboDerby work in, as compiled code makes none."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..actions import ACTION_SPACE
from ..sheets.dice import DICE
from ..solo.tables import MOST_PROGRAMS
from ..tables import REGISTERS


class Scratch(NamedTuple):
    """What is found out about one hand of one robot; the shape comes first."""

    hand: np.ndarray  # int64[5]: the face that each die in hand shows, 0 where it is not in hand
    suffix: np.ndarray  # int64[4]: the effects of the locked registers
    codes: np.ndarray  # int64[MOST_PROGRAMS]: programs, see solo_tables
    values: np.ndarray  # float64[MOST_PROGRAMS]: what they are worth
    actions: np.ndarray  # int64[ACTION_SPACE]: legal actions


def make_scratch() -> Scratch:
    """Arrays for one player, or one search."""
    return Scratch(
        np.zeros(DICE, np.int64),
        np.zeros(REGISTERS, np.int64),
        np.zeros(MOST_PROGRAMS, np.int64),
        np.zeros(MOST_PROGRAMS),
        np.zeros(ACTION_SPACE, np.int64),
    )
