"""What RoboDerby's rules work on: the record of a state, and the tables of one set of options, dice and tiles."""

from __future__ import annotations

import itertools
from typing import Annotated, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ludarium.core.fields import dtype_of

from .options import Rules
from .sheets.boards import OUTER_EDGES, Deal
from .sheets.dice import DICE
from .sheets.faces import F1, SL, SR, L, R
from .sheets.tiles import edge_squares

ROBOTS, REGISTERS = 4, 4
FULL_HEALTH = 6
MAX_SQUARES = 384
"""An S of tiles with 8 squares a side lies in a rectangle of 24 by 16."""


class Phases(NamedTuple):
    """What is to be decided or drawn, by the number in ``state.phase``."""

    DEAL: int
    EDGE: int  # of the start
    LETTERS: int  # who gets which
    SHUTDOWN: int  # who shuts down
    PROGRAM: int  # programs, and rolls of the dice for them
    HACK: int  # whom one hits
    ROLL_OFF: int  # an order among equal priorities
    OVER: int  # nothing


PHASE = Phases(*range(len(Phases._fields)))

PHASES = tuple(name.lower().replace("_", "-") for name in Phases._fields)
"""What the phases are called, by number."""

ACTIVE, SHUT_DOWN, WRECK, OFF_BOARD, FINISHED, LEFT = range(6)
"""Values of ``state.status``. ``LEFT``: the robot's player has left the game."""

EMPTY, COMMAND, NOOP, LOCKED = range(4)
"""What a register is, by the number in ``state.register_slot``. A locked register without a die has die and face 0."""

DROP = 4
"""How far above a wall's bit of ``walls`` the one stands that says that there the board ends in a pit: nothing shines through, but one falls."""

NOT_HERE = -1
"""The square of a robot that is not on the board."""

ALL_OTHERS, CHOSEN_ONE, NEXT_SEAT = range(3)

UNKNOWN_DICE = 32
"""``rolling`` of another player who rolls again, as far as one may know."""

UNKNOWN_DECLARATION = 3
"""``declared`` of another player who has declared, as far as one may know."""


class RoboDerbyRecord(Protocol):
    """The fields of a state."""

    turn: np.int16  # from 1
    roll_offs: np.int16  # in this turn so far
    phase: np.int8  # its place in PHASES
    register: np.int8  # the one that is executed, 0 to 3; 0 at other times
    dealt: np.int8  # 1: the tiles lie
    start_edge: np.int8  # 0 N, 1 E, 2 S, 3 W; −1 not known yet
    tile: Annotated[NDArray[np.int8], 4]  # by place: reading order on the 2x2 grid, race order on the S
    rotation: Annotated[NDArray[np.int8], 4]  # by place: clockwise quarter turns
    # By robot; robots have the numbers of their players.
    square: Annotated[NDArray[np.int16], ROBOTS]  # y * width + x, NOT_HERE
    lap: Annotated[NDArray[np.int16], ROBOTS]  # tiles entered in lap direction less those entered against it
    start: Annotated[NDArray[np.int16], ROBOTS]  # the square with the robot's letter at the start edge
    finish: Annotated[NDArray[np.int16], ROBOTS]  # the one at the finish edge; on the S, the marker
    heading: Annotated[NDArray[np.int8], ROBOTS]
    health: Annotated[NDArray[np.int8], ROBOTS]
    letter: Annotated[NDArray[np.int8], ROBOTS]  # 0 A, 1 B, 2 C, 3 D
    status: Annotated[NDArray[np.int8], ROBOTS]
    rank: Annotated[NDArray[np.int8], ROBOTS]  # of finished robots, from 1
    declared: Annotated[NDArray[np.int8], ROBOTS]  # at the start of a turn: 0 not yet, 1 to run, 2 to shut down
    ready: Annotated[NDArray[np.int8], ROBOTS]  # 1: the program is locked in
    rolling: Annotated[NDArray[np.int8], ROBOTS]  # bits of the dice that are to be rolled, die 1 in bit 0
    placed: Annotated[NDArray[np.int8], ROBOTS]  # 1: a die was placed since the last roll
    register_die: Annotated[NDArray[np.int8], ROBOTS, REGISTERS]  # 1 to 5, 0 none
    register_face: Annotated[NDArray[np.int8], ROBOTS, REGISTERS]  # 1 to 6, 0 none
    register_slot: Annotated[NDArray[np.int8], ROBOTS, REGISTERS]
    dice: Annotated[NDArray[np.int8], ROBOTS, DICE]  # the face that a die in hand shows; 0 in a register, or not rolled
    # While a register is executed:
    count: np.int8  # how many robots execute it
    next: np.int8  # how many have done so
    order: Annotated[NDArray[np.int8], ROBOTS]  # the robots in their order
    tied: Annotated[NDArray[np.int8], ROBOTS]  # by place in the order: how many robots from there on have the same priority
    fate: Annotated[NDArray[np.int8], ROBOTS]  # by robot: what became of it in this register, bits of flags.py
    # The board, by square:
    # Bits 1 N, 2 E, 4 S, 8 W; also of walls on the other side of an edge, and all around the board; times 16 (DROP) besides where one falls off it.
    walls: Annotated[NDArray[np.uint8], MAX_SQUARES]
    kinds: Annotated[NDArray[np.uint8], MAX_SQUARES]  # see tiles.py
    lap_tiles: Annotated[NDArray[np.int8], MAX_SQUARES]  # the number of the square's tile in lap order, −1 where there is no square


DTYPE = dtype_of(RoboDerbyRecord)


