"""Positions from games at random, in which the rules themselves tell how the game ends after each action: what is learned from instead of self-play."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludarium.core.bits import lowest_bit
from ludarium.core.game import Game, State
from ludarium.core.jit import kernel
from ludarium.core.random import generator_from, random_below
from ludarium.core.rules import apply_actions, legal_actions, observe, outcomes, to_move
from ludarium.errors import BadOption

from .positions import Positions

MEMORY = 1 << 21
"""Words in which a thread's teacher remembers positions: 16 MB."""


@kernel()
def teach(
    tables: Any,
    states: Any,
    generator: Any,
    memory: Any,
    joint: Any,
    scratch: Any,
    observations: Any,
    counts: Any,
    legal: Any,
    results: Any,
) -> Any:
    """Play a game at random until it is over or the arrays are full, and write for every ply what the mover sees, may do, and comes of it; how many plies,
    or −1 where the rules cannot tell. ``states`` (one record) is the beginning and is changed.

    Args:
        joint: ``int64[players, 1]``, scratch, as is ``scratch`` (``int64[max_actions]``).
        observations: ``float32[n, ...]``, zeros.
        counts: ``int64[n]``.
        legal: ``int32[n, max_actions]``.
        results: ``int8[n, max_actions]``.
    """
    state = states[0]
    for ply in range(len(counts)):
        mask = to_move(tables, state)
        if mask == 0:
            return ply
        player = lowest_bit(mask)
        observe(tables, state, player, observations[ply])
        counts[ply] = legal_actions(tables, state, player, 0, scratch)
        if outcomes(tables, state, player, memory, results[ply]) < 0:
            return -1
        for index in range(counts[ply]):
            legal[ply, index] = scratch[index]
        joint[player, 0] = scratch[random_below(generator, counts[ply])]
        apply_actions(tables, state, joint)
    return len(counts)


class Teacher:
    """Makes positions of one game, for one thread."""

    def __init__(self, game: Game, plies: int, same: float) -> None:
        """Make room.

        Args:
            plies: of each game, at most.
            same: which share of those positions is kept in which it does not matter what is played.

        Raises:
            BadOption: the rules of this game cannot tell.
        """
        size = game.dimensions
        self._game, self._same = game, same
        self._memory = np.zeros(MEMORY, np.uint64)
        self._joint = np.zeros((game.players, 1), np.int64)
        self._scratch = np.zeros(size.max_actions, np.int64)
        self._observations = np.zeros((plies, *size.observation_shape), np.float32)
        self._counts = np.zeros(plies, np.int64)
        self._legal = np.zeros((plies, size.max_actions), np.int32)
        self._results = np.zeros((plies, size.max_actions), np.int8)

    def positions(self, opening: State, seed: int, number: int) -> Positions:
        """Those of the game of a number, from its beginning."""
        self._observations[:] = 0
        plies: int = teach(
            self._game.tables,
            opening.copy_records(),
            generator_from(seed, number),
            self._memory,
            self._joint,
            self._scratch,
            self._observations,
            self._counts,
            self._legal,
            self._results,
        )
        if plies < 0:
            raise BadOption(f"teacher: the rules of {self._game.title} cannot tell how actions end with these options")
        are_legal = np.arange(self._legal.shape[1]) < self._counts[:plies, None]
        best = np.where(are_legal, self._results[:plies], -1).max(1, initial=-1)
        worst = np.where(are_legal, self._results[:plies], 1).min(1, initial=1)
        drawn: NDArray[np.float64] = np.random.default_rng((seed, number)).random(plies)
        kept = np.flatnonzero((best > worst) | (drawn < self._same))
        are_legal = are_legal[kept]
        return Positions(
            self._observations[kept].astype(np.float16),
            best[kept].astype(np.float32),
            self._counts[kept],
            self._legal[kept][are_legal],
            self._results[kept][are_legal].astype(np.float32),
        )
