"""One turn of hexabomb, compiled: orders in the order of their reception, then bombs, then scores."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled, kernel, subroutine

from .tables import (
    ALIVE,
    BOMB,
    CLASSIC_WIDTH,
    FIRST_REVIVE_DELAY,
    MAX_BOMBS_CARRIED,
    NOTHING,
    REFILL_EVERY,
    REVIVE,
    SHORTEST,
)

BLOCKED, DONE, OF_THE_DEAD, NO_CELL, NO_BOMB, ALREADY_BOMBED, BAD_DELAY, BAD_RANGE, NO_REVIVAL, OF_THE_LIVING, NOT_DEAD_LONG = range(11)
"""What becomes of an order: it waits for a cell to become free, it is carried out, or it is rejected for a reason."""

REACHED = 256
"""While bombs explode, ``blast`` is this times 1 + the distance of the nearest bomb, plus 1 + the colour."""


@compiled
def attempt(tables: Any, state: Any, character: Any, order: Any, delay: Any, reach: Any) -> Any:
    """Carry out an order now if possible: a move (1 to 6), REVIVE, or BOMB with its delay and range. Answers what became of it."""
    cell = int(state.position[character])
    alive = int(state.revive_delay[character]) == ALIVE
    player = tables.owner[character]
    if order < REVIVE:
        if not alive:
            return OF_THE_DEAD
        target = tables.neighbour[cell, order - 1]
        if target < 0:
            return NO_CELL
        if int(state.occupant[target]) != 0 or int(state.bomb_here[target]) != 0:
            return BLOCKED
        state.occupant[cell] = 0
        _enter(state, character, player, target)
        return DONE
    if order == REVIVE:
        if tables.special == 1:
            return NO_REVIVAL
        if alive:
            return OF_THE_LIVING
        if int(state.revive_delay[character]) != 0:
            return NOT_DEAD_LONG
        if int(state.occupant[cell]) != 0 or int(state.bomb_here[cell]) != 0:
            return BLOCKED
        state.revive_delay[character] = ALIVE
        _enter(state, character, player, cell)
        return DONE
    return _drop(tables, state, character, player, cell, alive, delay, reach)


@compiled
def _enter(state: Any, character: Any, player: Any, cell: Any) -> None:
    state.occupant[cell] = character + 1
    state.position[character] = cell
    _paint(state, cell, player + 1)


@compiled
def _paint(state: Any, cell: Any, colour: Any) -> None:
    """Give a cell a colour (0: none), and count."""
    before = int(state.colour[cell])
    if before != colour:
        state.colour[cell] = colour
        if before != 0:
            state.cell_count[before - 1] = int(state.cell_count[before - 1]) - 1
        if colour != 0:
            state.cell_count[colour - 1] = int(state.cell_count[colour - 1]) + 1


@compiled
def _drop(tables: Any, state: Any, character: Any, player: Any, cell: Any, alive: Any, delay: Any, reach: Any) -> Any:
    if not alive:
        return OF_THE_DEAD
    if int(state.bomb_count[character]) == 0:
        return NO_BOMB
    if int(state.bomb_here[cell]) != 0:
        return ALREADY_BOMBED
    width = tables.width[player]
    if delay < SHORTEST or delay >= SHORTEST + width:
        return BAD_DELAY
    if reach < SHORTEST or reach >= SHORTEST + width:
        return BAD_RANGE
    if width == CLASSIC_WIDTH:
        state.bomb_count[character] = int(state.bomb_count[character]) - 1
    add_bomb(state, player, cell, delay, reach)
    return DONE


@compiled
def add_bomb(state: Any, player: Any, cell: Any, delay: Any, reach: Any) -> None:
    """Put a player's bomb on a cell."""
    bomb = int(state.bombs)
    state.bombs = bomb + 1
    state.bomb_cell[bomb] = cell
    state.bomb_delay[bomb] = delay
    state.bomb_range[bomb] = reach
    state.bomb_colour[bomb] = player + 1
    state.bomb_here[cell] = bomb + 1


