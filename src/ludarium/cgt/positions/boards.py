"""Boards as texts: rows joined by ``|``, a character a square."""

from __future__ import annotations

from ludarium.errors import BadNotation

MOST_SQUARES = 64
"""Squares of a board whose exact value can be asked for."""


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
                    f"'{text}': '{character}' in row {number}, column {column}; a board is made of {' '.join(characters)} and '|'"
                )
        if len(row) != len(rows[0]):
            raise BadNotation(f"'{text}': row {number} has {len(row)} square{'s' * (len(row) != 1)}, row 0 has {len(rows[0])}")
    if not rows[0]:
        raise BadNotation(f"'{text}' is an empty board; give rows of {' '.join(characters)} joined by '|'")
    return rows


def first_word(rows: int, columns: int, words: int) -> int:
    """The first word of a compiled ruleset's position: its layout's dimensions, and how many words are in use."""
    return words << 16 | rows << 8 | columns


def sets_of(rows: list[str], characters: str) -> tuple[int, int, list[int]]:
    """The rows and columns of a board's layout (8×8 where it fits), and for each character the set of squares that show it, as bits.

    Raises:
        BadNotation: more than 64 squares.
    """
    height, width = len(rows), len(rows[0])
    if height * width > MOST_SQUARES:
        raise BadNotation(f"a board of {height}×{width} squares is too large for exact values; {MOST_SQUARES} squares are the most")
    if height <= 8 and width <= 8:
        height = width = 8
    squares = [(row * width + column, character) for row, line in enumerate(rows) for column, character in enumerate(line)]
    return height, width, [sum(1 << place for place, character in squares if character == wanted) for wanted in characters]
