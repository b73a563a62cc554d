"""Text for Expand and Conquer: the paper's board strings (definition 3.4), actions ``(r,c)`` and ``+(r,c)``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ludarium.core.boards import board_rows
from ludarium.core.hints import not_an_action
from ludarium.errors import BadNotation

from .rules import MOST

if TYPE_CHECKING:
    from ludarium.core.game import State

MARKS = "*OX"
SIDES = "LR"

_ACTION = re.compile(r"(?P<place>\+)? ?\( ?(?P<row>[0-9]{1,3}) ?, ?(?P<column>[0-9]{1,3}) ?\)")
_FORMS = {r"\(.*": "expand the group whose first square is in that row and column", r"\+.*": "place a stone there"}
_FORM = "rows of * (empty), O (Left) and X (Right), joined by |, then L or R to move, such as X*O*O|****O L"


class Position(NamedTuple):
    """A position as written. ``board`` has 0 (empty), 1 (Left) or 2 (Right) for every square in reading order."""

    rows: int
    columns: int
    board: tuple[int, ...]
    side: int | None
    """The player to move; None where the text does not say."""


def cell_text(cell: int, columns: int) -> str:
    """``(r,c)``, both from 0."""
    return f"({cell // columns},{cell % columns})"


def read_action(state: State, player: int, text: str, all_small: bool) -> tuple[bool, int]:
    """Whether a text places a stone (or expands a group), and the square.

    Raises:
        BadNotation: no action, outside of the board, or a placement in the normal variant.
    """
    match = _ACTION.fullmatch(text.strip())
    if match is None:
        raise not_an_action(state, player, text, _FORMS)
    rows, columns = state.game.tables.rows, state.game.tables.columns
    row, column = int(match["row"]), int(match["column"])
    if row >= rows or column >= columns:
        raise BadNotation(f"'{text[:40]}' is outside of the board: rows are 0 to {rows - 1}, columns 0 to {columns - 1}")
    if match["place"] and not all_small:
        raise BadNotation(f"'{text[:40]}': stones are placed in the all-small variant only; this is the normal one")
    return bool(match["place"]), row * columns + column


def board_text(board: Iterable[int], columns: int) -> str:
    """``X*O*O|****O``."""
    marks = "".join(MARKS[owner] for owner in board)
    return "|".join(marks[at : at + columns] for at in range(0, len(marks), columns))


def read_board(text: str) -> tuple[int, int, tuple[int, ...]]:
    """Rows, columns, and 0, 1 or 2 for every square. Small letters are read like capital ones.

    Raises:
        BadNotation: with the place and what is wrong there.
    """
    rows = board_rows(text.upper(), MARKS)
    columns = len(rows[0])
    for count, name in ((len(rows), "rows"), (columns, "columns")):
        if count > MOST:
            raise BadNotation(f"a board has at most {MOST} {name}, not {count}")
    return len(rows), columns, tuple(MARKS.index(mark) for row in rows for mark in row)


def read_position(text: str) -> Position:
    """A board, and who is to move if the text says it.

    Raises:
        BadNotation: with the place and what is wrong there.
    """
    fields: Sequence[str] = text.split()
    if not 1 <= len(fields) <= 2:
        raise BadNotation(f"'{text[:80]}' is no position: {_FORM}")
    rows, columns, board = read_board(fields[0])
    if len(fields) == 1:
        return Position(rows, columns, board, None)
    if len(fields[1]) != 1 or fields[1].upper() not in SIDES:
        raise BadNotation(f"the side to move is L or R, not '{fields[1][:20]}'")
    return Position(rows, columns, board, SIDES.index(fields[1].upper()))
