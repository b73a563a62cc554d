"""One turn of the solo racer where any of the remaining dice may be rolled again, not only all of them (the option ``reroll=any``).

Kept dice keep their faces, so that multisets are no longer enough: here are tables over the faces of hands. What a hand is worth after a die was placed is
the least over all ways to roll some of it again. With a seventh "face" for a die that is about to be rolled, all the ways are computed together, one die after
another, first as means and then as minima.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.core.jit import compiled, kernel

from .dice import DICE, FACES
from .sweep import least

WAYS = FACES + 1
"""A die shows one of its faces or is about to be rolled."""


class Hands(NamedTuple):
    """What hands are worth, ``float64`` by place, dice and faces: after a die was placed, so that some or all of the hand may be rolled again first."""

    one: np.ndarray
    """``[places, 5, 6]``: by die; the turn ends."""
    two: np.ndarray
    """``[places, 10, 36]``: by pair"""
    three: np.ndarray
    """``[places, 10, 216]``: by triple"""
    four: np.ndarray
    """``[places, 5, 1296]``: by missing die"""
    again: np.ndarray
    """``[places, 32]``: the dice of a mask, and no others, are about to be rolled; one more than there are registers open."""
    rolls: np.ndarray
    """``[7776]``: of one place and set of dice, without rolling again."""
    ways: np.ndarray
    """``[2, 2401]``: the same where some dice, or all, have a seventh face; two sides, to go from one to the other."""


def new_hands(places: int) -> Hands:
    shapes = ((places, 5, 6), (places, 10, 36), (places, 10, 216), (places, 5, 1296), (places, 32), (7776,), (2, 2401))
    return Hands(*(np.full(shape, np.inf) for shape in shapes))


@kernel()
def hand_stage(smaller: Any, larger: Any, hands: Any, dice: Any, successors: Any, places: Any, size: Any, reroll_any: Any) -> None:
    """All hands of ``size`` dice, 2 to 5, from those of one die fewer.

    ``smaller`` and ``larger`` are the arrays of ``hands`` for these sizes; nobody reads ``larger`` for five dice, of which only the mean is kept.
    """
    for number in range(len(places)):
        place = places[number]
        for mask in range(32):
            if dice.size_of[mask] == size:
                _spend_one(smaller, hands.rolls, dice, successors, place, mask, size)
                _roll_again(larger, hands, dice, place, mask, size, reroll_any)


@compiled
def _spend_one(smaller: Any, rolls: Any, dice: Any, successors: Any, place: Any, mask: Any, size: Any) -> None:
    """Every roll with a die to be placed: the least over the dice, each as its command or as a NO-OP."""
    for roll in range(FACES**size):
        rolls[roll] = np.inf
    idle = successors[place, 0]
    below = FACES ** (size - 1)
    above = 1
    for die in range(DICE):
        if (mask >> die) & 1 == 0:
            continue
        group = dice.group_of[mask ^ (1 << die)]
        of_die = rolls[: FACES**size].reshape((above, FACES, below))
        waited = smaller[idle, group].reshape((above, below))
        for face in range(FACES):
            moved = smaller[successors[place, dice.effects[die, face]], group].reshape((above, below))
            for high in range(above):
                for low in range(below):
                    of_die[high, face, low] = least(of_die[high, face, low], least(waited[high, low], moved[high, low]))
        above *= FACES
        below //= FACES


@compiled
def _roll_again(larger: Any, hands: Any, dice: Any, place: Any, mask: Any, size: Any, reroll_any: Any) -> None:
    """The mean of all rolls; and for up to four dice, what each roll is worth to one who may roll again."""
    count = FACES**size
    total = 0.0
    for roll in range(count):
        total += hands.rolls[roll]
    mean = total / count
    hands.again[place, mask] = mean
    if size == DICE:
        return
    group = dice.group_of[mask]
    if reroll_any == 0:
        for roll in range(count):
            larger[place, group, roll] = least(hands.rolls[roll], mean)
        return
    _spread_into_ways(hands, size)
    side = _choose_among_ways(hands.ways, size)
    for roll in range(count):
        larger[place, group, roll] = hands.ways[side, roll]


@compiled
def _spread_into_ways(hands: Any, size: Any) -> None:
    """Give one die after another a seventh face, the mean of its six, from the first die on; the result is on side ``size & 1``."""
    ways = hands.ways
    below = FACES**size
    for roll in range(below):
        ways[0, roll] = hands.rolls[roll]
    above = 1
    for die in range(size):
        below //= FACES
        source = ways[die & 1, : above * FACES * below].reshape((above, FACES, below))
        target = ways[1 - (die & 1), : above * WAYS * below].reshape((above, WAYS, below))
        for high in range(above):
            for low in range(below):
                total = 0.0
                for face in range(FACES):
                    value = source[high, face, low]
                    target[high, face, low] = value
                    total += value
                target[high, FACES, low] = total * (1.0 / FACES)
        above *= WAYS


@compiled
def _choose_among_ways(ways: Any, size: Any) -> Any:
    """Let one die after another, from the last die on, keep its face or be rolled; returns the side with the result, which is by faces again."""
    below = 1
    above = WAYS ** (size - 1)
    old = size & 1
    for _ in range(size):
        new = 1 - old
        source = ways[old, : above * WAYS * below].reshape((above, WAYS, below))
        target = ways[new, : above * FACES * below].reshape((above, FACES, below))
        for high in range(above):
            for low in range(below):
                rolled = source[high, FACES, low]
                for face in range(FACES):
                    target[high, face, low] = least(source[high, face, low], rolled)
        old = new
        below *= FACES
        above //= WAYS
    return old
