"""RoboDerby before the first turn: the deal, the start edge, the letters, where robots stand and which way the lap goes (rules 1 to 9, 36, 40 and 41)."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import ludarium
from ludarium.core.game import State
from ludarium.core.random import generator_from
from ludarium.games.roboderby.game import RoboDerby
from ludarium.games.roboderby.sheets.faces import COMMANDS
from ludarium.games.roboderby.sheets.tile_sets import load_tiles
from tests.games.roboderby.case import read_case
from tests.games.roboderby.play import phase_of
from tests.games.roboderby.table import Table

NORTH, EAST, SOUTH, WEST = range(4)
STEP = ((0, -1), (1, 0), (0, 1), (-1, 0))


def started(deal: str, **options: Any) -> State:
    """The first decision on a board of the stand-in tiles."""
    return RoboDerby(board=deal, marks="fixed", **options).start(seed=1)


def square_of(state: State, player: int) -> tuple[int, int]:
    row, column = divmod(int(state.record.square[player]), state.game.tables.width)
    return column, row


def mark_at(state: State, column: int, row: int) -> str:
    kind = int(state.record.kinds[row * state.game.tables.width + column])
    return "?.O^>v<ABCD"[kind]


def wall(state: State, column: int, row: int, direction: int) -> bool:
    return bool(int(state.record.walls[row * state.game.tables.width + column]) >> direction & 1)


def test_rule_1_walls_count_from_both_sides_and_close_the_board() -> None:
    state = started("start pits cross walls @ 0 0 0 0 N")
    for column, row in itertools.product(range(12), range(12)):
        for direction, (right, down) in enumerate(STEP):
            x, y = column + right, row + down
            if x in range(12) and y in range(12):
                assert wall(state, column, row, direction) == wall(state, x, y, (direction + 2) % 4)
            else:
                assert wall(state, column, row, direction)


PLAIN = " . . . . . . "


@pytest.mark.parametrize(
    ("left", "right"), [(" . . . . . .|", PLAIN), (PLAIN, "|. . . . . . ")], ids=["on the left tile", "on the right tile"]
)
def test_rule_1_a_wall_at_a_tiles_border_belongs_to_both_tiles(left: str, right: str) -> None:
    """The wall is drawn on the right border of the tile on the left, or on the left border of the one on the right."""
    plain, posts = PLAIN, "+ + + + + + +"
    marks = [" . A . . B . ", " B . . . . A ", plain, plain, " A . . . . B ", " . B . . A . "]
    sheets = {"start": marks, "left": [left, *[plain] * 5], "right": [right, *[plain] * 5], "rest": [plain] * 6}
    tiles = "\n\n".join(f"name: {tile}\n\n{posts}\n" + "\n".join(f"{row}\n{posts}" for row in sheet) for tile, sheet in sheets.items())
    state = started("left right start rest @ 0 0 0 0 S", tiles=tiles)
    assert wall(state, 5, 0, EAST)
    assert wall(state, 6, 0, WEST)
    assert not wall(state, 5, 1, EAST)
    assert not wall(state, 6, 1, WEST)


def test_rule_4_a_die_has_six_faces_of_command_priority_and_laser() -> None:
    tables = RoboDerby().tables
    words = {
        (die, face): (COMMANDS[tables.commands[die, face]], tables.priorities[die, face], tables.lasers[die, face])
        for die in range(5)
        for face in range(6)
    }
    assert words[0, 0] == ("F1", 15, 0)
    assert words[0, 4] == ("R", 3, 1)
    assert words[4, 5] == ("INV", 28, 0)
    assert sorted(priority for _, priority, _ in words.values()) == list(range(1, 31))
    assert sum(laser for _, _, laser in words.values()) == 8
    counts = {command: sum(word[0] == command for word in words.values()) for command in COMMANDS[1:]}
    assert counts == {"F1": 6, "F2": 4, "F3": 2, "L": 4, "R": 4, "SL": 2, "SR": 2, "U": 1, "REV": 1, "CMT": 2, "INV": 2}


def test_rule_7_tiles_are_dealt_in_every_order_and_rotation() -> None:
    state = RoboDerby().start()
    assert phase_of(state) == "deal"
    outcomes = state.outcomes()
    assert len(outcomes) == 24 * 4**4
    assert all(probability == pytest.approx(1 / 6144) for _, probability in outcomes)
    assert len({action.text for action, _ in outcomes}) == len(outcomes)


def test_rule_7_without_rotations_there_are_24_deals() -> None:
    outcomes = RoboDerby(rotate_tiles="none").start().outcomes()
    assert len(outcomes) == 24
    assert all(action.text.endswith("@ 0 0 0 0") for action, _ in outcomes)


def test_rule_7_a_deal_lies_as_it_says() -> None:
    """Rotations are clockwise: what is in a tile's top left corner comes to the top right."""
    tiles = load_tiles("stand-in")
    walls = tiles.names.index("walls")
    state = started("walls pits start cross @ 90 0 0 180 S")
    kinds = np.array(state.record.kinds[:144]).reshape(12, 12)
    unturned = tiles.stacked()[1][walls, 0].reshape(6, 6)
    assert (kinds[:6, :6] == np.rot90(unturned, -1)).all()
    cross = tiles.stacked()[1][tiles.names.index("cross"), 0].reshape(6, 6)
    assert (kinds[6:, 6:] == np.rot90(cross, 2)).all()


