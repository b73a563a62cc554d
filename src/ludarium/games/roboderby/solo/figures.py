"""What is worth knowing of a robot that races alone: its par, and how many turns are to go."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..tables import PHASE, RoboDerbyTables, are_placed
from .known import racer_of

__all__ = ["solo_figures"]


def solo_figures(tables: RoboDerbyTables, record: Any) -> Mapping[str, float]:
    """``par``, the expected turns from the start mark of the only robot, and while the race lasts ``turns to go``, those from where the turn begins.

    Exact, as far as robots alone are undamaged: lasers of the board are left aside. Takes seconds on a board that is new. Empty with more robots, before they
    are placed, and where the finish cannot be reached for certain.
    """
    if tables.players > 1 or not are_placed(record):
        return {}
    racer = racer_of(tables, record, 0)
    if not math.isfinite(racer.par):
        return {}
    figures = {"par": racer.par}
    if int(record.phase) in (PHASE.SHUTDOWN, PHASE.PROGRAM):  # the robot stands where the turn has begun
        to_go = racer.expected_turns(int(record.square[0]), int(record.heading[0]), int(record.lap[0]))
        if math.isfinite(to_go):
            figures["turns to go"] = to_go
    return figures
