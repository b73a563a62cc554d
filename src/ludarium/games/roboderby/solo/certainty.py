"""From which places a robot alone comes to its finish for certain, sooner or later, if it plays well.

Without belts these are all places from which some commands lead there: a robot can wait for each of them. Belts allow no waiting: what leads to the finish
may have to be done in one turn, and bad luck with the dice may carry a robot to where there is no way out. From there on, and wherever that cannot be ruled
out, the expected number of turns is infinite.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .course import Course
from .dice import DICE, SoloDice

REGISTERS = DICE - 1

Turn = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""From what the ends of turns are worth (``float64[places]``) what the best turns from some places (their numbers) are worth."""


def certain_places(course: Course, dice: SoloDice, turn: Turn) -> np.ndarray:
    """``bool[places]``: the largest set from each of whose places turns can lead to the finish without leaving it, and no roll of the dice forces anybody out.

    In such a set, whoever plays what leads on when the dice allow it, and what stays in the set when not, finishes with certainty.
    """
    certain = np.ones(course.count, dtype=bool)
    while True:
        linked = _linked(course, dice, certain)
        racing = np.flatnonzero(linked[: course.on_board] & ~course.is_finish[: course.on_board])
        certain = linked.copy()
        certain[racing] = np.isfinite(turn(np.where(_ends_in(course, linked), 0.0, np.inf), racing))
        if np.array_equal(certain, linked):
            certain[course.dead] = certain[course.next_turn[course.dead]]
            return certain


def _ends_in(course: Course, places: np.ndarray) -> np.ndarray:
    """``bool[places]``: where a turn ends so that the race is over, or that the next turn begins at one of some places."""
    return course.is_finish | places[course.next_turn]


def _linked(course: Course, dice: SoloDice, certain: np.ndarray) -> np.ndarray:
    """``bool[places]``: those of some places on the board from which a chain of turns through them leads to the finish, each with some luck."""
    linked = course.is_finish.copy()
    while True:
        more = linked.copy()
        more[: course.on_board] |= (certain & _can_lead_to(course, dice, _ends_in(course, linked)))[: course.on_board]
        if np.array_equal(more, linked):
            return linked
        linked = more


def _can_lead_to(course: Course, dice: SoloDice, ends: np.ndarray) -> np.ndarray:
    """``bool[places]``: where four different dice can show something that leads to one of some ends, in an order, each as its command or as a NO-OP."""
    effects = [np.union1d(of_die, [0]) for of_die in dice.effects]
    after: dict[int, np.ndarray] = {}
    """By the dice (a mask) still to be executed, places by effect: whether after a register with that effect these dice can lead there."""
    result = np.zeros(course.count, dtype=bool)
    for mask in range((1 << DICE) - 1):  # all five are never executed
        now = ends
        if mask:
            now = np.logical_or.reduce([after[mask ^ (1 << die)][:, effects[die]].any(axis=1) for die in range(DICE) if mask >> die & 1])
        if mask.bit_count() < REGISTERS:
            after[mask] = now[course.successors]
        else:
            result |= now
    return result
