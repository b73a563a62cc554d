"""Boards as texts, for exact values: reading several, what a player can do on one, and the components that it is the sum of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ludarium.cgt.positions.boards import board_rows, sets_of
from ludarium.errors import BadNotation

from ..notation import MARKS, SIDES, board_text, cell_text
from ..rules import DTYPE, Tables, liberties_in, make_tables, place, squares_in

__all__ = ["Component", "Move", "components_of", "counts_in", "moves_of", "read_boards"]


class Move(NamedTuple):
    """A board that a player can move to, and the actions that lead to it: different groups may fill the same squares."""

    actions: tuple[str, ...]
    board: str


class Component(NamedTuple):
    """A part of a board that is a board by itself, with the row and the column of its first square there."""

    row: int
    column: int
    board: str


def read_boards(texts: Iterable[str]) -> list[str]:
    """The boards in texts, in capital letters, rows joined by ``|``.

    Every text holds boards joined by ``+``. The rows of one may stand on lines of their own, and an empty line is like ``+``. A side to move is read over:
    it changes nothing about the value.

    Raises:
        BadNotation: no board, with the place and what is wrong there; or one of more than 64 squares.
    """
    boards: list[str] = []
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
            board = board.upper()
            sets_of(board_rows(board, MARKS), MARKS)
            boards.append(board)
    return boards


@lru_cache(256)
def _geometry(rows: int, columns: int) -> tuple[Tables, list[list[int]]]:
    """Tables for placing, and for each square those beside it."""
    tables = make_tables(rows, columns, True)
    return tables, [[other for other in beside if other >= 0] for beside in tables.neighbours.tolist()]


class _Placed(NamedTuple):
    """A board with its groups."""

    columns: int
    squares: list[int]  # 0 nothing, 1 Left, 2 Right
    tables: Tables
    beside: list[list[int]]
    record: Any


def _placed(board: str) -> _Placed:
    lines = board.split("|")
    squares = [MARKS.index(mark) for line in lines for mark in line]
    tables, beside = _geometry(len(lines), len(lines[0]))
    record = np.zeros(1, DTYPE)[0]
    place(tables, record, squares, 0)
    return _Placed(len(lines[0]), squares, tables, beside, record)


def moves_of(board: str, all_small: bool, player: int) -> list[Move]:
    """What a player (0 Left, 1 Right) can do on a board, in the order of the first action: expansions, then placements."""
    placed = _placed(board)
    found: dict[str, list[str]] = {}

    def add(action: str, filled: Iterable[int]) -> None:
        squares = placed.squares.copy()
        for cell in filled:
            squares[cell] = player + 1
        found.setdefault(board_text(squares, placed.columns), []).append(action)

    for first in squares_in(placed.record.active[player]):
        add(cell_text(first, placed.columns), liberties_in(placed.tables, placed.record, first))
    if all_small:
        for cell in squares_in(placed.record.apart[player]):
            add(f"+{cell_text(cell, placed.columns)}", (cell,))
    return [Move(tuple(actions), reached) for reached, actions in found.items()]


def components_of(board: str, all_small: bool) -> list[Component]:
    """The boards that a board is the disjunctive sum of, in the order of their first empty squares.

    Empty squares belong together when they are adjacent or when one group touches both. A component shows them with the groups that touch them; other empty
    squares in between are filled, which changes nothing, since no group that counts touches them. Squares that nobody can ever fill are left out.
    """
    placed = _placed(board)
    group = placed.record.group[: placed.tables.cells].tolist()
    left = {cell for cell, owner in enumerate(placed.squares) if not owner}
    components: list[Component] = []
    for cell in sorted(left):
        if cell not in left:
            continue
        region, groups = {cell}, set[int]()
        waiting = [cell]
        while waiting:
            beside = placed.beside[waiting.pop()]
            reached = {other for other in beside if not placed.squares[other]}
            for first in {group[other] for other in beside if placed.squares[other]} - groups:
                groups.add(first)
                reached.update(liberties_in(placed.tables, placed.record, first))
            waiting.extend(reached - region)
            region |= reached
        left -= region
        if groups or all_small:
            components.append(_cut_out(placed, group, region, groups))
    return components


def counts_in(board: str) -> tuple[int, int, int]:
    """How many squares of a board are empty, how many pairs of these are adjacent, and how many groups can expand."""
    placed = _placed(board)
    empty = [cell for cell, owner in enumerate(placed.squares) if not owner]
    adjacent = sum(not placed.squares[other] for cell in empty for other in placed.beside[cell]) // 2
    return len(empty), adjacent, sum(len(squares_in(placed.record.active[player])) for player in range(2))


def _cut_out(placed: _Placed, group: list[int], region: set[int], groups: set[int]) -> Component:
    """The smallest board that holds an empty region and the groups that touch it."""
    inside = region | {cell for cell, owner in enumerate(placed.squares) if owner and group[cell] in groups}
    rows, columns = ({divmod(cell, placed.columns)[part] for cell in inside} for part in range(2))
    lines = [
        "".join(_mark(placed, row * placed.columns + column, region) for column in range(min(columns), max(columns) + 1))
        for row in range(min(rows), max(rows) + 1)
    ]
    return Component(min(rows), min(columns), "|".join(lines))


def _mark(placed: _Placed, cell: int, region: set[int]) -> str:
    return MARKS[placed.squares[cell] or (0 if cell in region else 1)]
