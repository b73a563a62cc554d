"""Random playouts: games played to their end by uniformly random players."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludarium.core.bits import lowest_bit
from ludarium.core.game import State
from ludarium.core.jit import JIT, kernel
from ludarium.core.random import generator_from
from ludarium.core.rules import CHANCE, apply_actions, apply_chance, copy_state, random_action, returns, sample_chance, to_move

from .checks import check_whole

CHUNK = 1024
"""Playouts that share a stream of random numbers. It is part of what a seed means: with another size the same seed gives other games."""

BUDGET = 200_000 if JIT else 200
"""Plies that one call of the kernel plays: some hundredths of a second."""

DONE, PLIES, DRAWS, RUNNING = range(4)
"""What stands where in a tally."""


@dataclass(frozen=True, slots=True)
class PlayoutResult:
    """What many playouts of one state came to."""

    playouts: int
    plies: int
    """Steps played in all, dice included; players who act together make one step."""
    returns: tuple[float, ...]
    """Every player's returns, summed."""
    wins: tuple[int, ...]
    """How many playouts each player won: had the only highest return, above 0."""
    draws: int
    """Playouts that nobody won."""


def playouts(state: State, count: int, seed: int = 0, workers: int = 1, on_progress: Callable[[int], None] | None = None) -> PlayoutResult:
    """Play a state to the end ``count`` times with uniformly random actions.

    The result depends on the state, the count and the seed, not on the number of workers.

    Args:
        count: from 1.
        seed: from 0.
        workers: threads, from 1. Compiled playouts run beside each other, so there may be as many as cores.
        on_progress: called a few times a second with the number of playouts done; what it raises ends the playouts.

    Raises:
        BadOption: a number out of these bounds.
    """
    for name, value, least in (("count", count, 1), ("seed", seed, 0), ("workers", workers, 1)):
        check_whole(f"playouts: {name}", value, least)
    batch = Batch(state, count, seed)
    workers = min(workers, batch.chunks)
    if workers == 1:
        for _ in batch.play():
            if on_progress is not None:
                on_progress(batch.done)
    else:
        batch.play_on_threads(workers, on_progress)
    return batch.result()


class Batch:
    """Many playouts of one state in chunks, each with its own stream of random numbers: who plays a chunk does not matter."""

    def __init__(self, state: State, count: int, seed: int) -> None:
        self.state = state
        self.count = count
        self.seed = seed
        self.chunks = -(-count // CHUNK)
        players = state.game.players
        self.sums = np.zeros((self.chunks, players))
        self.wins = np.zeros((self.chunks, players), np.int64)
        self.tallies = np.zeros((self.chunks, 4), np.int64)
        self._next_chunk = itertools.count()  # its next() is one step for all threads
        self._stop = threading.Event()

    @property
    def done(self) -> int:
        return int(self.tallies[:, DONE].sum())

    def play(self) -> Iterator[None]:
        """Play one chunk that nobody else plays after another; yields after every slice of work. Several threads may do this together."""
        game = self.state.game
        states = np.zeros(2, game.dtype)
        states[:1] = self.state.copy_records()
        actions = np.zeros(game.dimensions.max_actions, np.int64)
        joint = np.zeros((game.players, game.dimensions.slots), np.int64)
        values = np.zeros(game.players)
        while (chunk := next(self._next_chunk)) < self.chunks:
            sums, wins, tally = self.sums[chunk].copy(), self.wins[chunk].copy(), self.tallies[chunk].copy()
            generator = generator_from(self.seed, chunk)
            size = min(CHUNK, self.count - chunk * CHUNK)
            while tally[DONE] < size:
                play_out(game.tables, states, generator, actions, joint, values, sums, wins, tally, size, BUDGET)
                self.sums[chunk], self.wins[chunk], self.tallies[chunk] = sums, wins, tally
                yield

    def play_on_threads(self, workers: int, on_progress: Callable[[int], None] | None) -> None:
        def play() -> None:
            for _ in self.play():
                if self._stop.is_set():
                    return

        with ThreadPoolExecutor(workers) as pool:
            waiting = {pool.submit(play) for _ in range(workers)}
            try:
                while waiting:
                    finished, waiting = wait(waiting, timeout=0.1, return_when="FIRST_EXCEPTION")
                    for future in finished:
                        future.result()
                    if on_progress is not None:
                        on_progress(self.done)
            finally:
                self._stop.set()

    def result(self) -> PlayoutResult:
        done, plies, draws, _ = self.tallies.sum(axis=0).tolist()
        return PlayoutResult(done, plies, tuple(self.sums.sum(axis=0).tolist()), tuple(self.wins.sum(axis=0).tolist()), draws)


@kernel()
def play_out(
    tables: Any,
    states: Any,
    generator: Any,
    actions: Any,
    joint: Any,
    values: Any,
    sums: Any,
    wins: Any,
    tally: Any,
    size: Any,
    budget: Any,
) -> None:
    """Play until ``size`` playouts are done in all, or until ``budget`` plies are played in this call.

    Args:
        states: two records: the state to start from, and the game that is running if ``tally[RUNNING]``.
        actions: ``int64[max_actions]``, scratch, as are joint (``int64[players, slots]``) and values (``float64[players]``).
        sums: ``float64[players]``, to which the returns are added; wins likewise (``int64[players]``).
        tally: ``int64[4]``: playouts done, plies, draws, whether a game is running.
    """
    players, slots = joint.shape
    state = states[1]
    plies = 0
    while tally[DONE] < size and plies < budget:
        if tally[RUNNING] == 0:
            copy_state(tables, states[0], state)
            tally[RUNNING] = 1
        mask = to_move(tables, state)
        while mask != 0 and plies < budget:
            if mask == CHANCE:
                apply_chance(tables, state, sample_chance(tables, state, generator))
            else:
                while mask != 0:
                    player = lowest_bit(mask)
                    mask &= mask - 1
                    for slot in range(slots):
                        joint[player, slot] = random_action(tables, state, player, slot, generator, actions)
                apply_actions(tables, state, joint)
            plies += 1
            mask = to_move(tables, state)
        if mask == 0:
            returns(tables, state, values)
            best = values[0]
            winner = 0
            for player in range(players):
                sums[player] += values[player]
                if values[player] > best:
                    best = values[player]
                    winner = player
                elif values[player] == best and player != 0:
                    winner = -1
            if best > 0 and winner >= 0:
                wins[winner] += 1
            else:
                tally[DRAWS] += 1
            tally[DONE] += 1
            tally[RUNNING] = 0
    tally[PLIES] += plies
