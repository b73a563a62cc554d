"""What RoboDerby's players observe: planes over the board, and numbers."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np

from ludarium.core.game import State
from ludarium.games.roboderby.game import RoboDerby
from tests.games.roboderby.belt_tiles import BELT_TILES
from tests.games.roboderby.play import phase_of, step_at_random

COMMON, OWN, OTHER = 20, 21 + 5, 21 + 6 + 5
"""The planes of numbers: of the game, of the player's robot, of the next seat's."""

SLOTS = 8
HAND = SLOTS + 16


def numbers(state: State, player: int, plane: int) -> list[float]:
    """The numbers of a plane, in reading order."""
    return [float(number) for number in state.observation(player)[plane].ravel()]


def programming() -> State:
    state = RoboDerby(board="furnace", marks="fixed").start(seed=1).play({0: "run", 1: "run"})
    return state.play("1:1 2:2 3:3 4:6 5:5").play("1:2 2:3 3:4 4:5 5:6")


def test_the_board_and_the_robots_are_where_they_are() -> None:
    state = programming()
    record, tables = state.record, state.game.tables
    observed = state.observation(1)
    assert observed.shape == (33, 12, 12)
    walls = sum(observed[direction].astype(int) << direction for direction in range(4))
    assert (walls.ravel() == record.walls[: tables.squares]).all()
    assert (observed[5].ravel() == (record.kinds[: tables.squares] == 2)).all()
    assert (observed[14:18].argmax(axis=0).ravel() == record.lap_tiles[: tables.squares]).all()
    assert observed[6:14].sum() == 0, "there are neither belts nor lasers"
    assert (np.flatnonzero(observed[18]) == record.start[1]).all()
    assert (np.flatnonzero(observed[19]) == record.finish[1]).all()
    assert np.argwhere(observed[21:25]).tolist() == [[2, 0, 4]], "B comes first, at (4, 0), heading south"
    assert np.argwhere(observed[27:31]).tolist() == [[2, 0, 1]], "then A"
    assert observed[25, 0, 4] == observed[31, 0, 1] == 1.0


def test_where_the_board_ends_in_pits_only_the_walls_of_tiles_are_seen() -> None:
    walls, with_pits = (RoboDerby(board="furnace", pit_edges=edges).start(seed=1).observation(0)[:4] for edges in ("off", "on"))
    assert (walls[:, 1:-1, 1:-1] == with_pits[:, 1:-1, 1:-1]).all()
    assert walls[2, 11].tolist() == [1] * 12
    assert np.flatnonzero(with_pits[2, 11]).tolist() == [0, 5]


def test_belts_and_lasers_are_seen_however_their_tiles_lie() -> None:
    """At the top right lies a tile turned by 90 degrees, below it one turned by 180, and the others as their file draws them."""
    state = RoboDerby(tiles=BELT_TILES, board="start rollers chutes sorter @ 0 90 0 180 N", marks="fixed").start(seed=1)
    observed = state.observation(0).astype(int)
    signs = np.full((12, 12), ".")
    for sign, belts in zip("^>v<", observed[6:10], strict=True):
        signs[belts == 1] = sign
    assert ["".join(row) for row in signs] == [
        "......>>>>>v",
        "..>...^....v",
        "..v...^.>..v",
        "..v...^.^..v",
        "..>...^....v",
        "......^<<<<v",
        ".v..v..<^.>.",
        ".v..v.<.^..>",
        "....v..<^.>.",
        ".^....<.v..>",
        ".^..^..<v.>.",
        ".^..^.<.v..>",
    ]
    north, east, south, west = observed[10:14]
    assert north.sum() == east.sum() == 0
    assert np.argwhere(south).tolist() == [[1, 7], [2, 7], [3, 7], [10, 8], [11, 8]], (
        "to the wall, which is turned too, and to the edge of the board"
    )
    assert west[0].tolist() == [1] * 12, "from one tile to the next, over robots"
    assert west[8].tolist() == [1] * 6 + [0] * 6
    assert west[10].tolist() == [2] * 5 + [1] * 7, "the one tile's laser stands in the beam of the other's"
    assert west.sum() == 12 + 6 + 17
    assert RoboDerby(tiles=BELT_TILES).start().observation(0)[:20].sum() == 0, "no tile has been dealt"


def test_own_dice_are_numbers_and_others_are_none() -> None:
    state = programming()
    assert numbers(state, 0, OWN)[HAND : HAND + 6] == [1, 2, 3, 6, 5, 0]
    assert numbers(state, 0, OTHER)[SLOTS : HAND + 6] == [0] * 22
    state = state.play({0: "4n"})
    assert numbers(state, 0, OWN)[SLOTS : SLOTS + 5] == [4, 6, 1, 0, 0]
    assert numbers(state, 0, OWN)[HAND : HAND + 6] == [1, 2, 3, 0, 5, 1], "the last one: dice may be rolled again"
    assert numbers(state, 1, OTHER)[SLOTS : HAND + 6] == [0] * 22
    assert numbers(state.play({0: "roll"}).play("1:1 2:2 3:3 5:5"), 0, OWN)[HAND + 5] == 0
    assert numbers(state, 0, COMMON)[:4] == [np.float32(1 / 200), 4, 0, 0]


def test_who_chooses_a_target_knows_who_is_still_to_come() -> None:
    choice = random.Random(2)
    state = RoboDerby(players=4, hack_targets="chosen-one").start(seed=2)
    while phase_of(state) != "hack":
        state = state.play(step_at_random(state, choice))
    execution: dict[str, Any] = json.loads(state.text)["execution"]
    (player,) = state.to_move
    for seat in range(4):
        robot = (player + seat) % 4
        place, fate = numbers(state, player, 21 + 6 * seat + 5)[HAND + 6 : HAND + 8]
        letter = "ABCD"[int(state.record.letter[robot])]
        assert place == (execution["order"].index(letter) + 1 if letter in execution["order"] else 0)
        assert bool(int(fate) & 1) == ("done" in execution["flags"][robot].split())
    targets = {action.text for action in state.actions(player)}
    assert targets == {f"hack {letter}" for letter in execution["order"][execution["next"] + 1 :]}
