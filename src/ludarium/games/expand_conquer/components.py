"""A position on a board of any size as the sum of its components, and components as positions of up to 64 squares that can be valued and solved.

What stones look like does not matter, only which empty squares a group touches. Sets of squares are the bits of a whole number here: boards have up to 1,024
squares.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ludarium.cgt.positions.boards import MOST_SQUARES, first_word
from ludarium.cgt.positions.compiled import MOST_WORDS
from ludarium.core.game import State

EMPTY, SINGLES, COUNTS, GROUPS = 1, 2, 4, 5
"""Words of a position: the empty squares, Left's and Right's squares touched by a group of that one square, how many larger groups Left and Right have
(bits 0 to 7, 8 to 15), and the squares of each of these groups, Left's first. More than 42 groups cannot touch two squares or more of a board of 64."""


class Group(NamedTuple):
    """A player's stones that hang together, and the empty squares beside them."""

    player: int
    stones: int
    touched: int


class Component(NamedTuple):
    """Empty squares tied to each other, and for each player the squares that each group touches, no two the same."""

    empty: int
    groups: tuple[frozenset[int], frozenset[int]]

    @classmethod
    def of(cls, empty: int, groups: Iterable[Group]) -> Component:
        """Everything on a board."""
        touched: tuple[set[int], set[int]] = (set(), set())
        for group in groups:
            touched[group.player].add(group.touched)
        return cls(empty, (frozenset(touched[0] - {0}), frozenset(touched[1] - {0})))

    @property
    def size(self) -> int:
        """How many squares are empty."""
        return self.empty.bit_count()


class Grid:
    """The geometry of a board."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self._all = (1 << rows * columns) - 1
        self._not_first = self._all ^ sum(1 << row * columns for row in range(rows))
        self._not_last = self._all ^ sum(1 << row * columns + columns - 1 for row in range(rows))

    def beside(self, squares: int) -> int:
        """The squares beside a set of squares, and perhaps some of the set."""
        sideways = (squares & self._not_last) << 1 | (squares & self._not_first) >> 1
        return (sideways | squares << self.columns | squares >> self.columns) & self._all

    def pairs(self, squares: int) -> int:
        """How many pairs of squares of a set are adjacent."""
        return ((squares & self._not_last) << 1 & squares).bit_count() + (squares << self.columns & squares).bit_count()

    def groups(self, empty: int, stones: Sequence[int]) -> list[Group]:
        """Left's groups, then Right's, each in the order of their first squares."""
        found: list[Group] = []
        for player, rest in enumerate(stones):
            while rest:
                group, before = rest & -rest, 0
                while group != before:
                    before = group
                    group |= self.beside(group) & rest
                rest &= ~group
                found.append(Group(player, group, self.beside(group) & empty))
        return found

    def components(self, state: State) -> list[Component]:
        """What a state is the sum of."""
        board = state.record.board[: self.rows * self.columns]
        empty, *stones = (_squares(board == owner) for owner in range(3))
        return self.split(Component.of(empty, self.groups(empty, stones)), bool(state.game.tables.all_small))

    def split(self, position: Component, all_small: bool) -> list[Component]:
        """Its components in the order of their first squares; in the normal variant without the squares that nobody can ever reach.

        Empty squares belong together when they are adjacent or when one group touches both.
        """
        found: list[Component] = []
        empty, groups = position.empty, [*position.groups[0], *position.groups[1]]
        while empty:
            region, before = empty & -empty, 0
            while region != before:
                before = region
                region |= self.beside(region) & empty
                for touched in groups:
                    if touched & region:
                        region |= touched
            empty &= ~region
            left, right = (frozenset(touched for touched in side if touched & region) for side in position.groups)
            if all_small or left or right:
                found.append(Component(region, (left, right)))
        return found

    def after(self, component: Component, player: int, filled: int, all_small: bool) -> list[Component]:
        """What a component becomes when a player fills these squares of it (the squares that a group touches, or one)."""
        return self.split(self.filled(component, player, filled), all_small)

    def filled(self, component: Component, player: int, filled: int) -> Component:
        """The same, not split into components."""
        empty = component.empty & ~filled
        joined = [touched for touched in component.groups[player] if touched & filled]
        grown = functools.reduce(int.__or__, joined, self.beside(filled)) & empty
        own = component.groups[player].difference(joined) | {grown}
        other = frozenset(touched & empty for touched in component.groups[1 - player])
        left, right = (other, own) if player else (own, other)
        return Component(empty, (left - {0}, right - {0}))

    def box(self, squares: int) -> tuple[int, int, int, int]:
        """The first row and column of a set of squares, and how many rows and columns it takes."""
        first, last = (squares & -squares).bit_length() - 1, squares.bit_length() - 1
        top, bottom = first // self.columns, last // self.columns
        mask = (1 << self.columns) - 1
        used = 0
        for row in range(top, bottom + 1):
            used |= squares >> row * self.columns & mask
        left = (used & -used).bit_length() - 1
        return top, left, bottom - top + 1, used.bit_length() - left

    def filled_by(self, state: State, action: int) -> int:
        """The squares that an action fills."""
        cells = self.rows * self.columns
        if action >= cells:
            return 1 << action - cells
        record = state.record
        stones = (record.board[:cells] == record.board[action]) & (record.group[:cells] == action)
        return self.beside(_squares(stones)) & _squares(record.board[:cells] == 0)

    def words(self, component: Component) -> np.ndarray | None:
        """A component as a position of the compiled ruleset (``uint64[MOST_WORDS]``); None if the box around it has more than 64 squares."""
        top, left, rows, columns = self.box(component.empty or 1)
        if rows * columns > MOST_SQUARES:
            return None
        if rows <= 8 and columns <= 8:
            rows = columns = 8

        def boxed(squares: int) -> int:
            found = 0
            for cell in squares_of(squares):
                row, column = divmod(cell, self.columns)
                found |= 1 << (row - top) * columns + column - left
            return found

        words = np.zeros(MOST_WORDS, np.uint64)
        words[EMPTY] = boxed(component.empty)
        larger = [sorted(boxed(touched) for touched in side if touched & (touched - 1)) for side in component.groups]
        end = GROUPS + sum(map(len, larger))
        if end > MOST_WORDS:  # groups that reach around the box
            return None
        for player, side in enumerate(component.groups):
            words[SINGLES + player] = boxed(sum(touched for touched in side if not touched & (touched - 1)))
        words[GROUPS:end] = larger[0] + larger[1]
        words[COUNTS] = len(larger[0]) | len(larger[1]) << 8
        words[0] = first_word(rows, columns, end)
        return words


def squares_of(squares: int) -> list[int]:
    """The squares of a set, in reading order."""
    found: list[int] = []
    while squares:
        found.append((squares & -squares).bit_length() - 1)
        squares &= squares - 1
    return found


def _squares(chosen: np.ndarray) -> int:
    """A set of squares, given as ``bool[squares]``."""
    return int.from_bytes(np.packbits(chosen, bitorder="little").tobytes(), "little")
