"""The course of a robot that races alone: all places that it can be at, and where each command leads from there.

A *place* is a square, a heading and the lap progress: a robot alone is never pushed or hacked, so its future depends on nothing else. Further
places are one for each way to be dead (a pit costs the rest of the turn), and one outside, for lap progress so far off that nobody wants it.

Belts run after every register, so that they belong to its command here, whatever that is: where they run, nobody waits. Lasers of the board are left aside: the
course is that of a robot which they do not hurt.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..sheets.faces import F2, F3, REV, SL, SR, L, R, U
from ..sheets.tiles import BELTS, FLOOR, PIT
from .dice import EFFECTS

__all__ = ["LAP", "LEAST_LAP", "MOST_LAP", "Course"]

FAR = 1 << 32
"""More commands than any way has."""

LAP = 4
"""Lap progress with which the race is over: all tiles."""

LEAST_LAP, MOST_LAP = -2, 6
"""The lap progress that is looked at, with winding. An optimal robot that starts at 0 turns back for a tile at most, where walls leave it no other way."""


@dataclass(frozen=True, eq=False)
class Course:
    """A board and what one robot wants on it.

    ``walls``, ``kinds`` and ``lap_tiles`` are the state's fields, of ``width * height`` squares. ``logic`` is ``winding`` or ``checkpoints`` (the lap's), or
    ``marker`` (the S-race, which has no lap). ``keeps_progress`` is for a robot that was destroyed; ``pit_edges`` says that the board's edge is a pit.
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
    pit_edges: bool = False
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
        result[possible] = np.arange(4 * possible.sum()).reshape(-1, 4)
        return result

    @cached_property
    def _places(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Lap progress, square and heading of all places on the board."""
        laps, squares, headings = np.nonzero(self.numbers >= 0)
        return laps + self._range[0], squares, headings

    @property
    def laps_of(self) -> np.ndarray:
        return self._places[0]

    @property
    def squares(self) -> np.ndarray:
        return self._places[1]

    @property
    def headings(self) -> np.ndarray:
        return self._places[2]

    @property
    def on_board(self) -> int:
        """How many places are on the board; these have the first numbers."""
        return len(self.squares)

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
        result[: self.on_board] = self.squares == self.finish
        if self.logic != "marker":
            result[: self.on_board] &= self.laps_of == LAP
        return result

    @cached_property
    def successors(self) -> np.ndarray:
        """``int64[places, 10]``: where a register with each effect leads from a place, belts included: even with effect 0, a NO-OP, to another one."""
        result = np.tile(np.arange(self.count)[:, None], (1, len(EFFECTS)))
        here = result[: self.on_board]
        laps, squares, headings = self._places
        low = self._range[0]
        turned = {L: 3, R: 1, U: 2}
        ways = {SL: 3, SR: 1, REV: 2}
        for effect, command in enumerate(EFFECTS):
            if command in turned:
                here[:, effect] = self.numbers[laps - low, squares, (headings + turned[command]) % 4]
            elif effect:
                steps = 2 if command == F2 else 3 if command == F3 else 1
                here[:, effect] = self._moved((headings + ways.get(command, 0)) % 4, steps)
        return self._carried[result] if self.has_belts else result

    @cached_property
    def _carried(self) -> np.ndarray:
        """``int64[places]``: where the belts carry a robot from a place. Alone, it has nobody in its way."""
        result = np.arange(self.count)
        kinds = self.kinds[self.squares].astype(np.int64)
        on_belts = np.flatnonzero(np.isin(kinds, BELTS))
        result[on_belts] = self._moved((kinds - BELTS[0]) % 4, 1)[on_belts]
        return result

    def _moved(self, directions: np.ndarray, steps: int) -> np.ndarray:
        """The places after some steps in a direction each, from all places on the board."""
        laps, squares, headings = (every.copy() for every in self._places)
        low, high = self._range
        result = np.full(self.on_board, -1, dtype=np.int64)  # known as soon as a robot dies or leaves
        for _ in range(steps):
            column, row = squares % self.width, squares // self.width
            column = column + np.array([0, 1, 0, -1])[directions]
            row = row + np.array([-1, 0, 1, 0])[directions]
            beyond = (column < 0) | (column >= self.width) | (row < 0) | (row >= self.height)
            ahead = np.where(beyond, squares, row * self.width + column)
            beyond |= self.lap_tiles[ahead] < 0  # the S leaves corners empty
            ahead = np.where(beyond, squares, ahead)
            walled = (self.walls[squares] >> directions & 1) == 1
            falls = (beyond & self.pit_edges) | (~walled & ~beyond & (self.kinds[ahead] == PIT))
            moves = ~walled & ~beyond & ~falls & (result < 0)
            into = np.where(moves, ahead, squares)
            laps = self._progress(laps, self.lap_tiles[squares].astype(np.int64), self.lap_tiles[into].astype(np.int64))
            squares = into
            inside = (laps >= low) & (laps <= high)
            result = np.where((result < 0) & falls & inside, self.dead[np.clip(laps - low, 0, high - low)], result)
            result = np.where((result < 0) & ~inside, self.outside, result)
        alive = self.numbers[np.clip(laps - low, 0, high - low), squares, headings]
        return np.where(result < 0, alive, result)

    def _progress(self, laps: np.ndarray, old: np.ndarray, new: np.ndarray) -> np.ndarray:
        """Lap progress after a step from one tile to another (rule 36)."""
        following = (laps + 1) % LAP == new
        if self.logic == "marker":
            return laps
        if self.logic == "checkpoints":
            return laps + ((laps < LAP) & following & (old != new))
        return laps + ((old != new) & following) - ((old != new) & ~following & ((laps - 1) % LAP == new))

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
