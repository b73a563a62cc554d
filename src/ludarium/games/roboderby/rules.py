"""The rules of RoboDerby: Express as the functions that all games implement.

Deals, edges, letters, rolls and roll-offs are drawn; players declare shutdowns and place dice together, each as fast as they like behind their screens.
When the last program is locked in, the turn runs to its end, or to the next roll-off or choice of a hack's target.

What can be drawn is in :mod:`.phases.chance`, what a player may know in :mod:`.knowledge`.
"""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled, subroutine
from ludarium.core.rules import CHANCE, apply_actions, apply_chance, legal_actions, returns, to_move

from .actions import PLACE, PLACE_NOOP, ROLL, SAY_RUN, SAY_SHUTDOWN, START_AT, TARGET
from .execution.commanding import hack_choices
from .execution.registers import apply_roll_off, execute_with_target
from .knowledge import observing as observing  # registers what a player may know
from .phases import leaving as leaving  # registers what happens when a player leaves
from .phases.chance import roller
from .phases.programming import hand, place_die, roll_dice
from .phases.setup import start_place
from .phases.turn import RUN, STOP, after_declarations, after_edge, begin_if_ready, declaring, go_on, programming, set_up
from .sheets.dice import DICE
from .tables import DTYPE, FINISHED, PHASE, RoboDerbyTables

__all__ = ["DTYPE", "RoboDerbyTables", "carry_out_actions", "carry_out_chance"]


@to_move.implement(RoboDerbyTables)
def roboderby_to_move(tables: Any, state: Any) -> Any:
    phase = int(state.phase)
    if phase == PHASE.PROGRAM:
        return CHANCE if roller(tables, state) >= 0 else programming(tables, state)
    if phase == PHASE.SHUTDOWN:
        return declaring(tables, state)
    if phase == PHASE.HACK:
        return 1 << int(state.order[int(state.next)])
    if phase == PHASE.EDGE and tables.choose_edge == 1:
        return 1
    return 0 if phase == PHASE.OVER else CHANCE


@legal_actions.implement(RoboDerbyTables)
def roboderby_legal_actions(tables: Any, state: Any, player: Any, slot: Any, out: Any) -> Any:
    phase = int(state.phase)
    if phase == PHASE.PROGRAM:
        return _programming_actions(tables, state, player, out)
    if phase == PHASE.SHUTDOWN:
        out[0] = SAY_RUN
        out[1] = SAY_SHUTDOWN
        return 2
    count = 0
    if phase == PHASE.HACK:
        choices = hack_choices(tables, state, player)
        for robot in range(tables.players):
            if (choices >> robot) & 1:
                out[count] = TARGET + robot
                count += 1
        return count
    if phase == PHASE.EDGE:
        for number in range(2):
            out[number] = START_AT + tables.outer_edges[start_place(state), number]
        return 2
    return 0


@compiled
def _programming_actions(tables: Any, state: Any, player: Any, out: Any) -> Any:
    count = 0
    for kind in (PLACE, PLACE_NOOP):
        for die in range(DICE):
            if int(state.dice[player, die]) != 0:
                out[count] = kind + die
                count += 1
    if int(state.placed[player]) == 0:
        return count
    if tables.reroll_any == 0:
        out[count] = ROLL
        return count + 1
    left = hand(state, player)
    for dice in range(1, 32):
        if dice & ~left == 0:
            out[count] = ROLL + dice
            count += 1
    return count


@apply_actions.implement(RoboDerbyTables)
def roboderby_apply_actions(tables: Any, state: Any, joint: Any) -> None:
    carry_out_actions(tables, state, joint, None)


@subroutine
def carry_out_actions(tables: Any, state: Any, joint: Any, log: Any) -> None:
    """What ``apply_actions`` does, with a log of what happens (None: none)."""
    phase = int(state.phase)
    if phase == PHASE.PROGRAM:
        mask = programming(tables, state)
        for player in range(tables.players):
            if (mask >> player) & 1 and joint[player, 0] >= 0:
                _program(state, player, joint[player, 0])
        if roller(tables, state) < 0 and begin_if_ready(tables, state, log):
            go_on(tables, state, log)
    elif phase == PHASE.SHUTDOWN:
        mask = declaring(tables, state)
        for player in range(tables.players):
            if (mask >> player) & 1 and joint[player, 0] >= 0:
                state.declared[player] = STOP if joint[player, 0] == SAY_SHUTDOWN else RUN
        if declaring(tables, state) == 0:
            after_declarations(tables, state, log)
            if begin_if_ready(tables, state, log):
                go_on(tables, state, log)
    elif phase == PHASE.HACK:
        execute_with_target(tables, state, joint[int(state.order[int(state.next)]), 0] - TARGET, log)
        go_on(tables, state, log)
    else:
        after_edge(tables, state, joint[0, 0] - START_AT)


@compiled
def _program(state: Any, player: Any, action: Any) -> None:
    if action < PLACE_NOOP:
        place_die(state, player, action - PLACE, False)
    elif action < ROLL:
        place_die(state, player, action - PLACE_NOOP, True)
    else:
        state.placed[player] = 0
        state.rolling[player] = hand(state, player) if action == ROLL else action - ROLL


@apply_chance.implement(RoboDerbyTables)
def roboderby_apply_chance(tables: Any, state: Any, outcome: Any) -> None:
    carry_out_chance(tables, state, outcome, None)


@subroutine
def carry_out_chance(tables: Any, state: Any, outcome: Any, log: Any) -> None:
    """What ``apply_chance`` does, with a log of what happens (None: none)."""
    phase = int(state.phase)
    if phase == PHASE.PROGRAM:
        roll_dice(state, roller(tables, state), outcome)
    elif phase == PHASE.ROLL_OFF:
        apply_roll_off(tables, state, outcome, log)
        go_on(tables, state, log)
    else:
        set_up(tables, state, outcome)


@returns.implement(RoboDerbyTables)
def roboderby_returns(tables: Any, state: Any, out: Any) -> None:
    """The mean over a player's opponents: 1 for one who finished later or not at all, 0 for the same place, −1. Alone: 1 for having finished."""
    for player in range(tables.players):
        out[player] = 0.0
        if int(state.phase) != PHASE.OVER:
            continue
        if tables.players == 1:
            out[player] = 1.0 if int(state.status[player]) == FINISHED else 0.0
            continue
        total = 0
        for other in range(tables.players):
            own, theirs = _place_of(tables, state, player), _place_of(tables, state, other)
            total += 1 if own < theirs else -1 if own > theirs else 0
        out[player] = total / (tables.players - 1)


@compiled
def _place_of(tables: Any, state: Any, player: Any) -> Any:
    return int(state.rank[player]) if int(state.status[player]) == FINISHED else tables.players + 1
