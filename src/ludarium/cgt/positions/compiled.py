"""Compiled rulesets: positions of up to 64 squares as words of 64 bits, and the functions that a ruleset implements for them.

A position is ``uint64[MOST_WORDS]``. Its first word holds the dimensions and how many words are in use; the second one is the set of empty squares, and what
the others hold is the ruleset's. Squares are numbered row by row from the top left. What fits is laid out as 8×8, with nothing on the squares beyond its edge:
there a mirror image of a set of squares takes a few operations on the whole word.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.bits import bit, lowest_bit
from ludarium.core.jit import compiled
from ludarium.core.rules import generic

MOST_WORDS = 48
"""The most words of a position."""

MOST_MOVES = 128
"""The most moves that a player has in a position."""

MOST_PARTS = 32
"""The most components that a position has."""


@generic
def moves(tables: Any, position: Any, player: Any, out: Any) -> int:
    """Write the positions that a player (0 Left, 1 Right) can move to into ``out`` (``uint64[MOST_MOVES, MOST_WORDS]``); how many."""
    ...


@generic
def parts(tables: Any, position: Any, out: Any) -> int:
    """Write the components that a position is the sum of into ``out`` (``uint64[MOST_PARTS, MOST_WORDS]``); how many.

    Components in which nobody can ever move are left out.
    """
    ...


@generic
def normal_position(tables: Any, position: Any, out: Any) -> int:
    """Write a component's representative among its mirror images and the like into ``out[0]`` (``uint64[2, MOST_WORDS]``, the second row is spare).

    0 if it has the same value, 1 if the negative one.
    """
    ...


@compiled
def header(rows: Any, columns: Any, words: Any) -> Any:
    """The first word of a position."""
    return np.uint64(words << 16 | rows << 8 | columns)


@compiled
def rows_of(position: Any) -> Any:
    return np.int64(position[0] >> np.uint64(8)) & 255


@compiled
def columns_of(position: Any) -> Any:
    return np.int64(position[0]) & 255


@compiled
def words_in(position: Any) -> Any:
    """How many words of a position are in use."""
    return np.int64(position[0] >> np.uint64(16))


@compiled
def first_column(rows: Any, columns: Any) -> Any:
    """The squares of the first column."""
    column = np.uint64(1)
    for row in range(1, rows):
        column |= np.uint64(1) << np.uint64(row * columns)
    return column


@compiled
def neighbours(squares: Any, rows: Any, columns: Any, first: Any) -> Any:
    """The squares beside a set of squares, and perhaps some of the set; ``first`` is the first column."""
    last = first << np.uint64(columns - 1)
    found = ((squares & ~last) << np.uint64(1)) | ((squares & ~first) >> np.uint64(1))
    if rows > 1:
        found |= (squares << np.uint64(columns)) | (squares >> np.uint64(columns))
        if rows * columns < 64:
            found &= (np.uint64(1) << np.uint64(rows * columns)) - np.uint64(1)
    return found


@compiled
def mirrored_columns(squares: Any) -> Any:
    """The mirror image of a set of squares of an 8×8 board, left and right exchanged."""
    squares = ((squares >> np.uint64(1)) & np.uint64(0x5555555555555555)) | ((squares & np.uint64(0x5555555555555555)) << np.uint64(1))
    squares = ((squares >> np.uint64(2)) & np.uint64(0x3333333333333333)) | ((squares & np.uint64(0x3333333333333333)) << np.uint64(2))
    return ((squares >> np.uint64(4)) & np.uint64(0x0F0F0F0F0F0F0F0F)) | ((squares & np.uint64(0x0F0F0F0F0F0F0F0F)) << np.uint64(4))


@compiled
def mirrored_rows(squares: Any) -> Any:
    """The mirror image of a set of squares of an 8×8 board, top and bottom exchanged."""
    squares = ((squares >> np.uint64(8)) & np.uint64(0x00FF00FF00FF00FF)) | ((squares & np.uint64(0x00FF00FF00FF00FF)) << np.uint64(8))
    squares = ((squares >> np.uint64(16)) & np.uint64(0x0000FFFF0000FFFF)) | ((squares & np.uint64(0x0000FFFF0000FFFF)) << np.uint64(16))
    return (squares >> np.uint64(32)) | (squares << np.uint64(32))


@compiled
def transposed(squares: Any) -> Any:
    """The mirror image of a set of squares of an 8×8 board, rows and columns exchanged."""
    swapped = (squares ^ (squares >> np.uint64(7))) & np.uint64(0x00AA00AA00AA00AA)
    squares ^= swapped ^ (swapped << np.uint64(7))
    swapped = (squares ^ (squares >> np.uint64(14))) & np.uint64(0x0000CCCC0000CCCC)
    squares ^= swapped ^ (swapped << np.uint64(14))
    swapped = (squares ^ (squares >> np.uint64(28))) & np.uint64(0x00000000F0F0F0F0)
    return squares ^ swapped ^ (swapped << np.uint64(28))


@compiled
def frame_of(empty: Any, rows: Any, columns: Any) -> Any:
    """What mirror images are made in: the dimensions of the layout, the corner and the size of the box around the empty squares, and the images' dimensions."""
    if rows == 8 and columns == 8:
        return 8, 8, 0, 0, 8, 8, 8, 8
    top, left, bottom, right = rows, columns, -1, -1
    while empty:
        square = lowest_bit(empty)
        empty &= empty - np.uint64(1)
        row = square // columns
        column = square - row * columns
        top, left, bottom, right = min(top, row), min(left, column), max(bottom, row), max(right, column)
    height, width = bottom - top + 1, right - left + 1
    if height <= 8 and width <= 8:
        return rows, columns, top, left, height, width, 8, 8
    return rows, columns, top, left, height, width, min(height, width), max(height, width)


