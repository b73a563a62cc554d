"""Where the lasers of a board shine, as far as no robot is in their way; for pictures and players, not for the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludarium.core.jit import plain

from .damage import laser_place


@dataclass(frozen=True)
class Beam:
    """A direction (0 north to 3 west), and all squares of a beam from the laser's own to the one with the wall where it ends."""

    direction: int
    squares: tuple[int, ...]


def beams_of(tables: Any, record: Any) -> list[Beam]:
    """The beams of all lasers of the board of a state, once its tiles lie."""
    found: list[Beam] = []
    for laser in range(len(tables.board_lasers)):
        square, direction = (int(number) for number in plain(laser_place)(tables, record, laser))
        squares = [square]
        while int(record.walls[squares[-1]]) >> direction & 1 == 0:
            squares.append(squares[-1] + int(tables.step[direction]))
        found.append(Beam(direction, tuple(squares)))
    return found
