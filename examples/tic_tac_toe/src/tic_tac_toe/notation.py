"""Text for tic-tac-toe: cells ``a1`` to ``c3``, positions such as ``..O/.X./X..``."""

from __future__ import annotations

import re
from typing import Any

from ludarium.errors import BadNotation

__all__ = ["action_index", "cell_name", "position_text", "read_position"]

_FORM = "three rows joined by '/', the top one first, with '.', 'X' or 'O' for every cell"


def cell_name(cell: int) -> str:
    """``a1`` for 0 to ``c3`` for 8."""
    return "abc"[cell % 3] + "123"[cell // 3]


def action_index(text: str) -> int:
    """The cell that a text names.

    Raises:
        BadNotation: it names none.
    """
    if not re.fullmatch(r"[abc][123]", text.strip()):
        raise BadNotation(f"'{text[:40]}' is not a cell; cells are a1 (bottom left) to c3 (top right)")
    return "abc".index(text.strip()[0]) + 3 * "123".index(text.strip()[1])


def position_text(record: Any) -> str:
    """``..O/.X./X..``"""
    marks = "".join(".XO"[int(mark)] for mark in record.board)
    return f"{marks[6:]}/{marks[3:6]}/{marks[:3]}"


def read_position(text: str) -> list[int]:
    """The mark of every cell, a1 first: 0 empty, 1 X, 2 O. Who is to move follows from their numbers.

    Raises:
        BadNotation: not of the form, or the numbers of marks cannot arise.
    """
    if not re.fullmatch(r"[.XO]{3}/[.XO]{3}/[.XO]{3}", text):
        raise BadNotation(f"'{text[:40]}' is no tic-tac-toe position: {_FORM}")
    crosses, noughts = text.count("X"), text.count("O")
    if crosses - noughts not in (0, 1):
        raise BadNotation(f"X begins and they alternate: {crosses} X and {noughts} O cannot stand together")
    return [".XO".index(mark) for row in reversed(text.split("/")) for mark in row]
