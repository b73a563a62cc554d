"""What others may do behind their screens: hands are imagined for them, and what they can make of these hands."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled, subroutine
from ludarium.core.random import random_below
from ludarium.core.rules import copy_state

from ..phases.programming import open_registers, roll_dice, ways_to_fall
from ..sheets.dice import DICE
from ..tables import ACTIVE, COMMAND, EMPTY, NOOP, REGISTERS
from .hands import list_ways, place_of_hand, read_hand
from .policy import complete_program, roll_again
from .searching import REPLIES, SCENARIOS


@compiled
def fills(code: Any, registers: Any) -> Any:
    """Whether a way fills so many registers."""
    return code >> (4 * (registers - 1)) != 0


@compiled
def is_usual(code: Any, scratch: Any) -> Any:
    """Of ways that differ only in which dice are the NO-OPs and which is left over, one is the usual one."""
    left = 0
    for die in range(DICE):
        if scratch.hand[die] != 0:
            left |= 1 << die
    rest = code
    while rest > 0:
        left &= ~(1 << (((rest & 15) - 1) >> 1))
        rest >>= 4
    last = -1
    while code > 0:
        word = (code & 15) - 1
        if word & 1 == 1:
            if word >> 1 < last:
                return False
            last = word >> 1
        code >>= 4
    return left >> (last + 1) != 0 if last >= 0 else True


@subroutine
def imagine_replies(tables: Any, start: Any, view: Any, me: Any, solos: Any, search: Any, scratch: Any, generator: Any) -> None:
    """Fill ``search.replies``; ``start`` is the state as it is known, ``view`` one to work in."""
    for robot in range(tables.players):
        decides = robot != me and int(start.status[robot]) == ACTIVE and open_registers(start, robot) > 0
        for scenario in range(SCENARIOS):
            search.reply_count[robot, scenario] = 0
            if not decides:
                continue
            copy_state(tables, start, view)
            if tables.screens == 1:
                roll_again(view, robot, generator)
            elif int(view.rolling[robot]) != 0:
                roll_dice(view, robot, random_below(generator, ways_to_fall(int(view.rolling[robot]))))
            _list_replies(tables, view, robot, scenario, solos[robot], search, scratch)
            complete_program(tables, view, robot, solos[robot], scratch, generator)
            for register in range(REGISTERS):
                search.replies[robot, scenario, 0, register] = _packed(
                    int(view.register_die[robot, register]),
                    int(view.register_face[robot, register]),
                    int(view.register_slot[robot, register]),
                )
            for reply in range(REPLIES):
                search.reply_visits[robot, scenario, reply] = 0
                search.reply_sums[robot, scenario, reply] = 0.0


@compiled
def _packed(die: Any, face: Any, slot: Any) -> Any:
    return die | face << 4 | slot << 8


@compiled
def write_reply(state: Any, robot: Any, scenario: Any, reply: Any, search: Any) -> None:
    """Lock a reply in."""
    for register in range(REGISTERS):
        packed = search.replies[robot, scenario, reply, register]
        state.register_die[robot, register] = packed & 15
        state.register_face[robot, register] = (packed >> 4) & 15
        state.register_slot[robot, register] = packed >> 8


@compiled
def _list_replies(tables: Any, view: Any, robot: Any, scenario: Any, solo: Any, search: Any, scratch: Any) -> None:
    """Replies 1 and up: the programs of a hand with the fewest expected turns, the best first."""
    read_hand(view, robot, scratch)
    place = place_of_hand(tables, view, robot, solo)
    registers = open_registers(view, robot)
    count = list_ways(view, robot, place if place >= 0 else solo.dead[0], solo, scratch)
    kept = 1
    for way in range(count):
        code, value = scratch.codes[way], scratch.values[way]
        if not fills(code, registers) or not is_usual(code, scratch):
            continue
        at = kept
        if kept == REPLIES:
            at = kept - 1
            if value >= search.reply_sums[robot, scenario, at]:
                continue
        while at > 1 and search.reply_sums[robot, scenario, at - 1] > value:
            _move_reply(robot, scenario, at, search)
            at -= 1
        search.reply_sums[robot, scenario, at] = value
        _write_way(view, robot, scenario, at, code, search, scratch)
        kept = min(kept + 1, REPLIES)
    search.reply_count[robot, scenario] = kept


@compiled
def _move_reply(robot: Any, scenario: Any, at: Any, search: Any) -> None:
    search.reply_sums[robot, scenario, at] = search.reply_sums[robot, scenario, at - 1]
    for register in range(REGISTERS):
        search.replies[robot, scenario, at, register] = search.replies[robot, scenario, at - 1, register]


@compiled
def _write_way(view: Any, robot: Any, scenario: Any, reply: Any, code: Any, search: Any, scratch: Any) -> None:
    for register in range(REGISTERS):
        die, face = int(view.register_die[robot, register]), int(view.register_face[robot, register])
        slot = int(view.register_slot[robot, register])
        if slot == EMPTY:
            word = (code & 15) - 1
            code >>= 4
            die, face, slot = (word >> 1) + 1, scratch.hand[word >> 1], NOOP if word & 1 == 1 else COMMAND
        search.replies[robot, scenario, reply, register] = _packed(die, face, slot)
