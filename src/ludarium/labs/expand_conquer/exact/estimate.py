"""How much work an exact value is, guessed before it is begun."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ludarium.games.expand_conquer.boards import Board
from ludarium.games.expand_conquer.components import Component

SECONDS_A_POSITION = 1e-5
"""What a position takes, to find and to evaluate, on a usual computer; more where values are complicated."""


class Estimate(NamedTuple):
    """The component of some boards that has the most positions."""

    empty: int
    groups: int
    positions: float


def estimate(boards: Iterable[Board], all_small: bool) -> Estimate:
    """Positions that can be reached from the largest component of boards, mirror images counted once."""
    parts = [_positions(board, part, all_small) for board in boards for part in board.components(all_small)]
    return max(parts, key=lambda one: one.positions, default=Estimate(0, 0, 0.0))


def _positions(board: Board, part: Component, all_small: bool) -> Estimate:
    """The power of ten is linear in what can be counted on the board.

    Fitted to 500 random components of 6 to 30 empty squares, and to the boards g_n of one row, which have fewer positions. For two components of three it is
    right within a factor of 2 (all-small) or 3 (normal).
    """
    empty, around = part.size, board.groups_at(part)
    groups = len(around)
    if all_small:
        power = -0.15 + 0.21 * empty + 0.13 * board.grid.pairs(part.empty) + (0.045 * groups if board.box(part)[2] > 1 else 0)
        power -= 0 if groups else 0.5  # an empty board has many mirror images that are itself
    else:
        power = min(-0.1 + 0.06 * empty + 0.26 * groups, 0.21 * empty)
    return Estimate(empty, groups, 10.0**power)
