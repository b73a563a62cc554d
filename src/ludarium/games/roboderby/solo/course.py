"""The course of a robot that races alone: all places that it can be at, and where each command leads from there.

A *place* is a square, a heading and the lap progress: a robot alone is never pushed or hacked, so its future depends on nothing else. Further
places are one for each way to be dead (a pit costs the rest of the turn), and one outside, for lap progress so far off that nobody wants it.

Where a command leads is asked of the game's own rules, once a course. Belts run after every register, so that they belong to its command here, whatever
that is: where they run, nobody waits. Lasers of the board are left aside: the course is that of a robot which they do not hurt.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ludarium.core.jit import kernel

from ..execution.belts import run_belts
from ..execution.commanding import carry_out
from ..sheets.tiles import BELTS, FLOOR, PIT
from ..tables import ACTIVE, DTYPE, NOT_HERE
from .dice import EFFECTS

FAR = 1 << 32
"""More commands than any way has."""

LAP = 4
"""Lap progress with which the race is over: all tiles."""

LEAST_LAP, MOST_LAP = -2, 6
"""The lap progress that is looked at, with winding. An optimal robot that starts at 0 turns back for a tile at most, where walls leave it no other way."""


class CourseTables(NamedTuple):
    """What the rules of one robot's moves ask of :class:`..tables.RoboDerbyTables`, by the same names."""

    players: int
    width: int
    height: int
    step: np.ndarray
    s_race: int
    checkpoints: int


@kernel()
def _follow(tables: Any, states: Any, places: Any, commands: Any, numbers: Any, dead: Any, least_lap: Any, successors: Any) -> None:
    """Let a robot alone execute a register with each command from each place on the board, by the game's rules; one that is outside is not followed further.

    Args:
        states: one state, of which only the board is there yet.
        places: ``int64[places on the board, 3]``: lap progress, square and heading.
        commands: ``int64[10]``, their codes; 0 does nothing.
        numbers, dead, least_lap: as in the course.
        successors: ``int64[places, 10]``, is filled in for the places on the board.
    """
    state = states[0]
    for place in range(len(places)):
        for effect in range(len(commands)):
            state.status[0] = ACTIVE
            state.lap[0] = places[place, 0]
            state.square[0] = places[place, 1]
            state.heading[0] = places[place, 2]
            carry_out(tables, state, 0, commands[effect], 0, None)
            if 0 <= int(state.lap[0]) - least_lap < len(dead):
                run_belts(tables, state, None)
            lap = int(state.lap[0]) - least_lap
            if not 0 <= lap < len(dead):
                successors[place, effect] = len(successors) - 1
            elif int(state.square[0]) == NOT_HERE:
                successors[place, effect] = dead[lap]
            else:
                successors[place, effect] = numbers[lap, int(state.square[0]), int(state.heading[0])]


