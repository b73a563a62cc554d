"""RoboDerby's shipped tiles with belts: every deal can be finished from every mark, and from wherever else a robot may stand when a turn begins."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from ludarium.core.faces import apply_chance_face, normalised
from ludarium.games.roboderby.options import Rules
from ludarium.games.roboderby.sheets.boards import OUTER_EDGES
from ludarium.games.roboderby.sheets.dice import dice_names, load_dice
from ludarium.games.roboderby.sheets.faces import COMMANDS, F1, F2, REV, SL, SR, L, R
from ludarium.games.roboderby.sheets.tile_sets import load_tiles, tile_names
from ludarium.games.roboderby.sheets.tiles import BELTS, FLOOR, MARKS, PIT, VOID, edge_squares
from ludarium.games.roboderby.solo.board import course_of
from ludarium.games.roboderby.solo.dice import EFFECTS
from ludarium.games.roboderby.tables import DTYPE, RoboDerbyTables, make_tables

SETS = [name for name in tile_names() if any(tile.has_belts for tile in load_tiles(name).tiles)]
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Columns and rows of a step, by direction."""

USUAL = (0, F1, F2, L, R)
"""Commands of which every program can come in a single roll; 0 is a NO-OP."""

SIDEWAYS = (SL, SR, REV)
"""Commands of which one more can be in such a program."""


def test_there_is_a_set_with_belts_and_lasers() -> None:
    assert "assembly" in SETS
    assert len(load_tiles("assembly").all_lasers()) > 0


@pytest.mark.parametrize("name", SETS)
def test_the_start_tile_is_the_same_from_every_edge_and_starts_stand_still(name: str) -> None:
    start = load_tiles(name, players=4).tiles[0]
    for every in (start.walls, start.kinds):
        assert (every == every[0]).all()
    kinds = start.kinds[0].reshape(start.size, start.size)
    assert (kinds != PIT).all()
    for direction in range(4):
        across, down = STEPS[direction]
        for x, y in edge_squares(start.size, direction):
            if kinds[y, x] >= MARKS[0]:
                assert kinds[y - down, x - across] == FLOOR


@pytest.mark.parametrize("name", SETS)
def test_no_belt_leads_into_a_pit_of_another_tile(name: str) -> None:
    """What a belt that leads off its tile meets depends on the deal: all squares that it can meet are none that destroy."""
    tiles = load_tiles(name)
    size = tiles.size
    leading_off, pits = set[int](), set[int]()
    for kinds in (turned.reshape(size, size) for tile in tiles.tiles for turned in tile.kinds):
        leading_off |= set(np.flatnonzero(kinds[:, -1] == BELTS[1]).tolist())
        pits |= set(np.flatnonzero(kinds[:, 0] == PIT).tolist())
    assert not leading_off & pits


@pytest.mark.parametrize("name", dice_names())
def test_every_program_of_usual_commands_can_come_in_one_roll_and_one_sideways_among_them(name: str) -> None:
    commands = load_dice(name).commands
    dice_with = {command: {die for die in range(5) if not command or command in commands[die]} for command in (*USUAL, *SIDEWAYS)}
    for program in itertools.combinations_with_replacement(USUAL, 3):
        for last in (*USUAL, *SIDEWAYS):
            wanted = [dice_with[command] for command in (*program, last)]
            ways = (zip(order, wanted, strict=True) for order in itertools.permutations(range(5), 4))
            assert any(all(die in dice for die, dice in way) for way in ways), [COMMANDS[command] for command in (*program, last)]


# Whether a robot alone can finish. On belts one cannot wait, so the search is over (heading, lap, square), and a step of it is a register: one of the usual
# commands, then the belts. As every program of them can come, turns do not matter, and who has come to the own mark waits there with NO-OPs.
# The search goes backward from the finish, through many deals at once: a bit for each.

LAPS = range(-1, 6)
"""Laps 0 to 4 are the race; a robot may also have been pushed back to the tile before the start, or on to the one after the finish."""


