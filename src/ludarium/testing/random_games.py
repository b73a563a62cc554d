"""Games of random choices, the same for the same seed."""

from __future__ import annotations

import random
from typing import Any

from ludarium.core.game import State
from ludarium.core.random import generator_from
from ludarium.core.rules import CHANCE
from ludarium.core.timeline import Timeline

MANY = 1000
"""Outcomes of dice that are not worth being listed at every roll."""


def play_at_random(start: State, seed: int, most: int = 10_000, *, one_by_one: bool = False) -> Timeline:
    """A game of uniformly random choices (by probability at dice), to its end or for ``most`` steps.

    Those who are to move act together, or, where they may, one at a time.
    """
    timeline = Timeline(start)
    play_on_at_random(timeline, random.Random(seed), most, one_by_one=one_by_one)
    return timeline


def play_on_at_random(timeline: Timeline, choice: random.Random, most: int, *, one_by_one: bool = False) -> None:
    """Go on as :func:`play_at_random`, up to ``most`` steps in all. Players who have left do not choose."""
    while not timeline.is_over and timeline.ply < most:
        step = {player: chosen for player, chosen in random_step(timeline.state, choice).items() if player not in timeline.out}
        timeline.act(dict([choice.choice(list(step.items()))]) if one_by_one else step)


def random_step(state: State, choice: random.Random) -> dict[int, Any]:
    """A legal action of everybody who is to move."""
    if state.to_move == (CHANCE,) and state.game.dimensions.max_outcomes > MANY:
        return {CHANCE: state.sample_chance(generator_from(choice.getrandbits(64)))}
    if state.to_move == (CHANCE,):
        outcomes = state.outcomes()
        assert outcomes, f"dice are to fall, and there is no outcome: {state!r}"
        actions, probabilities = zip(*outcomes, strict=True)
        return {state.to_move[0]: choice.choices(actions, probabilities)[0]}
    return {player: random_choice(state, player, choice) for player in state.to_move}


def random_choice(state: State, player: int, choice: random.Random) -> Any:
    """A legal action, as an index: a tuple where a player gives several orders."""
    lists = [state.actions(player, slot) for slot in range(state.game.dimensions.slots)]
    assert all(lists), f"player {player} is to move without a legal action: {state!r}"
    orders = tuple(choice.choice(actions).index for actions in lists)
    return orders if state.game.dimensions.slots > 1 else orders[0]
