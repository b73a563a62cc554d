"""The greedy player, compiled: it takes the program that leaves it the fewest commands from its finish, as if it were alone. What a belt does counts as one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.jit import compiled, kernel, subroutine
from ludarium.core.random import random_below
from ludarium.core.rules import legal_actions

from ..actions import SAY_RUN, SAY_SHUTDOWN
from ..sheets.dice import DICE, FACES
from ..sheets.tiles import BELTS
from ..solo.board import course_of
from ..solo.dice import solo_dice
from ..solo.tables import SoloTables, make_solo_tables
from ..tables import NOT_HERE, PHASE, RoboDerbyTables
from .hands import first_action, list_ways, place_of_hand, read_hand, roll_action

SHUT_DOWN_AT = 3
"""The health at which it shuts down."""

ROLLS = 6
"""So many rolls of the remaining dice are tried before they are rolled again."""


def command_distances(tables: RoboDerbyTables, record: Any, robot: int) -> SoloTables:
    """What greedy knows of the course of a robot of a state in which the robots have their letters: how many commands it is to the finish."""
    course, dice = course_of(tables, record, robot), solo_dice(tables.commands)
    distances = course.distances(np.unique(dice.effects)).astype(np.float64)
    distances[distances < 0] = np.inf
    again = np.full((course.count, 1 << DICE), np.inf)  # programs that end with a roll are no programs here
    start = course.place(course.start, course.heading)
    return make_solo_tables(course, dice, distances, again, float(distances[start]))


@subroutine
def greedy_action(tables: Any, state: Any, player: Any, solo: Any, scratch: Any, generator: Any) -> Any:
    """The action of a player who is to move; ``solo`` is what :func:`command_distances` makes for its robot."""
    phase = int(state.phase)
    if phase == PHASE.SHUTDOWN:
        return SAY_SHUTDOWN if _shuts_down(state, player, generator) else SAY_RUN
    if phase == PHASE.PROGRAM:
        place = place_of_hand(tables, state, player, solo)
        if place >= 0:
            return _programming(tables, state, player, place, solo, scratch, generator)
    return scratch.actions[random_below(generator, legal_actions(tables, state, player, 0, scratch.actions))]


@compiled
def _shuts_down(state: Any, player: Any, generator: Any) -> Any:
    """Damaged, it does; on a belt by lot only: it might be carried to and fro under a laser, and do nothing else for ever."""
    if int(state.health[player]) > SHUT_DOWN_AT:
        return False
    square = int(state.square[player])
    on_belt = square != NOT_HERE and BELTS[0] <= int(state.kinds[square]) <= BELTS[3]
    return not on_belt or random_below(generator, 2) == 0


@compiled
def _programming(tables: Any, state: Any, player: Any, place: Any, solo: Any, scratch: Any, generator: Any) -> Any:
    read_hand(state, player, scratch)
    count = list_ways(state, player, place, solo, scratch)
    chosen = 0
    alike = 1
    for way in range(1, count):
        if scratch.values[way] < scratch.values[chosen]:
            chosen, alike = way, 1
        elif scratch.values[way] == scratch.values[chosen]:
            alike += 1
            if random_below(generator, alike) == 0:
                chosen = way
    action = first_action(scratch.codes[chosen])
    best = scratch.values[chosen]
    if int(state.placed[player]) == 1 and _after_a_roll(state, player, place, solo, scratch, generator) < best:
        return roll_action(tables, state, player)
    return action


@compiled
def _after_a_roll(state: Any, player: Any, place: Any, solo: Any, scratch: Any, generator: Any) -> Any:
    """The mean of what some rolls of the dice in hand would be worth."""
    total = 0.0
    for _ in range(ROLLS):
        for die in range(DICE):
            if int(state.dice[player, die]) != 0:
                scratch.hand[die] = 1 + random_below(generator, FACES)
        best = np.inf
        for way in range(list_ways(state, player, place, solo, scratch)):
            best = min(best, scratch.values[way])
        total += best
    return total / ROLLS


@kernel()
def greedy_kernel(tables: Any, states: Any, player: Any, solo: Any, scratch: Any, generator: Any) -> Any:
    """:func:`greedy_action` in ``states[0]``."""
    return greedy_action(tables, states[0], player, solo, scratch, generator)