class Ground:
    """Boards that have the same tiles of the lap, and where a register leads on them.

    A place is a lap and a square. Sets of robots' positions are ``uint8[headings, places + 1, boards / 8]``, a bit for each board; the last place is nowhere.
    """

    def __init__(self, tables: RoboDerbyTables, states: np.ndarray, laps: tuple[int, ...]) -> None:
        squares = tables.squares
        self.boards = len(states)
        self.lap_tiles = states["lap_tiles"][0, :squares].astype(int)
        assert (states["lap_tiles"][:, :squares] == self.lap_tiles).all()
        self.places = [
            (lap, square) for lap in laps for square in range(squares) if self.lap_tiles[square] == (lap % 4 if len(laps) > 1 else 0)
        ]
        self.number = {place: number for number, place in enumerate(self.places)}
        at = [square for _, square in self.places]
        kinds, walls = states["kinds"].T[at], states["walls"].T[at]
        self.safe = self.packed((kinds != PIT) & (kinds != VOID))
        self.still = self.packed(~np.isin(kinds, [PIT, VOID, *BELTS]))
        self.belts = [self.packed(kinds == belt) for belt in BELTS]
        self.walled = [self.packed(walls >> direction & 1 == 1) & self.safe for direction in range(4)]
        self.ahead = [np.array([self.beside(*place, direction, tables) for place in self.places] + [len(at)]) for direction in range(4)]

    def packed(self, boards: np.ndarray) -> np.ndarray:
        """A bit for each board, with a last row for the place that is nowhere."""
        return np.packbits(np.concatenate([boards, np.zeros_like(boards[:1])]), axis=-1)

    def beside(self, lap: int, square: int, direction: int, tables: RoboDerbyTables) -> int:
        """The place one step away, if there is one on the board and among the laps."""
        column, row = square % tables.width + STEPS[direction][0], square // tables.width + STEPS[direction][1]
        if not (0 <= column < tables.width and 0 <= row < tables.height):
            return len(self.places)
        to = row * tables.width + column
        change = (self.lap_tiles[to] - self.lap_tiles[square] + 1) % 4 - 1
        return self.number.get((lap + change, to), len(self.places))

    def before_step(self, wanted: np.ndarray, direction: int) -> np.ndarray:
        """From where a step leads to a place that is wanted; into a pit it never does, and at a wall one stays."""
        return self.safe & ~self.walled[direction] & wanted[self.ahead[direction]] | self.walled[direction] & wanted

    def before_belts(self, wanted: np.ndarray) -> np.ndarray:
        """From where the belts bring a robot to what is wanted, or leave it there."""
        return self.still & wanted | np.bitwise_or.reduce([belt & self.before_step(wanted, way) for way, belt in enumerate(self.belts)])

    def before_command(self, wanted: np.ndarray, command: int) -> np.ndarray:
        """From where a command leads to what is wanted."""
        if command in (L, R):
            return np.roll(wanted, 1 if command == L else -1, axis=0)
        if not command:
            return wanted
        turn = {SL: 3, SR: 1, REV: 2}.get(command, 0)
        found = np.array([self.before_step(wanted[heading], (heading + turn) % 4) for heading in range(4)])
        return self.before_command(found, F1) if command == F2 else found

    def before_register(self, wanted: np.ndarray, commands: tuple[int, ...]) -> np.ndarray:
        """From where one of the commands and then the belts lead to what is wanted, or where it is already."""
        arriving = np.array([self.before_belts(every) for every in wanted])
        return np.bitwise_or.reduce([wanted, *(self.before_command(arriving, command) & self.safe for command in commands)])

    def finishing(self, finishes: np.ndarray, lap: int) -> np.ndarray:
        """From where a robot alone can finish, by usual commands; ``finishes`` are the squares of the finish, by board."""
        goal = np.zeros((len(self.places), self.boards), bool)
        goal[[self.number[lap, int(finish)] for finish in finishes], np.arange(self.boards)] = True
        more = np.repeat(self.packed(goal)[None], 4, axis=0)
        assert (self.still & more == more).all(), "at the finish one can wait for the end of the turn"
        while True:
            found, more = more, self.before_register(more, USUAL)
            if (found == more).all():
                return found


