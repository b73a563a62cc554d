"""hexabomb's rules with random orders on a map of 400 cells, 4 players with 7 characters each: one thread, with the state as JSON text, two threads.

The original (hexabomb 1.1.0, in D) plays about 5,500 turns a second on such a map, and 740 with the text. It is not shipped; what is compared with here are
the same rules, not compiled.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import ludarium
from ludarium.core.game import State
from ludarium.core.random import generator_from
from ludarium.games.hexabomb.notation.state_json import state_json
from ludarium.search import playouts
from ludarium.search.playouts import play_out

from .harness import Row, at_least, rate

MAP = "meadow4"
GAMES = 3072
"""A multiple of the playouts that share a stream of random numbers, so that two threads have equally much to do."""
TEXTS = 5_000
STEPS_A_TURN = 2
"""The players' orders, and the order in which they are received."""

NOT_COMPILED = f"""
import time
import ludarium
from ludarium.search import playouts
state = ludarium.game("hexabomb", map="{MAP}").start()
start = time.thread_time()
print(playouts(state, 1).plies / {STEPS_A_TURN} / (time.thread_time() - start))
"""


def rows() -> Iterator[Row]:
    state = ludarium.game("hexabomb", map=MAP).start()
    seeds = itertools.count()

    def turns() -> float:
        return rate(lambda: playouts(state, GAMES // 3, seed=next(seeds)).plies // STEPS_A_TURN, time.thread_time)

    def games(workers: int, clock: Callable[[], float] = time.perf_counter) -> float:
        return rate(lambda: playouts(state, GAMES * 2, seed=1, workers=workers).playouts, clock)

    name = f"hexabomb, {len(state.game.tables.q)} cells, 4 × 7 characters, random orders"
    yield Row(name, "turns/s", turns, "the same in Python", turns_in_python, at_least(value=300_000), rounds=5)
    with_text = "the same with the state as JSON text"
    yield Row(with_text, "turns/s", lambda: rate(texts, time.thread_time), "without", turns, at_least(value=10_000), rounds=5)
    values = json.loads(state.text)
    yield Row(
        "the JSON text of a state",
        "texts/s",
        lambda: rate(lambda: written(state), time.thread_time),
        "json.dumps of its values",
        lambda: rate(lambda: dumped(values), time.thread_time),
        at_least(ratio=5),
    )
    threads = "the same in two threads"
    yield Row(threads, "games/s", lambda: games(2), "one thread", lambda: games(1), at_least(ratio=1.8), rounds=9)
    # Two threads that are never in each other's way play as many games in a second of CPU time as one; other programs do not count.
    in_cpu_time = (lambda: games(2, time.process_time), "one thread", lambda: games(1, time.process_time))
    yield Row("the same in a second of CPU time, two threads", "games", *in_cpu_time, at_least(ratio=0.9), rounds=5)


def turns_in_python() -> float:
    """Turns a second of one game with the rules as they stand in the files."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    return float(subprocess.run([sys.executable, "-c", NOT_COMPILED], env=environment, check=True, capture_output=True, text=True).stdout)


def written(state: State) -> int:
    """Write the text of a state again and again; how often."""
    tables, states = state.game.tables, state.copy_records()
    for _ in range(TEXTS):
        state_json(tables, states)
    return TEXTS


def dumped(values: dict[str, Any]) -> int:
    """The same where the values are Python's already, which they are not: that takes half as long again."""
    for _ in range(TEXTS // 10):
        json.dumps(values, separators=(",", ":"))
    return TEXTS // 10


def texts() -> int:
    """Play turns, and take the text of every state; how many turns."""
    game = ludarium.game("hexabomb", map=MAP)
    states = np.zeros(2, game.dtype)
    states[:1] = game.start().copy_records()
    actions, joint = np.zeros(game.dimensions.max_actions, np.int64), np.zeros((game.players, game.dimensions.slots), np.int64)
    values, sums, wins, tally = np.zeros(game.players), np.zeros(game.players), np.zeros(game.players, np.int64), np.zeros(4, np.int64)
    generator = generator_from(0)
    for _ in range(TEXTS):
        play_out(game.tables, states, generator, actions, joint, values, sums, wins, tally, TEXTS, STEPS_A_TURN)
        state_json(game.tables, states[1:])
    return TEXTS
