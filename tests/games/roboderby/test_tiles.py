"""RoboDerby's tiles: the text format, what is refused and where, and that every deal of the shipped tiles without belts can be finished.

Those with belts are in ``test_belts.py``: where robots are carried, the search is another one.
"""

from __future__ import annotations

import itertools
import re
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from ludarium.core.jit import plain
from ludarium.errors import BadOption
from ludarium.games.roboderby.execution.damage import laser_place
from ludarium.games.roboderby.game import RoboDerby
from ludarium.games.roboderby.sheets.boards import OUTER_EDGES, board_names, demonstration_board, parse_deal
from ludarium.games.roboderby.sheets.tile_sets import load_tiles, tile_names
from ludarium.games.roboderby.sheets.tiles import BELTS, EAST, FLOOR, MARKS, NORTH, PIT, SOUTH, WEST, Tile, TileSet
from tests.folders import DOCS

GATE = """\
name: gate

+ + + + + + +
 . A . . B .
+ + + + + + +
 B . . . . A
+ + +-+ + + +
 . . . .|. .
+ + + + + + +
 . .|. . . .
+ + + +-+ + +
 A . . . . B
+ + + + + + +
 . B . . A .
+ + + + + + +
"""
PLAIN = """\
name: {}

+ + + + + + +
 . . . . . .
+ + + + + + +
 . . . . . .
+ + + + + + +
 . . . . . .
+ + + + + + +
 . . . . . .
+ + + + + + +
 . . . . . .
+ + + + + + +
 . . . . . O
+-+ + + + + +
"""
SET = "note: made for this test\n" + "\n".join([PLAIN.format("one"), GATE, PLAIN.format("two"), "# the last one\n" + PLAIN.format("three")])

BELT = """\
name: belt
laser: 1,0,N
laser: 3,2,E
# One more on the same square.
laser: 3,2,S

+ + + + +-+ +
 ^ > . v < O
+ + + + + + +
 . . . . . .
+ + + + + + +
 . . . .|. .
+ + + + + + +
 . . . . . .
+ + + + + + +
 . . . . . .
+ + + + + + +
 v . . . . .
+-+ + + + + +
"""
WITH_BELT = SET.replace(PLAIN.format("two"), BELT)
"""The gate, and then one, belt and three."""

PAGE = (DOCS / "roboderby.md").read_text(encoding="utf-8")
WITHOUT_BELTS = [name for name in tile_names() if not any(tile.has_belts for tile in load_tiles(name).tiles)]


def shipped_text(name: str) -> str:
    return resources.files("ludarium.games.roboderby").joinpath("data", "tiles", f"{name}.tiles").read_text(encoding="utf-8")


def test_the_start_tile_comes_first_and_the_others_in_the_order_of_the_file() -> None:
    tiles = load_tiles(SET)
    assert tiles.names == ("gate", "one", "two", "three")
    assert (tiles.size, tiles.note) == (6, "made for this test")
    assert [tile.has_marks for tile in tiles.tiles] == [True, False, False, False]


def test_walls_stand_on_both_of_their_sides_and_turn_with_the_tile() -> None:
    gate, one = load_tiles(SET).tiles[:2]
    walls = gate.walls.reshape(4, 6, 6)
    assert (walls[0, 1, 2], walls[0, 2, 2]) == (SOUTH, NORTH)
    assert (walls[0, 2, 3], walls[0, 2, 4]) == (EAST, WEST)
    assert [int((turned != walls[0]).sum()) for turned in walls] == [0] * 4  # the same from every side
    rim, kinds = one.walls.reshape(4, 6, 6), one.kinds.reshape(4, 6, 6)
    corners = [(5, 0, SOUTH), (0, 0, WEST), (0, 5, NORTH), (5, 5, EAST)]  # clockwise
    pits = [(5, 5), (5, 0), (0, 0), (0, 5)]
    for turn in range(4):
        y, x, bit = corners[turn]
        assert (rim[turn, y, x], int((rim[turn] > 0).sum())) == (bit, 1)
        assert kinds[turn][pits[turn]] == PIT


def test_the_tile_of_the_page_is_shipped() -> None:
    assert PAGE.split("```text\n")[1].split("```")[0] in shipped_text("foundry")


