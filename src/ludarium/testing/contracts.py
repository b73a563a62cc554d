"""What a contract is, what its check is given, and how checks say what they found."""

from __future__ import annotations

import importlib
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ludarium.core import faces
from ludarium.core.game import Game, State
from ludarium.core.rules import CHANCE
from ludarium.core.timeline import Timeline

from .random_games import play_at_random

ROOM = 10_000
"""Actions, outcomes and numbers of an observation beyond what the dimensions say, which do no harm before they are found."""


class Broken(AssertionError):
    """A game does not keep a contract; the message says which one and how."""


class Played:
    """A game with random games of it, which checks share: each is played when it is first asked for, and nobody changes it."""

    def __init__(self, game: Game, seeds: tuple[int, ...]) -> None:
        self.game = game
        self.seeds = seeds

    @cached_property
    def games(self) -> list[Timeline]:
        """A game a seed, from the start that this seed gives."""
        self._see_that_there_is_room()
        return [play_at_random(self.game.start(seed), seed) for seed in self.seeds]

    @cached_property
    def undealt(self) -> list[Timeline]:
        """A game a seed, with the chance that comes before the first decision among its steps; where players act independently, they act one by one."""
        self._see_that_there_is_room()
        return [play_at_random(self.game.start(), seed, one_by_one=self.game.independent) for seed in self.seeds]

    @cached_property
    def positions(self) -> list[State]:
        """Two dozen states spread over the games, starts and ends included."""
        return [state for timeline in self.games for state in _spread(timeline, 7)]

    @cached_property
    def many_of_one_game(self) -> list[State]:
        """Two dozen states of one game, which in independent games some players reached before others."""
        return _spread(self.undealt[-1], 24)

    def _see_that_there_is_room(self) -> None:
        """Play a game with more room than the dimensions say, before any is played with just that: compiled rules that write beyond the end of an array
        end the process, and say nothing.

        Raises:
            AssertionError: there are more actions or outcomes, or more is observed.
        """
        size, roomy = self.game.dimensions, type(self.game)(**self.game.options)
        roomy.dimensions = replace(size, max_actions=size.max_actions + ROOM, max_outcomes=size.max_outcomes + ROOM)
        timeline = play_at_random(roomy.start(), self.seeds[0])
        for state in (step.state for step in timeline.steps):
            for player, slot in () if at_dice(state) else itertools.product(state.to_move, range(size.slots)):
                count = len(state.legal(player, slot))
                assert count <= size.max_actions, f"there are {count} legal actions, and max_actions is {size.max_actions}: {state!r}"
            count = len(state.outcomes())
            assert count <= size.max_outcomes, f"there are {count} outcomes, and max_outcomes is {size.max_outcomes}: {state!r}"
        for state in _spread(timeline, 7):
            for player in range(self.game.players):
                room = np.zeros(2 * ROOM + math.prod(size.observation_shape), np.float32)
                faces.observe_face(self.game.tables, state.copy_records(), player, room[ROOM:-ROOM].reshape(size.observation_shape))
                beside = room[:ROOM].any() or room[-ROOM:].any()
                assert not beside, f"more is observed than has room in {size.observation_shape}: {state!r}"


def _spread(timeline: Timeline, count: int) -> list[State]:
    states = [step.state for step in timeline.steps]
    return states[:: max(1, len(states) // count)] + states[-1:]


@dataclass(frozen=True)
class Contract:
    """Something that every game keeps, or every game of a kind."""

    name: str
    """Words joined by hyphens."""
    promise: str
    """What a game keeps, in a sentence."""
    concerns: Callable[[Game], bool]
    """Whether a game is of that kind."""
    _check: Callable[[Played], None]

    def __reduce__(self) -> Any:
        """Pickle the name under which the contract stands in its module, where the check was."""
        return _contract_in, (self._check.__module__, self._check.__qualname__)

    def check(self, played: Played) -> None:
        """Look whether the game keeps it.

        Raises:
            Broken: it does not.
        """
        try:
            self._check(played)
        except Exception as problem:  # the game is anybody's code: whatever it raises breaks the contract
            said = str(problem) if isinstance(problem, AssertionError) and problem.args else f"{type(problem).__name__}: {problem}"
            raise Broken(
                f"{played.game!r} breaks '{self.name}' (random games of seeds {played.seeds}). {self.promise} But: {said}"
            ) from problem


def contract(concerns: Callable[[Game], bool] = lambda game: True) -> Callable[[Callable[[Played], None]], Contract]:
    """Make a contract of a check: its name is the function's, its promise the first paragraph of the docstring."""

    def make(check: Callable[[Played], None]) -> Contract:
        promise = " ".join((check.__doc__ or "").split("\n\n")[0].split())
        return Contract(check.__name__.replace("_", "-"), promise, concerns, check)

    return make


def _contract_in(module: str, name: str) -> Contract:
    return getattr(importlib.import_module(module), name)


def has_secrets(game: Game) -> bool:
    return game.secrets is not None


def is_independent(game: Game) -> bool:
    return game.independent


def has_orders(game: Game) -> bool:
    return game.orders is not None


def at_dice(state: State) -> bool:
    return state.to_move == (CHANCE,)


def refused(errors: type[Exception] | tuple[type[Exception], ...], function: Callable[..., object], *given: Any, naming: str = "") -> None:
    """See that a call is refused: with one of these errors, in one line of at most 500 characters, with ``naming`` in it."""

    def what() -> str:
        return f"{getattr(function, '__qualname__', function)}({', '.join(repr(one)[:80] for one in given)})"

    try:
        function(*given)
    except errors as problem:
        message = str(problem)
        assert naming in message, f"{what()} is refused without naming {naming!r}: {message}"
        assert "\n" not in message, f"{what()} is refused in several lines: {message!r}"
        assert len(message) < 500, f"{what()} is refused in {len(message)} characters"
    except Exception as problem:  # the wrong error is what this looks for
        raise AssertionError(f"{what()} raises {type(problem).__name__}: {problem}") from problem
    else:
        raise AssertionError(f"{what()} is accepted")
