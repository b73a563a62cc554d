"""Where games begin: all games of a round from the same position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludarium.core.course import Step
from ludarium.core.game import Game, State
from ludarium.core.random import generator_from
from ludarium.core.rules import CHANCE
from ludarium.errors import BadNotation, BadOption
from ludarium.players.random import RandomPlayer

OPENING_STREAM = 1 << 32
"""Far from those of dice and players."""

MOST_TRIES = 100
"""Random openings that are drawn until one does not end the game."""


@dataclass(frozen=True)
class Openings:
    """Positions, one a round and then again from the first; then so many random plies."""

    positions: tuple[State, ...] = ()
    random_plies: int = 0

    @classmethod
    def read(cls, game: Game, text: str, random_plies: int = 0) -> Openings:
        """Positions, one a line; what follows a ``#`` is not looked at.

        Raises:
            BadNotation: a line that is no position of the game, or one of a game that is over; or there are none.
        """
        positions: list[State] = []
        for number, line in enumerate(text.splitlines(), 1):
            if position := line.partition("#")[0].strip():
                try:
                    positions.append(game.parse(position))
                except BadNotation as problem:
                    raise BadNotation(f"opening in line {number}: {problem}") from None
                if positions[-1].is_over:
                    raise BadNotation(f"opening in line {number}: the game is over there")
        if not positions:
            raise BadNotation("there are no openings: write one position a line")
        return cls(tuple(positions), random_plies)

    def start(self, game: Game, round_number: int, seed: int) -> State:
        """Return the position from which the games of a round begin, which have this seed.

        Raises:
            BadOption: random plies end every game.
        """
        return self.begin(game, round_number, seed)[0]

    def begin(self, game: Game, round_number: int, seed: int) -> tuple[State, Sequence[Step]]:
        """Return the start position of a round and the random plies that lead to it. The first step has no actions.

        Raises:
            BadOption: random plies end every game.
        """
        first = self.positions[round_number % len(self.positions)] if self.positions else game.start()
        if not self.random_plies:
            return first, ()
        for attempt in range(MOST_TRIES):
            steps = _random_plies(first, self.random_plies, generator_from(seed, OPENING_STREAM, attempt))
            if not steps[-1].state.is_over:
                return game.parse(steps[-1].state.text), steps  # as a record has it: without what happened before
        raise BadOption(f"{self.random_plies} random plies end every game; begin after fewer")


THE_START = Openings()


def _random_plies(state: State, plies: int, generator: np.ndarray[Any, Any]) -> list[Step]:
    """Play random plies from a state. Return the steps; dice do not count as plies."""
    chooser = RandomPlayer(state.game, {}, int(generator[0]))
    steps = [Step(state, {})]
    while not state.is_over and (plies or state.to_move == (CHANCE,)):
        if state.to_move == (CHANCE,):
            chosen = state.chosen({CHANCE: state.sample_chance(generator)})
        else:
            chosen = state.chosen({player: chooser.choose(state, player) for player in state.to_move})
            plies -= 1
        state = state.after(chosen)
        steps.append(Step(state, chosen))
    return steps
