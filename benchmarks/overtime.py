"""How far players with a time overstep it. They are given processor time, on their own clock: other programs on the machine take nothing of it.

``python -m benchmarks overtime_long`` looks at 20,000 thoughts of each.
"""

from __future__ import annotations

import functools
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator

import numpy as np

import ludarium
from ludarium.arena import play_game
from ludarium.core.game import State
from ludarium.core.rules import CHANCE
from ludarium.players import parse_player

from .harness import Row, at_most

THOUGHTS = 500

PLAYERS = {
    "expendibots": ("alphabeta", "mcts"),
    "expand-conquer": ("alphabeta", "mcts", "perfect"),
    "hexabomb": ("search",),
    "roboderby": ("mcts", "racer"),
}

MEASURE = """
import sys, time
time.perf_counter = time.monotonic = time.thread_time  # before anybody asks for them
from benchmarks.overtime import print_overtime
print_overtime(*sys.argv[1:])
"""


def rows() -> Iterator[Row]:
    yield from rows_with(0.05, 200, 99, 2.0)
    yield from rows_with(0.01, THOUGHTS, 99.9, 5.0)


def rows_with(given: float, thoughts: int, percent: float, most: float) -> Iterator[Row]:
    """A row a player: so many seconds a thought, so many thoughts, and how many milliseconds beyond there may be at a percentile."""
    for id, kinds in PLAYERS.items():
        for kind in kinds:
            yield Row(
                f"{kind} in {ludarium.game(id).title} beyond {1000 * given:g} ms, {percent:g}th percentile of {thoughts:,}",
                "ms",
                functools.partial(overtime, id, kind, given, thoughts, percent),
                "the median",
                functools.partial(overtime, id, kind, given, thoughts, 50),
                at_most(value=most),
                rounds=1,
                seconds=4 + thoughts * given,
            )


def overtime(id: str, kind: str, given: float, thoughts: int, percent: float) -> float:
    return float(np.percentile(all_overtimes(id, kind, given, thoughts), percent))


@functools.cache
def all_overtimes(id: str, kind: str, given: float, thoughts: int) -> list[float]:
    done = subprocess.run([sys.executable, "-c", MEASURE, id, kind, str(given), str(thoughts)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def print_overtime(id: str, kind: str, given: str, thoughts: str) -> None:
    """The milliseconds that each thought took too long."""
    positions = random_positions(id, int(thoughts))
    player = parse_player(f"{kind}:time={1000 * float(given):g}ms", positions[0].game).make(positions[0].game, 1)
    beyond: list[float] = []
    for state in [positions[0], *positions]:  # the first one loads kernels
        mover = state.to_move[0]
        seen = state.seen_by(mover)
        player.prepare(seen, mover)
        started = time.thread_time()
        player.choose(seen, mover)
        beyond.append(1000 * (time.thread_time() - started - float(given)))
    json.dump(beyond[1:], sys.stdout)


def random_positions(id: str, wanted: int) -> list[State]:
    """Positions of random games in which a player has a choice."""
    game, chance = ludarium.game(id), random.Random(1)
    found: list[State] = []
    while len(found) < wanted:
        played = play_game(game, ["random"] * game.players, seed=len(found))
        states = [step.state for step in played.steps if step.state.to_move and step.state.to_move != (CHANCE,)]
        found += chance.choices([state for state in states if len(state.legal(state.to_move[0])) > 1], k=10)
    return found[:wanted]
