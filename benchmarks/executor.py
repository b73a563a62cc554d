"""Whether two processes always have a game to play: from an early result of a match to a late one, without their start."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

import ludarium
from ludarium.arena import match
from ludarium.arena.games import GameResult

from .harness import Row, at_least

GAMES, FIRST, LAST = 10_000, 500, 9500
PROCESSES = 2


def rows() -> Iterator[Row]:
    yield Row(
        f"{PROCESSES} processes in {GAMES:,} games of Expendibots, random players: play or wait for a core",
        "of the time",
        lambda: shares()[0],
        "play",
        lambda: shares()[1],
        at_least(value=0.95),
        rounds=1,
        seconds=10.0,
    )


@functools.cache
def shares() -> tuple[float, float]:
    """The share of the time in which the processes run or wait for a core, which on an otherwise idle machine is about that in which they run; and that one."""
    looks: list[tuple[float, dict[int, tuple[int, int]]]] = []
    finished = 0

    def look(result: GameResult) -> None:
        nonlocal finished
        finished += 1
        if finished in (FIRST, LAST):
            looks.append((time.perf_counter(), {process.pid: used(process.pid) for process in psutil.Process().children(recursive=True)}))

    match(ludarium.game("expendibots"), ["random", "random"], games=GAMES, workers=PROCESSES, seed=1, on_result=look)
    (began, before), (ended, after) = looks
    both = [(run - before[number][0], wait - before[number][1]) for number, (run, wait) in after.items() if number in before]
    workers = sorted(both)[-PROCESSES:]  # beside them there is only what forks them
    whole = PROCESSES * (ended - began) * 1e9
    return sum(run + wait for run, wait in workers) / whole, sum(run for run, _ in workers) / whole


def used(number: int) -> tuple[int, int]:
    """Nanoseconds for which a process has run, and waited for a core."""
    run, wait, _ = Path(f"/proc/{number}/schedstat").read_text().split()
    return int(run), int(wait)
