"""What a player may not know: what others declare until all have declared, and what they roll and place until all programs are locked in (rule 6)."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled
from ludarium.core.random import random_below
from ludarium.core.rules import conceal, resample_hidden

from ..phases.programming import gather, hand, open_registers, place_die, roll_dice
from ..sheets.dice import DICE
from ..tables import ACTIVE, LOCKED, PHASE, UNKNOWN_DECLARATION, UNKNOWN_DICE, RoboDerbyTables


@compiled
def is_hidden(tables: Any, state: Any, robot: Any, player: Any) -> Any:
    """Whether a player (−1: somebody who only watches) may not know how a robot is being programmed."""
    return tables.screens == 1 and int(state.phase) == PHASE.PROGRAM and robot != player and _has_rolled(state, robot)


@compiled
def _has_rolled(state: Any, robot: Any) -> Any:
    """Whether a robot's dice have been rolled this turn. Before, there is nothing to hide; and never where all registers are locked."""
    if int(state.status[robot]) != ACTIVE or int(state.register_slot[robot, 0]) == LOCKED:  # the first register is the last to be locked
        return False
    rolling = int(state.rolling[robot])
    return rolling == 0 or rolling != hand(state, robot) or int(state.register_die[robot, 0]) != 0


@compiled
def _is_declaring_in_secret(tables: Any, state: Any, robot: Any, player: Any) -> Any:
    return int(state.phase) == PHASE.SHUTDOWN and tables.seat_order == 0 and robot != player and int(state.declared[robot]) != 0


@conceal.implement(RoboDerbyTables)
def hide(tables: Any, state: Any, player: Any) -> None:
    """Blank what a player may not know. That somebody rolls again, has declared, or has locked a program in, stays known."""
    for robot in range(tables.players):
        if _is_declaring_in_secret(tables, state, robot, player):
            state.declared[robot] = UNKNOWN_DECLARATION
        if is_hidden(tables, state, robot, player):
            again, ready = int(state.rolling[robot]) != 0, state.ready[robot]
            gather(state, robot)
            state.rolling[robot] = UNKNOWN_DICE if again else 0
            state.ready[robot] = ready


@resample_hidden.implement(RoboDerbyTables)
def imagine(tables: Any, state: Any, player: Any, generator: Any) -> None:
    """Draw what a player may not know: declarations evenly; dice fall anew, and some are placed at random: all that are needed where the program is
    locked in."""
    hide(tables, state, player)
    for robot in range(tables.players):
        if _is_declaring_in_secret(tables, state, robot, player):
            state.declared[robot] = 1 + random_below(generator, 2)
        if is_hidden(tables, state, robot, player):
            _program_at_random(state, robot, generator)


@compiled
def _program_at_random(state: Any, robot: Any, generator: Any) -> None:
    again = int(state.rolling[robot]) != 0
    registers = open_registers(state, robot)
    if int(state.ready[robot]) != 0:
        places = registers
    elif again:
        places = 1 + random_below(generator, registers - 1)
    else:
        places = random_below(generator, registers)
    state.ready[robot] = 0
    state.rolling[robot] = hand(state, robot)
    roll_dice(state, robot, random_below(generator, 6**DICE))
    for _ in range(places):
        die = random_below(generator, DICE)
        while int(state.dice[robot, die]) == 0:
            die = random_below(generator, DICE)
        place_die(state, robot, die, random_below(generator, 4) == 0)
    if again:
        state.placed[robot] = 0
        state.rolling[robot] = hand(state, robot)
