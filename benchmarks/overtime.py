"""How far players with a time overstep it: the processor time of a thought beyond what they were given, which other programs on the machine do not add to."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator

import numpy as np

import ludarium
from ludarium.core.game import State
from ludarium.core.rules import CHANCE
from ludarium.players import parse_player

from .harness import Row, at_most

GIVEN = 0.05
THOUGHTS = 300

PLAYERS = {
    "expendibots": ("alphabeta", "mcts"),
    "expand-conquer": ("alphabeta", "mcts", "perfect"),
    "hexabomb": ("search",),
    "roboderby": ("mcts", "racer"),
}


def rows() -> Iterator[Row]:
    for id, kinds in PLAYERS.items():
        for kind in kinds:
            beyond = functools.cache(functools.partial(overtime, kind, id))
            most, median = (lambda beyond=beyond, percent=percent: float(np.percentile(beyond(), percent)) for percent in (99, 50))
            name = f"{kind} in {ludarium.game(id).title} beyond its time, 99th percentile of {THOUGHTS} thoughts"
            yield Row(name, "ms", most, "the median", median, at_most(value=2.0), rounds=1, seconds=17)


@functools.cache
def random_positions(id: str) -> list[State]:
    """Positions of random games in which a player has a choice."""
    chance = np.random.default_rng(1)
    found: list[State] = []
    while len(found) < THOUGHTS:
        state = ludarium.game(id).start(seed=int(chance.integers(2**32)))
        course: list[State] = []
        while not state.is_over:
            if state.to_move == (CHANCE,):
                outcomes, weights = zip(*state.outcomes(), strict=True)
                state = state.play(outcomes[chance.choice(len(outcomes), p=weights)])
                continue
            course.append(state)
            slots = range(state.game.dimensions.slots)
            chosen = {player: tuple(int(chance.choice(state.legal(player, slot) or [0])) for slot in slots) for player in state.to_move}
            state = state.play({player: orders if len(orders) > 1 else orders[0] for player, orders in chosen.items()})
        choices = [state for state in course if len(state.legal(state.to_move[0])) > 1]
        found += [choices[at] for at in chance.integers(len(choices), size=min(10, len(choices)))]
    return found[:THOUGHTS]


def overtime(kind: str, id: str) -> list[float]:
    """Milliseconds of each thought."""
    positions = random_positions(id)
    game = positions[0].game
    player = parse_player(f"{kind}:time={GIVEN * 1000:g}ms", game).make(game, 1)
    player.choose(positions[0], positions[0].to_move[0])  # loads its kernels
    beyond: list[float] = []
    for state in positions:
        mover = state.to_move[0]
        seen = state.seen_by(mover)
        started = time.thread_time()
        player.choose(seen, mover)
        beyond.append(1000 * (time.thread_time() - started - GIVEN))
    player.close()
    return beyond