def unpacked(bits: np.ndarray) -> np.ndarray:
    return np.unpackbits(bits.astype(np.uint8), axis=-1)


def boards(tables: RoboDerbyTables, start: int, edge: int) -> np.ndarray:
    """States with all deals that have the start tile, which looks the same from all sides, at a place. The robots are on A, B, C and D."""
    dealt = np.flatnonzero(tables.deals[:, start] == 0)
    turns = [turn for turn in range(256) if turn >> 2 * start & 3 == 0]
    states = np.zeros((len(dealt) * len(turns), 1), DTYPE)
    for state, (order, turn) in zip(states, itertools.product(dealt, turns), strict=True):
        apply_chance_face(tables, state, int(order) * 256 + turn)
        if tables.fixed_edge < 0:
            apply_chance_face(tables, state, edge)
        apply_chance_face(tables, state, 0)
    return states[:, 0]


def check(ground: Ground, states: np.ndarray, lap: int) -> int:
    """From everywhere on the board a robot can finish on every letter, with one step sideways at most before the usual commands. How many boards there are."""
    for robot in range(4):
        finishing = ground.finishing(states["finish"][:, robot], lap)
        for number, start in enumerate(states["start"][:, robot]):
            headings = unpacked(finishing[:, ground.number[0, int(start)]])
            assert headings[:, number].all(), "the start is not among them"
        trapped = ground.safe & ~ground.before_register(finishing, SIDEWAYS)
        assert not trapped.any(), [ground.places[place] for place in np.flatnonzero(trapped.any(axis=(0, 2)))]
    return len(states)


@pytest.mark.parametrize("name", SETS)
def test_the_search_goes_back_where_the_solo_racer_goes_forward(name: str) -> None:
    """From a place a register leads to one of some places, drawn at random, exactly where this search says so; the racer's course has tests of its own."""
    tables = normalised(make_tables(Rules.of(tiles=name, players=4)))
    states = boards(tables, 3, 1)[::37]
    ground, generator = Ground(tables, states, tuple(LAPS)), np.random.default_rng(1)
    courses = [replace(course_of(tables, state, 0), laps=(LAPS[0], LAPS[-1])) for state in states]
    wanted = generator.random((4, len(ground.places), len(states))) < 0.3
    arriving = np.array([ground.before_belts(ground.packed(every) & ground.safe) for every in wanted])
    for command in (*USUAL, *SIDEWAYS):
        found = unpacked(ground.before_command(arriving, command) & ground.safe)[:, :-1, : len(states)]
        for number, course in enumerate(courses):
            at = np.array([[course.place(square, heading, lap) for lap, square in ground.places] for heading in range(4)], np.int64)
            is_wanted = np.zeros(course.count, np.bool_)
            is_wanted[at[at >= 0]] = wanted[at >= 0, number]
            leads = is_wanted[course.successors[:, EFFECTS.index(command)]]
            assert np.array_equal(found[..., number] == 1, leads[at] & (at >= 0)), COMMANDS[command]


@pytest.mark.parametrize("name", SETS)
def test_every_deal_can_be_finished_from_everywhere(name: str) -> None:
    tables = normalised(make_tables(Rules.of(tiles=name, players=4)))
    found = 0
    for start, edge in ((place, edge) for place in range(4) for edge in OUTER_EDGES[place]):
        states = boards(tables, start, edge)
        found += check(Ground(tables, states, tuple(LAPS)), states, 4)
    assert 4 * found == 24 * 256 * 2


@pytest.mark.parametrize("name", SETS)
def test_every_s_race_can_be_finished_from_everywhere(name: str) -> None:
    tables = normalised(make_tables(Rules.of(tiles=name, players=4, variant="s-race")))
    states = boards(tables, 0, 3)
    states["lap_tiles"][:] = np.where(states["lap_tiles"] >= 0, 0, -1)  # the S knows no laps
    assert 4 * check(Ground(tables, states, (0,)), states, 0) == 6 * 256
