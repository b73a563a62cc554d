"""The arrays of racer's search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..tables import DTYPE, REGISTERS, ROBOTS

PROGRAMS = 512
"""Most of the own ways that fill the registers: those with the fewest expected turns, if nobody interferes."""

ROLLING = 96
"""Most of those that place some dice and roll the others again."""

SCENARIOS = 24
"""So many hands are imagined for each opponent."""

REPLIES = 6
"""Programs of each of these hands: what the solo racer would make of it, rolling again where that is best, and others with few expected turns."""


class Search(NamedTuple):
    """What is known about one decision; the shape comes first. An *option* is what is to be decided: a way, a target, or whether to shut down."""

    counts: np.ndarray  # int64[2]: options there are, simulations made
    codes: np.ndarray  # int64[options]: ways, see solo_tables; 0 is to roll at once
    turns: np.ndarray  # float64[options]: expected turns to come after this one, if nobody interferes
    prior: np.ndarray  # float64[options]: the utility that follows from them
    visits: np.ndarray  # int64[options]
    sums: np.ndarray  # float64[options]: of the utilities of the visits
    replies: np.ndarray  # int64[4, SCENARIOS, REPLIES, 4]: robots' registers, packed
    reply_count: np.ndarray  # int64[4, SCENARIOS]: 0 for a robot that has nothing to decide
    reply_visits: np.ndarray  # int64[4, SCENARIOS, REPLIES]
    reply_sums: np.ndarray  # float64[4, SCENARIOS, REPLIES]: of the utilities for that robot
    surprise: np.ndarray  # float64[1]: the sum of how much the utilities of simulations were above the priors
    picked: np.ndarray  # int64[4]: the reply of each robot in a simulation
    states: np.ndarray  # DTYPE[3]: what is known, the beginning of simulations, and a simulation


def make_search() -> Search:
    """Arrays for one player."""
    options = PROGRAMS + ROLLING + 1
    replies = (ROBOTS, SCENARIOS, REPLIES)
    return Search(
        np.zeros(2, np.int64),
        np.zeros(options, np.int64),
        np.zeros(options),
        np.zeros(options),
        np.zeros(options, np.int64),
        np.zeros(options),
        np.zeros((*replies, REGISTERS), np.int64),
        np.zeros(replies[:2], np.int64),
        np.zeros(replies, np.int64),
        np.zeros(replies),
        np.zeros(1),
        np.zeros(ROBOTS, np.int64),
        np.zeros(3, DTYPE),
    )
