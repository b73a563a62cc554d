"""One robot executes the die in the current register (rules 21 to 26)."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled, subroutine

from ..sheets.faces import CMT, F1, F2, F3, REV, SL, SR, L, R, U
from ..tables import ACTIVE, ALL_OTHERS, CHOSEN_ONE, FINISHED, LEFT, NOOP
from .flags import COMMENTED, DONE, FIRES, INVERTED
from .movement import move
from .trace import KIND, note


@compiled
def is_live_hack(tables: Any, state: Any, robot: Any) -> Any:
    """Whether a robot's die in the current register is a hack and no NO-OP."""
    register = int(state.register)
    die, face = int(state.register_die[robot, register]), int(state.register_face[robot, register])
    return tables.commands[die - 1, face - 1] >= CMT and int(state.register_slot[robot, register]) != NOOP


@compiled
def _can_be_hacked(state: Any, robot: Any) -> Any:
    """Whether a robot's die in the current register is still to be executed."""
    for place in range(int(state.next), int(state.count)):
        if int(state.order[place]) == robot:
            return int(state.fate[robot]) & DONE == 0
    return False


@compiled
def hack_choices(tables: Any, state: Any, robot: Any) -> Any:
    """The robots (bits) among which a hacker has to choose now; 0 where there is nothing to choose."""
    if tables.hack_targets != CHOSEN_ONE or int(state.status[robot]) != ACTIVE or not is_live_hack(tables, state, robot):
        return 0
    if int(state.fate[robot]) & (COMMENTED | INVERTED) != 0:
        return 0
    choices = 0
    for other in range(tables.players):
        if other != robot and _can_be_hacked(state, other):
            choices |= 1 << other
    return choices if choices & (choices - 1) != 0 else 0


@subroutine
def execute_die(tables: Any, state: Any, robot: Any, target: Any, log: Any) -> None:
    """Execute a robot's die; ``target`` is the robot whom a hack was chosen to hit, −1 where none was chosen."""
    register = int(state.register)
    flags = int(state.fate[robot])
    state.fate[robot] = flags | DONE
    if int(state.status[robot]) != ACTIVE:
        return
    die, face = int(state.register_die[robot, register]) - 1, int(state.register_face[robot, register]) - 1
    noop = int(state.register_slot[robot, register]) == NOOP
    note(log, KIND.ORDER, robot, die + 1, face + 1, int(state.register_slot[robot, register]), flags)
    if flags & COMMENTED != 0:
        note(log, KIND.SKIP, robot, 0, 0, 0, 0)
        return
    inverted = flags & INVERTED != 0
    if noop:
        if not inverted or tables.noop_inverts == 0:
            note(log, KIND.IDLE, robot, flags, 0, 0, 0)
            return
        inverted = False
    command = tables.commands[die, face]
    if tables.lasers[die, face] == 1 and (not inverted or (tables.inverted_fires == 1 and tables.inverted[command] != 0)):
        state.fate[robot] = flags | DONE | FIRES
    if inverted:
        command = tables.inverted[command]
    if command >= CMT:
        _hack(tables, state, robot, command, target, log)
    else:
        carry_out(tables, state, robot, command, flags, log)


@compiled
def carry_out(tables: Any, state: Any, robot: Any, command: Any, flags: Any, log: Any) -> None:
    """Do a command that concerns one robot; −1 to −3 is backward so many steps, 0 nothing."""
    heading = int(state.heading[robot])
    if command in (L, R, U):
        after = (heading + (1 if command == R else 2 if command == U else 3)) & 3
        state.heading[robot] = after
        note(log, KIND.TURN, robot, heading, after, 0, 0)
    elif command in (F1, F2, F3):
        move(tables, state, robot, heading, 1 + command - F1, log)
    elif command < 0:
        move(tables, state, robot, (heading + 2) & 3, -command, log)
    elif command in (SL, SR, REV):
        move(tables, state, robot, (heading + (3 if command == SL else 1 if command == SR else 2)) & 3, 1, log)
    else:
        note(log, KIND.IDLE, robot, flags, 0, 0, 0)


@compiled
def _hack(tables: Any, state: Any, robot: Any, command: Any, target: Any, log: Any) -> None:
    """Comment out or invert the dice of others in the same register that are still to be executed; a hack that comes too late is wasted."""
    seat = _next_seat(tables, state, robot)
    wasted = True
    for other in range(tables.players):
        meant = tables.hack_targets == ALL_OTHERS or other == target or (tables.hack_targets == CHOSEN_ONE and target < 0)
        if other == robot or not (meant or other == seat) or not _can_be_hacked(state, other):
            continue
        flags = int(state.fate[other])
        state.fate[other] = flags | COMMENTED if command == CMT else flags ^ INVERTED
        note(log, KIND.HACK, robot, other, command, 0, 0)
        wasted = False
    if wasted:
        note(log, KIND.WASTE, robot, command, 0, 0, 0)


@compiled
def _next_seat(tables: Any, state: Any, robot: Any) -> Any:
    """The robot that hacks hit under the option that they hit the next seat's: of the next player who has not finished."""
    if tables.hack_targets == ALL_OTHERS or tables.hack_targets == CHOSEN_ONE:
        return -1
    for step in range(1, tables.players):
        other = (robot + step) % tables.players
        if int(state.status[other]) != FINISHED and int(state.status[other]) != LEFT:
            return other
    return -1
