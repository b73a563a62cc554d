"""The search over sealed programs, compiled: everybody's programs are chosen at once by what they brought in simulations, and one turn is played by the rules.

Own ways, and what opponents may make of imagined hands, are arms of bandits: each simulation picks one for everybody by its upper confidence bound
(decoupled UCT, one turn deep), plays the turn, and credits everybody with its chances in the race from there on. In a share of the simulations opponents
play their best solo program, so that the search is neither naive nor paranoid.

Sources: D. Auger, "Multiple tree for partially observable Monte-Carlo tree search" (2011), for the decoupled bandits; P. Auer, N. Cesa-Bianchi, P. Fischer,
"Finite-time analysis of the multiarmed bandit problem", Machine Learning 47 (2002), for the bounds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.jit import compiled, kernel, subroutine
from ludarium.core.random import random_below, random_unit
from ludarium.core.rules import copy_state

from ..execution.commanding import hack_choices
from ..execution.registers import apply_roll_off, execute_with_target
from ..phases.chance import draw
from ..phases.programming import open_registers
from ..phases.turn import RUN, STOP, after_declarations, begin_if_ready, go_on
from ..tables import ACTIVE, PHASE
from .hands import list_ways, place_of_hand, read_hand
from .imagining import fills, imagine_replies, is_usual, write_reply
from .policy import complete_program, enact, roll_again
from .searching import PROGRAMS, ROLLING, SCENARIOS
from .utility import chance_to_win, turns_of, utility

PREPARE, PROGRAM, SHUTDOWN, TARGET = range(4)
"""What the kernel does: list ways and replies, simulate programs, simulate a shutdown and its alternative, simulate the targets of a hack."""

PRIOR_VISITS = 2.0
"""So many visits the solo value of a way counts as, raised by what simulations have brought above it so far."""

CURIOSITY = 0.12
"""The weight of what is not known well in a bound."""

TRUST = 0.6
"""The share of simulations in which an opponent plays its best solo program."""


@kernel()
def search_kernel(tables: Any, me: Any, solos: Any, search: Any, scratch: Any, generator: Any, task: Any, simulations: Any) -> None:
    """One of the tasks, for the robot ``me`` in ``search.states[0]``.

    Args:
        solos: ``SoloTables`` by robot, always four.
        simulations: how many more to make.
    """
    known, start, view = search.states[0], search.states[1], search.states[2]
    if task == PREPARE:
        copy_state(tables, known, start)
        _list_own(tables, start, me, solos, search, scratch)
        imagine_replies(tables, start, view, me, solos, search, scratch, generator)
        return
    for _ in range(simulations):
        if task == PROGRAM:
            _simulate_program(tables, start, view, me, solos, search, scratch, generator)
        else:
            seed = generator[0]
            for option in range(search.counts[0]):
                generator[0] = seed  # the same dice for all
                copy_state(tables, known, view)
                if task == SHUTDOWN:
                    _start_turn(tables, view, me, option, solos, scratch, generator)
                else:
                    execute_with_target(tables, view, search.codes[option], None)
                    go_on(tables, view, None)
                _end_turn(tables, view, generator)
                search.visits[option] += 1
                search.sums[option] += utility(tables, view, me, solos)
        search.counts[1] += 1


@compiled
def _list_own(tables: Any, start: Any, me: Any, solos: Any, search: Any, scratch: Any) -> None:
    """The own ways: those that fill the registers, those that roll again, and to roll at once where that is allowed."""
    solo = solos[me]
    read_hand(start, me, scratch)
    place = place_of_hand(tables, start, me, solo)
    place = place if place >= 0 else solo.dead[0]
    registers = open_registers(start, me)
    count = list_ways(start, me, place, solo, scratch)
    programs = 0
    for way in range(count):
        code = scratch.codes[way]
        if fills(code, registers) and (tables.noop_inverts == 1 or is_usual(code, scratch)):
            programs = _insert(search, 0, programs, PROGRAMS, code, scratch.values[way])
    rolling = 0
    for way in range(count):
        if not fills(scratch.codes[way], registers):
            rolling = _insert(search, programs, rolling, ROLLING, scratch.codes[way], scratch.values[way])
    options = programs + rolling
    if int(start.placed[me]) == 1:
        search.codes[options] = 0
        search.turns[options] = search.turns[0] if programs > 0 else 0.0
        options += 1
    search.counts[0] = options
    search.counts[1] = 0
    search.surprise[0] = 0.0
    now = turns_of(start, me, solo)
    alone = solo.end[place]
    for option in range(options):
        total = 0.0
        after = min(60.0, search.turns[option]) + max(0.0, now - alone if alone < np.inf else 0.0)
        for other in range(tables.players):
            if other != me:
                total += chance_to_win(after, max(0.0, turns_of(start, other, solos[other]) - 1.0))
        search.prior[option] = total / max(1, tables.players - 1) if tables.players > 1 else 1.0 - after / 120.0
        search.visits[option] = 0
        search.sums[option] = 0.0


@compiled
def _insert(search: Any, first: Any, count: Any, most: Any, code: Any, value: Any) -> Any:
    """Insert a way into a list that is sorted by expected turns, from option ``first`` on; how many are in it."""
    at = count
    if count == most:
        at = count - 1
        if value >= search.turns[first + at]:
            return count
    while at > 0 and search.turns[first + at - 1] > value:
        search.turns[first + at] = search.turns[first + at - 1]
        search.codes[first + at] = search.codes[first + at - 1]
        at -= 1
    search.turns[first + at] = value
    search.codes[first + at] = code
    return min(count + 1, most)


@compiled
def _simulate_program(tables: Any, start: Any, view: Any, me: Any, solos: Any, search: Any, scratch: Any, generator: Any) -> None:
    copy_state(tables, start, view)
    own = _best_bound(search)
    enact(view, me, search.codes[own])
    if open_registers(view, me) > 0:
        roll_again(view, me, generator)
        complete_program(tables, view, me, solos[me], scratch, generator)
    scenario = search.counts[1] % SCENARIOS
    for robot in range(tables.players):
        view.rolling[robot] = 0
        view.ready[robot] = 1
        replies = search.reply_count[robot, scenario]
        if replies > 0:
            reply = 0 if random_unit(generator) < TRUST else _best_reply(search, robot, scenario, replies)
            search.picked[robot] = reply
            write_reply(view, robot, scenario, reply, search)
    if begin_if_ready(tables, view, None):
        go_on(tables, view, None)
    _end_turn(tables, view, generator)
    result = utility(tables, view, me, solos)
    search.visits[own] += 1
    search.sums[own] += result
    search.surprise[0] += result - search.prior[own]
    for robot in range(tables.players):
        if search.reply_count[robot, scenario] > 0:
            search.reply_visits[robot, scenario, search.picked[robot]] += 1
            search.reply_sums[robot, scenario, search.picked[robot]] += utility(tables, view, robot, solos)


@compiled
def _best_bound(search: Any) -> Any:
    """The own option with the highest upper confidence bound."""
    made = max(1, search.counts[1])
    scale = CURIOSITY * np.sqrt(np.log(1.0 + made))
    shift = search.surprise[0] / made
    best, bound = 0, -np.inf
    for option in range(search.counts[0]):
        weight = PRIOR_VISITS + search.visits[option]
        value = (PRIOR_VISITS * (search.prior[option] + shift) + search.sums[option]) / weight + scale / np.sqrt(weight)
        if value > bound:
            best, bound = option, value
    return best


@compiled
def _best_reply(search: Any, robot: Any, scenario: Any, replies: Any) -> Any:
    """A robot's reply with the highest bound; each one is tried once first."""
    total = 0
    for reply in range(replies):
        total += search.reply_visits[robot, scenario, reply]
    scale = CURIOSITY * np.sqrt(np.log(2.0 + total))
    best, bound = 0, -1.0
    for reply in range(replies):
        visits = search.reply_visits[robot, scenario, reply]
        if visits == 0:
            return reply
        value = search.reply_sums[robot, scenario, reply] / visits + scale / np.sqrt(float(visits))
        if value > bound:
            best, bound = reply, value
    return best


