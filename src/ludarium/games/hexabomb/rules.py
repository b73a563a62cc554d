"""The rules of hexabomb as the functions that all games implement.

Players act together, each with one order a character (a slot is a character's place in its player's team). What becomes of the orders depends on who is
received first; that is drawn afterwards, unless the tables say that the order is that of the players' numbers. An outcome of chance is the number of a row
of ``tables.reception``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.jit import compiled
from ludarium.core.random import random_below
from ludarium.core.rules import (
    CHANCE,
    apply_actions,
    apply_chance,
    chance_outcomes,
    clear_observation,
    copy_state,
    legal_actions,
    observe,
    random_action,
    returns,
    sample_chance,
    to_move,
)

from .tables import ALIVE, BOMB, NOTHING, REVIVE, SHORTEST, HexabombTables
from .turn import play_orders

COMMON_PLANES = 6
PLANES_OF_A_PLAYER = 5


@to_move.implement(HexabombTables)
def hexabomb_to_move(tables: Any, state: Any) -> Any:
    if int(state.waiting) != 0:
        return CHANCE
    return 0 if int(state.turn) >= tables.turns else (1 << tables.players) - 1


@legal_actions.implement(HexabombTables)
def hexabomb_legal_actions(tables: Any, state: Any, player: Any, slot: Any, out: Any) -> Any:
    """Orders that would not be rejected if they came first: nothing, moves that stay on the board, bombs, revive."""
    out[0] = NOTHING
    character = tables.first[player] + slot
    if character >= tables.first[player + 1]:
        return 1
    cell = int(state.position[character])
    delay = int(state.revive_delay[character])
    if delay != ALIVE:
        out[1] = REVIVE
        return 2 if delay == 0 and tables.special == 0 else 1
    count = 1 + tables.exits[cell, 0]
    for place in range(1, count):
        out[place] = tables.exits[cell, place]
    if int(state.bomb_count[character]) == 0 or int(state.bomb_here[cell]) != 0:
        return count
    bombs = tables.width[player] * tables.width[player]
    for bomb in range(bombs):
        out[count + bomb] = BOMB + bomb
    return count + bombs


@random_action.implement(HexabombTables)
def hexabomb_random_action(tables: Any, state: Any, player: Any, slot: Any, generator: Any, scratch: Any) -> Any:
    """The entry of ``legal_actions`` at a random place."""
    character = tables.first[player] + slot
    if character >= tables.first[player + 1]:
        return NOTHING
    cell = int(state.position[character])
    delay = int(state.revive_delay[character])
    if delay != ALIVE:
        return REVIVE * random_below(generator, 2 if delay == 0 and tables.special == 0 else 1)
    moves = tables.exits[cell, 0]
    bombs = 0 if int(state.bomb_count[character]) == 0 or int(state.bomb_here[cell]) != 0 else tables.width[player] * tables.width[player]
    place = random_below(generator, 1 + moves + bombs)
    if place > moves:
        return BOMB + place - 1 - moves
    return NOTHING if place == 0 else tables.exits[cell, place]


@apply_actions.implement(HexabombTables)
def hexabomb_apply_actions(tables: Any, state: Any, joint: Any) -> None:
    for player in range(tables.players):
        first = tables.first[player]
        for character in range(first, tables.first[player + 1]):
            state.orders[character] = joint[player, character - first]
    if tables.random_reception == 1:
        state.waiting = 1
    else:
        play_orders(tables, state, -1)


@sample_chance.implement(HexabombTables)
def hexabomb_sample_chance(tables: Any, state: Any, generator: Any) -> Any:
    return random_below(generator, len(tables.reception))


@chance_outcomes.implement(HexabombTables)
def hexabomb_chance_outcomes(tables: Any, state: Any, outcomes: Any, probabilities: Any) -> Any:
    """Every order of the players is as likely as any other."""
    count = len(tables.reception)
    for outcome in range(count):
        outcomes[outcome] = outcome
        probabilities[outcome] = 1.0 / count
    return count


@apply_chance.implement(HexabombTables)
def hexabomb_apply_chance(tables: Any, state: Any, outcome: Any) -> None:
    state.waiting = 0
    play_orders(tables, state, outcome)


@returns.implement(HexabombTables)
def hexabomb_returns(tables: Any, state: Any, out: Any) -> None:
    """The mean over a player's opponents: 1 for a lower score, 0 for the same, −1 for a higher one.

    The special player never wins: every normal player counts as having beaten it. Whoever plays alone wins.
    """
    for player in range(tables.players):
        total = 0
        for other in range(tables.players):
            if other == player:
                continue
            if tables.special == 1 and (player == 0 or other == 0):
                total += -1 if player == 0 else 1
            elif int(state.score[player]) > int(state.score[other]):
                total += 1
            elif int(state.score[player]) < int(state.score[other]):
                total -= 1
        out[player] = total / (tables.players - 1) if tables.players > 1 else 1.0
        if int(state.turn) < tables.turns or int(state.waiting) != 0:
            out[player] = 0.0


def winner_of(tables: Any, record: Any) -> int:
    """The player with the strictly highest score, −1 if several have it or nobody plays. The special player does not take part."""
    scores = record.score[tables.special : tables.players].tolist()
    return tables.special + scores.index(max(scores)) if scores and scores.count(max(scores)) == 1 else -1


@copy_state.implement(HexabombTables)
def hexabomb_copy_state(tables: Any, source: Any, target: Any) -> None:
    target.turn = source.turn
    target.waiting = source.waiting
    target.exploded = source.exploded
    for player in range(tables.players):
        target.score[player] = source.score[player]
        target.cell_count[player] = source.cell_count[player]
    for character in range(tables.characters):
        target.orders[character] = source.orders[character]
        target.position[character] = source.position[character]
        target.revive_delay[character] = source.revive_delay[character]
        target.bomb_count[character] = source.bomb_count[character]
    for cell in range(tables.cells):
        target.colour[cell] = source.colour[cell]
        target.occupant[cell] = source.occupant[cell]
        target.bomb_here[cell] = source.bomb_here[cell]
        target.blast[cell] = source.blast[cell]
    bombs = int(source.bombs)
    for bomb in range(bombs):
        target.bomb_cell[bomb] = source.bomb_cell[bomb]
        target.bomb_delay[bomb] = source.bomb_delay[bomb]
        target.bomb_range[bomb] = source.bomb_range[bomb]
        target.bomb_colour[bomb] = source.bomb_colour[bomb]
    target.bombs = bombs


@compiled
def _plane(tables: Any, observer: Any, player: Any) -> Any:
    """The first of a player's planes."""
    place = player - observer
    return COMMON_PLANES + PLANES_OF_A_PLAYER * (place if place >= 0 else place + tables.players)


