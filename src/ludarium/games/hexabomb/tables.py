"""What hexabomb's rules work on: the record of a state, and the tables of one map, number of players and mode."""

from __future__ import annotations

import itertools
from typing import Annotated, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ludarium.core.fields import dtype_of

from .maps import MAX_CELLS, MAX_CHARACTERS, HexMap

DIRECTIONS = ("x+", "y+", "z+", "x-", "y-", "z-")
"""Names of the six directions, in the order of their numbers."""

STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""What each direction adds to the axial coordinates (q, r)."""

NOTHING, REVIVE, BOMB = 0, 7, 8
"""An order is NOTHING, 1 + the number of a direction (a move), REVIVE, or BOMB + (delay − 2) · width + range − 2, where the width is 3, or 99 for the special
player."""

SHORTEST = 2
"""The least delay and range of a bomb."""

CLASSIC_WIDTH, SPECIAL_WIDTH = 3, 99
"""How many delays, and as many ranges, bombs can have."""

ALIVE = -1
"""``revive_delay`` of a living character."""

MAX_BOMBS_CARRIED = 2
FIRST_REVIVE_DELAY = 3
REFILL_EVERY = 10

MAX_RECEPTIONS = 8
"""The most players whose orders of reception are listed as outcomes of chance (8! = 40,320)."""

WIDEST_PLANE = 4 * MAX_CELLS
"""Observations are planes of the lattice unless the map's cells lie so far apart that a plane would have more places than this."""


class HexabombRecord(Protocol):
    """The fields of a state. Cells are numbered by q, then r; players, characters and bombs from 0."""

    score: Annotated[NDArray[np.int32], MAX_CHARACTERS]  # by player; there are no more players than characters
    turn: np.int32  # turns played
    bombs: np.int32  # how many lie on the board, in the order in which they were dropped
    waiting: np.int16  # 1: the players have chosen, the order of reception is to be drawn
    exploded: np.int16  # 1: something exploded on the last turn
    orders: Annotated[NDArray[np.int16], MAX_CHARACTERS]  # what was chosen, while waiting
    cell_count: Annotated[NDArray[np.int16], MAX_CHARACTERS]  # by player: cells of the player's colour
    position: Annotated[NDArray[np.int16], MAX_CHARACTERS]  # by character: where it stands or died
    bomb_cell: Annotated[NDArray[np.int16], MAX_CELLS]
    bomb_here: Annotated[NDArray[np.int16], MAX_CELLS]  # by cell: the number of its bomb + 1, 0 none
    blast: Annotated[NDArray[np.int16], MAX_CELLS]  # by cell: 1 + the colour of the last turn's explosion, 0 none
    revive_delay: Annotated[NDArray[np.int8], MAX_CHARACTERS]  # by character; −1 alive
    bomb_count: Annotated[NDArray[np.int8], MAX_CHARACTERS]  # by character: bombs that it carries
    colour: Annotated[NDArray[np.int8], MAX_CELLS]  # by cell: 0 neutral, 1 + a player's number
    occupant: Annotated[NDArray[np.int8], MAX_CELLS]  # by cell: 1 + the living character's number, 0 none
    bomb_delay: Annotated[NDArray[np.int8], MAX_CELLS]
    bomb_range: Annotated[NDArray[np.int8], MAX_CELLS]
    bomb_colour: Annotated[NDArray[np.int8], MAX_CELLS]


DTYPE = dtype_of(HexabombRecord)


class HexabombTables(NamedTuple):
    """What never changes during a game."""

    cells: int
    players: int  # the special player included
    characters: int
    special: int  # 1: sudden death, with the special player as player 0
    turns: int
    random_reception: int  # 1: the order in which players are received is drawn; 0: it is the order of their numbers
    neighbour: NDArray[np.int64]  # [cells, 6]: by direction, −1 where there is no cell
    exits: NDArray[np.int64]  # [cells, 7]: how many moves do not leave the board, then these moves
    lines: NDArray[np.int64]  # [cells, …]: the cell itself, then the others on its six lines, nearest first
    within: NDArray[np.int64]  # [cells, longest range + 1]: how many of these lie at most so many steps away
    owner: NDArray[np.int64]  # [characters]: the player
    width: NDArray[np.int64]  # [players]: how many delays, and as many ranges, the player's bombs can have
    first: NDArray[np.int64]  # [players + 1]: a player's first character; the next player's first ends them
    start: NDArray[np.int64]  # [characters]: the cells at the start
    q: NDArray[np.int64]  # [cells]
    r: NDArray[np.int64]  # [cells]
    reception: NDArray[np.int8]  # [players!, players]: every order of players, sorted; empty unless it is drawn
    place: NDArray[np.int64]  # [cells]: where a cell is in an observation's planes, in reading order
    on_map: NDArray[np.float32]  # [rows, columns] of these planes: 1 where there is a cell
    place_text: NDArray[np.uint8]  # [...]: ',"q":1,"r":-2' of all cells, one after another
    place_end: NDArray[np.int64]  # [cells + 1]: where the text of each cell begins; the next one's beginning ends it
    by_text: NDArray[np.int64]  # [players + 1]: the numbers from 0 to players in the order of their texts: 0, 1, 10, 2