def test_rule_7_walls_turn_with_their_tile() -> None:
    """A quarter turn clockwise brings (x, y) of a tile to (5 − y, x), and a wall in the north to the east. Inside the tile all walls are its own."""
    straight, turned = (started(f"walls pits start cross @ {rotation} 0 0 0 S") for rotation in (0, 90))
    assert wall(straight, 0, 0, EAST)
    assert wall(turned, 5, 0, SOUTH)
    for column, row in itertools.product(range(6), range(6)):
        for direction, (right, down) in enumerate(STEP):
            if column + right in range(6) and row + down in range(6):
                assert wall(straight, column, row, direction) == wall(turned, 5 - row, column, (direction + 1) % 4)


def test_rule_8_the_start_edge_is_drawn_among_two() -> None:
    state = RoboDerby(board="pits walls start cross @ 0 0 0 0").start()
    assert phase_of(state) == "edge"
    assert [(action.text, probability) for action, probability in state.outcomes()] == [("edge S", 0.5), ("edge W", 0.5)]


def test_rule_8_the_first_player_may_choose_the_start_edge() -> None:
    state = RoboDerby(board="pits walls cross start @ 0 0 0 0", start_edge="choose", marks="fixed").start(seed=1)
    assert state.to_move == (0,)
    assert [action.text for action in state.actions()] == ["edge E", "edge S"]
    assert square_of(state.play("edge E"), 0)[0] == 11


def test_rule_8_letters_are_drawn_or_fixed() -> None:
    state = RoboDerby(board="pits walls start cross @ 0 0 0 0 S").start()
    assert phase_of(state) == "letters"
    after = [state.play(action) for action, _ in state.outcomes()]
    assert [probability for _, probability in state.outcomes()] == [0.5, 0.5]
    assert sorted(tuple(one.record.letter[:2]) for one in after) == [(0, 1), (1, 0)]
    four = RoboDerby(board="pits walls start cross @ 0 0 0 0 S", players=4).start()
    assert len(four.outcomes()) == 24
    assert tuple(started("pits walls start cross @ 0 0 0 0 S", players=4).record.letter) == (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("deal", "edge", "forward"),
    [
        ("start pits walls cross", "N", [(0, 0), (0, 1), (1, 1), (1, 0)]),
        ("start pits walls cross", "W", [(0, 0), (1, 0), (1, 1), (0, 1)]),
        ("pits start walls cross", "N", [(1, 0), (1, 1), (0, 1), (0, 0)]),
        ("pits start walls cross", "E", [(1, 0), (0, 0), (0, 1), (1, 1)]),
        ("pits walls start cross", "S", [(0, 1), (0, 0), (1, 0), (1, 1)]),
        ("pits walls start cross", "W", [(0, 1), (1, 1), (1, 0), (0, 0)]),
        ("pits walls cross start", "E", [(1, 1), (0, 1), (0, 0), (1, 0)]),
        ("pits walls cross start", "S", [(1, 1), (1, 0), (0, 0), (0, 1)]),
    ],
)
def test_rules_9_and_36_robots_face_the_second_tile_from_their_marks(deal: str, edge: str, forward: list[tuple[int, int]]) -> None:
    """``forward``: the tiles in lap order, by column and row."""
    state = started(f"{deal} @ 90 180 270 90 {edge}")
    heading = ("NESW".index(edge) + 2) % 4
    finish_edges = set()
    for player in range(2):
        column, row = square_of(state, player)
        assert mark_at(state, column, row) == "AB"[player]
        assert {NORTH: row == 0, EAST: column == 11, SOUTH: row == 11, WEST: column == 0}["NESW".index(edge)]
        assert int(state.record.heading[player]) == heading
        assert int(state.record.health[player]) == 6
        assert int(state.record.lap[player]) == 0
        assert not state.record.register_die[player].any()
        finish_row, finish_column = divmod(int(state.record.finish[player]), 12)
        assert mark_at(state, finish_column, finish_row) == "AB"[player]
        assert finish_column in (0, 11) or finish_row in (0, 11)
        finish_edges.add((finish_row in (0, 11)) if edge in "EW" else (finish_column in (0, 11)))
    assert finish_edges == {True}, "the finish is on the other outer edge"
    tiles = np.array(state.record.lap_tiles[:144]).reshape(12, 12)
    for number, (column, row) in enumerate(forward):
        assert (tiles[6 * row : 6 * row + 6, 6 * column : 6 * column + 6] == number).all()


