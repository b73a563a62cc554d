"""The solo racer's way to program, compiled: for simulations, and for hands that its exact tables do not know.

Without locked registers, where all remaining dice are rolled again, it is exact. Otherwise it fills the registers as well as it can without rolling again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.jit import compiled, kernel, subroutine
from ludarium.core.random import random_below

from ..phases.programming import hand, open_registers, place_die, roll_dice, ways_to_fall
from ..tables import LOCKED, REGISTERS
from .hands import first_action, list_ways, place_of_hand, read_hand, roll_action

ROLL_NOW = -1
"""Stands for rolling the dice before another one is placed."""

ALIKE = 1e-9


@compiled
def _is_free(state: Any, robot: Any) -> Any:
    """Whether none of a robot's registers is locked. The last one is the first to be."""
    return int(state.register_slot[robot, REGISTERS - 1]) != LOCKED


@subroutine
def _best_way(tables: Any, state: Any, robot: Any, solo: Any, scratch: Any, generator: Any) -> Any:
    """The way (a code of ``solo_tables``) that leaves the fewest expected turns, by lot among the best; ROLL_NOW where that is best."""
    place = place_of_hand(tables, state, robot, solo)
    read_hand(state, robot, scratch)
    if place < 0:
        place = solo.dead[0]  # it does not matter
    count = list_ways(state, robot, place, solo, scratch)
    chosen, alike = 0, 0
    least = np.inf
    for way in range(count):
        if scratch.values[way] < least - ALIKE:
            chosen, alike, least = way, 1, scratch.values[way]
        elif scratch.values[way] < least + ALIKE or least == np.inf:
            alike += 1
            if random_below(generator, alike) == 0:
                chosen = way
    if int(state.placed[robot]) == 1 and _is_free(state, robot) and solo.again[place, hand(state, robot)] < least - ALIKE:
        return ROLL_NOW
    return scratch.codes[chosen]


@compiled
def roll_again(state: Any, robot: Any, generator: Any) -> None:
    """Roll a robot's dice that are in no register."""
    dice = hand(state, robot)
    state.rolling[robot] = dice
    state.placed[robot] = 0
    roll_dice(state, robot, random_below(generator, ways_to_fall(dice)))


@compiled
def enact(state: Any, robot: Any, code: Any) -> None:
    """Place the dice of a way."""
    while code > 0:
        word = (code & 15) - 1
        place_die(state, robot, word >> 1, word & 1 == 1)
        code >>= 4


@subroutine
def complete_program(tables: Any, state: Any, robot: Any, solo: Any, scratch: Any, generator: Any) -> None:
    """Go on with a robot's program, whose dice are rolled, until it is locked in, rolling again where that is best."""
    while open_registers(state, robot) > 0:
        way = _best_way(tables, state, robot, solo, scratch, generator)
        if way != ROLL_NOW:
            enact(state, robot, way)
        if open_registers(state, robot) > 0:
            roll_again(state, robot, generator)


@kernel()
def policy_kernel(tables: Any, states: Any, player: Any, solo: Any, scratch: Any, generator: Any) -> Any:
    """The action in ``states[0]`` of a player who is programming."""
    way = _best_way(tables, states[0], player, solo, scratch, generator)
    return roll_action(tables, states[0], player) if way == ROLL_NOW else first_action(way)