class RoboDerbyTables(NamedTuple):
    """What never changes during a game. Flags are 0 or 1."""

    players: int
    size: int  # squares along a side of a tile
    width: int  # squares
    height: int
    squares: int
    s_race: int
    pit_edges: int
    rotate: int  # tiles are turned when they are dealt
    choose_edge: int  # the first player chooses the start edge
    random_marks: int
    letters: int  # how many letters there are to be had
    keep_progress: int
    seat_order: int  # shutdowns are declared one after another
    screens: int
    reroll_any: int
    hacks_first: int
    noop_inverts: int  # an inverted NO-OP is executed
    inverted_fires: int
    hack_targets: int
    vicious: int
    checkpoints: int
    turn_limit: int
    fixed_deal: int  # the outcome that stands for the deal, −1 where chance deals
    fixed_edge: int  # −1 where it is open
    marker: int  # the square of the S-race's marker before it moves past pits; 0 in the lap
    step: NDArray[np.int64]  # [4]: what a step in each direction adds to a square
    place_column: NDArray[np.int64]  # [4]: in tiles, by place
    place_row: NDArray[np.int64]  # [4]
    outer_edges: NDArray[np.int64]  # [4, 2]: the edges that one can start from, by place of the start tile
    deals: NDArray[np.int64]  # [deals, 4]: tiles by place, all that can be dealt
    letter_orders: NDArray[np.int64]  # [orders, players]: letters by player, all that can be drawn
    edge_square: NDArray[np.int64]  # [4, size]: the squares of a tile along its edges, by direction, clockwise
    commands: NDArray[np.int64]  # [5, 6]: by die and face
    priorities: NDArray[np.int64]  # [5, 6]
    lasers: NDArray[np.int64]  # [5, 6]
    inverted: NDArray[np.int64]  # [12]: by command, what it becomes; 0 nothing, −1 to −3 backward so many steps
    tile_walls: NDArray[np.uint8]  # [4, 4, size²]: by tile and rotation
    tile_kinds: NDArray[np.uint8]  # [4, 4, size²]
    belts: int  # there are belts
    # [lasers, 4, 3]: those of the board, by rotation of their tile: the tile, the square on it, the direction
    board_lasers: NDArray[np.int64]


def make_tables(rules: Rules) -> RoboDerbyTables:
    """The tables of some rules.

    Raises:
        BadOption: dice, tiles or board cannot be had; the message says why.
    """
    tile_set, dice, deal = rules.tile_set, rules.load_dice(), rules.fixed_deal()
    size = tile_set.size
    s_race = rules.variant == "s-race"
    columns, rows = ((0, 1, 1, 2), (1, 1, 0, 0)) if s_race else ((0, 1, 0, 1), (0, 0, 1, 1))
    width, height = (3 if s_race else 2) * size, 2 * size
    rotate = int(rules.rotate_tiles == "random")
    deals = [tiles for tiles in itertools.permutations(range(4)) if not s_race or tiles[0] == 0]
    letters = max(2, rules.players)
    orders = list(itertools.permutations(range(letters), rules.players))
    walls, kinds = tile_set.stacked()
    return RoboDerbyTables(
        players=rules.players,
        size=size,
        width=width,
        height=height,
        squares=width * height,
        s_race=int(s_race),
        pit_edges=int(rules.pit_edges == "on"),
        rotate=rotate,
        choose_edge=int(rules.start_edge == "choose"),
        random_marks=int(rules.marks == "random"),
        letters=letters,
        keep_progress=int(rules.respawn_progress == "keep"),
        seat_order=int(rules.shutdown_declare == "seat-order"),
        screens=int(rules.screens == "on"),
        reroll_any=int(rules.reroll == "any"),
        hacks_first=int(rules.hack_timing == "hacks-first"),
        noop_inverts=int(rules.invert_noop_executes == "on"),
        inverted_fires=int(rules.inverted_laser == "fires"),
        hack_targets=("all-others", "chosen-one", "next-seat").index(rules.hack_targets),
        vicious=int(rules.vicious_shutdown == "on"),
        checkpoints=int(rules.lap_logic == "checkpoints"),
        turn_limit=rules.turn_limit,
        fixed_deal=-1 if deal is None else outcome_of_deal(np.array(deals), deal),
        fixed_edge=3 if s_race else deal.start_edge if deal is not None else -1,
        marker=(size // 2 - 1) * width + width - 2 if s_race else 0,
        step=np.array([-width, 1, width, -1], np.int64),
        place_column=np.array(columns, np.int64),
        place_row=np.array(rows, np.int64),
        outer_edges=np.array(((3, 3),) * 4 if s_race else OUTER_EDGES, np.int64),
        deals=np.array(deals, np.int64),
        letter_orders=np.array(orders if rules.marks == "random" else orders[:1], np.int64),
        edge_square=np.array([[y * size + x for x, y in edge_squares(size, direction)] for direction in range(4)], np.int64),
        commands=np.array(dice.commands, np.int64),
        priorities=np.array(dice.priorities, np.int64),
        lasers=np.array(dice.lasers, np.int64),
        inverted=np.array([0, -1, -2, -3, R, L, SR, SL, 0, F1, 0, 0], np.int64),
        tile_walls=walls,
        tile_kinds=kinds,
        belts=int(any(tile.has_belts for tile in tile_set.tiles)),
        board_lasers=tile_set.all_lasers(),
    )


def outcome_of_deal(deals: NDArray[np.int64], deal: Deal) -> int:
    """The outcome of chance that stands for a deal, of those that there are (``int64[deals, 4]``): 256 times its row, plus the rotations, two bits a place."""
    return deals.tolist().index(list(deal.tiles)) * 256 + sum(rotation << 2 * place for place, rotation in enumerate(deal.rotations))


def are_placed(record: Any) -> bool:
    """Whether the robots have their letters and stand on the board, or have."""
    return int(record.phase) >= PHASE.SHUTDOWN
