"""The four registers of a turn, robot by robot in the order of priorities, with roll-offs where that order is not settled (rules 19, 20, 28, 44 and 45)."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled, subroutine

from ..sheets.dice import DICE
from ..tables import ACTIVE, CHOSEN_ONE, OFF_BOARD, PHASE, REGISTERS, ROBOTS
from .belts import run_belts
from .commanding import execute_die, hack_choices, is_live_hack
from .damage import fire
from .flags import DONE, FIRES
from .trace import KIND, note

HACKS_BEFORE_OTHERS = 1000
"""What is added to the priorities of hacks where they come first; no priority is higher."""

FALLEN = -100_000
"""Stands for a robot that has fallen; below every lap index."""

ORDERS = (1, 1, 2, 6, 24)
"""How many orders so many robots have."""


@compiled
def unused_die(state: Any, robot: Any) -> Any:
    """The die (from 0) that a robot rolls in a roll-off: the first that is in no register."""
    used = 0
    for register in range(REGISTERS):
        used |= 1 << int(state.register_die[robot, register])
    for die in range(DICE):
        if (used >> (die + 1)) & 1 == 0:
            return die
    return DICE - 1


@compiled
def _rank_of(tables: Any, state: Any, robot: Any, by_roll: Any) -> Any:
    """By what robots are put in order, the highest first: the priorities of their dice in the current register, or those that they have rolled for."""
    if by_roll:
        die = unused_die(state, robot)
        return tables.priorities[die, int(state.dice[robot, die]) - 1]
    register = int(state.register)
    priority = tables.priorities[int(state.register_die[robot, register]) - 1, int(state.register_face[robot, register]) - 1]
    return priority + (HACKS_BEFORE_OTHERS if tables.hacks_first == 1 and is_live_hack(tables, state, robot) else 0)


@compiled
def _put_in_order(tables: Any, state: Any, first: Any, count: Any, by_roll: Any) -> None:
    """Put so many robots from a place on in order, and mark who are tied."""
    for place in range(first + 1, first + count):
        robot = int(state.order[place])
        rank = _rank_of(tables, state, robot, by_roll)
        at = place
        while at > first and _rank_of(tables, state, int(state.order[at - 1]), by_roll) < rank:
            state.order[at] = state.order[at - 1]
            at -= 1
        state.order[at] = robot
    run, following = 0, 0
    for back in range(count):
        place = first + count - 1 - back
        rank = _rank_of(tables, state, int(state.order[place]), by_roll)
        run = run + 1 if back > 0 and rank == following else 1
        following = rank
        state.tied[place] = run


@subroutine
def start_register(tables: Any, state: Any, register: Any, log: Any) -> None:
    """Put the robots that execute a register in order: those that can act and have a die there."""
    state.register = register
    note(log, KIND.REGISTER, 0, register, 0, 0, 0)
    count = 0
    for robot in range(tables.players):
        state.fate[robot] = 0
        if int(state.status[robot]) == ACTIVE and int(state.register_die[robot, register]) != 0:
            state.order[count] = robot
            count += 1
    state.count = count
    state.next = 0
    for place in range(count, ROBOTS):
        state.order[place] = 0
        state.tied[place] = 0
    _put_in_order(tables, state, 0, count, False)


@subroutine
def continue_registers(tables: Any, state: Any, log: Any) -> Any:
    """Execute registers until the fourth is done (True), or until dice or a player have to decide (False)."""
    while True:
        if int(state.next) < int(state.count):
            place = int(state.next)
            if int(state.tied[place]) > 1:
                if _order_matters(tables, state):
                    state.phase = PHASE.ROLL_OFF
                    return False
                for other in range(place, place + int(state.tied[place])):
                    state.tied[other] = 1
            robot = int(state.order[place])
            if hack_choices(tables, state, robot) != 0:
                state.phase = PHASE.HACK
                return False
            execute_with_target(tables, state, -1, log)
        else:
            if tables.belts == 1:
                run_belts(tables, state, log)
            _fire_icons(tables, state, log)
            if int(state.register) == REGISTERS - 1:
                return True
            start_register(tables, state, int(state.register) + 1, log)


@compiled
def execute_with_target(tables: Any, state: Any, target: Any, log: Any) -> None:
    """The next robot executes its die, with the target that was chosen for its hack (−1: none was)."""
    execute_die(tables, state, int(state.order[int(state.next)]), target, log)
    state.next = int(state.next) + 1


@compiled
def _fire_icons(tables: Any, state: Any, log: Any) -> None:
    """The lasers of those whose dice say so, and those of the board."""
    shooters = 0
    for robot in range(tables.players):
        if int(state.fate[robot]) & FIRES != 0 and int(state.status[robot]) == ACTIVE:
            shooters |= 1 << robot
    if shooters != 0 or len(tables.board_lasers) > 0:
        fire(tables, state, shooters, True, log)


@subroutine
def _order_matters(tables: Any, state: Any) -> Any:
    """Whether two orders of the robots that are tied now leave anything different, tried on the state itself."""
    first = int(state.next)
    tied = int(state.tied[first])
    if tables.hack_targets == CHOSEN_ONE and tables.players > 2:
        for place in range(first, first + tied):
            if is_live_hack(tables, state, int(state.order[place])):
                return True
    before = _packed(state, 0), _packed(state, 1), _packed(state, 2), _packed(state, 3)
    result = 0, 0, 0, 0
    matters = False
    for number in range(ORDERS[tied]):
        waiting = 0
        for place in range(first, first + tied):
            waiting |= 1 << int(state.order[place])
        code = number
        for left in range(tied, 0, -1):
            robot = _nth(waiting, code % left)
            code //= left
            waiting &= ~(1 << robot)
            execute_die(tables, state, robot, -1, None)
        after = _effect(tables, state, 0), _effect(tables, state, 1), _effect(tables, state, 2), _effect(tables, state, 3)
        if number == 0:
            result = after
        elif after != result:
            matters = True
        for robot in range(ROBOTS):
            _unpack(state, robot, before[robot])
        if matters:
            break
    return matters


@compiled
def _nth(robots: Any, number: Any) -> Any:
    """The robot with so many smaller ones in a set."""
    for robot in range(ROBOTS):
        if (robots >> robot) & 1:
            if number == 0:
                return robot
            number -= 1
    return 0


@compiled
def _packed(state: Any, robot: Any) -> Any:
    """All that the execution of dice changes of a robot, as one number."""
    own = int(state.fate[robot]) | int(state.heading[robot]) << 4 | int(state.status[robot]) << 6
    return own | (int(state.square[robot]) + 1) << 10 | (int(state.lap[robot]) + 32768) << 20


@compiled
def _effect(tables: Any, state: Any, robot: Any) -> Any:
    """What matters of that in the rest of the game: how a die came to do nothing does not, nor how a robot stood before it fell."""
    flags = int(state.fate[robot])
    packed = _packed(state, robot) ^ flags
    if int(state.status[robot]) == OFF_BOARD:
        return int(state.lap[robot]) if tables.keep_progress == 1 else FALLEN
    return packed | (flags & (DONE | FIRES) if flags & DONE != 0 else flags)


@compiled
def _unpack(state: Any, robot: Any, packed: Any) -> None:
    state.fate[robot] = packed & 15
    state.heading[robot] = (packed >> 4) & 3
    state.status[robot] = (packed >> 6) & 15
    state.square[robot] = ((packed >> 10) & 1023) - 1
    state.lap[robot] = (packed >> 20) - 32768


@compiled
def same_face_before(tables: Any, die: Any, face: Any) -> Any:
    """The first face of a die with the priority of another one (both from 0): in a roll-off they are the same."""
    for earlier in range(face):
        if tables.priorities[die, earlier] == tables.priorities[die, face]:
            return earlier
    return face


@subroutine
def apply_roll_off(tables: Any, state: Any, outcome: Any, log: Any) -> None:
    """Put the tied robots in the order of what their unused dice show: a digit of base 6 a robot, the first robot's first."""
    first = int(state.next)
    tied = int(state.tied[first])
    code = outcome
    for back in range(tied):
        robot = int(state.order[first + tied - 1 - back])
        state.dice[robot, unused_die(state, robot)] = 1 + code % 6
        code //= 6
    for place in range(first, first + tied):
        robot = int(state.order[place])
        die = unused_die(state, robot)
        note(log, KIND.ROLL_OFF, robot, die + 1, int(state.dice[robot, die]), _rank_of(tables, state, robot, True), 0)
    _put_in_order(tables, state, first, tied, True)
    state.roll_offs = int(state.roll_offs) + 1
