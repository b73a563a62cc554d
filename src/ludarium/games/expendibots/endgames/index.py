"""Where a position stands in the endgame tables.

A position is the tokens of the player to move and those of the opponent; colours do not matter. Tokens of one side are a *word*: the squares of its tokens, a
byte each, in any order. The multisets of k squares are numbered by the combinatorial number system: with squares in rising order, the rank is the sum of
C(square + i, i + 1) over i = 0, 1, …

A *class* is how many tokens either side has. The side with fewer tokens (the player to move, where both have as many) is turned and mirrored into
the one of its eight images with the least rank; of those symmetries that lead there, one is taken that gives the other side the least rank. So each
position up to symmetry has one entry: the number of the smaller side's image, times the multisets of the other, plus the rank of the other. Some
entries stand for nothing: squares taken by both, and images that are not the least.
"""

from __future__ import annotations

import functools
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludarium.core.bits import bit, lowest_bit
from ludarium.core.jit import compiled
from ludarium.core.symmetries import square_symmetries

MOST = 5
"""Tokens of the largest table."""

LARGEST_SIDE = MOST - 1
LARGEST_KEY = MOST // 2


class EndgameIndex(NamedTuple):
    """What the numbering needs. K is ``LARGEST_KEY``, S ``LARGEST_SIDE``."""

    binomials: NDArray[np.int64]  # [S, 64]: C(square + i, i + 1)
    multisets: NDArray[np.int64]  # [S + 1]: how many there are of so many tokens
    images: NDArray[np.int64]  # [8, 64]: the squares' images under the symmetries of the board; 0 is the identity
    canonical: NDArray[
        np.int64
    ]  # [K + 1, multisets[K]]: by rank, the number of the least image, times 8, plus the symmetry that leads there
    least: NDArray[np.int64]  # [K + 1, images of size K]: the ranks of the least images by their numbers
    fixing: NDArray[np.int64]  # the same shape: the symmetries that leave a least image where it is, as bits
    first: NDArray[np.int64]  # [S + 1, S + 1]: the first entry of a class, by the tokens of the player to move and the opponent's


@functools.cache
def endgame_index() -> EndgameIndex:
    """The numbering, made once a process in a few milliseconds."""
    binomials = np.array([[comb(square + i, i + 1) for square in range(64)] for i in range(LARGEST_SIDE)])
    multisets = np.array([comb(63 + tokens, tokens) for tokens in range(LARGEST_SIDE + 1)])
    images = square_symmetries(8)
    canonical = np.zeros((LARGEST_KEY + 1, multisets[LARGEST_KEY]), np.int64)
    found: list[tuple[NDArray[Any], NDArray[Any]]] = []
    for tokens in range(1, LARGEST_KEY + 1):
        squares = np.indices((64,) * tokens).reshape(tokens, -1)
        squares = squares[:, np.all(np.diff(squares, axis=0) >= 0, axis=0)]
        ranks = _ranks(binomials, images[:, squares])
        squares_in_order = np.argsort(ranks[0])
        ranks = ranks[:, squares_in_order]
        least, number = np.unique(ranks.min(axis=0), return_inverse=True)
        canonical[tokens, : len(number)] = 8 * number + ranks.argmin(axis=0)
        found.append((least, np.sum((ranks[:, least] == least) << np.arange(8)[:, None], axis=0)))
    shape = (LARGEST_KEY + 1, len(found[-1][0]))
    least, fixing = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for tokens, (ranks, symmetries) in enumerate(found, 1):
        least[tokens, : len(ranks)], fixing[tokens, : len(ranks)] = ranks, symmetries
    first = np.zeros((LARGEST_SIDE + 1, LARGEST_SIDE + 1), np.int64)
    at = 0
    for own, other in classes(MOST):
        first[own, other] = at
        at += len(found[min(own, other) - 1][0]) * multisets[max(own, other)]
    return EndgameIndex(binomials, multisets, images, canonical, least, fixing, first)


