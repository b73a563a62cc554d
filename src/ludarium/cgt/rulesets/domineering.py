"""Domineering: Left places a vertical domino, Right a horizontal one (Göran Andersson; Winning Ways, chapter 5)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.core.bits import bit, lowest_bit
from ludarium.core.boards import board_rows

from ..positions.boards import first_word, sets_of
from ..positions.compiled import (
    MOST_WORDS,
    columns_of,
    corner,
    first_column,
    frame_of,
    has_image,
    header,
    image,
    mirrored_columns,
    mirrored_rows,
    moves,
    neighbours,
    normal_position,
    parts,
    rows_of,
    transposed,
)


class DomineeringTables(NamedTuple):
    """Nothing changes from board to board but the position itself."""

    version: int


@moves.implement(DomineeringTables)
def domineering_moves(tables: Any, position: Any, player: Any, out: Any) -> Any:
    columns = columns_of(position)
    empty = position[1]
    step = np.uint64(columns if player == 0 else 1)
    firsts = empty & (empty >> step)
    if player == 1:
        firsts &= ~(first_column(rows_of(position), columns) << np.uint64(columns - 1))
    elif rows_of(position) == 1:
        firsts = np.uint64(0)
    count = 0
    while firsts:
        square = np.uint64(lowest_bit(firsts))
        firsts &= firsts - np.uint64(1)
        out[count, 0] = position[0]
        out[count, 1] = empty & ~(bit(square) | bit(square + step))
        count += 1
    return count


@parts.implement(DomineeringTables)
def domineering_parts(tables: Any, position: Any, out: Any) -> Any:
    """Regions of adjacent empty squares; single squares are nothing."""
    rows, columns = rows_of(position), columns_of(position)
    first = first_column(rows, columns)
    empty = position[1]
    count = 0
    while empty:
        region = empty & (~empty + np.uint64(1))
        before = np.uint64(0)
        while region != before:
            before = region
            region |= neighbours(region, rows, columns, first) & empty
        empty &= ~region
        if region & (region - np.uint64(1)):
            out[count, 0] = position[0]
            out[count, 1] = region
            count += 1
    return count


@normal_position.implement(DomineeringTables)
def domineering_normal_position(tables: Any, position: Any, out: Any) -> Any:
    """The least of the mirror images; exchanging rows and columns exchanges the players."""
    squares = position[1]
    frame = frame_of(squares, rows_of(position), columns_of(position))
    least = ~np.uint64(0)
    sign = 0
    for turn in range(8):
        if frame[0] == 8 and frame[1] == 8:  # one mirror after the other, which is less work than each image by itself
            empty = squares >> corner(squares, frame)
            squares = mirrored_rows(squares) if turn & 1 else mirrored_columns(squares)
            if turn == 3:
                squares = transposed(squares)
        elif has_image(frame, turn):
            empty = image(position[1], turn, frame)
        else:
            continue
        if empty < least:
            least = empty
            sign = turn >> 2
    out[0, 0] = header(frame[6], frame[7], 2)
    out[0, 1] = least
    return sign


class Domineering:
    """The ruleset. A position is a text: rows joined by ``|``, ``*`` an empty square, ``#`` a filled one; up to 64 squares."""

    tables = DomineeringTables(1)

    def words(self, position: str) -> np.ndarray:
        """The position as ``uint64[MOST_WORDS]``.

        Raises:
            BadNotation: no such text.
        """
        words = np.zeros(MOST_WORDS, np.uint64)
        rows, columns, (empty,) = sets_of(board_rows(position, "*#"), "*")
        words[:2] = first_word(rows, columns, 2), empty
        return words