@subroutine
def play_orders(tables: Any, state: Any, reception: Any) -> None:
    """A whole turn with one order a character from ``state.orders``, which are zero afterwards.

    Args:
        reception: the row of ``tables.reception`` that says in which order the players are received; −1: by their numbers. A player's own orders follow
            the numbers of the characters.
    """
    old_bombs = int(state.bombs)
    retry = True
    while retry:
        retry = False
        acted = False
        for place in range(tables.players):
            player = place if reception < 0 else int(tables.reception[reception, place])
            width = tables.width[player]
            for character in range(tables.first[player], tables.first[player + 1]):
                order = int(state.orders[character])
                if order == NOTHING:
                    continue
                bomb = max(order - BOMB, 0)
                result = attempt(tables, state, character, order, SHORTEST + bomb // width, SHORTEST + bomb % width)
                if result == BLOCKED:
                    retry = True
                else:
                    state.orders[character] = NOTHING
                    acted = True
        retry = retry and acted
    for character in range(tables.characters):
        state.orders[character] = NOTHING
    _finish_turn(tables, state, old_bombs)


@kernel()
def play_received(tables: Any, states: Any, received: Any, results: Any) -> None:
    """A whole turn of ``states[0]`` with orders as they were received, which may name any number of orders a character.

    Args:
        received: ``int64[n, 4]``: character, order (a move, REVIVE or BOMB), delay and range.
        results: ``int64[n]``, zeroed: what becomes of each order.
    """
    state = states[0]
    old_bombs = int(state.bombs)
    acted = True
    while acted:
        acted = False
        for index in range(len(received)):
            if results[index] == BLOCKED:
                results[index] = attempt(tables, state, received[index, 0], received[index, 1], received[index, 2], received[index, 3])
                acted = acted or results[index] != BLOCKED
    _finish_turn(tables, state, old_bombs)


@subroutine
def _finish_turn(tables: Any, state: Any, old_bombs: Any) -> None:
    """All of a turn that follows the orders. Only the first ``old_bombs`` bombs were there before them, and only their delay runs."""
    turn = int(state.turn) + 1
    state.turn = turn
    refill = turn % REFILL_EVERY == 0
    for character in range(tables.characters):
        if int(state.revive_delay[character]) > 0:
            state.revive_delay[character] = int(state.revive_delay[character]) - 1
        if refill:
            state.bomb_count[character] = min(int(state.bomb_count[character]) + 1, MAX_BOMBS_CARRIED)
    if int(state.exploded) != 0:
        for cell in range(tables.cells):
            state.blast[cell] = 0
        state.exploded = 0
    for bomb in range(old_bombs):
        delay = int(state.bomb_delay[bomb]) - 1
        state.bomb_delay[bomb] = delay
        if delay == 0:
            state.exploded = 1
    if int(state.exploded) != 0:
        _explode(tables, state)
    if tables.special == 0:
        for player in range(tables.players):
            state.score[player] = int(state.score[player]) + int(state.cell_count[player])
    else:
        for character in range(tables.first[1], tables.characters):
            if int(state.revive_delay[character]) == ALIVE:
                state.score[tables.owner[character]] = turn


@compiled
def _explode(tables: Any, state: Any) -> None:
    """Explode every bomb whose delay is 0 and all that these set off; kill, paint, and take the bombs away."""
    bombs = int(state.bombs)
    again = True
    while again:
        again = False
        for bomb in range(bombs):
            if int(state.bomb_delay[bomb]) == 0:
                state.bomb_delay[bomb] = -1  # has exploded
                again = _spread(tables, state, bomb) or again
    for cell in range(tables.cells):
        blast = int(state.blast[cell]) % REACHED
        if blast != 0:
            state.blast[cell] = blast
            _paint(state, cell, blast - 1)
    for character in range(tables.characters):
        cell = int(state.position[character])
        if int(state.blast[cell]) == 0:
            continue
        if tables.special == 1 and tables.owner[character] == 0:
            _paint(state, cell, 1)
        else:
            if int(state.revive_delay[character]) == ALIVE:
                state.occupant[cell] = 0
            state.revive_delay[character] = FIRST_REVIVE_DELAY
    _take_away(state, bombs)


@compiled
def _spread(tables: Any, state: Any, bomb: Any) -> Any:
    """Reach all cells of one explosion and set off their bombs; whether one of these has a smaller number."""
    colour = int(state.bomb_colour[bomb])
    cell = int(state.bomb_cell[bomb])
    distance = 0
    earlier = False
    for place in range(tables.within[cell, int(state.bomb_range[bomb])]):
        while place == tables.within[cell, distance]:
            distance += 1
        target = tables.lines[cell, place]
        _reach(state, target, distance, colour)
        other = int(state.bomb_here[target]) - 1
        if other >= 0 and int(state.bomb_delay[other]) > 0:
            state.bomb_delay[other] = 0
            earlier = earlier or other < bomb
    return earlier


@compiled
def _reach(state: Any, cell: Any, distance: Any, colour: Any) -> None:
    """The nearest bomb's colour counts; different colours from the same distance make a cell neutral."""
    found = int(state.blast[cell])
    before = found // REACHED - 1
    if found == 0 or distance < before:
        state.blast[cell] = (distance + 1) * REACHED + colour + 1
    elif distance == before and found % REACHED != colour + 1:
        state.blast[cell] = (distance + 1) * REACHED + 1


@compiled
def _take_away(state: Any, bombs: Any) -> None:
    """Remove the bombs that exploded; the others keep their order."""
    kept = 0
    for bomb in range(bombs):
        cell = int(state.bomb_cell[bomb])
        if int(state.bomb_delay[bomb]) < 0:
            state.bomb_here[cell] = 0
        else:
            state.bomb_here[cell] = kept + 1
            state.bomb_cell[kept] = cell
            state.bomb_delay[kept] = state.bomb_delay[bomb]
            state.bomb_range[kept] = state.bomb_range[bomb]
            state.bomb_colour[kept] = state.bomb_colour[bomb]
            kept += 1
    for bomb in range(kept, bombs):
        state.bomb_cell[bomb] = 0
        state.bomb_delay[bomb] = 0
        state.bomb_range[bomb] = 0
        state.bomb_colour[bomb] = 0
    state.bombs = kept
