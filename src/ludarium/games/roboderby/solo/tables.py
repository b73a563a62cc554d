"""What compiled code asks about racing alone: where a robot is, how many turns it has before it, and what every program of a hand is worth.

:class:`SoloTables` goes into kernels as an argument. The functions do not change anything.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.core.jit import compiled, subroutine

from .course import LAP, Course
from .dice import DICE, EFFECT_OF, SoloDice

MOST_PROGRAMS = 2490
"""As many ways as there are to place one to four of five dice, each as its command or as a NO-OP."""

WORDS = 2 * DICE
"""A die as a command or as a NO-OP: twice the die's number, and 1 more for a NO-OP."""

PATH_MASK = (1 << 16) - 1


class SoloTables(NamedTuple):
    """A course and what is known of it."""

    numbers: np.ndarray
    """``int64[laps, squares, 4]``: see :attr:`Course.numbers`."""
    successors: np.ndarray
    """``int64[places, 10]``: where a register with each effect leads, belts included"""
    effect_of: np.ndarray
    """``int64[12]``: the effect of each command."""
    effects: np.ndarray
    """``int64[5, 6]``: the effect of each face."""
    dead: np.ndarray
    """``int64[laps]``: the place of a robot that died with that progress."""
    end: np.ndarray
    """``float64[places]``: expected turns to come when a turn ends there."""
    again: np.ndarray
    """``float64[places, 32]``: expected turns to come, without the present one, when the dice of a mask are about to be rolled with one register fewer open.
    Where any dice may be rolled again this leaves aside that some can be kept."""
    least_lap: int
    has_lap: int
    """0 in the S-race."""
    lap_value: float
    """Expected turns of a whole lap: what is counted for each lap that a robot is further away than the tables go."""


def make_solo_tables(course: Course, dice: SoloDice, end: np.ndarray, again: np.ndarray, lap_value: float) -> SoloTables:
    return SoloTables(
        numbers=course.numbers,
        successors=course.successors,
        effect_of=np.array([EFFECT_OF[command] for command in range(len(EFFECT_OF))], dtype=np.int64),
        effects=dice.effects,
        dead=course.dead,
        end=end,
        again=again,
        least_lap=course.least_lap,
        has_lap=int(course.logic != "marker"),
        lap_value=lap_value,
    )


@compiled
def laps_beyond(solo: Any, lap: Any) -> Any:
    """How many whole laps a robot is behind what the tables know (above 0) or ahead of it (below 0)."""
    most = solo.least_lap + len(solo.numbers) - 1
    if solo.has_lap == 0:
        return 0
    if lap < solo.least_lap:
        return (solo.least_lap - lap + LAP - 1) // LAP
    return -((lap - most + LAP - 1) // LAP) if lap > most else 0


@compiled
def place_in(solo: Any, square: Any, heading: Any, lap: Any) -> Any:
    """The place of a robot on the board; −1 where the tables have none. Whole laps beyond the tables are left out."""
    shifted = 0 if solo.has_lap == 0 else lap + LAP * laps_beyond(solo, lap) - solo.least_lap
    return solo.numbers[shifted, square, heading]


@compiled
def turns_after(solo: Any, square: Any, heading: Any, lap: Any) -> Any:
    """Expected turns to come for a robot that ends its turn so, 0 at the finish."""
    place = place_in(solo, square, heading, lap)
    beyond = laps_beyond(solo, lap)
    if place < 0:
        return np.inf
    return solo.end[place] + (beyond if beyond > 0 else 0) * solo.lap_value


@compiled
def turns_if_destroyed(solo: Any, lap: Any) -> Any:
    """Expected turns to come for a robot that ends its turn destroyed, with the progress that it had."""
    return solo.end[solo.dead[0 if solo.has_lap == 0 else lap + LAP * laps_beyond(solo, lap) - solo.least_lap]]


@subroutine
def programs_of_hand(solo: Any, place: Any, hand: Any, registers: Any, suffix: Any, codes: Any, values: Any) -> Any:
    """All ways to place some dice of a hand and then, unless that filled the registers, to roll the others again; returns how many.

    Args:
        place: where the robot is when the first of the open registers is executed.
        hand: ``int64[5]``: the face (1 to 6) that each die in hand shows, 0 where it is not in hand.
        registers: how many are open; one fewer than there are dice in hand.
        suffix: ``int64[n]``: the effects of the locked registers, executed afterwards. With any there, only ways that fill the registers are listed.
        codes: ``int64[MOST_PROGRAMS]``: filled with programs, a digit to base 16 a placement, the first one lowest: 1 + twice the die (from 0), 1 more for a
            NO-OP.
        values: ``float64[MOST_PROGRAMS]``: filled with the expected turns to come after the present one.
    """
    left = 0
    for die in range(DICE):
        if hand[die] > 0:
            left |= 1 << die
    count, depth, word, code = 0, 0, 0, 0
    path = place  # the places before each placement, 16 bits each
    while True:
        if word == WORDS:  # back to the placement before
            if depth == 0:
                return count
            depth -= 1
            word = (code >> (4 * depth)) & 15
            code ^= word << (4 * depth)
            left |= 1 << ((word - 1) >> 1)
            continue
        die = word >> 1
        if (left >> die) & 1 == 0:
            word += 2
            continue
        effect = solo.effects[die, hand[die] - 1] if word & 1 == 0 else 0
        there = solo.successors[(path >> (16 * depth)) & PATH_MASK, effect]
        longer = code | (word + 1) << (4 * depth)
        if depth + 1 == registers or len(suffix) == 0:
            codes[count] = longer
            values[count] = solo.again[there, left ^ (1 << die)] if depth + 1 < registers else _worth(solo, there, suffix)
            count += 1
        word += 1
        if depth + 1 < registers:
            depth, word, code = depth + 1, 0, longer
            left ^= 1 << die
            path = (path & ((1 << (16 * depth)) - 1)) | there << (16 * depth)


@compiled
def _worth(solo: Any, place: Any, suffix: Any) -> Any:
    for position in range(len(suffix)):
        place = solo.successors[place, suffix[position]]
    return solo.end[place]