@observe.implement(HexabombTables)
def hexabomb_observe(tables: Any, state: Any, player: Any, out: Any) -> None:
    """Planes over the lattice, rows by r and columns by q: 6 common ones, then 5 for each player, the observer first and the others as they follow in number.

    Common: the cells; a bomb's delay and its range (1: the longest there is); what exploded on the last turn; turns played / all turns; the observer's
    characters, as their place in the list of orders + 1 / the number of characters. A player's: cells of its colour; living characters, (bombs + 1) / 3;
    dead ones, (revive delay + 1) / 4; its bombs; its score / the most possible.
    """
    planes = out.reshape(len(out), -1)
    most = float(tables.turns) if tables.special == 1 else float(tables.turns) * tables.cells
    _fill(tables, planes[0], 1.0)
    _fill(tables, planes[4], int(state.turn) / tables.turns)
    for one in range(tables.players):
        _fill(tables, planes[_plane(tables, player, one) + 4], int(state.score[one]) / most)
    _mark(tables, state, player, planes, 1.0)


@clear_observation.implement(HexabombTables)
def hexabomb_clear_observation(tables: Any, state: Any, player: Any, out: Any) -> None:
    """The planes that have the same number on every cell stay: the next observation fills them, where it must."""
    _mark(tables, state, player, out.reshape(len(out), -1), 0.0)


@compiled
def _fill(tables: Any, plane: Any, value: Any) -> None:
    """Give all cells the same number. The plane has one already, which most often is this one."""
    number = np.float32(value)
    if plane[tables.place[0]] != number:
        on_map = tables.on_map.reshape(-1)
        for place in range(len(plane)):
            plane[place] = number * on_map[place]


@compiled
def _mark(tables: Any, state: Any, player: Any, planes: Any, one: Any) -> None:
    """Write what differs from cell to cell into ``planes`` (``float32[planes, rows · columns]``); with 0 for ``one``, zeros wherever it was written."""
    if int(state.exploded) != 0:
        for cell in range(tables.cells):
            if int(state.blast[cell]) != 0:
                planes[3, tables.place[cell]] = one
    for cell in range(tables.cells):
        colour = int(state.colour[cell])
        if colour != 0:
            planes[_plane(tables, player, colour - 1), tables.place[cell]] = one
    longest = SHORTEST - 1.0
    for team in range(tables.players):
        longest = max(longest, tables.width[team] + SHORTEST - 1.0)
    for bomb in range(int(state.bombs)):
        place = tables.place[int(state.bomb_cell[bomb])]
        planes[1, place] = one * int(state.bomb_delay[bomb]) / longest
        planes[2, place] = one * int(state.bomb_range[bomb]) / longest
        planes[_plane(tables, player, int(state.bomb_colour[bomb]) - 1) + 3, place] = one
    for character in range(tables.characters):
        cell = int(state.position[character])
        place = tables.place[cell]
        owner = tables.owner[character]
        plane = _plane(tables, player, owner)
        delay = int(state.revive_delay[character])
        if delay == ALIVE:
            planes[plane + 1, place] = one * (int(state.bomb_count[character]) + 1) / 3
        else:
            planes[plane + 2, place] = one * max(planes[plane + 2, place], (delay + 1) / 4)
        if owner == player and (delay == ALIVE or int(state.occupant[cell]) == 0):
            first = tables.first[player]
            planes[5, place] = one * (character - first + 1) / (tables.first[player + 1] - first)
