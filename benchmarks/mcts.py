"""Monte Carlo tree search with random rollouts, beside OpenSpiel's C++ ``MCTSBot`` on a game of like length, each on one core."""

from __future__ import annotations

from collections.abc import Iterator

import ludarium
from ludarium.search import mcts

from .harness import Row, at_least, rate

SIMULATIONS = 60_000
THEIR_SIMULATIONS = 10_000


def rows() -> Iterator[Row]:
    start = ludarium.game("expendibots").start()

    def ours() -> float:
        return rate(lambda: mcts(start, sims=SIMULATIONS, seed=1).simulations)

    name, target = "mcts, random rollouts from the start of Expendibots", at_least(ratio=1.0, value=120_000)
    yield Row(name, "simulations/s", ours, "OpenSpiel MCTSBot (C++), breakthrough 8×8", theirs, target)


def theirs() -> float:
    import pyspiel  # a peer, which may be missing

    breakthrough = pyspiel.load_game("breakthrough(rows=8,columns=8)")
    bot = pyspiel.MCTSBot(breakthrough, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, THEIR_SIMULATIONS, 1000, False, 1, False)
    root = breakthrough.new_initial_state()
    return rate(lambda: bot.mcts_search(root).explore_count)
