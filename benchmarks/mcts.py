"""Monte Carlo tree search with random rollouts, beside OpenSpiel's C++ ``MCTSBot`` on a game of like length, each on one core."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import ludarium
from ludarium.search import mcts

from .harness import Row, at_least, compare, rate

SIMULATIONS = 60_000
THEIR_SIMULATIONS = 10_000


def rows() -> Iterator[Row]:
    import pyspiel

    start = ludarium.game("expendibots").start()
    breakthrough = pyspiel.load_game("breakthrough(rows=8,columns=8)")
    bot = pyspiel.MCTSBot(breakthrough, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, THEIR_SIMULATIONS, 1000, False, 1, False)
    root = breakthrough.new_initial_state()

    def ours() -> int:
        return mcts(start, sims=SIMULATIONS, seed=1).simulations

    def theirs() -> int:
        return bot.mcts_search(root).explore_count

    row = compare(
        "mcts, random rollouts from the start of Expendibots",
        "simulations/s",
        lambda: rate(ours),
        "OpenSpiel MCTSBot (C++), breakthrough 8×8",
        lambda: rate(theirs),
        at_least(ratio=1.0),
    )
    yield row
    yield replace(row, name="the same, as a number", target=at_least(value=120_000))
