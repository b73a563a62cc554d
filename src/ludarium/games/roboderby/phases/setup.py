"""Before the race: tiles are laid, the start edge is known, letters are given out, robots stand on their marks (rules 7 to 9, 40 and 41)."""

from __future__ import annotations

from typing import Any

from ludarium.core.jit import compiled, subroutine

from ..sheets.tiles import FLOOR, MARKS, VOID
from ..tables import ACTIVE, DROP, FULL_HEALTH, LEFT, NOT_HERE

CLOCKWISE = (1, 3, 0, 2)
"""The next place clockwise, on the grid of two by two."""


@compiled
def _square(tables: Any, place: Any, inside: Any) -> Any:
    """Where on the board a square of the tile at a place lies."""
    row, column = inside // tables.size, inside % tables.size
    return (tables.place_row[place] * tables.size + row) * tables.width + tables.place_column[place] * tables.size + column


@compiled
def _next_place(tables: Any, place: Any) -> Any:
    """The place of the next tile in lap order; on the S, the last one's is itself."""
    return min(place + 1, 3) if tables.s_race == 1 else CLOCKWISE[int(place)]


@subroutine
def lay_tiles(tables: Any, state: Any, outcome: Any) -> None:
    """Lay the tiles of a deal: 256 times the row of ``tables.deals``, plus the rotations, two bits a place."""
    state.dealt = 1
    for square in range(tables.squares):
        state.walls[square] = 0
        state.kinds[square] = VOID
        state.lap_tiles[square] = -1
    for place in range(4):
        tile = tables.deals[outcome >> 8, place]
        rotation = (outcome >> (2 * place)) & 3
        state.tile[place] = tile
        state.rotation[place] = rotation
        for inside in range(tables.size**2):
            square = _square(tables, place, inside)
            state.walls[square] = tables.tile_walls[tile, rotation, inside]
            state.kinds[square] = tables.tile_kinds[tile, rotation, inside]
            state.lap_tiles[square] = 0
    for square in range(tables.squares):
        if int(state.kinds[square]) != VOID:
            _join_walls(tables, state, square)


@compiled
def _join_walls(tables: Any, state: Any, square: Any) -> None:
    """Set the walls of a square that its neighbours have on the same edge, and those where the board ends; a pit there leaves the walls of tiles standing."""
    drawn = int(state.walls[square])
    bits = 0
    for direction in range(4):
        if (drawn >> direction) & 1:
            bits |= 1 << direction
        elif is_board_edge(tables, state, square, direction):
            bits |= (1 | tables.pit_edges << DROP) << direction
        elif (int(state.walls[square + tables.step[direction]]) >> ((direction + 2) & 3)) & 1:
            bits |= 1 << direction
    state.walls[square] = bits


@compiled
def is_board_edge(tables: Any, state: Any, square: Any, direction: Any) -> Any:
    """Whether the board ends at the edge of a square in a direction."""
    column, row = square % tables.width, square // tables.width
    if direction == 0:
        at_end = row == 0
    elif direction == 1:
        at_end = column == tables.width - 1
    elif direction == 2:
        at_end = row == tables.height - 1
    else:
        at_end = column == 0
    return at_end or int(state.kinds[square + tables.step[direction]]) == VOID


@compiled
def start_place(state: Any) -> Any:
    """The place of the start tile, which is tile 0."""
    for place in range(4):
        if int(state.tile[place]) == 0:
            return place
    return 0


@subroutine
def set_start_edge(tables: Any, state: Any, edge: Any) -> None:
    """Say from which edge the race starts; the way that the robots look is the direction of the lap."""
    state.start_edge = edge
    first = start_place(state)
    heading = (edge + 2) & 3
    following = _next_place(tables, first)
    if heading == 0 or heading == 2:
        forward = tables.place_column[following] == tables.place_column[first]
    else:
        forward = tables.place_row[following] == tables.place_row[first]
    clockwise = tables.s_race == 1 or forward
    place = first
    for number in range(4):
        for inside in range(tables.size**2):
            state.lap_tiles[_square(tables, place, inside)] = number if clockwise else (4 - number) & 3
        place = _next_place(tables, place)


@subroutine
def give_letters(tables: Any, state: Any, outcome: Any) -> None:
    """Give out the letters of a row of ``tables.letter_orders``, and put the robots on their marks."""
    place = start_place(state)
    edge = int(state.start_edge)
    other_edge = tables.outer_edges[place, 0] + tables.outer_edges[place, 1] - edge
    for robot in range(tables.players):
        letter = tables.letter_orders[outcome, robot]
        state.letter[robot] = letter
        state.start[robot] = _mark(tables, state, place, edge, letter)
        state.finish[robot] = _marker(tables, state) if tables.s_race == 1 else _mark(tables, state, place, other_edge, letter)
        state.heading[robot] = (edge + 2) & 3
        if int(state.status[robot]) == LEFT:
            continue
        state.square[robot] = state.start[robot]
        state.health[robot] = FULL_HEALTH
        state.status[robot] = ACTIVE


@compiled
def _mark(tables: Any, state: Any, place: Any, edge: Any, letter: Any) -> Any:
    """The square with a letter's mark at an edge of the tile at a place."""
    for number in range(tables.size):
        square = _square(tables, place, tables.edge_square[edge, number])
        if int(state.kinds[square]) == MARKS[0] + letter:
            return square
    return NOT_HERE


@compiled
def _marker(tables: Any, state: Any) -> Any:
    """The square of the S-race's marker: past pits and belts to the south, and from the tile's south edge on from its north edge."""
    column = tables.marker % tables.width
    row = tables.marker // tables.width
    for number in range(tables.size):
        square = (row + number) % tables.size * tables.width + column
        if int(state.kinds[square]) == FLOOR:
            return square
    return tables.marker
