"""Games that networks play, many at once: against themselves, to learn from, or against each other, to be judged."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludarium.core.game import Game, State
from ludarium.core.random import generator_from
from ludarium.search import can_evaluate
from ludarium.search.gumbel import Evaluate, Found, GumbelSearch

from .kernel import OVER, estimate, play

LEAST_PROBABILITY = 1e-3
"""Actions with less of it are left out of a game's policies, for the space that they take."""


@dataclass(frozen=True)
class PlayedGame:
    """A game with what the search thought of every ply."""

    number: int
    opening: str
    """Its initial position, as text."""
    actions: list[int] = field(default_factory=list[int])
    policies: list[list[tuple[int, float]]] = field(default_factory=list[list[tuple[int, float]]])
    """Actions with their probabilities by the improved policy, those with hardly any left out."""
    returns: list[float] = field(default_factory=list[float])

    def as_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "opening": self.opening,
            "actions": self.actions,
            "policies": [[number for pair in policy for number in pair] for policy in self.policies],
            "returns": self.returns,
        }

    @classmethod
    def from_json(cls, line: Any) -> PlayedGame:
        """Read what :meth:`as_json` has written.

        Raises:
            LookupError, TypeError, ValueError: it is something else.
        """
        policies = [list(zip(map(int, policy[::2]), map(float, policy[1::2]), strict=True)) for policy in line["policies"]]
        found = cls(int(line["number"]), str(line["opening"]), list(map(int, line["actions"])), policies, list(map(float, line["returns"])))
        if len(found.actions) != len(policies) or not found.actions:
            raise ValueError
        return found


@dataclass(frozen=True)
class Side:
    """A network with the search that it plays by. One is for one thread."""

    search: GumbelSearch
    evaluate: Evaluate


def play_games(
    game: Game,
    numbers: Sequence[int],
    start: Callable[[int], State],
    sides: Callable[[int], tuple[Side, ...]],
    *,
    at_once: int,
    max_plies: int,
    seed: int = 0,
    noisy_plies: int = 0,
    is_kept: bool = False,
    interrupted: Callable[[], bool],
) -> Generator[PlayedGame]:
    """Play games and give them as they end; those that are not over when ``interrupted()`` says yes are lost.

    Args:
        numbers: of the games.
        start: how a game of a number begins.
        sides: who plays for each player in the game of a number.
        at_once: how many games go on side by side; each side's search has room for so many.
        max_plies: after which a game is worth what its evaluation says; where the game has none, it is a draw.
        seed: of the noise of the searches, with the game's number.
        noisy_plies: how many plies of a game have noise.
        is_kept: whether the games keep the policies of the search, to be learned from.
    """
    waiting = iter(numbers)
    size = min(at_once, len(numbers))
    states = np.zeros(size, game.dtype)
    generators = np.zeros((size, 1), np.uint64)
    movers = np.full(size, OVER, np.int64)
    values = np.zeros((size, game.players))
    joint = np.zeros((game.players, 1), np.int64)
    played: list[PlayedGame | None] = [None] * size
    seats: list[tuple[Side, ...]] = [()] * size

    def begin(slot: int) -> None:
        number = next(waiting, None)
        if number is None:
            played[slot] = None
            return
        state = start(number)
        state = game.parse(state.text)  # without a history, as who learns from the game will have it
        states[slot : slot + 1] = state.copy_records()
        (movers[slot],) = state.to_move
        played[slot], seats[slot] = PlayedGame(number, state.text), sides(number)
        generators[slot] = generator_from(seed, number)

    for slot in range(size):
        begin(slot)
    while any(played) and not interrupted():
        by_side: dict[int, tuple[Side, list[int]]] = {}
        for slot, one in enumerate(played):
            if one is not None:
                side = seats[slot][int(movers[slot])]
                by_side.setdefault(id(side), (side, []))[1].append(slot)
        for side, slots in by_side.values():
            which = np.array(slots, np.int64)
            noisy = np.array([one is not None and len(one.actions) < noisy_plies for one in played])
            found = side.search.run(states, which, side.evaluate, generators, noisy, interrupted)
            if interrupted():
                return
            _note(played, slots, found, is_kept=is_kept)
            play(game.tables, states, which, found.actions, joint, movers, values)
        for slot, one in enumerate(played):
            if one is None:
                continue
            if movers[slot] == OVER:
                one.returns.extend(values[slot].tolist())
            elif len(one.actions) >= max_plies:
                values[slot] = 0.0
                if can_evaluate(game):
                    estimate(game.tables, states, slot, values)
                one.returns.extend(values[slot].tolist())
            if one.returns:
                yield one
                begin(slot)


def _note(played: list[PlayedGame | None], slots: list[int], found: Found, *, is_kept: bool) -> None:
    for row, slot in enumerate(slots):
        one = played[slot]
        assert one is not None
        one.actions.append(int(found.actions[row]))
        count = int(found.counts[row])
        policy = found.policies[row, :count]
        kept = np.flatnonzero(policy >= LEAST_PROBABILITY) if is_kept else np.zeros(0, np.int64)
        one.policies.append(list(zip(found.legal[row, kept].tolist(), np.round(policy[kept].astype(float), 4).tolist(), strict=True)))
