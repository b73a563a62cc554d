"""Exact values of Expand and Conquer: the game as a compiled ruleset (specification §1, both variants).

What stones look like does not matter, only which empty squares a group touches. So a position is its empty squares; for each player the squares touched by a
group that touches no other one (a second such group changes nothing); and for each other group the set of squares that it touches.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.cgt.positions.compiled import (
    columns_of,
    corner,
    first_column,
    frame_of,
    has_image,
    header,
    image,
    moves,
    neighbours,
    normal_position,
    parts,
    rows_of,
    words_in,
)
from ludarium.cgt.solving.rows import at_a_glance
from ludarium.core.bits import bit, count_bits, lowest_bit
from ludarium.core.jit import compiled, subroutine
from ludarium.errors import BadOption, one_of

from .boards import Board
from .components import COUNTS, EMPTY, GROUPS, SINGLES


class ExpandConquerVariant(NamedTuple):
    """Which rules: 0 normal, 1 all-small."""

    all_small: int


@compiled
def _count(position: Any, player: Any) -> Any:
    return np.int64(position[COUNTS] >> np.uint64(8 * player)) & 255


@compiled
def _set_counts(out: Any, rows: Any, columns: Any, left: Any, right: Any) -> None:
    out[COUNTS] = np.uint64(left | right << 8)
    out[0] = header(rows, columns, GROUPS + left + right)


@moves.implement(ExpandConquerVariant)
def expand_conquer_moves(tables: Any, position: Any, player: Any, out: Any) -> Any:
    """Expansions of groups that touch several squares, of groups that touch one, and in the all-small variant single stones."""
    first = first_column(rows_of(position), columns_of(position))
    left = _count(position, 0)
    start = GROUPS + left * player
    touched = position[SINGLES + player]
    count = 0
    for at in range(start, start + (_count(position, 1) if player else left)):
        touched |= position[at]
        _fill(position, player, position[at], first, out[count])
        count += 1
    rest = position[SINGLES + player]
    if tables.all_small == 1:
        rest |= position[EMPTY] & ~touched
    while rest:
        stone = rest & (~rest + np.uint64(1))
        rest &= ~stone
        _fill(position, player, stone, first, out[count])
        count += 1
    return count


@subroutine
def _fill(position: Any, player: Any, filled: Any, first: Any, out: Any) -> None:
    """Write the position after a player has filled these squares, which are then one group with all of the player's groups that touched them."""
    rows, columns = rows_of(position), columns_of(position)
    empty = position[EMPTY] & ~filled
    merged = neighbours(filled, rows, columns, first)
    singles = position[SINGLES + player]
    other_singles = position[SINGLES + 1 - player]
    counts = (0, 0)
    end = GROUPS
    at = GROUPS
    for owner in range(2):
        begin = end
        for _ in range(_count(position, owner)):
            group = position[at]
            at += 1
            if owner == player and group & filled != np.uint64(0):
                merged |= group
                continue
            group &= ~filled
            if group & (group - np.uint64(1)) == np.uint64(0):
                other_singles |= group
            else:
                out[end] = group
                end += 1
        if owner == player:
            # The merged group is written last of its owner's when all of them are known.
            out[end] = 0
            end += 1
        counts = (end - begin, 0) if owner == 0 else (counts[0], end - begin)
    merged &= empty
    place = GROUPS + counts[0] - 1 if player == 0 else end - 1
    if merged & (merged - np.uint64(1)) == np.uint64(0):
        singles |= merged
        for behind in range(place, end - 1):
            out[behind] = out[behind + 1]
        counts = (counts[0] - 1, counts[1]) if player == 0 else (counts[0], counts[1] - 1)
    else:
        out[place] = merged
    out[EMPTY] = empty
    out[SINGLES + player] = singles & empty
    out[SINGLES + 1 - player] = other_singles & empty
    _set_counts(out, rows, columns, counts[0], counts[1])


@parts.implement(ExpandConquerVariant)
def expand_conquer_parts(tables: Any, position: Any, out: Any) -> Any:
    """Empty squares tied to each other by adjacency or by a group that touches both, with the groups that touch them."""
    rows, columns = rows_of(position), columns_of(position)
    first = first_column(rows, columns)
    empty = position[EMPTY]
    left = _count(position, 0)
    end = GROUPS + left + _count(position, 1)
    count = 0
    while empty:
        region = empty & (~empty + np.uint64(1))
        before = np.uint64(0)
        while region != before:
            before = region
            region |= neighbours(region, rows, columns, first) & empty
            for at in range(GROUPS, end):
                if position[at] & region != np.uint64(0):
                    region |= position[at]
        empty &= ~region
        part = out[count]
        part[EMPTY] = region
        part[SINGLES] = position[SINGLES] & region
        part[SINGLES + 1] = position[SINGLES + 1] & region
        kept = GROUPS
        kept_left = 0
        for at in range(GROUPS, end):
            if position[at] & region != np.uint64(0):
                part[kept] = position[at]
                kept += 1
                kept_left += 1 if at < GROUPS + left else 0
        _set_counts(part, rows, columns, kept_left, kept - GROUPS - kept_left)
        if tables.all_small == 1 or kept > GROUPS or part[SINGLES] | part[SINGLES + 1] != np.uint64(0):
            count += 1
    return count


