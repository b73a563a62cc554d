"""The par of a board of RoboDerby that nobody has seen: seconds of CPU time on one core from a start mark to exact expected turns, once the code is loaded.

The reference computes the same values with tables over the faces of whole hands, as rolling any of the dice again needs them, instead of multisets.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from ludarium.games.roboderby.options import Rules
from ludarium.games.roboderby.solo.board import start_marks
from ludarium.games.roboderby.solo.dice import solo_dice
from ludarium.games.roboderby.solo.solve import solve

from .harness import Row, at_most

BOARD = "chimneys"
"""The demonstration board with the highest par."""


def rows() -> Iterator[Row]:
    def seconds(**how: bool) -> float:
        rules = Rules.of(board=BOARD)
        course, dice = start_marks(rules)[0].course, solo_dice(rules.load_dice().commands)
        start = time.thread_time()
        solve(course, dice, **how)
        return time.thread_time() - start

    def by_hands() -> float:
        return seconds(by_hands=True)

    def reroll_any() -> float:
        return seconds(reroll_any=True)

    name = f"par of {BOARD} from one start mark"
    yield Row(name, "s", seconds, "tables over whole hands", by_hands, at_most(value=3.0), rounds=3)
    yield Row(f"{name}, reroll=any", "s", reroll_any, "reroll=all, by hands", by_hands, at_most(value=10.0), rounds=3, seconds=25)
