"""Counting leaves: Expendibots, with repetition and the turn limit played on both sides, against the same in C."""

from __future__ import annotations

import time
from collections.abc import Iterator

import ludarium
from ludarium.search.perft import count

from .harness import Row, at_least, rate
from .reference import GCC, expendibots_in_c

DEPTH = 4
REPEATS = 20


def rows() -> Iterator[Row]:
    state = ludarium.game("expendibots").start()

    def leaves() -> int:
        # The game's own tables, not those without limits that perft() takes.
        return sum(count(state.game.tables, state, state.copy_records(), DEPTH, None) for _ in range(REPEATS))

    def ours() -> float:
        return rate(leaves, time.thread_time)

    def theirs() -> float:
        (done,), seconds = expendibots_in_c("perft", DEPTH, REPEATS)
        if done != leaves():
            raise RuntimeError("the program in C counts otherwise")
        return done / seconds

    yield Row(f"perft({DEPTH}) of Expendibots, one thread", "leaves/s", ours, GCC, theirs, at_least(ratio=0.9))
