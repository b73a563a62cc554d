"""Games, states and searches in many threads at once, and what the next process compiles: nothing."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import ludarium
from ludarium.core import faces
from ludarium.search import alphabeta, mcts, one_ply, perft, playouts
from tests.conftest import Python

EVERYTHING = """
import json, os, threading
from concurrent.futures import ThreadPoolExecutor
import ludarium
from ludarium.core.jit import on_compile
from ludarium.search import alphabeta, mcts, one_ply, perft, playouts

compiled = []
on_compile.append(compiled.append)
many = os.environ["SCALE"] != "1"
game = ludarium.game("tic-tac-toe")
start = game.start()
together = threading.Barrier(6, timeout=60)

def played():
    state = start
    while not state.is_over:
        state.observation(0)
        state = state.play(state.actions()[len(state.text) % 2])
    return [state.text, str(state.outcome)]

searches = [
    played,
    lambda: perft(start, 4),
    lambda: str(playouts(start, 100, seed=3)),
    lambda: str(alphabeta(start, nodes=4000, seed=2).line if many else perft(start, 3)),
    lambda: str([mcts(start, sims=200, seed=1, cutoff=cutoff).arms for cutoff in ((None, 4) if many else (None,))]),
    lambda: str(one_ply(start)),
]

def everything(number):
    if number < 6:
        together.wait()
    found = {which % 6: searches[which % 6]() for which in range(number, number + 6)}
    return [found[which] for which in range(6)]

with ThreadPoolExecutor(6) as pool:
    results = list(pool.map(everything, range(12)))
print(json.dumps({"compiled": sorted(compiled), "results": results}))
"""


def test_threads_agree_from_an_empty_cache_on_and_the_next_process_compiles_nothing(python: Python, scale: int) -> None:
    """Compiles searches of a small game, each of which some thread asks for first while others ask for others; in a soak, all of them."""
    answers = []
    for _ in range(2):
        done = python(EVERYTHING, SCALE=str(scale))
        assert done.returncode == 0, done.stderr
        answers.append(json.loads(done.stdout))
    first, second = answers
    assert {"simulate", "play_out", "count_leaves", "to_move_face"} | ({"search_on"} if scale > 1 else set()) <= set(first["compiled"])
    assert second["compiled"] == []
    assert first["results"][0][1] == 3024
    assert all(result == first["results"][0] for result in first["results"] + second["results"])


def test_threads_agree_on_a_large_game() -> None:
    start = ludarium.game("expendibots", turn_limit=30).start()

    def everything(number: int) -> list[str]:
        state = start
        while not state.is_over:
            state.observation(0)
            state = state.play(state.actions()[len(state.text) % 3])
        found = [alphabeta(start, nodes=4000, seed=2).line, *(mcts(start, sims=200, seed=1, cutoff=cutoff).arms for cutoff in (None, 4))]
        return [state.text, *map(str, (state.outcome, perft(start, 2), playouts(start, 100, seed=3), one_ply(start), *found))]

    with ThreadPoolExecutor(6) as pool:
        first, *others = pool.map(everything, range(12))
    assert all(other == first for other in others)


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
