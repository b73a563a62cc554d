"""Games, states and searches in many threads at once, and what the next process compiles: nothing."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Python

EVERYTHING = """
import json
from concurrent.futures import ThreadPoolExecutor
import ludarium
from ludarium.core.jit import on_compile
from ludarium.search import alphabeta, mcts, one_ply, perft, playouts

compiled = []
on_compile.append(compiled.append)

def everything(number):
    game = ludarium.game("expendibots", turn_limit=30)
    start = game.start()
    state = start
    while not state.is_over:
        state.observation(0)
        state = state.play(state.actions()[len(state.text) % 3])
    return [
        state.text,
        str(state.outcome),
        perft(start, 2),
        str(playouts(start, 100, seed=3)),
        str(alphabeta(start, nodes=4000, seed=2).line),
        str(mcts(start, sims=200, seed=1).arms),
        str(mcts(start, sims=200, seed=1, cutoff=4).arms),
        str(one_ply(start)),
    ]

with ThreadPoolExecutor(6) as pool:
    results = list(pool.map(everything, range(12)))
print(json.dumps({"compiled": sorted(compiled), "results": results}))
"""


@pytest.mark.slow
def test_threads_agree_from_an_empty_cache_on_and_the_next_process_compiles_nothing(python: Python) -> None:
    answers = []
    for _ in range(2):
        done = python(EVERYTHING)
        assert done.returncode == 0, done.stderr
        answers.append(json.loads(done.stdout))
    first, second = answers
    assert {"simulate", "search_on", "play_out", "count_leaves", "to_move_face"} <= set(first["compiled"])
    assert second["compiled"] == []
    assert all(result == first["results"][0] for result in first["results"] + second["results"])


DIFFERENT_KERNELS = """
import json
import threading
from concurrent.futures import ThreadPoolExecutor
import ludarium
from ludarium.search import mcts, perft, playouts

start = ludarium.game("tic-tac-toe").start()
together = threading.Barrier(3)

def first(search):
    together.wait()
    return search()

searches = [lambda: perft(start, 4), lambda: playouts(start, 10, seed=3).playouts, lambda: mcts(start, sims=20).simulations]
with ThreadPoolExecutor(3) as pool:
    print(json.dumps(list(pool.map(first, searches))))
"""


@pytest.mark.slow
def test_threads_compile_different_kernels_at_once(python: Python) -> None:
    done = python(DIFFERENT_KERNELS)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [3024, 10, 20]