def test_the_stand_in_tiles_are_those_of_the_specification() -> None:
    tiles = load_tiles("stand-in")
    assert "Stand-in" in tiles.note
    assert tiles.names == ("start", "pits", "walls", "cross")
    assert [int((tile.kinds[0] == PIT).sum()) for tile in tiles.tiles] == [0, 6, 4, 6]
    assert [int(np.bitwise_count(tile.walls[0]).sum()) for tile in tiles.tiles] == [8, 4, 20, 8]


@pytest.mark.parametrize("name", tile_names())
def test_marks_for_more_than_two_players_read_a_c_d_b_clockwise(name: str) -> None:
    assert int((load_tiles(name).tiles[0].kinds > MARKS[1]).sum()) == 0
    for turn in range(4):
        kinds = load_tiles(name, players=4).tiles[0].kinds[turn].reshape(6, 6)
        for edge in (kinds[0], kinds[:, -1], kinds[-1, ::-1], kinds[::-1, 0]):
            assert list(edge) == [FLOOR, MARKS[0], MARKS[2], MARKS[3], MARKS[1], FLOOR]


def test_marks_c_and_d_of_the_set_itself_stay() -> None:
    own = SET.replace(" . A . . B .", " . A D C B .").replace(" . B . . A .", " . B C D A .")
    with pytest.raises(BadOption, match="line 21, column 12: the east edge of the start tile gate has no mark C"):
        load_tiles(own)
    own = own.replace(" . . . .|. .\n+ + + + + + +\n . .|. . . .", " C . . .|. D\n+ + + + + + +\n D .|. . . C")
    assert list(load_tiles(own, players=4).tiles[0].kinds[0][:6]) == [FLOOR, MARKS[0], MARKS[3], MARKS[2], MARKS[1], FLOOR]


def test_belts_turn_with_their_tile() -> None:
    """A quarter turn clockwise brings what is at (x, y) to (5 − y, x), and what runs north runs east."""
    north, east, south, west = BELTS
    told = {(0, 0): north, (1, 0): east, (3, 0): south, (4, 0): west, (0, 5): south, (5, 0): PIT}
    for kinds in load_tiles(WITH_BELT).tiles[2].kinds.reshape(4, 6, 6):
        assert {(x, y): int(kinds[y, x]) for x, y in itertools.product(range(6), range(6)) if kinds[y, x] != FLOOR} == told
        told = {(5 - y, x): kind if kind == PIT else BELTS[(BELTS.index(kind) + 1) % 4] for (x, y), kind in told.items()}


