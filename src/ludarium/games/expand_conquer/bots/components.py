"""A position on a board of any size as the sum of its components, and components as positions of up to 64 squares that can be valued and solved.

Sets of squares are the bits of a whole number here: boards have up to 1,024 squares.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ludarium.cgt.positions.boards import first_word
from ludarium.cgt.positions.compiled import MOST_WORDS
from ludarium.core.game import State

from ..values import COUNTS, EMPTY, GROUPS, SINGLES, ExpandConquerRuleset

__all__ = ["Component", "ComponentRuleset", "Grid"]

SQUARES = 64
"""The most squares of a position that can be valued."""


class Component(NamedTuple):
    """Empty squares tied to each other, and for each player the squares that each group touches, no two the same."""

    empty: int
    groups: tuple[frozenset[int], frozenset[int]]

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

    def components(self, state: State) -> list[Component]:
        """What a state is the sum of. In the normal variant without the squares that nobody can ever reach."""
        cells = self.rows * self.columns
        board, group = state.record.board[:cells].tolist(), state.record.group[:cells].tolist()
        stones: dict[int, int] = {}
        empty = 0
        for cell, owner in enumerate(board):
            if owner:
                stones[group[cell]] = stones.get(group[cell], 0) | 1 << cell
            else:
                empty |= 1 << cell
        groups: tuple[set[int], set[int]] = (set(), set())
        for first, squares in stones.items():
            groups[board[first] - 1].add(self.beside(squares) & empty)
        for touched in groups:
            touched.discard(0)
        return self.split(empty, groups, bool(state.game.tables.all_small))

    def split(self, empty: int, groups: Sequence[Iterable[int]], all_small: bool) -> list[Component]:
        """The components of what stands on these squares."""
        found: list[Component] = []
        waiting = [list(side) for side in groups]
        while empty:
            region, before = empty & -empty, 0
            own: list[list[int]] = [[], []]
            while region != before:
                before = region
                region |= self.beside(region) & empty
                for player, side in enumerate(waiting):
                    apart: list[int] = []
                    for touched in side:
                        if touched & region:
                            region |= touched
                            own[player].append(touched)
                        else:
                            apart.append(touched)
                    waiting[player] = apart
            empty &= ~region
            if all_small or own[0] or own[1]:
                found.append(Component(region, (frozenset(own[0]), frozenset(own[1]))))
        return found

    def after(self, component: Component, player: int, filled: int, all_small: bool) -> list[Component]:
        """What a component becomes when a player fills these squares of it (the squares that a group touches, or one)."""
        left = self.filled(component, player, filled)
        return self.split(left.empty, left.groups, all_small)

    def filled(self, component: Component, player: int, filled: int) -> Component:
        """The same, not split into components."""
        empty = component.empty & ~filled
        grown = self.beside(filled)
        own: set[int] = set()
        for touched in component.groups[player]:
            if touched & filled:
                grown |= touched
            else:
                own.add(touched)
        own.add(grown & empty)
        other = {touched & empty for touched in component.groups[1 - player]}
        groups = frozenset(own - {0}), frozenset(other - {0})
        return Component(empty, groups[::-1] if player else groups)

    def moves(self, component: Component, player: int, all_small: bool) -> list[int]:
        """What a player can fill in a component by one move."""
        found = list(component.groups[player])
        if all_small:
            rest = component.empty
            for touched in found:
                rest &= ~touched
            while rest:
                found.append(rest & -rest)
                rest &= rest - 1
        return found

    def box(self, component: Component) -> tuple[int, int, int, int]:
        """The first row and column of a component's empty squares, and how many rows and columns they take."""
        row_of = (component.empty & -component.empty).bit_length() - 1
        top, bottom = row_of // self.columns, (component.empty.bit_length() - 1) // self.columns
        mask = (1 << self.columns) - 1
        used = 0
        for row in range(top, bottom + 1):
            used |= component.empty >> row * self.columns & mask
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
        top, left, rows, columns = self.box(component)
        if rows * columns > SQUARES:
            return None

        def boxed(squares: int) -> int:
            found = 0
            while squares:
                row, column = divmod((squares & -squares).bit_length() - 1, self.columns)
                squares &= squares - 1
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


def _squares(chosen: np.ndarray) -> int:
    """A set of squares, given as ``bool[squares]``."""
    return int.from_bytes(np.packbits(chosen, bitorder="little").tobytes(), "little")


class ComponentRuleset(ExpandConquerRuleset):
    """The compiled ruleset for positions that are given as their words."""

    def words(self, position: np.ndarray) -> np.ndarray:
        return position
