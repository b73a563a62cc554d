"""Boards of up to 64 squares as sets of squares."""

from __future__ import annotations

from ludarium.errors import BadNotation

MOST_SQUARES = 64
"""Squares of a board whose exact value can be asked for."""


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
