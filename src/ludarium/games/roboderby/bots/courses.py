"""What a player knows of the robots' courses: soon something, and everything as time goes by."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ludarium.core.game import State

from ..solo import Racer

__all__ = ["Courses", "race_of"]

AT_FIRST = 2.0
"""Seconds, about, for the first tables of all courses together. On most boards they are exact by then."""

A_SLICE = 0.4
"""Seconds, about, by which tables that are not exact yet are improved before a later decision."""

Race = tuple[bytes, int, int]


def race_of(record: Any, robot: int) -> Race:
    """What a robot's course depends on in a game: the deal, the start edge and its start mark."""
    return (record.tile.tobytes() + record.rotation.tobytes(), int(record.start_edge), int(record.start[robot]))


class Courses:
    """The solo racers of a game's robots. Each call makes the first of them that is not exact a little better."""

    def __init__(self, at_first: float = AT_FIRST, a_slice: float = A_SLICE) -> None:
        self._at_first, self._slice = at_first, a_slice
        self._racers: dict[Race, Racer] = {}

    def of(self, state: State, robots: Sequence[int]) -> list[Racer]:
        """The racers of some robots of a state in which the robots have their letters."""
        tables, record = state.game.tables, state.record
        races = [race_of(record, robot) for robot in robots]
        unknown = [number for number, race in enumerate(races) if race not in self._racers]
        end = time.monotonic() + self._at_first
        for left, number in zip(range(len(unknown), 0, -1), unknown, strict=True):
            seconds = (end - time.monotonic()) / left
            self._racers[races[number]] = Racer.of(tables, record, robots[number], seconds=seconds)
        if not unknown:
            self._improve(races, tables.commands)
        return [self._racers[race] for race in races]

    def _improve(self, races: list[Race], commands: Any) -> None:
        for race in races:
            racer = self._racers[race]
            if not racer.solution.is_exact:
                values = racer.solution.values
                self._racers[race] = Racer(racer.course, commands, reroll_any=racer.reroll_any, seconds=self._slice, guess=values)
                return
