"""The orders of the special player of sudden death, whose characters cannot die and never run out of bombs.

Whoever sees a bomb has two turns to leave its lines. But a bomb that another explosion sets off on the turn on which it is dropped is seen by nobody. So a
character drops a first bomb near the others, goes on along its lines, and on the turn on which it explodes drops a second one where that reaches most of them.
"""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled, subroutine

from ..tables import ALIVE, BOMB, NOTHING, SHORTEST, SPECIAL_WIDTH
from ..turn import add_bomb
from .ground import FAR, find_danger, find_foe_distances, random_heading, reaches, turned

RANGE = SHORTEST + SPECIAL_WIDTH - 1
DELAY = SHORTEST

NEAR = 5
"""The first bomb is dropped when somebody is so many moves away."""


@subroutine
def hunter_orders(tables: Any, view: Any, scratch: Any, generator: Any) -> None:
    """Write an order for each of the special player's characters into ``scratch.orders``.

    Args:
        view: a copy of the state, in which the bombs of these orders are dropped.
        generator: decides between what seems equally good.
    """
    find_danger(tables, view, 0, scratch)
    find_foe_distances(tables, view, 0, True, scratch)
    for cell in range(tables.cells):
        scratch.taken[cell] = 0
    for character in range(tables.first[1]):
        cell = int(view.position[character])
        scratch.orders[character] = NOTHING
        free = int(view.bomb_here[cell]) == 0
        if free and scratch.danger[cell] >> 1 & 1 == 1:
            if _prey_in_reach(tables, view, cell, False, scratch) > 0:
                _drop(tables, view, cell, 1, scratch)
                scratch.orders[character] = BOMB + (DELAY - SHORTEST) * SPECIAL_WIDTH + RANGE - SHORTEST
                continue
        elif free and scratch.danger[cell] >> 2 & 3 == 0 and scratch.foe_distance[cell] <= NEAR:
            _drop(tables, view, cell, DELAY + 1, scratch)
            scratch.orders[character] = BOMB + (DELAY - SHORTEST) * SPECIAL_WIDTH + RANGE - SHORTEST
            continue
        _step(tables, view, character, scratch, generator)


@compiled
def _drop(tables: Any, view: Any, cell: Any, delay: Any, scratch: Any) -> None:
    add_bomb(view, 0, cell, delay, RANGE)
    find_danger(tables, view, 0, scratch)


@compiled
def _prey_in_reach(tables: Any, view: Any, cell: Any, around: Any, scratch: Any) -> Any:
    """How many living characters of others a bomb on the cell would reach whom no known explosion reaches; or, with ``around``, how many of the cells on which
    these may be on the next turn."""
    total = 0
    for character in range(tables.first[1], tables.characters):
        if int(view.revive_delay[character]) != ALIVE:
            continue
        place = int(view.position[character])
        if scratch.danger[place] >> (2 if around else 1) & 1 == 0 and reaches(tables, cell, RANGE, place):
            total += 1
        for direction in range(6 if around else 0):
            target = tables.neighbour[place, direction]
            if target >= 0 and scratch.danger[target] >> 2 & 1 == 0 and reaches(tables, cell, RANGE, target):
                total += 1
    return total


@compiled
def _step(tables: Any, view: Any, character: Any, scratch: Any, generator: Any) -> None:
    """A step to where a bomb on the next turn reaches most, if an explosion will set it off there; else towards somebody. It stays if that is best."""
    cell = int(view.position[character])
    best, best_value, heading = cell, _worth(tables, view, cell, scratch), random_heading(generator)
    for number in range(6):
        direction = turned(heading, number)
        target = tables.neighbour[cell, direction]
        if target < 0 or int(view.occupant[target]) != 0 or int(view.bomb_here[target]) != 0 or scratch.taken[target] == 1:
            continue
        value = _worth(tables, view, target, scratch)
        if value > best_value:
            best, best_value = target, value
            scratch.orders[character] = direction + 1
    scratch.taken[best] = 1


@compiled
def _worth(tables: Any, view: Any, cell: Any, scratch: Any) -> Any:
    """What it is worth to be on a cell at the end of this turn."""
    set_off = scratch.danger[cell] >> 2 & 1 == 1 and int(view.bomb_here[cell]) == 0
    return (FAR * _prey_in_reach(tables, view, cell, True, scratch) if set_off else 0) - scratch.foe_distance[cell]
