"""Positions to learn from: alpha-beta with some network plays against itself."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludarium.arena.executor import Job
from ludarium.core.game import Game, State
from ludarium.core.registry import game
from ludarium.games.expendibots.endgames.keeping import USUAL
from ludarium.games.expendibots.endgames.keeping import endgames as known_endgames
from ludarium.games.expendibots.endgames.known import EndgameTables
from ludarium.games.expendibots.neural_network import WEIGHTS, network_of
from ludarium.games.expendibots.rules import BOOM
from ludarium.search import WIN, alphabeta

from ..tables.asking import value_of

GAMES = 50
"""Games of a block, the unit that is kept."""

OPENING = range(4, 13)
"""How many random plies a game begins with."""

LONGEST = 200
"""Plies after which a game counts as a draw."""

DECIDED = WIN - 200
"""From this score on, a search has seen the end."""

POSITION = np.dtype([("board", np.int8, 64), ("score", np.int16), ("result", np.int8)])
"""A position as its mover sees it: heights by square, the mover's positive (Black's board is turned round); the search's score; 1, 0 or −1 for how the game
ended."""


@dataclass(frozen=True)
class SelfPlay(Job[int, tuple[int, NDArray[np.void]] | None]):
    """Games that depend on nothing but these and the program. A job for ``run_jobs``, whose parts are the blocks' numbers."""

    seed: int
    nodes: int
    """Of each search."""
    weights: bytes
    """Those of the network that players judge positions with (``WEIGHTS[1]``)."""

    def warm_up(self) -> None:
        _searched(_game(self.weights).start(), 1, 0)

    def __call__(self, block: int, interrupted: Callable[[], bool]) -> tuple[int, NDArray[np.void]] | None:
        """The block's number and its quiet positions (``POSITION[n]``)."""
        generator = np.random.Generator(np.random.Philox(np.random.SeedSequence([self.seed, block])))
        found: list[tuple[NDArray[np.int8], int, int]] = []
        for _ in range(GAMES):
            if interrupted():
                return None
            found += self._play(generator)
        return block, np.array(found, POSITION)

    def name(self, block: int) -> str:
        return f"games {GAMES * block + 1} to {GAMES * (block + 1)}"

    def _play(self, generator: np.random.Generator) -> list[tuple[NDArray[np.int8], int, int]]:
        """One game's quiet positions: those where the search has not seen the end, and plays no boom."""
        state = _opening(_game(self.weights), generator)
        found: list[tuple[NDArray[np.int8], int, int]] = []
        white = None
        for _ in range(LONGEST):
            if state.is_over:
                white = int(state.returns[0])
                break
            mover = state.to_move[0]
            value = value_of(state, _endgames())
            if value is not None:
                white = ((value > 0) - (value < 0)) * (1 - 2 * mover)
                break
            action, score = _searched(state, self.nodes, int(generator.integers(1 << 31)))
            if action < BOOM and abs(score) < DECIDED:
                board: NDArray[np.int8] = state.record.board
                found.append((seen_by(mover, board), score, mover))
            state = state.play(action)
        return [(board, score, (white or 0) * (1 - 2 * mover)) for board, score, mover in found]


def seen_by(mover: int, board: NDArray[np.int8]) -> NDArray[np.int8]:
    """The heights as the mover sees them: Black's board is turned round, and its own stacks are positive."""
    return -board[::-1] if mover else board.copy()


@functools.cache
def _endgames() -> EndgameTables:
    """Those that everybody has: what a game comes to must not depend on which tables were made here."""
    return known_endgames()._replace(most=USUAL)


@functools.cache
def _game(weights: bytes) -> Game:
    """The game, with bots that judge it by this network."""
    found = game("expendibots")
    found.endgames = _endgames
    found.tables = found.tables._replace(network=network_of(np.frombuffer(weights, WEIGHTS)))
    return found


def _opening(game: Game, generator: np.random.Generator) -> State:
    """A running game after some random plies."""
    while True:
        state = game.start()
        for _ in range(int(generator.integers(OPENING.start, OPENING.stop))):
            if state.is_over:
                break
            actions = state.actions(state.to_move[0])
            state = state.play(actions[int(generator.integers(len(actions)))])
        if not state.is_over:
            return state


def _searched(state: State, nodes: int, seed: int) -> tuple[int, int]:
    """The action that a search chooses, and its score."""
    found = alphabeta(state, nodes=nodes, seed=seed)
    assert isinstance(found.action.index, int)
    return found.action.index, found.score