def test_rule_40_the_s_race() -> None:
    state = started("start pits walls cross @ 0 0 0 0", variant="s-race")
    tables = state.game.tables
    assert (tables.width, tables.height) == (18, 12)
    assert [square_of(state, player) for player in range(2)] == [(0, 10), (0, 7)]
    assert [int(heading) for heading in state.record.heading[:2]] == [EAST, EAST]
    assert [divmod(int(finish), 18) for finish in state.record.finish[:2]] == [(2, 16)] * 2
    kinds = np.array(state.record.kinds[: 18 * 12]).reshape(12, 18)
    assert (kinds[:6, :6] == 0).all()
    assert (kinds[6:, 12:] == 0).all()
    assert (kinds[6:, :12] > 0).all()
    assert (kinds[:6, 6:] > 0).all()
    tiles = np.array(state.record.lap_tiles[: 18 * 12]).reshape(12, 18)
    assert [int(tiles[row, column]) for column, row in ((0, 6), (6, 6), (6, 0), (12, 0), (0, 0))] == [0, 1, 2, 3, -1]


def test_rule_40_the_start_tile_of_the_s_race_comes_first() -> None:
    state = RoboDerby(variant="s-race").start()
    assert len(state.outcomes()) == 6 * 256
    assert all(action.text.startswith("start ") for action, _ in state.outcomes())


@pytest.mark.parametrize(("edge", "direction"), [("S", -1), ("W", -1)])
def test_rule_41_marks_clockwise_along_an_edge_are_a_c_d_b(edge: str, direction: int) -> None:
    """The start tile is at the bottom left: clockwise is from right to left along the south edge, and from the bottom to the top along the west edge."""
    state = started(f"pits walls start cross @ 0 0 90 0 {edge}", players=4)
    along = [square_of(state, player)[0 if edge == "S" else 1] for player in (0, 2, 3, 1)]
    assert along == sorted(along)[::direction]
    assert len({square_of(state, player) for player in range(4)}) == 4
    middle = {8, 9} if edge == "W" else {2, 3}
    assert set(along[1:3]) == middle
    assert [mark_at(state, *square_of(state, player)) for player in range(4)] == list("ABCD")


def test_rule_41_every_edge_of_the_start_tile_has_all_four_marks() -> None:
    for rotation in (0, 90, 180, 270):
        state = started(f"start pits walls cross @ {rotation} 0 0 0 N", players=3)
        tile = [[mark_at(state, column, row) for column in range(6)] for row in range(6)]
        edges = (tile[0], [row[5] for row in tile], tile[5][::-1], [row[0] for row in tile][::-1])
        for marks in edges:
            assert "".join(marks) == ".ACDB."


def test_rule_13_in_seat_order_one_declares_after_the_other() -> None:
    state = started("start pits walls cross @ 0 0 0 0 N", players=3, shutdown_declare="seat-order")
    for player in range(3):
        assert state.to_move == (player,)
        assert {action.text for action in state.actions()} == {"run", "shutdown"}
        state = state.play("shutdown" if player == 1 else "run")
    assert phase_of(state) == "program"
    together = started("start pits walls cross @ 0 0 0 0 N", players=3)
    assert together.to_move == (0, 1, 2)


def test_rule_13_nobody_is_asked_to_program_a_robot_that_is_shut_down() -> None:
    state = started("start pits walls cross @ 0 0 0 0 N").play({0: "shutdown", 1: "run"})
    while state.to_move == (ludarium.CHANCE,):
        state = state.play(state.sample_chance(generator_from(1)))
    assert state.to_move == (1,)
    both = started("start pits walls cross @ 0 0 0 0 N").play({0: "shutdown", 1: "shutdown"})
    assert int(both.record.turn) == 2
    assert phase_of(both) == "shutdown"


def test_rule_11_where_every_square_in_reach_is_taken_a_robot_waits() -> None:
    """The rules do not say what happens then. The start square is walled in and taken; the robot comes back when it is free."""
    case = read_case(
        "walled-in",
        """Rule 11: A robot cannot come back

options: players=2

board (4,11):
+-+
|.|
+ +

board (9,1):
+ +
 O
+ +

robots:
A (9,2) N
B (4,11) S

turn:
A F1:16 NOOP NOOP NOOP
""",
    )
    table = Table(case)
    table.play_turn(case.events[0])  # type: ignore[arg-type]
    assert square_of(table.state, 1) == (4, 11)
    assert int(table.state.record.square[0]) == -1
    assert table.state.to_move == (1,)
