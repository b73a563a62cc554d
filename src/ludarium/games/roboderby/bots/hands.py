"""A robot's hand in the middle of programming, and the ways to go on from there."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled, subroutine

from ..actions import PLACE, PLACE_NOOP, ROLL
from ..phases.programming import hand, open_registers
from ..sheets.dice import DICE
from ..solo.tables import place_in, programs_of_hand
from ..tables import COMMAND, LOCKED, NOOP, NOT_HERE, REGISTERS


@compiled
def read_hand(state: Any, robot: Any, scratch: Any) -> None:
    """Write the faces of a robot's hand into ``scratch.hand``."""
    for die in range(DICE):
        scratch.hand[die] = int(state.dice[robot, die])


@subroutine
def place_of_hand(tables: Any, state: Any, robot: Any, solo: Any) -> Any:
    """The place where a robot that nobody hinders is when its lowest open register is executed; −1 where it is at no place that is known."""
    if int(state.square[robot]) == NOT_HERE:
        return -1
    place = place_in(solo, int(state.square[robot]), int(state.heading[robot]), int(state.lap[robot]))
    for register in range(REGISTERS):
        slot = int(state.register_slot[robot, register])
        if place >= 0 and slot in (COMMAND, NOOP):
            die, face = int(state.register_die[robot, register]), int(state.register_face[robot, register])
            place = solo.successors[place, solo.effects[die - 1, face - 1] if slot == COMMAND else 0]
    return place


@subroutine
def list_ways(state: Any, robot: Any, place: Any, solo: Any, scratch: Any) -> Any:
    """List the ways to place dice of ``scratch.hand`` in the open registers, locked ones following, into ``scratch.codes`` and ``scratch.values``; how many."""
    locked = 0
    for register in range(REGISTERS):
        if int(state.register_slot[robot, register]) == LOCKED:
            die, face = int(state.register_die[robot, register]), int(state.register_face[robot, register])
            scratch.suffix[locked] = solo.effects[die - 1, face - 1] if die != 0 else 0
            locked += 1
    return programs_of_hand(solo, place, scratch.hand, open_registers(state, robot), scratch.suffix[:locked], scratch.codes, scratch.values)


@compiled
def first_action(code: Any) -> Any:
    """The action that a way begins with."""
    word = (code & 15) - 1
    return (PLACE_NOOP if word & 1 else PLACE) + (word >> 1)


@compiled
def roll_action(tables: Any, state: Any, robot: Any) -> Any:
    """The action of rolling all dice in hand."""
    return ROLL + (hand(state, robot) if tables.reroll_any == 1 else 0)
