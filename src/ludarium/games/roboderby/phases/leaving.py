"""A player leaves the game: the robot is taken off the board, and the race goes on without it."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import subroutine
from ludarium.core.rules import leave

from ..tables import LEFT, NOT_HERE, PHASE, ROBOTS, RoboDerbyTables
from .chance import roller
from .respawning import clear_mat
from .setup import start_place
from .turn import after_declarations, after_edge, begin_if_ready, declaring, go_on


@leave.implement(RoboDerbyTables)
def roboderby_leave(tables: Any, state: Any, player: Any) -> None:
    """Take a robot off the board. What only its player had to decide or to roll is passed over."""
    phase = int(state.phase)
    state.status[player] = LEFT
    state.health[player] = 0
    state.rank[player] = 0
    state.square[player] = NOT_HERE
    state.declared[player] = 0
    state.placed[player] = 0
    state.ready[player] = 0
    state.rolling[player] = 0
    state.fate[player] = 0
    clear_mat(state, player)
    if phase == PHASE.EDGE and tables.choose_edge == 1 and player == 0:
        after_edge(tables, state, tables.outer_edges[start_place(state), 0])
    elif phase == PHASE.SHUTDOWN:
        if declaring(tables, state) == 0:
            after_declarations(tables, state, None)
            if begin_if_ready(tables, state, None):
                go_on(tables, state, None)
    elif phase == PHASE.PROGRAM:
        if roller(tables, state) < 0 and begin_if_ready(tables, state, None):
            go_on(tables, state, None)
    elif phase == PHASE.HACK or phase == PHASE.ROLL_OFF:
        _take_out_of_order(state, player)
        go_on(tables, state, None)


@subroutine
def _take_out_of_order(state: Any, robot: Any) -> None:
    """Take a robot out of those that are still to execute the current register."""
    found = -1
    for place in range(int(state.next), int(state.count)):
        if int(state.order[place]) == robot:
            found = place
    if found < 0:
        return
    for place in range(int(state.next), found):
        if place + int(state.tied[place]) > found:
            state.tied[place] = int(state.tied[place]) - 1
    for place in range(found, ROBOTS - 1):
        state.order[place] = state.order[place + 1]
        state.tied[place] = state.tied[place + 1]
    state.order[ROBOTS - 1] = 0
    state.tied[ROBOTS - 1] = 0
    state.count = int(state.count) - 1
