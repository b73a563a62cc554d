"""The par of a board of RoboDerby that nobody has seen: seconds of CPU time on one core from a start mark to exact expected turns, once the code is loaded.

The reference computes the same values with tables over the faces of whole hands, as rolling any of the dice again needs them, instead of multisets.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from ludarium.games.roboderby.options import Rules
from ludarium.games.roboderby.solo.board import start_marks
from ludarium.games.roboderby.solo.dice import solo_dice
from ludarium.games.roboderby.solo.solve import solve

from .harness import Row, at_most, compare

BOARD = "chimneys"
"""The demonstration board with the highest par."""


def rows() -> Iterator[Row]:
    rules = Rules.of(board=BOARD)
    course, dice = start_marks(rules)[0].course, solo_dice(rules.load_dice().commands)

    def seconds(work: Callable[[], object]) -> float:
        start = time.thread_time()
        work()
        return time.thread_time() - start

    def exact(reroll_any: bool = False) -> float:
        return seconds(lambda: solve(course, dice, reroll_any=reroll_any))

    def by_hands() -> float:
        return seconds(lambda: solve(course, dice, by_hands=True))

    name = f"par of {BOARD} from one start mark"
    yield compare(name, "s", exact, "tables over whole hands", by_hands, at_most(value=3.0), rounds=3)
    yield compare(f"{name}, reroll=any", "s", lambda: exact(True), "reroll=all, by hands", by_hands, at_most(value=10.0), rounds=3)
