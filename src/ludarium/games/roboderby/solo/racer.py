"""The exact optimal solo racer: what a robot alone would do, and how long it would take.

For one robot alone the game is a Markov decision process over square, heading and lap progress. :class:`Racer` knows its solution for one course:

>>> from ludarium.games.roboderby.options import Rules
>>> from ludarium.games.roboderby.solo.board import start_marks
>>> mark = start_marks(Rules.of(board="back-door"))[0]
>>> racer = Racer(mark.course, Rules().load_dice().commands)
>>> round(racer.par, 3)
4.788
>>> [choice.text for choice in racer.choices(mark.course.start, mark.course.heading, 0, {1: 3, 2: 1, 3: 6, 4: 2, 5: 5})][:2]
['1', '2']

Health does not count. Alone, nobody loses any but to lasers of the board; where there are any, this is the racer that they do not hurt, and its par is the
least that a real one can hope for.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from ..tables import COMMAND, EMPTY, LOCKED, NOOP, NOT_HERE, REGISTERS
from .cache import load_solution, save_solution, solution_key
from .course import Course
from .dice import solo_dice
from .hand import Choice, choices
from .solve import ALL_DICE, Progress, Solution, end_values, solve, turn_tables
from .tables import SoloTables, make_solo_tables


class Racer:
    """A robot alone on a course that plays as well as possible.

    ``solution`` says whether its values are exact.
    """

    def __init__(
        self,
        course: Course,
        commands: np.ndarray,
        *,
        reroll_any: bool = False,
        seconds: float | None = None,
        guess: np.ndarray | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Solve the course, or take the solution from the cache.

        Args:
            commands: ``int64[5, 6]``: the dice.
            reroll_any: dice may be kept when others are rolled again (the option ``reroll=any``).
            seconds: about so long it may take; the values are then not exact where that was too short. A second is enough for some rounds on any board.
            guess: the values to begin with: those of a racer of the same course that was not given the time to be exact.
            progress: told of every round of the solution.
        """
        self.course = course
        self.reroll_any = reroll_any
        self._dice = solo_dice(commands)
        key = solution_key(course, self._dice, reroll_any)
        found = load_solution(key, course.count)
        self.solution: Solution = found or solve(course, self._dice, reroll_any=reroll_any, seconds=seconds, guess=guess, progress=progress)
        if found is None:
            save_solution(key, self.solution)

    @property
    def par(self) -> float:
        """Expected turns from the start, ∞ where the finish cannot be reached, or not for certain."""
        return self.expected_turns(self.course.start, self.course.heading, 0)

    @property
    def has_way(self) -> bool:
        """Whether any commands lead from the start to the finish."""
        return self.course.has_way(np.unique(self._dice.effects))

    def expected_turns(self, square: int, heading: int, lap: int = 0) -> float:
        """Expected turns to the finish at the beginning of a turn; ∞ where it cannot be reached, or where a robot cannot be."""
        place = self.course.place(square, heading, lap)
        return float(self.solution.values[place]) if place >= 0 else float("inf")

    @cached_property
    def end(self) -> np.ndarray:
        """``float64[places]``: expected turns to come when a turn ends at a place."""
        return end_values(self.course, self.solution.values)

    @cached_property
    def tables(self) -> SoloTables:
        """What compiled code works on."""
        again = turn_tables(self.course, self._dice, self.end).again
        again[:, ALL_DICE] = self.solution.values - 1.0
        return make_solo_tables(self.course, self._dice, self.end, again, self.par)

    def choices(
        self, square: int, heading: int, lap: int, hand: dict[int, int], *, locked: Iterable[int] = (), may_roll: bool = False
    ) -> list[Choice]:
        """What a player can choose with some dice rolled and registers open, best first.

        Args:
            square: where the robot is when the lowest open register is executed; heading and lap progress likewise.
            hand: the face (1 to 6) that each die (1 to 5) in hand shows; one die more than there are registers open.
            locked: the commands of the locked registers, which are executed after the open ones, in their order.
            may_roll: a die was placed since the last roll.
        """
        effect_of = self.tables.effect_of
        return choices(
            self.course,
            self._dice,
            self.end,
            self.course.place(square, heading, lap),
            hand,
            locked=[int(effect_of[command]) for command in locked],
            may_roll=may_roll,
            reroll_any=self.reroll_any,
        )

    def choices_in(self, record: Any, robot: int) -> list[Choice]:
        """The same for a robot of a state in the middle of programming; empty where it has nothing to choose or is not on the board."""
        hand = {die + 1: int(face) for die, face in enumerate(record.dice[robot]) if face > 0}
        place = -1
        if int(record.square[robot]) != NOT_HERE:
            place = self.course.place(int(record.square[robot]), int(record.heading[robot]), int(record.lap[robot]))
        if place < 0 or len(hand) < 2:
            return []
        locked: list[int] = []
        for register in range(REGISTERS):
            slot = int(record.register_slot[robot, register])
            die, face = int(record.register_die[robot, register]), int(record.register_face[robot, register])
            effect = int(self._dice.effects[die - 1, face - 1]) if die else 0
            if slot in (COMMAND, NOOP):
                place = int(self.course.successors[place, effect if slot == COMMAND else 0])
            elif slot == LOCKED:
                locked.append(effect)
        may_roll = bool(record.placed[robot]) and EMPTY in record.register_slot[robot]
        return choices(self.course, self._dice, self.end, place, hand, locked=locked, may_roll=may_roll, reroll_any=self.reroll_any)
