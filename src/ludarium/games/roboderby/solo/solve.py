"""Expected turns to the finish for one robot alone that plays as well as possible, exactly: :func:`solve`.

The equations are ``value(place) = 1 + the best turn from there, with value(its end)``, 0 at the finish. Value iteration: each round computes the right side
for all places. A turn leads far, and seldom back, so that each round comes about four times closer to the answer. Nothing is sampled, nothing left out. Where
belts carry robots back again and again rounds come closer by little; then the way that is left is guessed from the last two, and rounds go on from there.

Where belts run, only some places have a finite value: see :mod:`.certainty`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .any_dice import Hands, hand_stage, new_hands
from .certainty import Turn, certain_places
from .course import Course
from .dice import DICE, SoloDice
from .sweep import Turns, new_scratch, new_turns, stage_1, stage_2, stage_3, stage_4, stage_5

EXACT = 1e-11
"""Where no place's equation is off by more, values are off by at most this times the turns that a race takes."""

LONG = 100.0
"""Where values are larger than so many turns, errors are counted by that much smaller: numbers are not more exact."""

FIRST_GUESS = 0.5
"""Turns a command, to begin with."""

FIRST_LEAP, BETWEEN_LEAPS = 48, 12
"""The round after which the way that is left is guessed for the first time, and how many rounds later again; each time half as long again."""

ALL_DICE = (1 << DICE) - 1

Progress = Callable[[int, float], None]
"""Told after each round: its number from 1, and how much the values still change, in turns."""


@dataclass(frozen=True, eq=False)
class Solution:
    """What a course is worth.

    ``values`` is ``float64[places]``: expected turns to the finish at the beginning of a turn, ∞ where it cannot be reached, or not for certain. ``error`` is
    by how much the equations are off at most, in turns; those of values above ``LONG`` in proportion.
    """

    values: np.ndarray
    error: float

    @property
    def is_exact(self) -> bool:
        return self.error <= EXACT


def solve(
    course: Course,
    dice: SoloDice,
    *,
    reroll_any: bool = False,
    by_hands: bool = False,
    seconds: float | None = None,
    guess: np.ndarray | None = None,
    progress: Progress | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Solution:
    """The expected turns to the finish from every place of a course.

    Args:
        reroll_any: dice may be kept when others are rolled again (the option ``reroll=any``).
        by_hands: use tables over the faces of hands where multisets are enough too: the same values, in twice the time.
        seconds: stop after the round in which so much time has passed; the values are then as good as ``error`` says.
        guess: ``float64[places]``: the values to begin with: those of a solution of this course that was stopped.
        progress: told of every round.
    """
    started = clock()
    turn = _turn_of_hands(course, dice, reroll_any) if reroll_any or by_hands else _turn_of_multisets(course, dice)
    values = _first_values(course, dice, turn) if guess is None else guess.copy()
    racing = np.flatnonzero(np.isfinite(values[: course.on_board]) & ~course.is_finish[: course.on_board])
    rounds, error = 0, np.inf
    next_leap, gap = FIRST_LEAP, BETWEEN_LEAPS
    change, ratio = np.zeros(len(racing)), 0.0
    while error > EXACT and len(racing):
        if rounds == next_leap:
            next_leap, gap = next_leap + gap, gap + gap // 2
            if ratio < 1.0:
                values[racing] += change * (ratio / (1.0 - ratio))  # the sum of a geometric series
                values[course.dead] = values[course.next_turn[course.dead]]
        better = 1.0 + turn(end_values(course, values), racing)
        change = better - values[racing]
        before, error = error, float((np.abs(change) / np.maximum(1.0, better / LONG)).max())
        ratio = error / before
        values[racing] = better
        values[course.dead] = values[course.next_turn[course.dead]]
        rounds += 1
        if progress is not None:
            progress(rounds, error)
        if seconds is not None and clock() - started >= seconds:
            break
    return Solution(values, error if len(racing) else 0.0)


def _first_values(course: Course, dice: SoloDice, turn: Turn) -> np.ndarray:
    distances = course.distances(np.unique(dice.effects))
    hopeless = ~certain_places(course, dice, turn) if course.has_belts else distances < 0
    return np.where(hopeless, np.inf, np.where(distances > 0, 1 + FIRST_GUESS * distances, 0.0))


def end_values(course: Course, values: np.ndarray) -> np.ndarray:
    """``float64[places]``: what a turn's end is worth, from what the beginnings of turns are worth."""
    return np.where(course.is_finish, 0.0, values[course.next_turn])


def turn_tables(course: Course, dice: SoloDice, end: np.ndarray) -> Turns:
    """What is known of turns with some dice already placed, from what the ends of turns are worth."""
    turns = new_turns(course.count)
    _fill_turns(turns, course, dice, end)
    return turns


def _fill_turns(turns: Turns, course: Course, dice: SoloDice, end: np.ndarray) -> None:
    turns.end[:] = end
    places = np.arange(course.count)  # a turn may lead through places where it should not end
    stage_1(turns, course.successors, places)
    stage_2(turns, dice, course.successors, places)
    stage_3(turns, dice, course.successors, places)
    stage_4(turns, dice, new_scratch(), course.successors, places)


def _turn_of_multisets(course: Course, dice: SoloDice) -> Turn:
    """The best turns where all remaining dice are rolled again."""
    turns, scratch = new_turns(course.count), new_scratch()

    def turn(end: np.ndarray, places: np.ndarray) -> np.ndarray:
        _fill_turns(turns, course, dice, end)
        stage_5(turns, dice, scratch, course.successors, places)
        return turns.again[places, ALL_DICE]

    return turn


def _turn_of_hands(course: Course, dice: SoloDice, reroll_any: bool) -> Turn:
    """The best turns, whether all of the remaining dice are rolled again or any of them."""
    hands, anywhere = new_hands(course.count), np.arange(course.count)

    def turn(end: np.ndarray, places: np.ndarray) -> np.ndarray:
        hand_tables(hands, dice, course.successors, end, [anywhere, anywhere, anywhere, places], reroll_any=reroll_any)
        return hands.again[places, ALL_DICE]

    return turn


def hand_tables(
    hands: Hands, dice: SoloDice, successors: np.ndarray, end: np.ndarray, places: list[np.ndarray], *, reroll_any: bool
) -> None:
    """Fill the tables of hands: of pairs at the first of the lists of places, of triples at the second, and so on as far as there are lists.

    The places that one command leads to must be in the list before.
    """
    hands.one[:] = end[:, None, None]
    tables = (hands.one, hands.two, hands.three, hands.four, hands.four)
    for size, where in enumerate(places, 2):
        hand_stage(tables[size - 2], tables[size - 1], hands, dice, successors, where, size, int(reroll_any))
