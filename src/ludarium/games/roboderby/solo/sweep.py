"""One turn of the solo racer, computed backwards for all places at once: what a turn is worth once it is known what its end is worth.

Between two rolls a player spends some dice, in an order and each as its command or as a NO-OP, and then rolls the others again or is done. Nobody interferes
with a robot alone, so what counts is where it then stands, and which dice are left. So what has to be known is the value of spending a *multiset* of effects
(for every multiset, from every place, the best over orders and NO-OPs) before one of the few sets of dice that can be left is rolled; a roll is then worth the
least of what its subsets are worth. There are no tables over the faces of hands but those that are summed up on the spot. A NO-OP leads to a place of its own
like any effect, since belts may carry the robot.

The kernels fill the arrays of :class:`Turns`, one stage after another; a stage needs the stages before it for the place and for all that one command leads to.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.core.jit import compiled, kernel

from .dice import EFFECTS

EFFECT_COUNT = len(EFFECTS)


class Turns(NamedTuple):
    """What is known about the places; all arrays are ``float64``, their first axis is the place, and values are expected turns to come."""

    end: np.ndarray
    """``[places]``: a turn ends there."""
    one: np.ndarray
    """``[places, 10]``: one effect is left to spend, nothing else."""
    two: np.ndarray
    """``[places, 55]``"""
    three: np.ndarray
    """``[places, 220]``"""
    one_then_pair: np.ndarray
    """``[places, 10, 10]``: one effect is spent, then a pair of dice is rolled."""
    two_then_pair: np.ndarray
    """``[places, 55, 10]``"""
    one_then_triple: np.ndarray
    """``[places, 10, 10]``: one effect is spent, then a triple of dice is rolled."""
    again: np.ndarray
    """``[places, 32]``: the dice of a mask are about to be rolled, one more than there are registers open. A single die is left over: the turn ends."""


class Scratch(NamedTuple):
    """What is computed for one place and one number of open registers, in ``float64``: the values of spending what some dice show, by dice and faces."""

    singles: np.ndarray
    """``[5, 6]``"""
    pairs: np.ndarray
    """``[10, 36]``"""
    triples: np.ndarray
    """``[10, 216]``"""
    quads: np.ndarray
    """``[5, 1296]``"""
    four: np.ndarray
    """``[715]``: by multiset, with four registers open."""
    three_then_pair: np.ndarray
    """``[220, 10]``"""
    two_then_triple: np.ndarray
    """``[55, 10]``"""
    row: np.ndarray
    """``[36]``"""


def new_turns(places: int) -> Turns:
    shapes = ((), (10,), (55,), (220,), (10, 10), (55, 10), (10, 10), (32,))
    return Turns(*(np.full((places, *shape), np.inf) for shape in shapes))


def new_scratch() -> Scratch:
    return Scratch(*(np.zeros(shape) for shape in ((5, 6), (10, 36), (10, 216), (5, 1296), (715,), (220, 10), (55, 10), (36,))))


@compiled
def least(first: Any, second: Any) -> Any:
    return first if first < second else second


@compiled
def _spend(size: Any, before: Any, rest: Any, successors: Any, place: Any, out: Any) -> None:
    """What it is worth to spend each multiset: the least over which of its effects, or a NO-OP in its place, comes first.

    Args:
        size: of the multisets, a constant in the machine code of every stage.
        before: ``[places, multisets]``: what it is worth to spend one effect less.
        rest: by multiset and place in it, the effect there and the number of the multiset without it.
        out: ``[multisets]``.
    """
    idle = successors[place, 0]
    for multiset in range(len(rest)):
        best = np.inf
        for member in range(size):
            effect, others = rest[multiset, member, 0], rest[multiset, member, 1]
            best = least(best, least(before[idle, others], before[successors[place, effect], others]))
        out[multiset] = best


@compiled
def _spend_then_roll(size: Any, before: Any, rest: Any, successors: Any, place: Any, out: Any) -> None:
    """The same before one of ten sets of dice is rolled: ``before`` is ``[places, multisets, 10]``, ``out`` ``[multisets, 10]``."""
    idle = successors[place, 0]
    for multiset in range(len(rest)):
        for left in range(10):
            best = np.inf
            for member in range(size):
                effect, others = rest[multiset, member, 0], rest[multiset, member, 1]
                best = least(best, least(before[idle, others, left], before[successors[place, effect], others, left]))
            out[multiset, left] = best


@kernel()
def stage_1(turns: Any, successors: Any, places: Any) -> None:
    """``one``."""
    for number in range(len(places)):
        place = places[number]
        idle = turns.end[successors[place, 0]]
        for die in range(5):
            turns.again[place, 1 << die] = turns.end[place]
        for effect in range(EFFECT_COUNT):
            turns.one[place, effect] = least(idle, turns.end[successors[place, effect]])


@kernel()
def stage_2(turns: Any, dice: Any, successors: Any, places: Any) -> None:
    """``two``, and the rolls of pairs."""
    one = turns.one
    for number in range(len(places)):
        place = places[number]
        _spend(2, one, dice.pair_rest, successors, place, turns.two[place])
        for pair in range(10):
            first, second = dice.pairs[pair, 0], dice.pairs[pair, 1]
            total = 0.0
            for face in range(6):
                spent = one[place, dice.effects[first, face]]
                for other in range(6):
                    total += least(spent, one[place, dice.effects[second, other]])
            turns.again[place, dice.pair_mask[pair]] = total / 36.0


@kernel()
def stage_3(turns: Any, dice: Any, successors: Any, places: Any) -> None:
    """``three``, ``one_then_pair``, and the rolls of triples."""
    two, then = turns.two, turns.one_then_pair
    for number in range(len(places)):
        place = places[number]
        idle = successors[place, 0]
        _spend(3, two, dice.triple_rest, successors, place, turns.three[place])
        for pair in range(10):
            mask = dice.pair_mask[pair]
            here = turns.again[idle, mask]
            for effect in range(EFFECT_COUNT):
                then[place, effect, pair] = least(here, turns.again[successors[place, effect], mask])
        for triple in range(10):
            turns.again[place, 31 ^ dice.pair_mask[triple]] = _mean_of_three(two, then, dice, place, triple)


@compiled
def _mean_of_three(two: Any, then: Any, dice: Any, place: Any, triple: Any) -> Any:
    """The mean over the faces of three dice with two registers open."""
    a, b, c = dice.triples[triple, 0], dice.triples[triple, 1], dice.triples[triple, 2]
    ab, ac, bc = dice.pair_number[a, b], dice.pair_number[a, c], dice.pair_number[b, c]
    total = 0.0
    for i in range(6):
        first = then[place, dice.effects[a, i], bc]
        for j in range(6):
            second = least(first, least(then[place, dice.effects[b, j], ac], two[place, dice.pair_of[ab, 6 * i + j]]))
            for k in range(6):
                third = least(two[place, dice.pair_of[ac, 6 * i + k]], two[place, dice.pair_of[bc, 6 * j + k]])
                total += least(second, least(third, then[place, dice.effects[c, k], ab]))
    return total / 216.0


@kernel()
def stage_4(turns: Any, dice: Any, scratch: Any, successors: Any, places: Any) -> None:
    """``two_then_pair``, ``one_then_triple``, and the rolls of four dice."""
    for number in range(len(places)):
        place = places[number]
        idle = successors[place, 0]
        _spend_then_roll(2, turns.one_then_pair, dice.pair_rest, successors, place, turns.two_then_pair[place])
        for triple in range(10):
            mask = 31 ^ dice.pair_mask[triple]
            here = turns.again[idle, mask]
            for effect in range(EFFECT_COUNT):
                turns.one_then_triple[place, effect, triple] = least(here, turns.again[successors[place, effect], mask])
        for triple in range(10):
            for roll in range(216):
                scratch.triples[triple, roll] = turns.three[place, dice.triple_of[triple, roll]]
        for quad in range(5):
            _spend_some_of_four(turns, dice, scratch, place, quad)
            for roll in range(1296):
                scratch.quads[quad, roll] = np.inf
            _spread(dice, scratch, quad)
            turns.again[place, 31 ^ (1 << quad)] = _mean_of_four(scratch, quad)


@compiled
def _spend_some_of_four(turns: Any, dice: Any, scratch: Any, place: Any, quad: Any) -> None:
    """One or two of the four dice are spent, the others rolled again."""
    for number in range(4):
        die = dice.quads[quad, number]
        for face in range(6):
            scratch.singles[die, face] = turns.one_then_triple[place, dice.effects[die, face], dice.pair_number[die, quad]]
        for other in range(number + 1, 4):
            pair = dice.pair_number[die, dice.quads[quad, other]]
            left = dice.other_pair[quad, pair]
            for roll in range(36):
                scratch.pairs[pair, roll] = turns.two_then_pair[place, dice.pair_of[pair, roll], left]


@compiled
def _spread(dice: Any, scratch: Any, quad: Any) -> None:
    """Lower the value of every roll of four dice to the least of its singles, pairs and triples."""
    a, b, c, d = dice.quads[quad, 0], dice.quads[quad, 1], dice.quads[quad, 2], dice.quads[quad, 3]
    ab, ac, ad = dice.pair_number[a, b], dice.pair_number[a, c], dice.pair_number[a, d]
    bc, bd, cd = dice.pair_number[b, c], dice.pair_number[b, d], dice.pair_number[c, d]
    abc, abd, acd, bcd = dice.pair_number[d, quad], dice.pair_number[c, quad], dice.pair_number[b, quad], dice.pair_number[a, quad]
    singles, pairs, triples, quads, row = scratch.singles, scratch.pairs, scratch.triples, scratch.quads, scratch.row
    for i in range(6):
        for j in range(6):
            first = least(least(singles[a, i], singles[b, j]), pairs[ab, 6 * i + j])
            for m in range(6):
                third = least(pairs[ad, 6 * i + m], pairs[bd, 6 * j + m])
                row[m] = least(least(singles[d, m], third), triples[abd, 36 * i + 6 * j + m])
            for k in range(6):
                second = least(least(first, singles[c, k]), triples[abc, 36 * i + 6 * j + k])
                second = least(second, least(pairs[ac, 6 * i + k], pairs[bc, 6 * j + k]))
                start = 216 * i + 36 * j + 6 * k
                for m in range(6):
                    best = least(least(quads[quad, start + m], row[m]), least(second, pairs[cd, 6 * k + m]))
                    quads[quad, start + m] = least(best, least(triples[acd, 36 * i + 6 * k + m], triples[bcd, 36 * j + 6 * k + m]))


@compiled
def _mean_of_four(scratch: Any, quad: Any) -> Any:
    """In 36 sums at once: a single one would wait for itself."""
    for column in range(36):
        scratch.row[column] = 0.0
    for start in range(0, 1296, 36):
        for column in range(36):
            scratch.row[column] += scratch.quads[quad, start + column]
    total = 0.0
    for column in range(36):
        total += scratch.row[column]
    return total / 1296.0


@kernel()
def stage_5(turns: Any, dice: Any, scratch: Any, successors: Any, places: Any) -> None:
    """The roll of all five dice."""
    for number in range(len(places)):
        place = places[number]
        _spend_four_or_three(turns, dice, scratch, successors, place)
        _spend_two_or_one(turns, dice, scratch, successors, place)
        for quad in range(5):
            for roll in range(1296):
                scratch.quads[quad, roll] = scratch.four[dice.four_of[quad, roll]]
            _spread(dice, scratch, quad)
        turns.again[place, 31] = _mean_of_five(scratch)


@compiled
def _spend_four_or_three(turns: Any, dice: Any, scratch: Any, successors: Any, place: Any) -> None:
    _spend(4, turns.three, dice.four_rest, successors, place, scratch.four)
    _spend_then_roll(3, turns.two_then_pair, dice.triple_rest, successors, place, scratch.three_then_pair)
    for triple in range(10):
        for roll in range(216):
            scratch.triples[triple, roll] = scratch.three_then_pair[dice.triple_of[triple, roll], triple]


@compiled
def _spend_two_or_one(turns: Any, dice: Any, scratch: Any, successors: Any, place: Any) -> None:
    idle = successors[place, 0]
    _spend_then_roll(2, turns.one_then_triple, dice.pair_rest, successors, place, scratch.two_then_triple)
    for pair in range(10):
        for roll in range(36):
            scratch.pairs[pair, roll] = scratch.two_then_triple[dice.pair_of[pair, roll], pair]
    for die in range(5):
        mask = 31 ^ (1 << die)
        for face in range(6):
            there = successors[place, dice.effects[die, face]]
            scratch.singles[die, face] = least(turns.again[idle, mask], turns.again[there, mask])


@compiled
def _mean_of_five(scratch: Any) -> Any:
    """The mean over all 7,776 rolls of the least of what four of the dice are worth."""
    quads, row = scratch.quads, scratch.row
    for column in range(36):
        row[column] = 0.0
    for i in range(6):
        for j in range(6):
            for k in range(6):
                without_e, without_d = 216 * i + 36 * j + 6 * k, 216 * i + 36 * j + 6 * k
                without_c, without_b, without_a = 216 * i + 36 * j, 216 * i + 36 * k, 216 * j + 36 * k
                for m in range(6):
                    fourth = quads[4, without_e + m]
                    for n in range(6):
                        column = 6 * m + n
                        best = least(least(quads[2, without_c + column], quads[1, without_b + column]), quads[0, without_a + column])
                        row[column] += least(best, least(fourth, quads[3, without_d + n]))
    total = 0.0
    for column in range(36):
        total += row[column]
    return total / 7776.0