@compiled
def has_image(frame: Any, turn: Any) -> Any:
    """Whether a frame has this image and it may be another one than those before: bit 0 mirrors columns, bit 1 rows, bit 2 exchanges both afterwards."""
    rows, columns, _, _, height, width, image_rows, _ = frame
    if rows == 8 and columns == 8:
        return True
    if (height == 1 and turn & 2) or (width == 1 and turn & 1):
        return False
    return image_rows == 8 or height == width or (height < width) == (turn < 4)


@compiled
def image(squares: Any, turn: Any, frame: Any) -> Any:
    """A mirror image of a set of squares; on the 8×8 board it is not at the top left, see :func:`corner`."""
    rows, columns, top, left, height, width, _, stride = frame
    if rows != 8 or columns != 8:
        return _image_by_squares(squares, turn, columns, top, left, height, width, stride)
    if turn & 1:
        squares = mirrored_columns(squares)
    if turn & 2:
        squares = mirrored_rows(squares)
    return transposed(squares) if turn & 4 else squares


@compiled
def corner(squares: Any, frame: Any) -> Any:
    """How far the image of the empty squares, not none, is to be shifted towards square 0 so that it touches the top and the left edge."""
    if frame[0] != 8 or frame[1] != 8:
        return np.uint64(0)
    row = lowest_bit(squares) & 56
    squares |= squares >> np.uint64(32)
    squares |= squares >> np.uint64(16)
    squares |= squares >> np.uint64(8)
    return np.uint64(row + lowest_bit(squares & np.uint64(255)))


@compiled
def _image_by_squares(squares: Any, turn: Any, columns: Any, top: Any, left: Any, height: Any, width: Any, stride: Any) -> Any:
    """A mirror image of the squares in a box, laid out with rows of ``stride`` squares."""
    found = np.uint64(0)
    while squares:
        square = lowest_bit(squares)
        squares &= squares - np.uint64(1)
        row = square // columns
        column = square - row * columns - left
        row -= top
        if turn & 1:
            column = width - 1 - column
        if turn & 2:
            row = height - 1 - row
        found |= bit(column * stride + row if turn & 4 else row * stride + column)
    return found
