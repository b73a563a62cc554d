"""What a player knows of the robots' courses: soon something, and everything as time goes by. It is worked out while nobody's clock runs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ludarium.core.game import State

from ..solo.known import racer_of
from ..solo.racer import Racer
from ..solo.tables import SoloTables

AT_FIRST = 1.5
"""Seconds, about, for the first tables of all courses together. One that is solved alone is exact by then on most boards."""

A_SLICE = 0.4
"""Seconds, about, by which tables that are not exact yet are improved before a later decision."""

Race = tuple[bytes, int, int]


def race_of(record: Any, robot: int) -> Race:
    """What a robot's course depends on in a game: the deal, the start edge and its start mark."""
    return (record.tile.tobytes() + record.rotation.tobytes(), int(record.start_edge), int(record.start[robot]))


class Courses:
    """The solo racers of a game's robots."""

    def __init__(self, at_first: float = AT_FIRST, a_slice: float = A_SLICE) -> None:
        self._at_first, self._slice = at_first, a_slice
        self._racers: dict[Race, Racer] = {}

    def prepare(self, state: State, robots: Sequence[int]) -> list[SoloTables]:
        """The racers' tables, after the first racer that is not exact was made a little better."""
        for robot, racer in zip(robots, self.of(state, robots), strict=True):
            if not racer.solution.is_exact:
                self._racers[race_of(state.record, robot)] = racer_of(state.game.tables, state.record, robot, self._slice)
                break
        return [racer.tables for racer in self.of(state, robots)]

    def of(self, state: State, robots: Sequence[int]) -> list[Racer]:
        """The racers of some robots of a state in which the robots have their letters."""
        tables, record = state.game.tables, state.record
        races = {robot: race_of(record, robot) for robot in robots}
        unknown = [robot for robot, race in races.items() if race not in self._racers]
        end = time.monotonic() + self._at_first
        for number, robot in enumerate(unknown):
            seconds = (end - time.monotonic()) / (len(unknown) - number)
            self._racers[races[robot]] = racer_of(tables, record, robot, seconds)
        return [self._racers[race] for race in races.values()]
