"""Steps of games that a server holds for long."""

from __future__ import annotations

import gc
import pickle
import random
import tracemalloc

import pytest

import ludarium
from ludarium.core.random import generator_from
from ludarium.core.rules import CHANCE
from ludarium.core.timeline import Timeline

MOST = 3000
"""Bytes that an action of a running game may take."""


def play_on(timeline: Timeline, plies: int, chance: random.Random) -> None:
    """Play at random, as it goes on a server: events are told to somebody."""
    dice = generator_from(chance.randrange(1000), 0)
    for _ in range(plies):
        state = timeline.state
        if state.is_over:
            return
        if state.to_move == (CHANCE,):
            timeline.act({CHANCE: state.sample_chance(dice)})
            continue
        slots = range(state.game.dimensions.slots)
        chosen = {player: tuple(chance.choice(state.legal(player, slot)) for slot in slots) for player in state.to_move}
        timeline.act({player: orders if len(orders) > 1 else orders[0] for player, orders in chosen.items()}, dict.fromkeys(chosen, 0.123))


@pytest.mark.parametrize("name", ludarium.list_games())
def test_an_action_takes_little_memory(name: str) -> None:
    game = ludarium.game(name)
    play_on(Timeline(game.start()), 300, random.Random(0))  # whatever is made once
    timelines: list[Timeline] = []
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for seed in range(10):
            timelines.append(Timeline(game.start()))
            timelines[-1].listen(lambda event: None)
            timelines[-1].pack(4)
            play_on(timelines[-1], 300, random.Random(seed))
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    fixed = 10 * 6 * (game.dtype.itemsize + 6000)  # the latest states, with their legal actions, and the first one
    assert taken - fixed <= MOST * sum(timeline.ply for timeline in timelines)


@pytest.mark.parametrize("name", ludarium.list_games())
def test_packed_steps_say_the_same(name: str) -> None:
    game = ludarium.game(name)
    plain, packed, late = (Timeline(game.start()) for _ in range(3))
    packed.pack(1)
    for timeline in (plain, packed, late):
        play_on(timeline, 20, random.Random(1))
    late.pack(3)
    assert packed.steps == plain.steps == late.steps
    assert packed.events == plain.events
    assert [step.state.text for step in packed.steps] == [step.state.text for step in plain.steps]
    again = pickle.loads(pickle.dumps(packed))
    assert again.steps == plain.steps
    if not packed.is_over and game.secrets is None:
        for timeline in (plain, packed):
            timeline.take_back(min(5, timeline.ply))
            play_on(timeline, 10, random.Random(2))
        assert packed.steps == plain.steps
        assert packed.state is packed.state