def test_lasers_turn_with_their_tile() -> None:
    lasers = load_tiles(WITH_BELT).tiles[2].lasers
    assert (lasers.shape, lasers.dtype) == ((4, 3, 2), np.int64)
    told = [(1, 0, 0), (3, 2, 1), (3, 2, 2)]
    for turn in range(4):
        assert [(int(square) % 6, int(square) // 6, int(direction)) for square, direction in lasers[turn]] == told
        told = [(5 - y, x, (direction + 1) % 4) for x, y, direction in told]


def test_belts_of_the_start_tile_turn_below_four_letters_too() -> None:
    text = WITH_BELT.replace("name: gate", "name: gate\nlaser: 2,2,W").replace(
        " . . . .|. .\n+ + + + + + +\n . .|.", " . . > .|. .\n+ + + + + + +\n . .|.", 1
    )
    for players in (2, 4):
        tiles = load_tiles(text, players=players)
        assert [int(tiles.tiles[0].kinds[turn, square]) for turn, square in enumerate((14, 15, 21, 20))] == [
            BELTS[(1 + turn) % 4] for turn in range(4)
        ]
        assert tiles.tiles[0].lasers[:, 0].tolist() == [[14, 3], [15, 0], [21, 1], [20, 2]]


def drawn(tile: Tile) -> str:
    """The text of a tile from what was read of it."""
    size = tile.size
    walls, kinds = tile.walls[0].reshape(size, size), tile.kinds[0].reshape(size, size)
    sheet = [["+" if row % 2 == column % 2 == 0 else " " for column in range(2 * size + 1)] for row in range(2 * size + 1)]
    for y, x in itertools.product(range(size), range(size)):
        sheet[2 * y + 1][2 * x + 1] = "?.O^>v<ABCD"[kinds[y, x]]
        for right, down, bit in ((0, -1, NORTH), (1, 0, EAST), (0, 1, SOUTH), (-1, 0, WEST)):
            if walls[y, x] & bit:
                sheet[2 * y + 1 + down][2 * x + 1 + right] = "|" if right else "-"
    lasers = [f"laser: {square % size},{square // size},{'NESW'[direction]}" for square, direction in tile.lasers[0].tolist()]
    return "\n".join([f"name: {tile.name}", *lasers, "", *("".join(row) for row in sheet)])


@pytest.mark.parametrize("text", [SET, WITH_BELT, *map(shipped_text, tile_names())], ids=["set", "belt", *tile_names()])
def test_all_of_a_text_is_read(text: str) -> None:
    """The tiles drawn again are the text, but for comments, the note, and spaces at the ends of lines."""
    told = [line.rstrip() for line in text.splitlines() if not line.startswith(("#", "note:")) and line.strip()]
    tiles = sorted(load_tiles(text).tiles, key=lambda tile: told.index(f"name: {tile.name}"))
    assert [line.rstrip() for tile in tiles for line in drawn(tile).splitlines() if line.strip()] == told


def test_the_lasers_of_a_set_stand_on_their_tiles() -> None:
    """Tiles are numbered as in the set, the start tile first."""
    assert load_tiles(SET).all_lasers().shape == (0, 4, 3)
    tiles = load_tiles(WITH_BELT.replace("name: gate", "name: gate\nlaser: 5,5,W").replace("name: three", "name: three\nlaser: 0,1,N"))
    lasers = tiles.all_lasers()
    assert lasers.shape == (5, 4, 3)
    assert lasers[:, 0].tolist() == [[0, 35, 3], [2, 1, 0], [2, 15, 1], [2, 15, 2], [3, 6, 0]]
    for (number, *_), *turned in zip(lasers[:, 0].tolist(), *(lasers[:, turn].tolist() for turn in range(4)), strict=True):
        for turn, (tile, square, direction) in enumerate(turned):
            assert tile == number
            assert [square, direction] in tiles.tiles[number].lasers[turn].tolist()


def test_a_set_may_have_lasers_and_no_belts_or_belts_and_no_lasers() -> None:
    lasers = RoboDerby(tiles=SET.replace("name: one", "name: one\nlaser: 0,0,E")).tables
    belts = RoboDerby(tiles=SET.replace(" . . . . . O", " ^ . . . . O")).tables
    both, neither = RoboDerby(tiles=WITH_BELT).tables, RoboDerby(tiles=SET).tables
    assert [(tables.belts, len(tables.board_lasers)) for tables in (lasers, belts, both, neither)] == [(0, 1), (1, 0), (1, 3), (0, 0)]


@pytest.mark.parametrize("variant", ["lap", "s-race"])
def test_lasers_lie_on_the_board_as_their_tile_does(variant: str) -> None:
    corners = ((0, 0), (6, 0), (0, 6), (6, 6)) if variant == "lap" else ((0, 6), (6, 6), (6, 0), (12, 0))
    turned = ([(1, 0, 0), (3, 2, 1)], [(5, 1, 1), (3, 3, 2)], [(4, 5, 2), (2, 3, 3)], [(0, 4, 3), (2, 2, 0)])
    for place, turn in itertools.product((1, 2, 3), range(4)):
        names, turns = ["gate", "one", "three"], [0, 90, 180]
        names.insert(place, "belt")
        turns.insert(place, 90 * turn)
        deal = f"{' '.join(names)} @ {' '.join(map(str, turns))}"
        game = RoboDerby(tiles=WITH_BELT, board=deal, variant=variant)
        record = game.start(seed=1).record
        found = [plain(laser_place)(game.tables, record, laser) for laser in range(2)]
        column, row = corners[place]
        assert [
            (square % game.tables.width - column, square // game.tables.width - row, direction) for square, direction in found
        ] == turned[turn]


def test_the_laser_of_the_page() -> None:
    """It is five rows down in the first column, and shines east."""
    (line,) = re.findall(r"A line `(laser: [^`]*)` below the name", PAGE)
    assert load_tiles(SET.replace("name: one", f"name: one\n{line}")).tiles[1].lasers[0].tolist() == [[4 * 6 + 0, 1]]


def test_the_error_of_the_page(tmp_path: Path) -> None:
    (told,) = re.findall(r"with its place, such as `([^`]*)`", PAGE)
    path = tmp_path / "my-tiles.tiles"
    path.write_text(changed(21, " . A . x B ."))
    with pytest.raises(BadOption) as refused:
        load_tiles(str(path))
    assert str(refused.value) == told


LASER_PLACE = "a laser stands below the name of its tile, above the empty line"


def changed(line: int, text: str | None) -> str:
    """The good set with one of its lines changed, or without it."""
    lines = SET.splitlines()
    lines[line - 1 : line] = [] if text is None else [text]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("line", "text", "said"),
    [
        (1, "Note: x", "line 1, column 1: key 'Note' is not one of: note, name, laser; did you mean note?"),
        (1, "a set", "line 1, column 1: 'a set' is not of the form key: value, with a key that is one of: note, name, laser"),
        (18, "title: gate", "line 18, column 1: key 'title' is not one of: name, laser"),
        (18, "name: the gate", "line 18, column 7: a tile's name is 1 to 24 letters, digits, - or _, not 'the gate'"),
        (18, "name: one", "line 18, column 7: two tiles have the name one"),
        (18, "name: gate\nname: door", "line 19, column 1: key 'name' is given twice"),
        (18, "name: gate\nlaser: 1,2", "line 19, column 8: a laser is x,y,direction, such as 0,5,E, not '1,2'"),
        (18, "name: gate\nlaser:", "line 19, column 7: a laser is x,y,direction, such as 0,5,E, not ''"),
        (18, "name: gate\nlaser:  1,2,E,N", "line 19, column 9: a laser is x,y,direction, such as 0,5,E, not '1,2,E,N'"),
        (18, "name: gate\nlaser: 1 2 E", "line 19, column 8: a laser is x,y,direction, such as 0,5,E, not '1 2 E'"),
        (18, "name: gate\nlaser: a,2,E", "line 19, column 8: a laser's x is a number from 0 to 5, not 'a'"),
        (18, "name: gate\nlaser: 6,2,E", "line 19, column 8: a laser's x is a number from 0 to 5, not '6'"),
        (18, "name: gate\nlaser: -1,2,E", "line 19, column 8: a laser's x is a number from 0 to 5, not '-1'"),
        (18, "name: gate\nlaser: 1,,E", "line 19, column 8: a laser's y is a number from 0 to 5, not ''"),
        (18, "name: gate\nlaser: 1,6,E", "line 19, column 8: a laser's y is a number from 0 to 5, not '6'"),
        (18, "name: gate\nlaser: 1,2,e", "line 19, column 8: a laser's direction 'e' is not one of: N, E, S, W"),
        (18, "name: gate\nlaser: 1,2,east", "line 19, column 8: a laser's direction 'east' is not one of: N, E, S, W"),
        (18, "name: gate\nlaser: 1,2,E\nlaser: 1, 2, E", "line 20, column 8: laser 1,2,E is given twice"),
        (18, "name: gate\nLaser: 1,2,E", "line 19, column 1: key 'Laser' is not one of: name, laser; did you mean laser?"),
        (18, "name: gate\n\nlaser: 1,2,E", f"line 20, column 1: {LASER_PLACE}"),
        (18, "name: gate\n\nlaser: 1,2,E\n", f"line 20, column 1: {LASER_PLACE}"),
        (32, "+ + + + + + +\nlaser: 1,2,E", f"line 33, column 1: {LASER_PLACE}"),
        (32, "+ + + + + + +\n\nlaser: 1,2,E", f"line 34, column 1: {LASER_PLACE}"),
        (26, "laser: 1,2,E", f"line 26, column 1: {LASER_PLACE}"),
        (18, "laser: 1,2,E", f"line 18, column 1: {LASER_PLACE}"),
        (1, "note: x\nlaser: 1,2,E\n", f"line 2, column 1: {LASER_PLACE}"),
        (1, "laser: 1,2,E\n", f"line 1, column 1: {LASER_PLACE}"),
        (18, "name: gate\nlaser: 1,2,E # top", "line 19, column 14: a comment is a line of its own, which begins with #"),
        (18, "name: gate # the first", "line 18, column 12: a comment is a line of its own, which begins with #"),
        (20, ". + + + + + +", "line 20, column 1: the first row of tile gate begins with a post, +"),
        (20, "+ + + + + +", "line 20, column 11: a row of tile gate has 9 or 13 or 17 characters, for 4 or 6 or 8 squares, not 11"),
        (20, "+ + + +", "line 20, column 7: a row of tile gate has 9 or 13 or 17 characters, for 4 or 6 or 8 squares, not 7"),
        (20, "+ + + + +", "line 29, column 1: after the 9 rows of tile gate comes an empty line"),
        (21, " . A . . B . .", "line 21, column 14: a row of tile gate has 13 characters, for 6 squares, not 14"),
        (21, " . A . . B", "line 21, column 12: a row of tile gate has 13 characters, for 6 squares, not 10"),
        (21, " . A . . B  ", "line 21, column 12: a row of tile gate has 13 characters, for 6 squares, not 10"),
        (21, " . A   . B .", "line 21, column 6: a square is one of . O ^ > v < A B C D and not ' '"),
        (21, " . A V . B .", "line 21, column 6: a square is one of . O ^ > v < A B C D and not 'V'; did you mean v?"),
        (21, " . A o . B .", "line 21, column 6: a square is one of . O ^ > v < A B C D and not 'o'; did you mean O?"),
        (21, " . A . x B .", "line 21, column 8: a square is one of . O ^ > v < A B C D and not 'x'"),
        (21, " . A.. . B .", "line 21, column 5: between two squares of a row is | (a wall) or a space, not '.'"),
        (22, "+ + +|+ + + +", "line 22, column 6: between two squares of a column is - (a wall) or a space, not '|'"),
        (22, "+ + + - + + +", "line 22, column 7: where four squares meet is a post, +, not '-'"),
        (25, " .\t. . .|. .", "line 25, column 3: between two squares of a row is | (a wall) or a space, not '\\t'"),
        (32, None, "line 32, column 1: tile gate has 13 rows, for 6 rows of squares; row 13 is missing"),
        (32, "+ + + + + + +\n . . .", "line 33, column 1: after the 13 rows of tile gate comes an empty line"),
        (21, " . A . A B .", "line 21, column 8: the north edge of the start tile gate has a second mark A"),
        (21, " . A . . . .", "line 21, column 2: the north edge of the start tile gate has no mark B"),
        (21, " B A . . . .", "line 21, column 2: mark B stands in a corner, which is on two edges"),
        (25, " . . A .|. .", "line 25, column 6: mark A stands on no edge of the tile"),
        (9, " . . A . . .", "line 18, column 1: both one and gate have marks: only the start tile has"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(line: int, text: str | None, said: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.tiles"
    path.write_text(changed(line, text))
    with pytest.raises(BadOption) as refused:
        load_tiles(str(path))
    assert str(refused.value) == f"mine.tiles, {said}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\n", "line 1, column 1: a set has 4 tiles, each with a line name:, not 0"),
        ("note: x\n\n\n", "line 2, column 1: a set has 4 tiles, each with a line name:, not 0"),
        (GATE, "line 16, column 1: a set has 4 tiles, each with a line name:, not 1"),
        (SET + "\n" + PLAIN.format("four"), "line 67, column 1: a set has 4 tiles, and four is one more"),
        (
            SET.replace("A", ".").replace("B", "."),
            "line 2, column 1: no tile has marks: the start tile has an A and a B on each of its edges",
        ),
        ("name: x\n", "line 2, column 1: tile x has no rows"),
        ("\n\nname: x\n\n+ + + + +\n", "line 6, column 1: tile x has 9 rows, for 4 rows of squares; row 2 is missing"),
        (
            GATE + "\nname: small\n\n" + "+ + + + +\n . . . .\n" * 4 + "+ + + + +\n",
            "line 19, column 1: tile small has 4 squares a side, and gate has 6",
        ),
    ],
)
def test_what_is_wrong_with_a_set(text: str, said: str) -> None:
    with pytest.raises(BadOption) as refused:
        load_tiles(text)
    assert str(refused.value) == f"tiles, {said}"


def test_more_than_two_players_need_free_middle_squares() -> None:
    pit = SET.replace(" . A . . B .", " . A O . B .")
    assert load_tiles(pit).size == 6
    with pytest.raises(BadOption) as refused:
        load_tiles(pit, players=3)
    assert (
        str(refused.value)
        == "tiles, line 21, column 6: for more than two players the middle squares of the north edge get marks C and D and must be floor"
    )


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.tiles"
    path.write_text("")
    with pytest.raises(BadOption) as refused:
        load_tiles(str(path))
    assert str(refused.value) == f"tiles: {path} is empty"


def test_a_note_may_have_a_number_sign() -> None:
    assert load_tiles(SET.replace("for this test", "for #1")).note == "made for #1"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "big.tiles").write_bytes(b" " * 100_001)
    (tmp_path / "latin.tiles").write_bytes(b"note: a\nname: caf\xe9\n")
    for source, said in [
        (
            "foundri",
            f"tiles: there is no file foundri, and as a shipped name 'foundri' is not one of: {', '.join(tile_names())}; did you mean foundry?",
        ),
        (str(tmp_path), f"tiles: {tmp_path} is not a file"),
        (str(tmp_path / "big.tiles"), f"tiles: {tmp_path / 'big.tiles'} has more than 100,000 bytes"),
        (str(tmp_path / "latin.tiles"), f"tiles: {tmp_path / 'latin.tiles'}: line 2 is not UTF-8 text; save the file as UTF-8"),
    ]:
        with pytest.raises(BadOption) as refused:
            load_tiles(source)
        assert str(refused.value) == said


def test_a_file_of_windows_reads_the_same(tmp_path: Path) -> None:
    path = tmp_path / "mine.tiles"
    path.write_bytes(b"\xef\xbb\xbf" + SET.replace("\n", "\r\n").encode())
    tiles, same = load_tiles(str(path)), load_tiles(SET)
    assert (tiles.name, tiles.names, tiles.note) == ("mine", same.names, same.note)
    assert all((ours == theirs).all() for ours, theirs in zip(tiles.stacked(), same.stacked(), strict=True))


# Whether a robot alone can finish. Turns are commands of their own, and they move nobody: so a robot that can reach a square can have any heading there, and
# the search over (square, heading, lap) is one over (square, lap). It takes all deals of a start place at once, a bit for each.

AROUND = ((-1, 0, NORTH), (0, 1, EAST), (1, 0, SOUTH), (0, -1, WEST))
RING = (0, 1, 3, 2)
"""The places of the 2x2 grid, clockwise."""


def laid(
    tiles: TileSet, deals: list[tuple[tuple[int, ...], tuple[int, ...]]], corners: list[tuple[int, int]], shape: tuple[int, int]
) -> tuple[np.ndarray, ...]:
    """The open sides and kinds of boards: ``bool[4, height, width, deals]`` (by direction, whether one can go there) and ``uint8[height, width, deals]``."""
    walls_of, kinds_of = tiles.stacked()
    size = tiles.size
    walls, kinds = (np.zeros((*shape, len(deals)), np.uint8) for _ in range(2))
    for place, (row, column) in enumerate(corners):
        chosen = [(order[place], turns[place]) for order, turns in deals]
        for board, source in ((walls, walls_of), (kinds, kinds_of)):
            squares = np.array([source[one] for one in chosen]).reshape(-1, size, size)
            board[row : row + size, column : column + size] = np.moveaxis(squares, 0, -1)
    safe = (kinds != 0) & (kinds != PIT)
    sides = []
    for down, across, bit in AROUND:
        here = safe & (walls & bit == 0)
        back = safe & (walls & (bit << 2 if bit < SOUTH else bit >> 2) == 0)
        sides.append(here & moved(back, -down, -across))
    return np.array(sides), kinds


def moved(board: np.ndarray, down: int, across: int) -> np.ndarray:
    """The board shifted, with nothing where it came from outside: what stood at (y, x) stands at (y + down, x + across)."""
    result = np.roll(board, (down, across), (-3, -2))
    if down:
        result[..., 0 if down > 0 else -1, :, :] = 0
    if across:
        result[..., :, 0 if across > 0 else -1, :] = 0
    return result


def flooded(reached: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """All squares that can be reached: ``uint8[laps, height, width, deals / 8]`` with one bit a deal."""
    while True:
        more = reached.copy()
        for (down, across, _), open_side in zip(AROUND, sides, strict=True):
            more |= moved(reached & open_side, down, across)
        if (more == reached).all():
            return reached
        reached = more


def lap_tiles(start: int, edge: int) -> list[int]:
    """By place of the grid, the tile's number on the lap."""
    ahead = start ^ (2 if edge in (0, 2) else 1)
    step = 1 if RING[(RING.index(start) + 1) % 4] == ahead else -1
    return [(RING.index(place) - RING.index(start)) * step % 4 for place in range(4)]


def lap_flood(reached: np.ndarray, sides: np.ndarray, lap_of: np.ndarray) -> np.ndarray:
    """Like :func:`flooded` for laps 0 to 4: entering the next tile is one lap index more, entering the one before one less."""
    masks = [(lap_of == lap % 4)[:, :, None] for lap in range(5)]
    while True:
        more = reached.copy()
        for (down, across, _), open_side in zip(AROUND, sides, strict=True):
            steps = moved(reached & open_side, down, across)
            for lap, there in itertools.product(range(5), repeat=2):
                if abs(lap - there) <= 1:
                    more[there] |= np.where(masks[there], steps[lap], 0).astype(np.uint8)
        if (more == reached).all():
            return reached
        reached = more


@pytest.mark.parametrize("name", WITHOUT_BELTS)
def test_every_deal_can_be_finished_from_every_mark(name: str) -> None:
    tiles = load_tiles(name, players=4)
    size = tiles.size
    corners = [(0, 0), (0, size), (size, 0), (size, size)]
    finished = 0
    for start, edge in ((place, edge) for place in range(4) for edge in OUTER_EDGES[place]):
        (finish,) = set(OUTER_EDGES[start]) - {edge}
        deals = [
            (order, turns)
            for order in itertools.permutations(range(4))
            if order[start] == 0
            for turns in itertools.product(range(4), repeat=4)
        ]
        sides, kinds = laid(tiles, deals, corners, (2 * size, 2 * size))
        packed = np.packbits(sides, axis=-1)
        lap_of = np.kron(np.array(lap_tiles(start, edge)).reshape(2, 2), np.ones((size, size), int))
        for mark in MARKS:
            marked = {side: np.packbits(on_edge(kinds == mark, side), axis=-1) for side in (edge, finish)}
            reached = np.zeros((5, *marked[edge].shape), np.uint8)
            reached[0] = marked[edge]
            reached = lap_flood(reached, packed, lap_of)
            arrived = np.bitwise_or.reduce((reached[4] & marked[finish]).reshape(-1, reached.shape[-1]), axis=0)
            finished += int(np.unpackbits(arrived)[: len(deals)].sum())
    assert finished == 24 * 256 * 2 * 4


def on_edge(marked: np.ndarray, edge: int) -> np.ndarray:
    """Only what lies on an edge of the board."""
    result = np.zeros_like(marked)
    where = [(0, slice(None)), (slice(None), -1), (-1, slice(None)), (slice(None), 0)][edge]
    result[where] = marked[where]
    return result


@pytest.mark.parametrize("name", WITHOUT_BELTS)
def test_every_s_race_can_be_finished(name: str) -> None:
    tiles = load_tiles(name, players=4)
    size = tiles.size
    corners = [(size, 0), (size, size), (0, size), (0, 2 * size)]
    deals = [((0, *order), turns) for order in itertools.permutations((1, 2, 3)) for turns in itertools.product(range(4), repeat=4)]
    sides, kinds = laid(tiles, deals, corners, (2 * size, 3 * size))
    packed = np.packbits(sides, axis=-1)
    column = kinds[size // 2 - 1 : size, 3 * size - 2]
    rows = size // 2 - 1 + (column != PIT).argmax(axis=0)
    assert (kinds[rows, 3 * size - 2, np.arange(len(deals))] == FLOOR).all()
    for mark in MARKS:
        reached = flooded(np.packbits(on_edge(kinds == mark, 3), axis=-1), packed)
        assert np.unpackbits(reached, axis=-1)[rows, 3 * size - 2, np.arange(len(deals))].all()


def test_the_demonstration_boards_are_deals_of_shipped_tiles() -> None:
    assert len(board_names()) >= 4
    for name in board_names():
        board = demonstration_board(name)
        assert board is not None
        tiles = load_tiles(board.tiles)
        assert parse_deal(board.deal, tiles, s_race=False).start_edge >= 0
        assert (parse_deal(board.deal, tiles, s_race=False).tiles[0] == 0) == board.s_race
