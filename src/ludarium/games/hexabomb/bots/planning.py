"""Rolling-horizon search: a plan of several turns for all of a team's characters, improved by chance changes that the rules themselves judge.

The others are expected to play as bomber does (the special player as hunter). A change gives one character new orders for some turns; they are found while its
turns are played, so that they fit where it is. A plan that is worth no less replaces the one before. What is left of it is where the next turn's search begins.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludarium.core.jit import compiled, kernel, subroutine
from ludarium.core.random import random_below
from ludarium.core.rules import copy_state

from ..tables import ALIVE, BOMB, CLASSIC_WIDTH, NOTHING, REVIVE, Tables
from ..turn import play_orders

TURNS = 10
"""How many turns a plan has."""

AFTERWARDS = 8
"""For how many turns after the plan's last one cells are expected to keep their colours."""

LIFE = 6.0
"""What a living character is worth at the end of a plan, in points; one that lies dead for n turns more is worth this less n."""

CARRIED = 5.0
"""What a bomb is worth that is still carried at the end of a plan."""

FORESEE, KEEP, IMPROVE = range(3)
"""The tasks of :func:`plan`."""


class Planner(NamedTuple):
    """A plan, and room for another one."""

    plan: np.ndarray  # int64[TURNS, characters]: everybody's orders
    trial: np.ndarray  # int64[TURNS, characters]
    worth: np.ndarray  # float64[TURNS + 1]: what the plan has brought before each turn; the last entry is what all of it is worth
    trial_worth: np.ndarray  # float64[TURNS + 1]


def make_planner(tables: Tables) -> Planner:
    """Room for the plans of one player."""
    orders = (TURNS, tables.characters)
    return Planner(np.zeros(orders, np.int64), np.zeros(orders, np.int64), np.zeros(TURNS + 1), np.zeros(TURNS + 1))


@compiled
def turns_ahead(tables: Any, state: Any) -> Any:
    """How many turns can be planned."""
    return min(TURNS, tables.turns - int(state.turn))


@compiled
def _points(tables: Any, state: Any, player: Any) -> Any:
    """What one turn brings: cells, less the others' mean; in sudden death living characters."""
    others = max(tables.players - tables.special - 1, 1)
    if tables.special == 1:
        own, foes = 0, 0
        for character in range(tables.first[1], tables.characters):
            if int(state.revive_delay[character]) == ALIVE:
                if tables.owner[character] == player:
                    own += 1
                else:
                    foes += 1
        return own - foes / (4.0 * others)
    total = 0.0
    for other in range(tables.players):
        if other == player:
            total += int(state.cell_count[other])
        else:
            total -= int(state.cell_count[other]) / others
    return total


@compiled
def _prospects(tables: Any, state: Any, player: Any) -> Any:
    """What the position at the end of a plan is worth beyond what it has brought."""
    left = min(tables.turns - int(state.turn), AFTERWARDS)
    total = left * _points(tables, state, player)
    if tables.special == 1 or left == 0:
        return total
    for character in range(tables.first[player], tables.first[player + 1]):
        delay = int(state.revive_delay[character])
        total += LIFE if delay == ALIVE else LIFE - 1.0 - delay
        total += CARRIED * int(state.bomb_count[character])
    return total


@kernel()
def plan(tables: Any, states: Any, player: Any, reception: Any, planner: Any, task: Any, count: Any, generator: Any) -> None:
    """Do one of the tasks that make up planning. They are one kernel because each of several would have all rules in its machine code.

    Args:
        states: ``[TURNS + 2]``: the first is the position; the next ones are those after each turn of the plan; the last is overwritten.
        reception: in which order players are received, see ``play_orders``.
        task: FORESEE: play a turn (``count``, from 0) of the plan, in which stands what everybody is expected to do; turns are foreseen one after another.
            KEEP: let what the trial has for the team replace the plan, if it is worth no less. IMPROVE: try ``count`` changes of the plan.
    """
    turns = turns_ahead(tables, states[0])
    if task == FORESEE:
        _foresee(tables, states, player, reception, planner, count)
    elif task == KEEP:
        _keep_if_better(tables, states, player, reception, planner, 0, turns)
    else:
        _improve(tables, states, player, reception, planner, count, turns, generator)


