"""The orders of a normal player's team: paint what is near, drop bombs where they gain most, keep out of explosions, revive at once."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled, subroutine
from ludarium.core.random import random_below

from ..tables import ALIVE, BOMB, CLASSIC_WIDTH, NOTHING, REVIVE, SHORTEST
from .ground import FAR, LONGEST, find_danger, find_foe_distances, find_survival, random_heading, turned, weight_in_reach
from .safety import DELAY, flees, try_bomb

UNIT = 12
"""The weight of a neutral cell. One of another player's is worth more, as it also takes from that player."""

LEAST_GAIN = 4 * UNIT
"""A bomb is not dropped for less."""

PAINT_FADES, BOMB_FADES = 0.5, 0.7
"""What a gain is worth one move further away."""

NEAR = 8
"""Nothing farther away is looked at as long as there is something to gain within so many moves."""

NOISE = 32
"""Values are multiplied by about this, so that a small random number decides between equal ones."""


@subroutine
def team_orders(tables: Any, view: Any, player: Any, bombs: Any, scratch: Any, generator: Any) -> None:
    """Write an order for each of a normal player's characters into ``scratch.orders``.

    Args:
        view: a copy of the state, in which the bombs of these orders are dropped.
        bombs: 1: drop bombs; 0: paint only.
        generator: decides between what seems equally good.
    """
    first, last = tables.first[player], tables.first[player + 1]
    find_danger(tables, view, player, scratch)
    find_survival(tables, view, scratch)
    find_foe_distances(tables, view, player, False, scratch)
    _weigh(tables, view, player, scratch)
    bombs = int(bombs == 1 and tables.special == 0 and int(view.turn) + 1 + DELAY <= tables.turns)
    if bombs == 1:
        for cell in range(tables.cells):
            scratch.gain[cell] = weight_in_reach(tables, scratch, cell, LONGEST)
    for character in range(first, last):
        cell = int(view.position[character])
        scratch.orders[character] = NOTHING
        scratch.target[character] = cell
        scratch.wish[character] = 0
        scratch.taken[cell] = 1
        if flees(view, scratch, character):
            scratch.taken[scratch.escape[character, 1]] = 1
            scratch.taken[scratch.escape[character, 2]] = 1
    for character in range(first, last):
        delay = int(view.revive_delay[character])
        if delay != ALIVE:
            scratch.orders[character] = REVIVE if delay == 0 and tables.special == 0 else NOTHING
        elif flees(view, scratch, character):
            _flee(tables, view, character, scratch)
        else:
            _walk(tables, view, character, bombs, scratch, generator)
    for character in range(first, last):
        if scratch.wish[character] == 0 or _bomb(tables, view, player, character, scratch, generator):
            continue
        if scratch.escape[character, 0] != int(view.turn) + 1:  # else it has to be here to flee from another one's bomb
            _walk(tables, view, character, 0, scratch, generator)


@compiled
def _weigh(tables: Any, view: Any, player: Any, scratch: Any) -> None:
    """What painting each cell is worth, and that nothing is taken yet. What a bomb of the player's will paint is worth nothing."""
    others = max(tables.players - tables.special - 1, 1)
    for cell in range(tables.cells):
        colour = int(view.colour[cell])
        own = colour == player + 1 or scratch.own_reach[cell] != 0
        scratch.weight[cell] = 0 if own else UNIT if colour == 0 else UNIT + UNIT // others
        scratch.taken[cell] = 0


@compiled
def _flee(tables: Any, view: Any, character: Any, scratch: Any) -> None:
    cell, near, end = int(view.position[character]), scratch.escape[character, 1], scratch.escape[character, 2]
    for direction in range(6):
        if tables.neighbour[cell, direction] == near:
            scratch.orders[character] = direction + 1
            scratch.target[character] = near
    if near != end:
        scratch.escape[character, 0] = int(view.turn) + 1
        scratch.escape[character, 1] = end


@compiled
def _bomb(tables: Any, view: Any, player: Any, character: Any, scratch: Any, generator: Any) -> Any:
    """Drop a bomb of the longest range that is safe and gains enough; whether there is one."""
    cell = int(view.position[character])
    reach = LONGEST
    while reach >= SHORTEST:
        if weight_in_reach(tables, scratch, cell, reach) < LEAST_GAIN:
            return False
        if try_bomb(tables, view, player, character, reach, scratch, generator):
            scratch.orders[character] = BOMB + (DELAY - SHORTEST) * CLASSIC_WIDTH + reach - SHORTEST
            for place in range(tables.cells):
                if scratch.own_reach[place] != 0:
                    scratch.weight[place] = 0
            return True
        reach -= 1
    return False


