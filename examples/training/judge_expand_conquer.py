"""How often players keep a win, judged by the exact solver: ``python judge_expand_conquer.py net:sims=0 greedy random``.

The positions come from random boards of 7 × 7 that no network was trained on, up to eight random plies later. Those count that are won for who is to move, and
where some actions keep the win and others lose it.
"""

import argparse
import random
from collections.abc import Iterator

from expand_conquer_boards import random_board

import ludarium
from ludarium.cgt.solving.solver import Solver
from ludarium.core.game import State
from ludarium.games.expand_conquer.values import ExpandConquerRuleset
from ludarium.players import parse_player

TRAINED_ON = 1
"""The seed of the boards that ``expand-conquer.toml`` names."""


def positions(boards: int, seed: int) -> Iterator[tuple[State, set[int]]]:
    """Positions with the actions that keep the win."""
    game, chance = ludarium.game("expand-conquer", start="ring"), random.Random(seed)
    solver = Solver(ExpandConquerRuleset("normal"))
    for _ in range(boards):
        state = game.parse(random_board(chance, 7, 0.1))
        for _ in range(chance.randrange(9)):
            if not state.is_over:
                state = state.play(chance.choice(state.actions(state.to_move[0])))
        if state.is_over:
            continue
        (player,) = state.to_move
        actions = state.actions(player)
        keeping = {action.index for action in actions if not wins(solver, state.play(action))}
        if 0 < len(keeping) < len(actions):
            yield state, keeping


def wins(solver: Solver, state: State) -> bool:
    """Whether who is to move wins; who cannot move has lost."""
    return not state.is_over and bool(solver.wins(state.text.split()[0], state.to_move[0]))


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("players", nargs="+")
    arguments.add_argument("--boards", type=int, default=3000)
    arguments.add_argument("--seed", type=int, default=99)
    given = arguments.parse_args()
    if given.seed == TRAINED_ON:
        arguments.error("boards of this seed are those that networks were trained on")
    asked = list(positions(given.boards, given.seed))
    for spec in given.players:
        player = parse_player(spec, asked[0][0].game).make(asked[0][0].game, 1)
        kept = sum(player.choose(state, state.to_move[0]).index in keeping for state, keeping in asked)
        print(f"{spec}: keeps {kept} of {len(asked)} wins, {kept / len(asked):.1%}")