@compiled
def _foresee(tables: Any, states: Any, player: Any, reception: Any, planner: Any, turn: Any) -> None:
    copy_state(tables, states[turn], states[turn + 1])
    _play(tables, states[turn + 1], -1, reception, planner, turn)
    planner.worth[0] = 0.0
    planner.worth[turn + 1] = planner.worth[turn] + _points(tables, states[turn + 1], player)
    planner.worth[TURNS] = planner.worth[turn + 1] + _prospects(tables, states[turn + 1], player)


@compiled
def _improve(tables: Any, states: Any, player: Any, reception: Any, planner: Any, changes: Any, turns: Any, generator: Any) -> None:
    first = tables.first[player]
    team = tables.first[player + 1] - first
    for _ in range(changes):
        character = first + random_below(generator, team)
        start = min(random_below(generator, turns), random_below(generator, turns))
        end = turns if random_below(generator, 2) == 0 else min(turns, start + 1 + random_below(generator, turns))
        for turn in range(start, turns):
            for member in range(first, first + team):
                planner.trial[turn, member] = planner.plan[turn, member]
        _try(tables, states, player, reception, planner, character, start, end, turns, generator)


@compiled
def _try(
    tables: Any, states: Any, player: Any, reception: Any, planner: Any, character: Any, start: Any, end: Any, turns: Any, generator: Any
) -> None:
    """Play the trial with new orders for one character on some turns, and keep it if it is worth no less."""
    state = states[TURNS + 1]
    copy_state(tables, states[start], state)
    heading = random_below(generator, 12)
    worth = planner.worth[start]
    for turn in range(start, turns):
        if turn < end:
            planner.trial[turn, character] = _by_chance(tables, state, character, player, heading, generator)
        _play(tables, state, player, reception, planner, turn)
        worth += _points(tables, state, player)
    if worth + _prospects(tables, state, player) >= planner.worth[TURNS]:
        _keep_if_better(tables, states, player, reception, planner, start, turns)


@subroutine
def _play(tables: Any, state: Any, player: Any, reception: Any, planner: Any, turn: Any) -> None:
    """One turn with the trial's orders for the player's team and the plan's for the others."""
    for character in range(tables.characters):
        state.orders[character] = planner.trial[turn, character] if tables.owner[character] == player else planner.plan[turn, character]
    play_orders(tables, state, reception)


@subroutine
def _keep_if_better(tables: Any, states: Any, player: Any, reception: Any, planner: Any, start: Any, turns: Any) -> None:
    """Play the trial from a turn on; if it is worth no less than the plan, it becomes the plan, with its positions."""
    state = states[TURNS + 1]
    copy_state(tables, states[start], state)
    planner.trial_worth[start] = planner.worth[start]
    for turn in range(start, turns):
        _play(tables, state, player, reception, planner, turn)
        planner.trial_worth[turn + 1] = planner.trial_worth[turn] + _points(tables, state, player)
    total = planner.trial_worth[turns] + _prospects(tables, state, player)
    if total < planner.worth[TURNS]:
        return
    for turn in range(start, turns):
        for member in range(tables.first[player], tables.first[player + 1]):
            planner.plan[turn, member] = planner.trial[turn, member]
        copy_state(tables, states[turn], states[turn + 1])
        _play(tables, states[turn + 1], player, reception, planner, turn)
        planner.worth[turn + 1] = planner.trial_worth[turn + 1]
    planner.worth[TURNS] = total


@compiled
def _by_chance(tables: Any, state: Any, character: Any, player: Any, heading: Any, generator: Any) -> Any:
    """A legal order, sooner one that paints or goes on in the direction ``heading`` (above 5: no direction)."""
    delay = int(state.revive_delay[character])
    if delay != ALIVE:
        return REVIVE if delay == 0 and tables.special == 0 else NOTHING
    cell = int(state.position[character])
    if int(state.bomb_count[character]) > 0 and int(state.bomb_here[cell]) == 0 and random_below(generator, 6) == 0:
        if random_below(generator, 3) > 0:
            return BOMB + CLASSIC_WIDTH - 1  # soon and far
        return BOMB + random_below(generator, CLASSIC_WIDTH * CLASSIC_WIDTH)
    chosen, total = NOTHING, 1
    for direction in range(6):
        target = tables.neighbour[cell, direction]
        if target < 0 or int(state.occupant[target]) != 0 or int(state.bomb_here[target]) != 0:
            continue
        colour = int(state.colour[target])
        weight = 2 if colour == player + 1 else 10 if colour == 0 else 12
        if direction == heading:
            weight *= 4
        total += weight
        if random_below(generator, total) < weight:
            chosen = direction + 1
    return chosen