@normal_position.implement(ExpandConquerVariant)
def expand_conquer_normal_position(tables: Any, position: Any, out: Any) -> Any:
    """The least of the mirror images, colours exchanged or not; exchanging them makes the negative."""
    frame = frame_of(position[EMPTY], rows_of(position), columns_of(position))
    least = ~np.uint64(0)
    turns = 0  # those that make the least set of empty squares
    for turn in range(8):
        if has_image(frame, turn):
            empty = image(position[EMPTY], turn, frame)
            empty >>= corner(empty, frame)
            if empty < least:
                least = empty
                turns = 0
            if empty == least:
                turns |= 1 << turn
    lead = _size(position, 0) - _size(position, 1)
    sign = -1
    for turn in range(8):
        if turns >> turn & 1:
            shift = corner(image(position[EMPTY], turn, frame), frame)
            for exchanged in range(2):
                if (lead > 0 and exchanged == 1) or (lead < 0 and exchanged == 0):
                    continue
                _write_image(position, turn, frame, least, shift, exchanged, out[0] if sign < 0 else out[1])
                if sign < 0:
                    sign = exchanged
                elif _is_less(out[1], out[0]):
                    sign = exchanged
                    for word in range(words_in(out[1])):
                        out[0, word] = out[1, word]
    return sign


@compiled
def _size(position: Any, player: Any) -> Any:
    """How much of a position a player's groups touch, whatever they look like."""
    start = GROUPS + _count(position, 0) * player
    touched = np.uint64(0)
    for at in range(start, start + _count(position, player)):
        touched |= position[at]
    return 64 * count_bits(touched) + count_bits(position[SINGLES + player])


@subroutine
def _write_image(position: Any, turn: Any, frame: Any, empty: Any, shift: Any, exchanged: Any, out: Any) -> None:
    """Write a mirror image, colours exchanged or not, the groups of each colour sorted and none twice."""
    out[EMPTY] = empty
    left = _count(position, 0)
    end = GROUPS
    counts = (0, 0)
    for owner in range(2):
        source = owner ^ exchanged
        out[SINGLES + owner] = image(position[SINGLES + source], turn, frame) >> shift
        begin = end
        first = GROUPS + left * source
        for at in range(first, first + _count(position, source)):
            group = image(position[at], turn, frame) >> shift
            place = end
            while place > begin and out[place - 1] > group:
                place -= 1
            if place > begin and out[place - 1] == group:
                continue
            for behind in range(end, place, -1):
                out[behind] = out[behind - 1]
            out[place] = group
            end += 1
        counts = (end - begin, 0) if owner == 0 else (counts[0], end - begin)
    _set_counts(out, frame[6], frame[7], counts[0], counts[1])


@at_a_glance.implement(ExpandConquerVariant)
def expand_conquer_at_a_glance(tables: Any, position: Any, out: Any) -> Any:
    """Mirrored components are 0. In the all-small variant stops are 0; in the normal one there are no more moves than squares, and none without a group.

    Mirrored means: by an axis between two rows or columns, the colours exchanged, and every group on one side of it. The mirrored move is then an answer to
    every move, for an expansion fills squares on its own side only.
    """
    rows, columns = rows_of(position), columns_of(position)
    if rows == 8 and columns == 8:
        height = width = 0
        squares = position[EMPTY]
        while squares:
            square = lowest_bit(squares)
            squares &= squares - np.uint64(1)
            height, width = max(height, square >> 3), max(width, square & 7)
        if height & 1 and _is_mirrored(position, 2, np.uint64(8 * (7 - height)), bit(4 * (height + 1)) - np.uint64(1)):
            return 1
        if width & 1 and _is_mirrored(position, 1, np.uint64(7 - width), first_column(8, 8) * (bit((width + 1) >> 1) - np.uint64(1))):
            return 1
    size = 0.0 if tables.all_small == 1 else float(count_bits(position[EMPTY]))
    out[0] = size if _size(position, 0) > 0 else 0.0
    out[1] = -size if _size(position, 1) > 0 else 0.0
    return 0


@subroutine
def _is_mirrored(position: Any, turn: Any, shift: Any, half: Any) -> Any:
    """Whether a component at the top left of the 8×8 layout is its own mirror image, the colours exchanged, and no group touches both halves."""
    frame = (8, 8, 0, 0, 8, 8, 8, 8)
    empty = position[EMPTY]
    if image(empty, turn, frame) >> shift != empty or image(position[SINGLES], turn, frame) >> shift != position[SINGLES + 1]:
        return False
    left, right = _count(position, 0), _count(position, 1)
    if left != right:
        return False
    for at in range(GROUPS, GROUPS + left):
        if position[at] & half != np.uint64(0) and position[at] & ~half != np.uint64(0):
            return False
        mirrored = image(position[at], turn, frame) >> shift
        found = False
        for other in range(GROUPS + left, GROUPS + left + right):
            found = found or position[other] == mirrored
        if not found:
            return False
    return True


@compiled
def _is_less(one: Any, other: Any) -> Any:
    """Whether a position comes before another one with the same empty squares."""
    if one[COUNTS] != other[COUNTS]:
        return one[COUNTS] < other[COUNTS]
    for word in range(SINGLES, words_in(one)):
        if one[word] != other[word]:
            return one[word] < other[word]
    return False


class ExpandConquerRuleset:
    """The ruleset for :func:`ludarium.cgt.value`.

    A position is a board string of up to 64 squares, rows of ``*``, ``O`` and ``X`` joined by ``|``; or the words that :class:`.Grid` makes of a component.
    """

    VARIANTS = ("normal", "all-small")

    def __init__(self, variant: str = "normal") -> None:
        if variant not in self.VARIANTS:
            raise BadOption(f"variant {one_of(variant, self.VARIANTS)}")
        self.tables = ExpandConquerVariant(self.VARIANTS.index(variant))

    def words(self, position: str | np.ndarray) -> np.ndarray:
        """The position as ``uint64[MOST_WORDS]``.

        Raises:
            BadNotation: no board string, or more than 64 squares.
        """
        return position if isinstance(position, np.ndarray) else Board(position).words
