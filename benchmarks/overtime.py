"""How far players with a time overstep it. They are given processor time, on their own clock: other programs on the machine take nothing of it."""

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

GIVEN = 0.05
THOUGHTS = 200

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
    for id, kinds in PLAYERS.items():
        for kind in kinds:
            yield Row(
                f"{kind} in {ludarium.game(id).title} beyond {1000 * GIVEN:g} ms, 99th percentile",
                "ms",
                functools.partial(overtime, id, kind, 99),
                "the median",
                functools.partial(overtime, id, kind, 50),
                at_most(value=2.0),
                rounds=1,
                seconds=20.0,
            )


def overtime(id: str, kind: str, percent: int) -> float:
    return float(np.percentile(all_overtimes(id, kind), percent))


@functools.cache
def all_overtimes(id: str, kind: str) -> list[float]:
    done = subprocess.run([sys.executable, "-c", MEASURE, id, kind], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def print_overtime(id: str, kind: str) -> None:
    """The milliseconds that each thought took too long."""
    positions = random_positions(id)
    player = parse_player(f"{kind}:time={1000 * GIVEN:g}ms", positions[0].game).make(positions[0].game, 1)
    beyond: list[float] = []
    for state in [positions[0], *positions]:  # the first one loads kernels
        mover = state.to_move[0]
        seen = state.seen_by(mover)
        player.prepare(seen, mover)
        started = time.thread_time()
        player.choose(seen, mover)
        beyond.append(1000 * (time.thread_time() - started - GIVEN))
    json.dump(beyond[1:], sys.stdout)


def random_positions(id: str) -> list[State]:
    """Positions of random games in which a player has a choice."""
    game, chance = ludarium.game(id), random.Random(1)
    found: list[State] = []
    while len(found) < THOUGHTS:
        played = play_game(game, ["random"] * game.players, seed=len(found))
        states = [step.state for step in played.steps if step.state.to_move and step.state.to_move != (CHANCE,)]
        found += chance.choices([state for state in states if len(state.legal(state.to_move[0])) > 1], k=10)
    return found[:THOUGHTS]
