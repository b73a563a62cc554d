"""Games, states and searches in many threads at once, and what the next process compiles: nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

import ludarium
from ludarium.core import faces
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


def test_threads_compile_different_kernels_at_once(python: Python) -> None:
    done = python(DIFFERENT_KERNELS)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [3024, 10, 20]


def test_a_state_is_played_in_one_thread_while_another_asks_it_what_is_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where players act independently, a program thinks about a state in which another one has meanwhile played."""
    state = ludarium.game("tic-tac-toe").start()
    legal_actions = faces.legal_actions_face

    def play_meanwhile(*arguments: Any) -> Any:
        monkeypatch.setattr(faces, "legal_actions_face", legal_actions)
        state.play("a1")
        return legal_actions(*arguments)

    monkeypatch.setattr(faces, "legal_actions_face", play_meanwhile)
    assert state.legal(0) == list(range(9))
