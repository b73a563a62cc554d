"""What a position holds for somebody on the ground: where it explodes when, who can live, how far things are, what a bomb would paint."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled, subroutine
from ludarium.core.random import random_below

from ..tables import ALIVE

HORIZON = 6
"""Turns that are looked ahead for explosions: a bomb of four turns that is dropped now explodes on the fifth."""

LONGEST = 4
"""The longest range of a normal player's bomb."""

FAR = 1 << 20
"""A distance that nobody walks."""


@compiled
def random_heading(generator: Any) -> Any:
    """A direction to begin with and whether to go on clockwise, for :func:`turned`."""
    return random_below(generator, 12)


@compiled
def turned(heading: Any, number: Any) -> Any:
    """The directions in the order of a heading; ``number`` is 0 to 5."""
    return (heading + (number if heading < 6 else 6 - number)) % 6


@compiled
def mark_reach(tables: Any, cell: Any, reach: Any, out: Any, bits: Any) -> None:
    """Set bits in ``out`` on all cells that a bomb reaches."""
    for place in range(tables.within[cell, reach]):
        out[tables.lines[cell, place]] |= bits


@compiled
def reaches(tables: Any, cell: Any, reach: Any, other: Any) -> Any:
    """Whether a bomb on one cell reaches another one."""
    found = False
    for place in range(tables.within[cell, reach]):
        found = found or tables.lines[cell, place] == other
    return found


@compiled
def weight_in_reach(tables: Any, scratch: Any, cell: Any, reach: Any) -> Any:
    """What the cells that a bomb reaches are worth together."""
    total = 0
    for place in range(tables.within[cell, reach]):
        total += scratch.weight[tables.lines[cell, place]]
    return total


@subroutine
def find_danger(tables: Any, state: Any, player: Any, scratch: Any) -> None:
    """When every bomb explodes, chains included (``bomb_time``), when every cell does (``danger``), and ``own_reach``."""
    bombs = int(state.bombs)
    for bomb in range(bombs):
        scratch.bomb_time[bomb] = int(state.bomb_delay[bomb])
    changed = bombs > 1
    while changed:
        changed = False
        for bomb in range(bombs):
            changed = _set_off(tables, state, scratch, bomb) or changed
    for cell in range(tables.cells):
        scratch.danger[cell] = 0
        scratch.own_reach[cell] = 0
    for bomb in range(bombs):
        cell, reach = int(state.bomb_cell[bomb]), int(state.bomb_range[bomb])
        if scratch.bomb_time[bomb] <= HORIZON:
            mark_reach(tables, cell, reach, scratch.danger, 1 << scratch.bomb_time[bomb])
        if int(state.bomb_colour[bomb]) == player + 1:
            mark_reach(tables, cell, reach, scratch.own_reach, 1)


@compiled
def _set_off(tables: Any, state: Any, scratch: Any, bomb: Any) -> Any:
    """Let a bomb's explosion bring forward those of the bombs that it reaches; whether it does."""
    cell, time = int(state.bomb_cell[bomb]), scratch.bomb_time[bomb]
    changed = False
    for place in range(tables.within[cell, int(state.bomb_range[bomb])]):
        other = int(state.bomb_here[tables.lines[cell, place]]) - 1
        if other >= 0 and scratch.bomb_time[other] > time:
            scratch.bomb_time[other] = time
            changed = True
    return changed


@subroutine
def find_survival(tables: Any, state: Any, scratch: Any) -> None:
    """Where one can stand at the end of which turn and still live at the end of turn ``HORIZON`` (``survival``), after ``find_danger``.

    Others are taken to stand where they are on this turn, and to be out of the way afterwards.
    """
    for cell in range(tables.cells):
        scratch.survival[cell] = 0 if scratch.danger[cell] >> HORIZON & 1 else 1 << HORIZON
    turn = HORIZON - 1
    while turn >= 0:
        for cell in range(tables.cells):
            if scratch.danger[cell] >> turn & 1:
                continue
            lives = scratch.survival[cell] >> (turn + 1) & 1 == 1
            direction = 0
            while not lives and direction < 6:
                target = tables.neighbour[cell, direction]
                if target >= 0 and scratch.survival[target] >> (turn + 1) & 1 == 1:
                    bomb = int(state.bomb_here[target]) - 1
                    free = bomb < 0 or scratch.bomb_time[bomb] < turn + 1
                    lives = free and (turn > 0 or int(state.occupant[target]) == 0)
                direction += 1
            if lives:
                scratch.survival[cell] |= 1 << turn
        turn -= 1


@subroutine
def find_foe_distances(tables: Any, state: Any, player: Any, around_bombs: Any, scratch: Any) -> None:
    """How many moves it is at least between every cell and another player's character (``foe_distance``), those included that may revive soon.

    Bombs are in the way only with ``around_bombs``.
    """
    for cell in range(tables.cells):
        scratch.foe_distance[cell] = FAR
    end = 0
    for character in range(tables.characters):
        cell = int(state.position[character])
        soon = int(state.revive_delay[character]) == ALIVE or (tables.special == 0 and int(state.revive_delay[character]) <= 2)
        if tables.owner[character] != player and soon and scratch.foe_distance[cell] == FAR:
            scratch.foe_distance[cell] = 0
            scratch.queue[end] = cell
            end += 1
    begin = 0
    while begin < end:
        cell = scratch.queue[begin]
        begin += 1
        for direction in range(6):
            target = tables.neighbour[cell, direction]
            if target >= 0 and scratch.foe_distance[target] == FAR and not (around_bombs and int(state.bomb_here[target]) != 0):
                scratch.foe_distance[target] = scratch.foe_distance[cell] + 1
                scratch.queue[end] = target
                end += 1
