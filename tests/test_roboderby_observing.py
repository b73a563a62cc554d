"""What RoboDerby's players observe: planes over the board, and numbers."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np

from ludarium.core.game import State
from ludarium.games.roboderby.game import RoboDerby
from roboderby_play import phase_of, step_at_random

COMMON, OWN, OTHER = 12, 13 + 5, 13 + 6 + 5
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
    assert observed.shape == (25, 12, 12)
    walls = sum(observed[direction].astype(int) << direction for direction in range(4))
    assert (walls.ravel() == record.walls[: tables.squares]).all()
    assert (observed[5].ravel() == (record.kinds[: tables.squares] == 2)).all()
    assert (observed[6:10].argmax(axis=0).ravel() == record.lap_tiles[: tables.squares]).all()
    assert (np.flatnonzero(observed[10]) == record.start[1]).all()
    assert (np.flatnonzero(observed[11]) == record.finish[1]).all()
    assert np.argwhere(observed[13:17]).tolist() == [[2, 0, 4]], "B comes first, at (4, 0), heading south"
    assert np.argwhere(observed[19:23]).tolist() == [[2, 0, 1]], "then A"
    assert observed[17, 0, 4] == observed[23, 0, 1] == 1.0


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
        place, fate = numbers(state, player, 13 + 6 * seat + 5)[HAND + 6 : HAND + 8]
        letter = "ABCD"[int(state.record.letter[robot])]
        assert place == (execution["order"].index(letter) + 1 if letter in execution["order"] else 0)
        assert bool(int(fate) & 1) == ("done" in execution["flags"][robot].split())
    targets = {action.text for action in state.actions(player)}
    assert targets == {f"hack {letter}" for letter in execution["order"][execution["next"] + 1 :]}
