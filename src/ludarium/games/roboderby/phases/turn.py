"""The course of a turn from one decision, or roll of dice, to the next (rules 10 to 13, 29 and 35 to 39)."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled, kernel, subroutine

from ..execution.damage import fire, repair
from ..execution.registers import continue_registers, start_register
from ..execution.trace import KIND, note
from ..tables import ACTIVE, FINISHED, LEFT, NOT_HERE, PHASE, ROBOTS, SHUT_DOWN
from .programming import gather
from .respawning import clear_mat, respawn_all
from .setup import give_letters, lay_tiles, set_start_edge

RUN, STOP = 1, 2
"""What is declared."""

LAP = 4
"""Tiles."""


@kernel()
def set_up_face(tables: Any, states: Any, outcome: Any) -> None:
    """What ``apply_chance`` does in ``states[0]`` before the first turn; compiled sooner than how turns are carried out, which a position does without."""
    set_up(tables, states[0], outcome)


@subroutine
def set_up(tables: Any, state: Any, outcome: Any) -> None:
    """Carry out what chance says before the first turn."""
    phase = int(state.phase)
    if phase == PHASE.DEAL:
        after_deal(tables, state, outcome)
    elif phase == PHASE.LETTERS:
        after_letters(tables, state, outcome)
    else:
        after_edge(tables, state, outcome)


@subroutine
def after_deal(tables: Any, state: Any, outcome: Any) -> None:
    """The tiles are dealt; the start edge comes next, unless it is fixed."""
    lay_tiles(tables, state, outcome)
    state.start_edge = -1
    state.phase = PHASE.EDGE
    if tables.fixed_edge >= 0:
        after_edge(tables, state, tables.fixed_edge)


@subroutine
def after_edge(tables: Any, state: Any, edge: Any) -> None:
    """The start edge is known; letters are drawn next, unless they go by the players' numbers."""
    set_start_edge(tables, state, edge)
    state.phase = PHASE.LETTERS
    if tables.random_marks == 0:
        after_letters(tables, state, 0)


@subroutine
def after_letters(tables: Any, state: Any, outcome: Any) -> None:
    """The robots stand at the start; the first turn begins."""
    give_letters(tables, state, outcome)
    state.turn = 1
    state.phase = PHASE.SHUTDOWN


@compiled
def _begin_turn(tables: Any, state: Any, log: Any) -> None:
    state.turn = int(state.turn) + 1
    state.roll_offs = 0
    state.phase = PHASE.SHUTDOWN
    for robot in range(tables.players):
        if int(state.status[robot]) == SHUT_DOWN:
            state.status[robot] = ACTIVE
    respawn_all(tables, state, log)
    if declaring(tables, state) == 0:
        after_declarations(tables, state, log)


@compiled
def declaring(tables: Any, state: Any) -> Any:
    """The players (bits) who have to declare now whether they shut down."""
    mask = 0
    for robot in range(tables.players):
        if int(state.status[robot]) == ACTIVE and int(state.declared[robot]) == 0:
            mask |= 1 << robot
            if tables.seat_order == 1:
                break
    return mask


@compiled
def programming(tables: Any, state: Any) -> Any:
    """The players (bits) whose programs are not locked in."""
    mask = 0
    for robot in range(tables.players):
        if int(state.status[robot]) == ACTIVE and int(state.ready[robot]) == 0:
            mask |= 1 << robot
    return mask


@subroutine
def after_declarations(tables: Any, state: Any, log: Any) -> None:
    """Shut down who declared so, and let the others gather their dice."""
    state.phase = PHASE.PROGRAM
    for robot in range(tables.players):
        if int(state.declared[robot]) == STOP:
            state.status[robot] = SHUT_DOWN
            note(log, KIND.SHUTDOWN, robot, 0, 0, 0, 0)
            if tables.vicious == 0:
                repair(state, robot, log)
        state.declared[robot] = 0
        if int(state.status[robot]) == ACTIVE:
            gather(state, robot)


@subroutine
def begin_if_ready(tables: Any, state: Any, log: Any) -> Any:
    """Begin to execute the programs when all are locked in; whether that is so."""
    if programming(tables, state) != 0:
        return False
    for robot in range(tables.players):
        state.ready[robot] = 0
        if int(state.status[robot]) == ACTIVE:
            first, second = _content(state, robot, 0), _content(state, robot, 1)
            note(log, KIND.PROGRAM, robot, first, second, _content(state, robot, 2), _content(state, robot, 3))
    start_register(tables, state, 0, log)
    return True


@compiled
def _content(state: Any, robot: Any, register: Any) -> Any:
    """A register in one number, for the log."""
    die, face = int(state.register_die[robot, register]), int(state.register_face[robot, register])
    return 100 * die + 10 * face + int(state.register_slot[robot, register])


@subroutine
def go_on(tables: Any, state: Any, log: Any) -> None:
    """Execute programs as far as nobody has to decide or roll; after the last register, end the turn and begin the next.

    A turn in which nobody has anything to decide (all robots have four locked registers, or have shut down) runs at once.
    """
    while continue_registers(tables, state, log):
        _end_turn(tables, state, log)
        if int(state.phase) != PHASE.PROGRAM or not begin_if_ready(tables, state, log):
            return


@compiled
def _end_turn(tables: Any, state: Any, log: Any) -> None:
    """All robots fire; repairs of the vicious kind; finishers leave; the game ends or the next turn begins."""
    state.register = 0
    state.count = 0
    state.next = 0
    for place in range(ROBOTS):
        state.order[place] = 0
        state.tied[place] = 0
        state.fate[place] = 0
    shooters = 0
    for robot in range(tables.players):
        if int(state.status[robot]) == ACTIVE:
            shooters |= 1 << robot
    if shooters != 0:
        note(log, KIND.SALVO, 0, int(state.turn), 0, 0, 0)
        fire(tables, state, shooters, False, log)
    if tables.vicious == 1:
        for robot in range(tables.players):
            if int(state.status[robot]) == SHUT_DOWN:
                repair(state, robot, log)
    finished = _let_finish(tables, state, log)
    note(log, KIND.END_OF_TURN, 0, int(state.turn), 0, 0, 0)
    left = 0
    for robot in range(tables.players):
        left += 1 if int(state.status[robot]) == LEFT else 0
    enough = 1 if tables.s_race == 1 else max(1, tables.players - left - 1)
    if finished >= enough or int(state.turn) >= tables.turn_limit:
        state.phase = PHASE.OVER
    else:
        _begin_turn(tables, state, log)


@compiled
def _let_finish(tables: Any, state: Any, log: Any) -> Any:
    """Robots that end the turn at their finish leave the board and share a place; how many have finished."""
    before = 0
    for robot in range(tables.players):
        if int(state.status[robot]) == FINISHED:
            before += 1
    finished = before
    for robot in range(tables.players):
        status = int(state.status[robot])
        if status in (ACTIVE, SHUT_DOWN) and _is_home(tables, state, robot):
            state.status[robot] = FINISHED
            state.rank[robot] = before + 1
            state.square[robot] = NOT_HERE
            clear_mat(state, robot)
            note(log, KIND.FINISH, robot, before + 1, 0, 0, 0)
            finished += 1
    return finished


@compiled
def _is_home(tables: Any, state: Any, robot: Any) -> Any:
    return int(state.square[robot]) == int(state.finish[robot]) and (tables.s_race == 1 or int(state.lap[robot]) == LAP)