def _ranks(binomials: NDArray[Any], squares: NDArray[Any]) -> NDArray[Any]:
    """The ranks (``[images, sets]``) of multisets (``[images, tokens, sets]``) of squares in any order."""
    squares = np.sort(squares, axis=1)
    return np.sum([binomials[i, squares[:, i]] for i in range(squares.shape[1])], axis=0)


def classes(most: int) -> list[tuple[int, int]]:
    """All classes of at most so many tokens, in the order of their entries: those of the player to move and of the opponent."""
    return [
        (own, total - own)
        for total in range(2, most + 1)
        for smaller in range(1, total // 2 + 1)
        for own in sorted({smaller, total - smaller})
    ]


def class_size(own: int, other: int) -> int:
    """How many entries a class has."""
    index = endgame_index()
    return int(np.count_nonzero(index.fixing[min(own, other)]) * index.multisets[max(own, other)])


def table_size(most: int) -> int:
    """How many entries the classes of at most so many tokens have."""
    return sum(class_size(*one) for one in classes(most))


@compiled
def rank_of(index: Any, word: Any, count: Any, symmetry: Any) -> Any:
    """The rank of an image of a word's tokens."""
    rank = 0
    for i in range(count):
        square = index.images[symmetry, (word >> (8 * i)) & 63]
        before = 0
        for j in range(count):
            other = index.images[symmetry, (word >> (8 * j)) & 63]
            if other < square or (other == square and j < i):
                before += 1
        rank += index.binomials[before, square]
    return rank


@compiled
def word_of(index: Any, rank: Any, count: Any) -> Any:
    """The tokens of a rank as a word, the lowest square in the lowest byte."""
    word = 0
    high = 63
    for i in range(count - 1, -1, -1):
        low = 0
        while low < high:
            middle = (low + high + 1) >> 1
            if index.binomials[i, middle] <= rank:
                low = middle
            else:
                high = middle - 1
        rank -= index.binomials[i, high]
        word = (word << 8) | high
    return word


@compiled
def entry_of(index: Any, own: Any, own_count: Any, other: Any, other_count: Any) -> Any:
    """The entry of a position: words and numbers of tokens of the player to move and of the opponent."""
    if own_count <= other_count:
        key, key_count, rest, rest_count = own, own_count, other, other_count
    else:
        key, key_count, rest, rest_count = other, other_count, own, own_count
    found = index.canonical[key_count, rank_of(index, key, key_count, 0)]
    number = found >> 3
    symmetry = found & 7
    rank = rank_of(index, rest, rest_count, symmetry)
    fixing = index.fixing[key_count, number]
    if fixing != 1:
        turned = 0
        for i in range(rest_count):
            turned |= index.images[symmetry, (rest >> (8 * i)) & 63] << (8 * i)
        for other_symmetry in range(1, 8):
            if (fixing >> other_symmetry) & 1:
                rank = min(rank, rank_of(index, turned, rest_count, other_symmetry))
    return index.first[own_count, other_count] + number * index.multisets[rest_count] + rank


@compiled
def position_of(index: Any, own_count: Any, other_count: Any, entry: Any) -> Any:
    """The words of the player to move and of the opponent at an entry of a class."""
    key_count, rest_count = min(own_count, other_count), max(own_count, other_count)
    at = entry - index.first[own_count, other_count]
    number = at // index.multisets[rest_count]
    key = word_of(index, index.least[key_count, number], key_count)
    rest = word_of(index, at - number * index.multisets[rest_count], rest_count)
    return (key, rest) if own_count <= other_count else (rest, key)


@compiled
def squares_of(word: Any, count: Any) -> Any:
    """The squares of a word's tokens as a set."""
    stacks = np.uint64(0)
    for i in range(count):
        stacks |= bit((word >> (8 * i)) & 63)
    return stacks


@compiled
def word_on(board: Any, stacks: Any, most: Any) -> Any:
    """The tokens of one player's stacks as a word, and their number; where there are more than ``most``, only that there are more."""
    word, count = 0, 0
    while stacks:
        square = lowest_bit(stacks)
        stacks &= stacks - np.uint64(1)
        height = abs(int(board[square]))
        count += height
        if count > most:
            return word, count
        for _ in range(height):
            word = (word << 8) | square
    return word, count
