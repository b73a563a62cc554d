"""The player that races as the optimal solo racer would."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from ludarium.core.game import Action, Game, State
from ludarium.core.jit import plain
from ludarium.core.random import generator_from
from ludarium.players import Player, TimeLeft, never

from ..execution.beams import beams_of
from ..execution.damage import SHUTDOWN_REPAIR
from ..solo.hand import Choice
from ..solo.racer import Racer
from ..tables import EMPTY, FULL_HEALTH, LOCKED, PHASE, REGISTERS, are_placed
from .courses import Courses
from .damage_cost import lock_cost
from .policy import policy_kernel
from .scratch import make_scratch

MOST_SHUTDOWNS = 2
"""Shutdowns in a row: somebody who shoots at a robot that stands still must not keep it there for ever."""

ALIKE = 1e-9
"""Choices that differ by fewer turns are as good as each other."""

LONG_RACE = 30
"""After so many turns something is in the way that the tables know nothing of. From then on choices count as alike that differ by a little, and by more
from turn to turn, up to a whole turn."""

EASIER = 0.02


class PlannerPlayer(Player):
    """Makes the best of its dice as if it were alone: of all ways to place them and to roll again, the one with the fewest expected turns to its finish.

    It chooses by lot among the best. Equal seeds give equal games where the board was solved when the game began, as it is in a moment on most boards.
    """

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        self._random = random.Random(seed)
        self._generator = generator_from(seed)
        self._scratch = make_scratch()
        self._courses = Courses()
        self._shutdowns: list[int] = []
        """The turns of the latest shutdowns in a row."""

    def prepare(self, state: State, player: int, time_left: TimeLeft | None = None) -> None:
        if are_placed(state.record):
            self._courses.prepare(state, [player])

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        record = state.record
        if are_placed(record):
            if record.phase == PHASE.SHUTDOWN:
                return state.action("shutdown" if self._shuts_down(state, player) else "run", player)
            if record.phase == PHASE.PROGRAM:
                return self._program(state, player)
        return self._random.choice(state.actions(player))

    def _program(self, state: State, player: int) -> Action:
        racer, record, tables = self._courses.of(state, [player])[0], state.record, state.game.tables
        registers = int(np.count_nonzero(record.register_slot[player] == EMPTY))
        if (tables.reroll_any or LOCKED in record.register_slot[player] or record.turn > LONG_RACE) and (
            np.count_nonzero(record.dice[player]) == registers + 1  # a register that is locked while it is empty leaves a die more
        ):
            found = racer.choices_in(record, player)
            if found:
                return state.action(self._one_of_the_best(found, int(record.turn)), player)
        action = policy_kernel(tables, state.copy_records(), player, racer.tables, self._scratch, self._generator)
        return state.action(int(action), player)

    def _one_of_the_best(self, found: list[Choice], turn: int) -> str:
        slack = ALIKE + EASIER * min(max(0, turn - LONG_RACE), 1 / EASIER)
        return self._random.choice([choice.text for choice in found if choice.value <= found[0].value + slack])

    def _shuts_down(self, state: State, player: int) -> bool:
        turn = int(state.record.turn)
        if self._shutdowns and self._shutdowns[-1] != turn - 1:
            self._shutdowns.clear()
        if len(self._shutdowns) == MOST_SHUTDOWNS or not _wants_repair(self._courses, state, player):
            return False
        self._shutdowns.append(turn)
        return True


def _wants_repair(courses: Courses, state: State, player: int) -> bool:
    """Whether a robot loses more turns by its locked registers, in this turn exactly and later on the average, than by a shutdown.

    In a shutdown belts carry it and lasers of the board hit it; where they take more than is repaired there is nothing to gain.
    """
    record = state.record
    health = int(record.health[player])
    locked = [register for register in range(REGISTERS) if record.register_slot[player, register] == LOCKED]
    if not locked:
        return False
    racer = courses.of(state, [player])[0]
    turns = racer.expected_turns(int(record.square[player]), int(record.heading[player]), int(record.lap[player]))
    if turns == float("inf"):
        return True
    stops = _stops(racer, record, player)
    carried = float(racer.end[stops[-1]]) - turns
    repaired = min(FULL_HEALTH, health + SHUTDOWN_REPAIR) - _hits(racer, state, stops)
    if carried == float("inf") or repaired <= health:
        return False
    if len(locked) == REGISTERS:
        return True
    now = _after_this_turn(racer, state, player, locked) + 1.0 - turns
    later = plain(lock_cost)(health) * max(0.0, turns - 1.0)
    return now + later > 1.0 + carried + min(plain(lock_cost)(repaired) * turns, 1.0)


def _stops(racer: Racer, record: Any, player: int) -> list[int]:
    """The places of a robot after each register in which nothing but belts moves it."""
    places = [racer.course.place(int(record.square[player]), int(record.heading[player]), int(record.lap[player]))]
    for _ in range(REGISTERS):
        places.append(int(racer.course.successors[places[-1], 0]))
    return places[1:]


def _hits(racer: Racer, state: State, stops: list[int]) -> int:
    """How often lasers of the board hit a robot at these places."""
    beams = beams_of(state.game.tables, state.record)
    squares = [int(racer.course.places[place, 1]) for place in stops if place < racer.course.on_board]
    return sum(square in beam.squares for square in squares for beam in beams)


def _after_this_turn(racer: Racer, state: State, player: int, locked: list[int]) -> float:
    """Expected turns to come when this turn is played with these registers locked, before the dice are rolled."""
    record, faces_of = state.record, state.game.tables.commands
    dice = [int(record.register_die[player, register]) for register in locked]
    faces = [int(record.register_face[player, register]) for register in locked]
    commands = [int(faces_of[die - 1, face - 1]) if die else 0 for die, face in zip(dice, faces, strict=True)]
    rolled = dict.fromkeys([die for die in range(1, 6) if die not in dice][: 5 - len(locked)], 1)
    found = racer.choices(
        int(record.square[player]), int(record.heading[player]), int(record.lap[player]), rolled, locked=commands, may_roll=True
    )
    all_dice = " ".join(["roll", *map(str, rolled)]) if racer.reroll_any else "roll"
    return next(choice.value for choice in found if choice.text == all_dice)
