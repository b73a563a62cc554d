"""How good it is for a robot how a turn has ended: the chance to win the race, from how many turns each robot has still before it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.jit import compiled, subroutine

from ..solo.tables import turns_after, turns_if_destroyed
from ..tables import FINISHED, LEFT, NOT_HERE, PHASE
from .damage_cost import damage_cost

MOST_TURNS = 60.0

SPREAD = 0.26
"""Two robots with n turns together before them arrive so many turns, times the root of n, earlier or later than expected: the scale of a logistic curve."""


@compiled
def chance_to_win(own: Any, other: Any) -> Any:
    """The chance to be first with so many expected turns against somebody with so many."""
    return 1.0 / (1.0 + np.exp((own - other) / (0.05 + SPREAD * np.sqrt(own + other))))


@compiled
def turns_of(state: Any, robot: Any, solo: Any) -> Any:
    """Expected turns of a robot at the beginning of a turn, damage counted in."""
    if int(state.square[robot]) == NOT_HERE:
        return min(MOST_TURNS, turns_if_destroyed(solo, int(state.lap[robot])))
    turns = min(MOST_TURNS, turns_after(solo, int(state.square[robot]), int(state.heading[robot]), int(state.lap[robot])))
    return turns + damage_cost(int(state.health[robot]), turns)


@subroutine
def utility(tables: Any, state: Any, robot: Any, solos: Any) -> Any:
    """The mean of a robot's chances against each of the others, from 0 to 1; alone, more for fewer turns."""
    finished = int(state.status[robot]) == FINISHED
    own = 0.0 if finished else turns_of(state, robot, solos[robot])
    if tables.players == 1:
        return 1.0 - own / (2.0 * MOST_TURNS)
    total = 0.0
    for other in range(tables.players):
        if other == robot:
            continue
        if int(state.status[other]) == LEFT:
            total += 1.0
            continue
        other_finished = int(state.status[other]) == FINISHED
        if finished and other_finished:
            mine, theirs = int(state.rank[robot]), int(state.rank[other])
            total += 0.5 if mine == theirs else 1.0 if mine < theirs else 0.0
        elif finished or other_finished:
            total += 1.0 if finished else 0.0
        elif int(state.phase) == PHASE.OVER:
            total += 0.5
        else:
            total += chance_to_win(own, turns_of(state, other, solos[other]))
    return total / (tables.players - 1)
