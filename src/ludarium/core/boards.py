"""Boards as texts: rows joined by ``|``, a character a square."""

from __future__ import annotations

from ludarium.errors import BadNotation


def board_rows(text: object, characters: str) -> list[str]:
    """The rows of a board.

    Raises:
        BadNotation: no board of these characters, and where it goes wrong, counted from zero as squares are.
    """
    if not isinstance(text, str):
        raise BadNotation(f"{text!r} is no board: give rows joined by '|'")
    rows = text.split("|")
    for number, row in enumerate(rows):
        for column, character in enumerate(row):
            if character not in characters:
                raise BadNotation(
                    f"'{text[:80]}': '{character}' in row {number}, column {column}; a board is made of {' '.join(characters)} and '|'"
                )
        if len(row) != len(rows[0]):
            raise BadNotation(f"'{text[:80]}': row {number} has {len(row)} square{'s' * (len(row) != 1)}, row 0 has {len(rows[0])}")
    if not rows[0]:
        raise BadNotation(f"'{text[:80]}' is an empty board; give rows of {' '.join(characters)} joined by '|'")
    return rows
