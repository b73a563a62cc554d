"""The dice as the solo racer sees them: which of their faces act alike for one robot alone, and the multisets of such faces, numbered.

A multiset of 1, 2, 3 or 4 of the ten *effects* below is a row of ``NamedTuple`` arrays; what dice in a hand may show is counted through these. Hacks do nothing
alone, so that they share an effect with each other.

Dice are numbered from 0 here. The ten pairs of dice have a fixed order, and the triple with number ``i`` is what remains without pair ``i``; the four dice with
number ``i`` are what remains without die ``i``. Faces of several dice are digits to base 6, the lowest die's first.
"""

from __future__ import annotations

import functools
import itertools
from typing import NamedTuple

import numpy as np

from ..sheets.dice import DICE, FACES
from ..sheets.faces import CMT, F1, F2, F3, INV, REV, SL, SR, L, R, U

__all__ = ["DICE", "EFFECTS", "EFFECT_OF", "FACES", "SoloDice", "solo_dice"]

EFFECTS = (0, F1, F2, F3, L, R, SL, SR, U, REV)
"""The command code of each effect; effect 0 is to do nothing."""

EFFECT_OF = {command: effect for effect, command in enumerate(EFFECTS)} | {CMT: 0, INV: 0}
"""The effect of each command."""

PAIRS = tuple(itertools.combinations(range(DICE), 2))
TRIPLES = tuple(tuple(die for die in range(DICE) if die not in pair) for pair in PAIRS)
QUADS = tuple(tuple(die for die in range(DICE) if die != missing) for missing in range(DICE))


class SoloDice(NamedTuple):
    """A dice set, with the numbers of everything that its faces can make up; all arrays are ``int64``."""

    effects: np.ndarray
    """``[5, 6]``: the effect of each face."""
    pair_rest: np.ndarray
    """``[55, 2, 2]``: by multiset of two and place in it: the effect there, and the other effect."""
    triple_rest: np.ndarray
    """``[220, 3, 2]``: the effect, and the number of the multiset of two without it."""
    four_rest: np.ndarray
    """``[715, 4, 2]``: the effect, and the number of the multiset of three without it."""
    pairs: np.ndarray
    """``[10, 2]``: the dice of each pair."""
    triples: np.ndarray
    """``[10, 3]``"""
    quads: np.ndarray
    """``[5, 4]``"""
    pair_number: np.ndarray
    """``[5, 5]``: the pair of two different dice; −1 on the diagonal."""
    pair_of: np.ndarray
    """``[10, 36]``: the multiset that a pair of dice shows, by their faces."""
    triple_of: np.ndarray
    """``[10, 216]``"""
    four_of: np.ndarray
    """``[5, 1296]``"""
    pair_mask: np.ndarray
    """``[10]``: each pair as a mask."""
    other_pair: np.ndarray
    """``[5, 10]``: what remains of four dice (those without this one) without a pair of them; −1 where the pair has the missing die."""
    size_of: np.ndarray
    """``[32]``: how many dice a mask has."""
    group_of: np.ndarray
    """``[32]``: the number of a mask's dice among the sets of that size: a die, pair, triple or missing die."""


def solo_dice(commands: np.ndarray) -> SoloDice:
    """The tables for a dice set's commands (``int64[5, 6]``, the codes of ``faces``)."""
    return _solo_dice(tuple(commands.ravel().tolist()))


@functools.lru_cache(maxsize=8)
def _solo_dice(commands: tuple[int, ...]) -> SoloDice:
    effects = np.array([EFFECT_OF[command] for command in commands], dtype=np.int64).reshape(DICE, FACES)
    numbers = [_multisets(size)[0] for size in range(5)]
    pair_number = np.full((DICE, DICE), -1, dtype=np.int64)
    for number, (first, second) in enumerate(PAIRS):
        pair_number[first, second] = pair_number[second, first] = number

    def shown(groups: tuple[tuple[int, ...], ...]) -> np.ndarray:
        size = len(groups[0])
        rolls = list(itertools.product(range(FACES), repeat=size))
        return np.array(
            [
                [numbers[size][tuple(sorted(int(effects[die, face]) for die, face in zip(group, roll, strict=True)))] for roll in rolls]
                for group in groups
            ],
            dtype=np.int64,
        )

    return SoloDice(
        effects,
        _multisets(2)[1],
        _multisets(3)[1],
        _multisets(4)[1],
        np.array(PAIRS, dtype=np.int64),
        np.array(TRIPLES, dtype=np.int64),
        np.array(QUADS, dtype=np.int64),
        pair_number,
        shown(PAIRS),
        shown(TRIPLES),
        shown(QUADS),
        np.array([1 << first | 1 << second for first, second in PAIRS], dtype=np.int64),
        _other_pairs(),
        np.array([mask.bit_count() for mask in range(1 << DICE)], dtype=np.int64),
        np.array([_group(mask) for mask in range(1 << DICE)], dtype=np.int64),
    )


@functools.cache
def _multisets(size: int) -> tuple[dict[tuple[int, ...], int], np.ndarray]:
    """The number of each sorted multiset, and by number and place: the effect there with the number of the rest."""
    members = list(itertools.combinations_with_replacement(range(len(EFFECTS)), size))
    numbers = {member: number for number, member in enumerate(members)}
    if size < 2:
        return numbers, np.zeros((len(members), size, 2), dtype=np.int64)
    smaller = _multisets(size - 1)[0]
    rest = [[(member[place], smaller[member[:place] + member[place + 1 :]]) for place in range(size)] for member in members]
    return numbers, np.array(rest, dtype=np.int64)


def _other_pairs() -> np.ndarray:
    result = np.full((DICE, len(PAIRS)), -1, dtype=np.int64)
    for missing, quad in enumerate(QUADS):
        for pair in itertools.combinations(quad, 2):
            result[missing, PAIRS.index(pair)] = PAIRS.index(tuple(die for die in quad if die not in pair))
    return result


def _group(mask: int) -> int:
    dice = tuple(die for die in range(DICE) if mask >> die & 1)
    groups = {1: tuple((die,) for die in range(DICE)), 2: PAIRS, 3: TRIPLES, 4: QUADS}.get(len(dice))
    return groups.index(dice) if groups else 0
