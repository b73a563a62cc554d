"""Full turns of RoboDerby with random programs of two players on one core.

They are compared with an engine in plain Python, one object a robot, that was written from the rules alone
(``tests/games/roboderby/naive_rules.py``; the tests check that both agree), and with the same rules not compiled.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import ludarium
from ludarium.core.bits import lowest_bit
from ludarium.core.game import State
from ludarium.core.jit import compiled, kernel
from ludarium.core.random import generator_from, random_below
from ludarium.core.rules import CHANCE, apply_actions, apply_chance, copy_state, legal_actions, sample_chance, to_move
from ludarium.games.roboderby.actions import PLACE_NOOP, SAY_RUN
from tests.games.roboderby.naive_rules import NaiveTurn, Register, Robot

from .harness import Row, at_least

TURNS, NAIVE_TURNS, PLAIN_TURNS = 200_000, 5_000, 300

BELTS = "assembly"
"""Tiles with belts and lasers."""

NOOP_IN = 6
"""One die of so many is placed as a NO-OP."""


def rows() -> Iterator[Row]:
    yield Row(
        "full turns of RoboDerby with random programs, two players, one thread",
        "turns/s",
        lambda: turns_per_second(TURNS),
        "an engine in plain Python",
        lambda: naive_turns_per_second(NAIVE_TURNS),
        at_least(value=400_000),
        rounds=5,
    )
    yield Row(
        "the same",
        "turns/s",
        lambda: turns_per_second(TURNS),
        "the same rules, not compiled",
        lambda: in_plain_python(PLAIN_TURNS),
        rounds=5,
    )
    yield Row(
        f"the same on the tiles {BELTS}, with belts and lasers",
        "turns/s",
        lambda: turns_per_second(TURNS, tiles=BELTS),
        "an engine in plain Python",
        lambda: naive_turns_per_second(NAIVE_TURNS, tiles=BELTS),
        at_least(value=400_000),
        rounds=5,
    )


def turns_per_second(turns: int, tiles: str = "stand-in") -> float:
    """Turns in a second of one thread's CPU time: five dice rolled, four placed at random, all registers executed, every laser fired."""
    game: Any = ludarium.game("roboderby", turn_limit=10_000, tiles=tiles)
    states = np.zeros(2, game.dtype)
    states[:1] = game.start(seed=1).copy_records()
    joint, actions = np.zeros((game.players, 1), np.int64), np.zeros(game.dimensions.max_actions, np.int64)
    generator = generator_from(7)
    play_turns(game.tables, states, joint, actions, generator, 1)
    start = time.thread_time()
    play_turns(game.tables, states, joint, actions, generator, turns)
    return turns / (time.thread_time() - start)


def naive_turns_per_second(turns: int, tiles: str = "stand-in") -> float:
    """The same of the plain engine: from the start again when a race ends."""
    state = ludarium.game("roboderby", turn_limit=10_000, tiles=tiles).start(seed=1)
    choice = random.Random(7)
    start = time.thread_time()
    game = _new_naive_game(state, choice)
    for _ in range(turns):
        if game.is_over:
            game = _new_naive_game(state, choice)
        _program_naively(game, choice)
        game.play()
        if not game.is_over:
            game.begin_next()
            game.turn += 1
    return turns / (time.thread_time() - start)


def _new_naive_game(state: State, choice: random.Random) -> NaiveTurn:
    """From a state, with roll-offs that are rolled when they come."""
    dice = state.game.tables.priorities.tolist()
    rolls = iter(lambda: {robot.letter: choice.choice(dice[_hand(robot)[0] - 1]) for robot in game.robots}, None)
    game = NaiveTurn(state, rolls)
    return game


def _hand(robot: Robot) -> list[int]:
    """The dice in no register."""
    used = {one.die for one in robot.mat}
    return [die for die in range(1, 6) if die not in used]


def _program_naively(game: NaiveTurn, choice: random.Random) -> None:
    """Gather, roll and place dice."""
    for robot in game.robots:
        if robot.status != "active":
            continue
        robot.mat = [one if one.slot == "locked" else Register(0, 0, "empty") for one in robot.mat]
        hand = _hand(robot)
        faces = {die: choice.randint(1, 6) for die in hand}
        for register, one in enumerate(robot.mat):
            if one.slot == "empty":
                die = hand.pop(choice.randrange(len(hand)))
                robot.mat[register] = Register(die, faces[die], "command" if choice.randrange(NOOP_IN) else "noop")


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
