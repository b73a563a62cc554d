"""A network with 400 simulations a move against Monte Carlo tree search with random rollouts: ``python judge_expendibots.py net:sims=400``.

First both have as many simulations, then as much processor time. Games begin after four random moves without explosions, each beginning twice, with the
seats exchanged.
"""

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable

import ludarium
from ludarium.core.game import Action, Game, State
from ludarium.players import parse_player
from ludarium.search import mcts

Choose = Callable[[State], Action]


def rollouts(seed: int, sims: int | None, seconds: float | None) -> Choose:
    def choose(state: State) -> Action:
        return mcts(state, sims=sims, seconds=seconds, seed=chance.getrandbits(32), clock=time.thread_time).actions[state.to_move[0]]

    chance = random.Random(seed)
    return choose


def opening(game: Game, seed: int) -> State:
    state, chance = game.start(), random.Random(seed)
    for _ in range(4):
        state = state.play(chance.choice([action for action in state.actions(state.to_move[0]) if not action.text.endswith("!")]))
    return state


def judge(game: Game, spec: str, sims: int | None, seconds: float | None, games: int) -> tuple[Counter[float], float]:
    """How often the network won (1), drew (0) and lost (−1), and its processor time a move in seconds."""
    results: Counter[float] = Counter()
    spent = moves = 0.0
    for number in range(games):
        state, seat = opening(game, number // 2), number % 2
        network = parse_player(spec, game).make(game, number)
        other = rollouts(number, sims, seconds)
        while not state.is_over:
            (player,) = state.to_move
            if player == seat:
                before = time.thread_time()
                action = network.choose(state, player)
                spent, moves = spent + time.thread_time() - before, moves + 1
            else:
                action = other(state)
            state = state.play(action)
        results[state.returns[seat]] += 1
    return results, spent / moves


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("network", nargs="?", default="net:sims=400")
    arguments.add_argument("--sims", type=int, default=400)
    arguments.add_argument("--games", type=int, default=100)
    given = arguments.parse_args()
    expendibots = ludarium.game("expendibots")
    found, thought = judge(expendibots, given.network, given.sims, None, given.games)
    print(f"with {given.sims} simulations each: {found[1]} won, {found[0]} drawn, {found[-1]} lost; {thought * 1000:.0f} ms a move")
    found, _ = judge(expendibots, given.network, None, thought, given.games)
    print(f"with as much time each: {found[1]} won, {found[0]} drawn, {found[-1]} lost")
