"""What each choice of a player is worth in the middle of programming, for one robot alone: place a die, or roll again.

Computed anew for each hand, over the few places that can still be reached in the turn: so locked registers, which are executed afterwards, change nothing
but the ends of turns, and rolling any of the dice is no other case than rolling all.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from .any_dice import Hands, new_hands
from .course import Course
from .dice import FACES, SoloDice
from .solve import hand_tables


@dataclass(frozen=True)
class Choice:
    """One choice: its text in the game's notation (``3``, ``3n``, ``roll``, ``roll 1 3``), and the expected turns to come after the present one.

    With ``reroll=any`` the dice that are rolled are always named.
    """

    text: str
    value: float


def choices(
    course: Course,
    dice: SoloDice,
    end: np.ndarray,
    place: int,
    hand: dict[int, int],
    *,
    locked: Iterable[int] = (),
    may_roll: bool = False,
    reroll_any: bool = False,
) -> list[Choice]:
    """All choices, best first.

    Args:
        end: ``float64[places]``: what the ends of turns are worth.
        place: where the robot is when the lowest open register is executed.
        hand: the face (1 to 6) that each die in hand (1 to 5) shows; one more than there are registers open.
        locked: the effects of the locked registers, executed after the open ones.
        may_roll: a die was placed since the last roll.
        reroll_any: dice may be kept when others are rolled.
    """
    for effect in reversed(tuple(locked)):
        end = end[course.successors[:, effect]]
    local = _Local(course, dice, end, place, len(hand), reroll_any)
    found = [
        Choice(f"{die}{'' if is_command else 'n'}", local.placed(hand, die, is_command)) for die in hand for is_command in (True, False)
    ]
    if may_roll:
        smallest = 1 if reroll_any else len(hand)
        for size in range(smallest, len(hand) + 1):
            for rolled in itertools.combinations(sorted(hand), size):
                text = f"roll {' '.join(map(str, rolled))}" if reroll_any else "roll"
                found.append(Choice(text, local.rolled(hand, rolled)))
    return sorted(found, key=lambda choice: choice.value)


class _Local:
    """The tables of hands for the places that can be reached from one place."""

    def __init__(self, course: Course, dice: SoloDice, end: np.ndarray, place: int, size: int, reroll_any: bool) -> None:
        self._dice = dice
        reached = [np.array([place])]
        for _ in range(size - 1):
            reached.append(np.unique(course.successors[reached[-1]]))
        everywhere = np.unique(np.concatenate(reached))
        self._successors = np.full((len(everywhere), course.successors.shape[1]), -1)
        for some in reached[:-1]:
            self._successors[np.searchsorted(everywhere, some)] = np.searchsorted(everywhere, course.successors[some])
        self._place = int(np.searchsorted(everywhere, place))
        self._hands: Hands = new_hands(len(everywhere))
        places = [np.searchsorted(everywhere, some) for some in reached[-2:0:-1]]
        hand_tables(self._hands, dice, self._successors, end[everywhere], places, reroll_any=reroll_any)

    def _smaller(self, hand: dict[int, int], die: int) -> np.ndarray:
        """``float64[places, 6, …]``: the value of the other dice by their faces, the lowest die first."""
        rest = sum(1 << (other - 1) for other in hand if other != die)
        table = self._hands[len(hand) - 2]
        return table[:, self._dice.group_of[rest]].reshape(-1, *[FACES] * (len(hand) - 1))

    def placed(self, hand: dict[int, int], die: int, is_command: bool) -> float:
        effect = self._dice.effects[die - 1, hand[die] - 1] if is_command else 0
        faces = tuple(hand[other] - 1 for other in sorted(hand) if other != die)
        return float(self._smaller(hand, die)[(self._successors[self._place, effect], *faces)])

    def rolled(self, hand: dict[int, int], rolled: tuple[int, ...]) -> float:
        """The mean over the faces of the dice that are rolled; the others stay as they are."""
        order = sorted(hand)
        idle = self._successors[self._place, 0]
        shown = tuple(slice(None) if die in rolled else hand[die] - 1 for die in order)
        best = np.full([FACES] * len(order), np.inf)
        for position, die in enumerate(order):
            smaller = self._smaller(hand, die)
            for face in range(FACES):
                there = self._successors[self._place, self._dice.effects[die - 1, face]]
                of_face = np.moveaxis(best, position, 0)[face]
                np.minimum(of_face, np.minimum(smaller[there], smaller[idle]), out=of_face)
        return float(best[shown].mean())
