"""Boards that somebody gives, of up to 64 squares: the texts of their components and moves beside what computes with them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ludarium.cgt.positions.boards import sets_of
from ludarium.core.boards import board_rows
from ludarium.errors import BadNotation

from .components import Component, Grid, Group, squares_of
from .notation import MARKS, SIDES, cell_text


class Move(NamedTuple):
    """A board that a player can move to, its words, and the actions that lead to it: different groups may fill the same squares."""

    actions: tuple[str, ...]
    board: str
    words: np.ndarray


class Piece(NamedTuple):
    """A component as a board by itself, with the row and the column of its first square there, and its words."""

    row: int
    column: int
    board: str
    words: np.ndarray


class Board:
    """A board as sets of squares; these are laid out as 8×8 where it fits.

    Raises:
        BadNotation: no board string, or more than 64 squares.
    """

    def __init__(self, text: str) -> None:
        rows = board_rows(text, MARKS)
        height, width, (self._empty, *self._stones) = sets_of(rows, MARKS)
        self.text = text
        self.grid = Grid(height, width)
        self.groups = self.grid.groups(self._empty, self._stones)
        self._size = len(rows), len(rows[0])

    @property
    def position(self) -> Component:
        """All of it, not split into components."""
        return Component.of(self._empty, self.groups)

    @property
    def words(self) -> np.ndarray:
        """It as a position of the compiled ruleset (``uint64[MOST_WORDS]``)."""
        return self._words(self.position)

    def components(self, all_small: bool) -> list[Component]:
        """What it is the disjunctive sum of, in the order of their first empty squares."""
        return self.grid.split(self.position, all_small)

    def groups_at(self, component: Component) -> list[Group]:
        """The groups that touch a component."""
        return [group for group in self.groups if group.touched & component.empty]

    def box(self, component: Component) -> tuple[int, int, int, int]:
        """The first row and column of a component and the groups that touch it, and how many rows and columns they take."""
        inside = component.empty
        for group in self.groups_at(component):
            inside |= group.stones
        return self.grid.box(inside)

    def pieces(self, all_small: bool) -> list[Piece]:
        """The components as boards: each the smallest that holds its empty squares and the groups that touch these.

        Other empty squares in between are filled, which changes nothing, since no group that counts touches them.
        """
        found: list[Piece] = []
        for component in self.components(all_small):
            box = self.box(component)
            stones = self._stones[0] | self._empty & ~component.empty, self._stones[1]
            found.append(Piece(box[0], box[1], self._text(stones, *box), self._words(component)))
        return found

    def moves(self, all_small: bool, player: int) -> list[Move]:
        """What a player (0 Left, 1 Right) can do, in the order of the first action: expansions, then placements."""
        actions: dict[int, list[str]] = {}
        for group in self.groups:
            if group.player == player and group.touched:
                actions.setdefault(group.touched, []).append(cell_text(squares_of(group.stones)[0], self.grid.columns))
        if all_small:
            for cell in squares_of(self._empty & ~self.grid.beside(self._stones[player])):
                actions[1 << cell] = [f"+{cell_text(cell, self.grid.columns)}"]
        found: list[Move] = []
        for filled, texts in actions.items():
            stones = self._stones.copy()
            stones[player] |= filled
            reached = self.grid.filled(self.position, player, filled)
            found.append(Move(tuple(texts), self._text(stones, 0, 0, *self._size), self._words(reached)))
        return found

    def _words(self, position: Component) -> np.ndarray:
        words = self.grid.words(position)
        assert words is not None  # more than 42 groups cannot touch two squares or more
        return words

    def _text(self, stones: Iterable[int], top: int, left: int, rows: int, columns: int) -> str:
        marks = ["*"] * self.grid.rows * self.grid.columns
        for mark, squares in zip(MARKS[1:], stones, strict=True):
            for cell in squares_of(squares):
                marks[cell] = mark
        starts = range(top * self.grid.columns + left, (top + rows) * self.grid.columns, self.grid.columns)
        return "|".join("".join(marks[start : start + columns]) for start in starts)


def read_boards(texts: Iterable[str]) -> list[Board]:
    """The boards in texts, which may be written in small letters.

    Every text holds boards joined by ``+``. The rows of one may stand on lines of their own, and an empty line is like ``+``. A side to move is read over:
    it changes nothing about the value.

    Raises:
        BadNotation: no board, with the place and what is wrong there; or one of more than 64 squares.
    """
    boards: list[Board] = []
    for text in texts:
        if boards and text.strip().upper() in (*SIDES, "+"):
            continue  # typed without quotation marks around it and the board before
        for part in re.split(r"\+|\n[^\S\n]*\n", text.replace("\r\n", "\n").strip()):
            rows = re.sub(r"\s*\|?\s*\n\s*", "|", part.strip())
            board, *side = rows.split()[:3] if rows else [""]
            if len(side) > 1 or (side and side[0].upper() not in SIDES):
                raise BadNotation(
                    f"'{part.strip()[:80]}' is no board: rows of * O X joined by |, then L or R at most; join several boards by +"
                )
            boards.append(Board(board.upper()))
    return boards
