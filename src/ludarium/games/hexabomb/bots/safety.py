"""Bombs that cannot kill their own team, whatever the others do.

A bomb may be dropped when every character of the team that it reaches has two cells to go to on the next two turns, of which the second is out of reach.
No other player's character can be on these cells in time, so nothing blocks the way; the team keeps off them; and nothing that the others may drop in the
meantime can set the bomb off before they are reached.
"""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled, subroutine

from ..tables import ALIVE, NOTHING, REFILL_EVERY
from ..turn import add_bomb
from .ground import LONGEST, find_danger, mark_reach, random_heading, reaches, turned

DELAY = 2
"""Two turns are enough to flee, and nobody else gets more of them than necessary."""


@compiled
def flees(state: Any, scratch: Any, character: Any) -> Any:
    """Whether the character is on its way out of the reach of its team's bomb."""
    return scratch.escape[character, 0] == int(state.turn) and int(state.revive_delay[character]) == ALIVE


@subroutine
def try_bomb(tables: Any, view: Any, player: Any, character: Any, reach: Any, scratch: Any, generator: Any) -> Any:
    """Drop a bomb in ``view`` if that is safe, and settle how everybody whom it reaches will flee; whether it was dropped.

    The others of the team have their orders already, except those that may still drop a bomb; these stay if they have to flee from this one. In ``view`` the
    delay is one more than in the order, since it does not run on the turn of the drop.
    """
    cell = int(view.position[character])
    add_bomb(view, player, cell, DELAY + 1, reach)
    find_danger(tables, view, player, scratch)
    safe = not _may_be_set_off(tables, view, player, cell, scratch)
    first, last = tables.first[player], tables.first[player + 1]
    found = first
    while safe and found < last:
        safe = _has_way_out(tables, view, found, cell, reach, scratch, generator)
        found += 1
    if safe:
        for member in range(first, last):
            if scratch.tentative[member, 0] >= 0:
                scratch.escape[member, 0] = int(view.turn) + 1
                scratch.escape[member, 1] = scratch.tentative[member, 0]
                scratch.escape[member, 2] = scratch.tentative[member, 1]
        return True
    for member in range(first, found):
        if scratch.tentative[member, 0] >= 0:
            scratch.taken[scratch.tentative[member, 0]] = 0
            scratch.taken[scratch.tentative[member, 1]] = 0
    view.bombs = int(view.bombs) - 1
    view.bomb_here[cell] = 0
    find_danger(tables, view, player, scratch)
    return False


@compiled
def _has_way_out(tables: Any, view: Any, member: Any, cell: Any, reach: Any, scratch: Any, generator: Any) -> Any:
    """Whether a new bomb is no danger to a character of the team. A way out that it needs becomes ``tentative`` and ``taken``."""
    scratch.tentative[member, 0] = -1
    stands, goes = int(view.position[member]), scratch.target[member]
    if int(view.revive_delay[member]) != ALIVE:
        return not reaches(tables, cell, reach, stands)
    if scratch.escape[member, 0] == int(view.turn) + 1:  # it flees already: only where it ends matters
        return not reaches(tables, cell, reach, scratch.escape[member, 2])
    if goes != stands and scratch.foe_distance[goes] <= 1 and reaches(tables, cell, reach, stands):
        return False  # somebody may stop it from going
    if not reaches(tables, cell, reach, goes):
        return True
    if scratch.orders[member] != NOTHING and scratch.foe_distance[goes] <= 1:
        return False
    return _find_way_out(tables, view, member, goes, scratch, generator)


@compiled
def _find_way_out(tables: Any, view: Any, member: Any, cell: Any, scratch: Any, generator: Any) -> Any:
    """Settle where a character flees from a cell. No direction always comes first, or some seats of a map would be better than others."""
    if scratch.danger[cell] >> 1 & 1:
        return False
    heading = random_heading(generator)
    for number in range(6):
        near = tables.neighbour[cell, turned(heading, number)]
        if near < 0 or not _is_kept_free(view, scratch, near, 2):
            continue
        if scratch.own_reach[near] == 0:
            _set_tentative(scratch, member, near, near)
            return True
        for second in range(6):
            end = tables.neighbour[near, turned(heading, second)]
            if end >= 0 and end != cell and scratch.own_reach[end] == 0 and _is_kept_free(view, scratch, end, 3):
                _set_tentative(scratch, member, near, end)
                return True
    return False


@compiled
def _is_kept_free(view: Any, scratch: Any, cell: Any, turn: Any) -> Any:
    """Whether nobody else can be on a cell at the end of a turn, and it does not explode then."""
    empty = int(view.occupant[cell]) == 0 and int(view.bomb_here[cell]) == 0 and scratch.taken[cell] == 0
    return empty and scratch.foe_distance[cell] > turn and scratch.danger[cell] >> turn & 1 == 0


@compiled
def _set_tentative(scratch: Any, member: Any, near: Any, end: Any) -> None:
    scratch.tentative[member, 0] = near
    scratch.tentative[member, 1] = end
    scratch.taken[near] = 1
    scratch.taken[end] = 1


@compiled
def _may_be_set_off(tables: Any, view: Any, player: Any, cell: Any, scratch: Any) -> Any:
    """Whether a bomb on the cell could explode before everybody has fled: by one that explodes on this turn or the next, and what others may drop there."""
    bombs = int(view.bombs)
    early = False
    for bomb in range(bombs):
        early = early or scratch.bomb_time[bomb] <= DELAY
    if not early:
        return False
    for place in range(tables.cells):
        scratch.hit[place] = 0
    for bomb in range(bombs):
        if scratch.bomb_time[bomb] <= DELAY:
            mark_reach(tables, int(view.bomb_cell[bomb]), int(view.bomb_range[bomb]), scratch.hit, 1)
    # Bit 1 marks what may be hit, bit 2 a cell from which a bomb has spread, bit 3 one where somebody may drop a bomb.
    refilled = (int(view.turn) + 1) % REFILL_EVERY == 0
    for character in range(tables.characters):
        armed = int(view.revive_delay[character]) <= 0 and (int(view.bomb_count[character]) > 0 or refilled)
        if armed and tables.owner[character] != player:
            mark_reach(tables, int(view.position[character]), 1, scratch.hit, 4)
    changed = True
    while changed and scratch.hit[cell] & 1 == 0:
        changed = False
        for place in range(tables.cells):
            if scratch.hit[place] & 3 == 1:
                bomb = int(view.bomb_here[place]) - 1
                if bomb >= 0:
                    scratch.hit[place] |= 2
                    mark_reach(tables, place, int(view.bomb_range[bomb]), scratch.hit, 1)
                    changed = True
                elif scratch.hit[place] & 4 != 0:
                    scratch.hit[place] |= 2
                    mark_reach(tables, place, LONGEST, scratch.hit, 1)
                    changed = True
    return scratch.hit[cell] & 1 == 1