@compiled
def _may_enter(view: Any, scratch: Any, cell: Any) -> Any:
    return (
        int(view.occupant[cell]) == 0
        and int(view.bomb_here[cell]) == 0
        and scratch.taken[cell] == 0
        and scratch.survival[cell] >> 1 & 1 == 1
    )


@subroutine
def _walk(tables: Any, view: Any, character: Any, bombs: Any, scratch: Any, generator: Any) -> None:
    """Go one step towards the best that there is to paint or to bomb. If that is to bomb the place where it stands, ``wish`` is set instead."""
    cell = int(view.position[character])
    stays = scratch.survival[cell] >> 1 & 1 == 1 and scratch.own_reach[cell] == 0
    carries = bombs == 1 and int(view.bomb_count[character]) > 0
    best = _aim(tables, view, cell, stays, carries, NEAR, scratch, generator)
    if best < 0:
        best = _aim(tables, view, cell, stays, carries, FAR, scratch, generator)
    if best == cell:
        scratch.wish[character] = 1
        return
    if best < 0 and (stays or scratch.danger[cell] >> 1 & 1 == 0):
        return
    direction = scratch.step[best] if best >= 0 else _any_way(tables, view, cell, scratch, generator)
    if direction == 0:
        return
    target = tables.neighbour[cell, direction - 1]
    scratch.orders[character] = direction
    scratch.target[character] = target
    scratch.taken[target] = 1
    scratch.weight[target] = 0
    if best >= 0:
        scratch.weight[best] = 0


@subroutine
def _aim(tables: Any, view: Any, cell: Any, stays: Any, carries: Any, farthest: Any, scratch: Any, generator: Any) -> Any:
    """The cell that is best to go to, at most so many moves away; the cell itself if that is best to bomb; −1 if there is nothing to gain."""
    best, best_value = -1, 0.0
    if carries and stays and int(view.bomb_here[cell]) == 0 and scratch.gain[cell] >= LEAST_GAIN:
        best, best_value = cell, float(scratch.gain[cell] * NOISE)
    paint, bomb, walked = 1.0, 1.0, 0
    for index in range(1, _search(tables, view, cell, farthest, scratch, generator)):
        place = scratch.queue[index]
        if scratch.distance[place] > walked:
            walked, paint, bomb = walked + 1, paint * PAINT_FADES, bomb * BOMB_FADES
        value = 0.0
        if scratch.weight[place] > 0:
            value = scratch.weight[place] * paint * (NOISE + random_below(generator, 4))
        if carries and scratch.foe_distance[place] > 2:
            value = max(value, scratch.gain[place] * bomb * NOISE)
        if value > best_value or (best < 0 and not stays):
            best, best_value = place, value
    return best


@compiled
def _any_way(tables: Any, view: Any, cell: Any, scratch: Any, generator: Any) -> Any:
    """A move off a cell that explodes on this turn, even if it only puts death off; 0 if there is none."""
    heading = random_heading(generator)
    for number in range(6):
        direction = turned(heading, number)
        target = tables.neighbour[cell, direction]
        if target < 0 or scratch.taken[target] != 0 or int(view.occupant[target]) != 0 or int(view.bomb_here[target]) != 0:
            continue
        if scratch.danger[target] >> 1 & 1 == 0 and scratch.own_reach[target] == 0:
            return direction + 1
    return 0


@compiled
def _search(tables: Any, view: Any, cell: Any, farthest: Any, scratch: Any, generator: Any) -> Any:
    """All cells that can be walked to in so many moves of which the first is safe, nearest first in ``queue``, after the cell itself; how many. No direction
    always comes first. Only who is in reach of its team's bombs walks through there."""
    caught = scratch.own_reach[cell] != 0
    for place in range(tables.cells):
        scratch.distance[place] = FAR
    scratch.distance[cell] = 0
    scratch.queue[0] = cell
    begin, end = 0, 1
    heading = random_heading(generator)
    while begin < end and scratch.distance[scratch.queue[begin]] < farthest:
        place = scratch.queue[begin]
        begin += 1
        for number in range(6):
            direction = turned(heading, number)
            target = tables.neighbour[place, direction]
            if target < 0 or scratch.distance[target] != FAR or (scratch.own_reach[target] != 0 and not caught):
                continue
            if place == cell:
                if not _may_enter(view, scratch, target):
                    continue
                scratch.step[target] = direction + 1
            else:
                if int(view.bomb_here[target]) != 0:
                    continue
                scratch.step[target] = scratch.step[place]
            scratch.distance[target] = scratch.distance[place] + 1
            scratch.queue[end] = target
            end += 1
    return end