@dataclass(frozen=True, eq=False)
class Course:
    """A board and what one robot wants on it.

    ``walls``, ``kinds`` and ``lap_tiles`` are the state's fields, of ``width * height`` squares. ``logic`` is ``winding`` or ``checkpoints`` (the lap's), or
    ``marker`` (the S-race, which has no lap). ``keeps_progress`` is for a robot that was destroyed.
    """

    width: int
    height: int
    walls: np.ndarray
    kinds: np.ndarray
    lap_tiles: np.ndarray
    start: int
    heading: int
    finish: int
    logic: str = "winding"
    keeps_progress: bool = False
    laps: tuple[int, int] = (LEAST_LAP, MOST_LAP)

    @cached_property
    def _range(self) -> tuple[int, int]:
        return {"winding": self.laps, "checkpoints": (0, LAP), "marker": (0, 0)}[self.logic]

    @cached_property
    def has_belts(self) -> bool:
        return bool(np.isin(self.kinds, BELTS).any())

    @property
    def least_lap(self) -> int:
        return self._range[0]

    @cached_property
    def numbers(self) -> np.ndarray:
        """``int64[laps, squares, 4]``: the place by lap progress (from the least one), square and heading; −1 where a robot cannot be."""
        low, high = self._range
        laps = np.arange(low, high + 1)[:, None]
        tiles = self.lap_tiles[: self.width * self.height].astype(np.int64)[None, :]
        kinds = self.kinds[: self.width * self.height]
        possible = np.broadcast_to(((kinds >= FLOOR) & (kinds != PIT))[None, :], (len(laps), tiles.shape[1])).copy()
        if self.logic == "winding":
            usual = laps % LAP == tiles
            kept = (tiles == 0) | ((tiles % 2 == 1) & (laps % 2 == 1))  # where one can be that began anew at the start with any progress
            possible &= usual | kept if self.keeps_progress else usual
        elif self.logic == "checkpoints":
            possible &= (laps == LAP) | ((laps + 1) % LAP != tiles) | (self.keeps_progress & (tiles == 0))
        result = np.full((*possible.shape, 4), -1, dtype=np.int64)
        result[possible] = np.arange(4 * int(possible.sum())).reshape(-1, 4)
        return result

    @cached_property
    def places(self) -> np.ndarray:
        """``int64[places on the board, 3]``: lap progress, square and heading."""
        return np.argwhere(self.numbers >= 0) + np.array([self._range[0], 0, 0])

    @property
    def on_board(self) -> int:
        """How many places are on the board; these have the first numbers."""
        return len(self.places)

    @cached_property
    def dead(self) -> np.ndarray:
        """``int64[laps]``: the place of a dead robot, by the lap progress (from the least one) with which it died."""
        low, high = self._range
        return self.on_board + (np.arange(high - low + 1) if self.keeps_progress else np.zeros(high - low + 1, dtype=np.int64))

    @property
    def outside(self) -> int:
        """The place for lap progress beyond what is looked at: the last one."""
        return int(self.dead[-1]) + 1

    @property
    def count(self) -> int:
        return self.outside + 1

    def place(self, square: int, heading: int, lap: int = 0) -> int:
        """The number of a place; −1 where there is none."""
        low, high = self._range
        lap = 0 if self.logic == "marker" else lap
        return int(self.numbers[lap - low, square, heading]) if low <= lap <= high else -1

    @cached_property
    def next_turn(self) -> np.ndarray:
        """``int64[places]``: where the next turn begins for a robot that ends its turn at a place."""
        result = np.arange(self.count)
        low = self._range[0]
        for lap, dead in enumerate(self.dead):
            result[dead] = self.place(self.start, self.heading, lap + low if self.keeps_progress else 0)
        return np.where(result < 0, self.outside, result)

    @cached_property
    def is_finish(self) -> np.ndarray:
        """``bool[places]``: a turn that ends there ends the race."""
        result = np.zeros(self.count, dtype=bool)
        result[: self.on_board] = self.places[:, 1] == self.finish
        if self.logic != "marker":
            result[: self.on_board] &= self.places[:, 0] == LAP
        return result

    @cached_property
    def successors(self) -> np.ndarray:
        """``int64[places, 10]``: where a register with each effect leads from a place, belts included: even with effect 0, a NO-OP, to another one."""
        result = np.tile(np.arange(self.count)[:, None], (1, len(EFFECTS)))
        tables = CourseTables(
            players=1,
            width=self.width,
            height=self.height,
            step=np.array([-self.width, 1, self.width, -1], np.int64),
            s_race=int(self.logic == "marker"),
            checkpoints=int(self.logic == "checkpoints"),
        )
        states = np.zeros(1, DTYPE)
        for field in ("walls", "kinds", "lap_tiles"):
            states[field][0, : self.width * self.height] = getattr(self, field)
        _follow(tables, states, self.places, np.array(EFFECTS), self.numbers, self.dead, self.least_lap, result)
        return result

    def distances(self, effects: np.ndarray) -> np.ndarray:
        """``int64[places]``: the least number of registers from a place to the finish with these effects or none, −1 where it cannot be reached.

        The dead count from where they begin anew.
        """
        distances = np.where(self.is_finish, 0, FAR)
        leads = self.successors[self.next_turn][:, np.union1d(effects, [0])]  # to be carried may be the way
        while True:
            nearer = np.minimum(distances, distances[leads].min(axis=1) + 1)
            if np.array_equal(nearer, distances):
                return np.where(distances < FAR, distances, -1)
            distances = nearer

    def has_way(self, effects: np.ndarray) -> bool:
        """Whether any registers with these effects lead from the start to the finish."""
        return bool(self.distances(effects)[self.place(self.start, self.heading)] >= 0)
