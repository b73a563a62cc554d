"""Full turns of RoboDerby with random programs of two players on one core, against the same rules in plain Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import ludarium
from ludarium.core.bits import lowest_bit
from ludarium.core.jit import compiled, kernel
from ludarium.core.random import generator_from, random_below
from ludarium.core.rules import CHANCE, apply_actions, apply_chance, copy_state, legal_actions, sample_chance, to_move
from ludarium.games.roboderby.actions import PLACE_NOOP, SAY_RUN

from .harness import Row, at_least, compare

TURNS, PLAIN_TURNS = 200_000, 300
NOOP_IN = 6
"""One die of so many is placed as a NO-OP."""


def rows() -> Iterator[Row]:
    yield compare(
        "full turns of RoboDerby with random programs, two players, one thread",
        "turns/s",
        lambda: turns_per_second(TURNS),
        "the same rules in plain Python",
        lambda: in_plain_python(PLAIN_TURNS),
        at_least(value=400_000),
        rounds=5,
    )


def turns_per_second(turns: int) -> float:
    """Turns in a second of one thread's CPU time: five dice rolled, four placed at random, all registers executed, every laser fired."""
    game: Any = ludarium.game("roboderby", turn_limit=10_000)
    states = np.zeros(2, game.dtype)
    states[:1] = game.start(seed=1).copy_records()
    joint, actions = np.zeros((game.players, 1), np.int64), np.zeros(game.max_actions, np.int64)
    generator = generator_from(7)
    play_turns(game.tables, states, joint, actions, generator, 1)
    start = time.thread_time()
    play_turns(game.tables, states, joint, actions, generator, turns)
    return turns / (time.thread_time() - start)


def in_plain_python(turns: int) -> float:
    """The same in a process without compiled code."""
    command = [sys.executable, "-c", f"from benchmarks.roboderby import turns_per_second as f; print(f({turns}))"]
    done = subprocess.run(command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout))


@kernel()
def play_turns(tables: Any, states: Any, joint: Any, actions: Any, generator: Any, turns: Any) -> None:
    """Play so many turns from the state in ``states[0]``, and again from there when a game ends; ``states[1]``, joint and actions are scratch."""
    state = states[1]
    copy_state(tables, states[0], state)
    played = 0
    turn = int(state.turn)
    while played < turns:
        mask = to_move(tables, state)
        if mask == 0:
            copy_state(tables, states[0], state)
            turn = 0
        elif mask == CHANCE:
            apply_chance(tables, state, sample_chance(tables, state, generator))
        else:
            while mask != 0:
                player = lowest_bit(mask)
                mask &= mask - 1
                joint[player, 0] = _choice(tables, state, player, actions, generator)
            apply_actions(tables, state, joint)
        if int(state.turn) != turn:
            turn = int(state.turn)
            played += 1


@compiled
def _choice(tables: Any, state: Any, player: Any, actions: Any, generator: Any) -> Any:
    """Nobody shuts down or rolls again."""
    count = legal_actions(tables, state, player, 0, actions)
    if actions[0] == SAY_RUN or actions[0] > SAY_RUN:
        return actions[random_below(generator, 1 if actions[0] == SAY_RUN else count)]
    dice = 0
    while dice < count and actions[dice] < PLACE_NOOP:
        dice += 1
    place = random_below(generator, dice)
    return actions[place + dice] if random_below(generator, NOOP_IN) == 0 else actions[place]