@subroutine
def _start_turn(tables: Any, view: Any, me: Any, stops: Any, solos: Any, scratch: Any, generator: Any) -> None:
    """Declare, program everybody as solo racers do, and begin to execute."""
    for robot in range(tables.players):
        if int(view.status[robot]) == ACTIVE:
            if robot == me:
                view.declared[robot] = STOP if stops == 1 else RUN
            elif int(view.declared[robot]) not in (RUN, STOP):
                view.declared[robot] = RUN
    after_declarations(tables, view, None)
    for robot in range(tables.players):
        if int(view.status[robot]) == ACTIVE and open_registers(view, robot) > 0:
            roll_again(view, robot, generator)
            complete_program(tables, view, robot, solos[robot], scratch, generator)
    if begin_if_ready(tables, view, None):
        go_on(tables, view, None)


@subroutine
def _end_turn(tables: Any, view: Any, generator: Any) -> None:
    """Play what is left of a turn: roll-offs by the dice, targets of hacks by lot."""
    while True:
        phase = int(view.phase)
        if phase == PHASE.ROLL_OFF:
            apply_roll_off(tables, view, draw(tables, view, generator), None)
        elif phase == PHASE.HACK:
            choices = hack_choices(tables, view, int(view.order[int(view.next)]))
            target = random_below(generator, tables.players)
            while (choices >> target) & 1 == 0:
                target = random_below(generator, tables.players)
            execute_with_target(tables, view, target, None)
        else:
            return
        go_on(tables, view, None)