Tables = HexabombTables


def make_tables(board: HexMap, players: int, special: int, turns: int, random_reception: bool) -> HexabombTables:
    """The tables for so many normal players (``special`` is 1 in sudden death) on a map that has places for them."""
    cells = sorted(board.cells)
    index = {place: number for number, place in enumerate(cells)}
    neighbour = np.array([[index.get((q + dq, r + dr), -1) for dq, dr in STEPS] for q, r in cells], np.int64)
    exits = np.zeros((len(cells), 7), np.int64)
    for cell, around in enumerate(neighbour.tolist()):
        moves = [1 + direction for direction, target in enumerate(around) if target >= 0]
        exits[cell, : 1 + len(moves)] = [len(moves), *moves]
    lines, within = _lines(neighbour, SHORTEST - 1 + (SPECIAL_WIDTH if special else CLASSIC_WIDTH))
    teams = [board.special] * special + list(board.teams[:players])
    everybody = len(teams)
    q, r = (np.array([place[axis] for place in cells], np.int64) for axis in (0, 1))
    rows, columns = _places_in_planes(cells)
    on_map = np.zeros((1 + rows.max(initial=0), 1 + columns.max(initial=0)), np.float32)
    on_map[rows, columns] = 1
    texts = [f',"q":{a},"r":{b}'.encode("ascii") for a, b in cells]
    return HexabombTables(
        cells=len(cells),
        players=everybody,
        characters=sum(len(team) for team in teams),
        special=special,
        turns=turns,
        random_reception=int(random_reception),
        neighbour=neighbour,
        exits=exits,
        lines=lines,
        within=within,
        owner=np.array([player for player, team in enumerate(teams) for _ in team], np.int64),
        width=np.array([SPECIAL_WIDTH] * special + [CLASSIC_WIDTH] * (everybody - special), np.int64),
        first=np.cumsum([0, *(len(team) for team in teams)], dtype=np.int64),
        start=np.array([index[place] for team in teams for place in team], np.int64),
        q=q,
        r=r,
        reception=np.array(list(itertools.permutations(range(everybody))), np.int8) if random_reception else np.zeros((0, 1), np.int8),
        place=rows * on_map.shape[1] + columns,
        on_map=on_map,
        place_text=np.frombuffer(b"".join(texts), np.uint8),
        place_end=np.cumsum([0, *map(len, texts)], dtype=np.int64),
        by_text=np.array(sorted(range(everybody + 1), key=str), np.int64),
    )


def _lines(neighbour: np.ndarray, longest: int) -> tuple[np.ndarray, np.ndarray]:
    """The tables ``lines`` and ``within``."""
    ring = np.repeat(np.arange(len(neighbour))[:, None], 6, axis=1)
    rings = [ring[:, :1]]
    for _ in range(longest):
        ring = np.where(ring >= 0, neighbour[ring, range(6)], -1)
        rings.append(ring)
    lines = np.concatenate(rings, axis=1)
    within = np.cumsum([(ring >= 0).sum(axis=1) for ring in rings], axis=0).T
    nearest_first = np.argsort(lines < 0, axis=1, kind="stable")
    return np.take_along_axis(lines, nearest_first, axis=1)[:, : within.max()], within


def _places_in_planes(cells: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """Every cell's row (by r) and column (by q) in an observation's planes.

    Cells that lie too far apart for that are all put into one row.
    """
    low_q, low_r = (min(place[axis] for place in cells) for axis in (0, 1))
    width, height = (1 + max(place[axis] for place in cells) - low for axis, low in ((0, low_q), (1, low_r)))
    if width * height > WIDEST_PLANE:
        return np.zeros(len(cells), np.int64), np.arange(len(cells))
    return np.array([r - low_r for _, r in cells]), np.array([q - low_q for q, _ in cells])


def place_name(tables: HexabombTables, cell: int) -> str:
    """A cell's coordinates as people read and type them: ``1,-2``."""
    return f"{tables.q[cell]},{tables.r[cell]}"


def place_start(tables: HexabombTables, record: Any) -> None:
    """Write the initial position into a zeroed record: every character on its cell, which has its colour, with one bomb; scores are 0."""
    for character, cell in enumerate(tables.start.tolist()):
        player = int(tables.owner[character])
        record.position[character] = cell
        record.revive_delay[character] = ALIVE
        record.bomb_count[character] = 1
        record.occupant[cell] = character + 1
        record.colour[cell] = player + 1
        record.cell_count[player] += 1
