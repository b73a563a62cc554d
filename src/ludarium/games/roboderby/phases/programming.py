"""Programs: dice are gathered and rolled, placed one after another, and rolled again (rules 13 to 18)."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled, subroutine

from ..sheets.dice import DICE
from ..tables import COMMAND, EMPTY, LOCKED, NOOP, REGISTERS


@compiled
def hand(state: Any, robot: Any) -> Any:
    """The dice (bits) that are in no register."""
    dice = 31
    for register in range(REGISTERS):
        die = int(state.register_die[robot, register])
        if die != 0:
            dice &= ~(1 << (die - 1))
    return dice


@compiled
def open_registers(state: Any, robot: Any) -> Any:
    """How many registers are still to be filled; they are the last of those that are not locked."""
    count = 0
    for register in range(REGISTERS):
        if int(state.register_slot[robot, register]) == EMPTY:
            count += 1
    return count


@subroutine
def gather(state: Any, robot: Any) -> None:
    """Take all dice from registers that are not locked; they are to be rolled, if there is a register to fill."""
    for register in range(REGISTERS):
        if int(state.register_slot[robot, register]) != LOCKED:
            state.register_die[robot, register] = 0
            state.register_face[robot, register] = 0
            state.register_slot[robot, register] = EMPTY
    state.placed[robot] = 0
    state.ready[robot] = 1
    if open_registers(state, robot) > 0:
        state.ready[robot] = 0
        state.rolling[robot] = hand(state, robot)
        for die in range(DICE):
            state.dice[robot, die] = 0


@subroutine
def place_die(state: Any, robot: Any, die: Any, as_noop: Any) -> None:
    """Place a die (from 0) in the lowest open register; the program is locked in when that was the last."""
    for register in range(REGISTERS):
        if int(state.register_slot[robot, register]) == EMPTY:
            state.register_die[robot, register] = die + 1
            state.register_face[robot, register] = state.dice[robot, die]
            state.register_slot[robot, register] = NOOP if as_noop else COMMAND
            state.dice[robot, die] = 0
            break
    state.placed[robot] = 1
    if open_registers(state, robot) == 0:
        state.placed[robot] = 0
        state.ready[robot] = 1


@compiled
def ways_to_fall(dice: Any) -> Any:
    """In how many ways dice (bits) can fall."""
    ways = 1
    for die in range(DICE):
        if (dice >> die) & 1:
            ways *= 6
    return ways


@subroutine
def roll_dice(state: Any, robot: Any, outcome: Any) -> None:
    """The dice that are to be rolled show faces: a digit of base 6 each, the first die's first."""
    code = outcome
    for back in range(DICE):
        die = DICE - 1 - back
        if (int(state.rolling[robot]) >> die) & 1:
            state.dice[robot, die] = 1 + code % 6
            code //= 6
    state.rolling[robot] = 0
