"""Random playouts of Expendibots: one thread against the same in C, two threads against one."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator

import ludarium
from ludarium.search import playouts

from .harness import Row, at_least, rate
from .reference import GCC, expendibots_in_c

GAMES = 100_000


def rows() -> Iterator[Row]:
    state = ludarium.game("expendibots").start()
    seeds = itertools.count()

    def plies() -> float:
        return rate(lambda: playouts(state, GAMES, seed=next(seeds)).plies, time.thread_time)

    def plies_in_c() -> float:
        (done, *_), seconds = expendibots_in_c("playouts", GAMES // 2, next(seeds))
        return done / seconds

    def games(workers: int) -> float:
        return rate(lambda: playouts(state, 4 * GAMES, seed=1, workers=workers).playouts)

    name = "random playouts of Expendibots"
    yield Row(f"{name}, one thread", "plies/s", plies, GCC, plies_in_c, at_least(ratio=1.0))
    yield Row(f"{name}, two threads", "games/s", lambda: games(2), "one thread", lambda: games(1), at_least(ratio=1.8), rounds=9)
