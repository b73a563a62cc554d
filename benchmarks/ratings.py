"""Ratings of 200 players, from the games to the intervals, beside choix, which has neither draws nor intervals."""

from __future__ import annotations

import functools
import math
import random
import time
from collections.abc import Callable, Iterator

from ludarium.arena.ratings import Result, rate

from .harness import Row, at_most

PLAYERS = 200
DRAWS = 0.8
"""Davidson's ν: of games between equal players 29 % are drawn."""


def rows() -> Iterator[Row]:
    for name, games, iteration, target in (
        ("100,000 games of two", games_of_two, "ilsr_pairwise", at_most(value=0.3)),
        ("25,000 tables of four", tables_of_four, "ilsr_rankings", at_most(ratio=1.0)),
    ):
        yield Row(
            f"ratings of {PLAYERS} players and {name}",
            "s",
            functools.partial(ours, games),
            f"choix {iteration}, without draws",
            functools.partial(theirs, games, iteration),
            target,
            rounds=5,
            seconds=10,
        )


@functools.cache
def games_of_two() -> list[Result]:
    generator, strengths = drawn()
    results: list[Result] = []
    for _ in range(100_000):
        one, other = generator.sample(range(PLAYERS), 2)
        odds = math.exp((strengths[one] - strengths[other]) / 2)
        (got,) = generator.choices((1.0, 0.0, -1.0), (odds, DRAWS, 1 / odds))
        results.append(((one, other), (got, -got)))
    return results


@functools.cache
def tables_of_four() -> list[Result]:
    """Without ties: players finish in the order of exponential times with rates exp(θ), which is the model of Plackett and Luce."""
    generator, strengths = drawn()
    returns = (1.0, 1 / 3, -1 / 3, -1.0)
    tables = [generator.sample(range(PLAYERS), 4) for _ in range(25_000)]
    return [(tuple(sorted(table, key=lambda one: generator.expovariate(math.exp(strengths[one])))), returns) for table in tables]


def drawn() -> tuple[random.Random, list[float]]:
    generator = random.Random(1)
    return generator, [generator.gauss(0, 1) for _ in range(PLAYERS)]


def ours(games: Callable[[], list[Result]]) -> float:
    names, results = list(map(str, range(PLAYERS))), games()
    return seconds(lambda: rate(names, results))


def theirs(games: Callable[[], list[Result]], iteration: str) -> float:
    import choix  # a peer, which may be missing

    decided = [players if returns[0] > returns[-1] else players[::-1] for players, returns in games() if returns[0] != returns[-1]]
    return seconds(lambda: getattr(choix, iteration)(PLAYERS, decided, alpha=0.01))


def seconds(work: Callable[[], object]) -> float:
    """Of this thread's CPU time."""
    start = time.thread_time()
    work()
    return time.thread_time() - start
