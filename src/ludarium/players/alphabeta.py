"""A player who searches with alpha-beta, in four levels or with a limit."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from ludarium.core.game import Action, Game, State
from ludarium.core.options import Option
from ludarium.errors import BadOption, LudariumError
from ludarium.search import SearchMemory, alphabeta, check_alphabeta_plays

from .base import Player, TimeLeft, never
from .greedy import near_best

DEFAULT_LEVEL = 3


@dataclass(frozen=True)
class Level:
    """The limits of the search, and the share of turns on which a player does not search but takes one of the actions that seem good at a glance."""

    limits: dict[str, Any]
    lapses: float = 0.0


LEVELS = {1: Level({}, lapses=1.0), 2: Level({"depth": 2}, lapses=0.3), 3: Level({"nodes": 30_000}), 4: Level({"seconds": 3.0})}
"""In 100 games of Expendibots level 2 won 93 against level 1 (3 draws), 59 against greedy (22) and 1 against the same search without lapses (15)."""

GLANCE = 40
"""How far below the best, in hundredths of the game's unit, an action may be one ply ahead to seem good at a glance."""

ALPHABETA_OPTIONS = (
    Option(
        "level",
        "whole number",
        None,
        f"1 careless, 2 casual, 3 strong, 4 strongest ({DEFAULT_LEVEL} unless a limit is given)",
        minimum=1,
        maximum=4,
    ),
    Option("time", "seconds", None, "time a turn, instead of a level", minimum=0.001),
    Option("depth", "whole number", None, "actions to look ahead, instead of a level", minimum=1, maximum=50, shared_maximum=20),
    Option("nodes", "whole number", None, "positions to look at a turn, instead of a level", minimum=1, shared_maximum=10_000_000),
)


TURNS_AHEAD = 25
"""Among so many own turns the time is shared out that is left for a game."""
INCREMENT = 0.8
"""Of an increment, what every turn takes."""
LONGEST = 4.0
"""Of its share, what a turn takes at most."""
KEPT = 0.7
"""Of the time that is left for a game, what no turn takes."""
LEAST = 1e-6
"""Seconds: less is as much as that."""
ON_THE_WAY = 0.02
"""Seconds of a time for one action that are left alone, at most half of it."""


def share_out(time_left: TimeLeft) -> tuple[float, float | None]:
    """The seconds that a turn may take at most, and, where the time is for the whole game, those that it usually takes."""
    left = max(time_left.seconds, LEAST)
    if time_left.is_per_action:
        return max(left - ON_THE_WAY, left / 2), None
    usual = min(left / TURNS_AHEAD + time_left.increment * INCREMENT, left * (1 - KEPT))
    return min(usual * LONGEST, left * (1 - KEPT)), usual


class AlphaBetaPlayer(Player):
    """Chooses by alpha-beta search. Levels 1 to 3, ``depth`` and ``nodes`` do not look at the time: equal seeds give equal games, if there are no clocks."""

    sees_clock: ClassVar[bool] = True

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        """Prepare for a game.

        Raises:
            BadOption: more than one of the options, or a game that alpha-beta cannot play.
        """
        given = [name for name, value in options.items() if value is not None]
        if len(given) > 1:
            raise BadOption(f"player alphabeta: {' and '.join(given)} exclude each other; give one of level, time, depth, nodes")
        try:
            check_alphabeta_plays(game)
        except LudariumError as problem:
            raise BadOption(f"player alphabeta: {problem}") from None
        level = DEFAULT_LEVEL if not given else options["level"]
        own = Level({"seconds": options["time"], "depth": options["depth"], "nodes": options["nodes"]})
        self._level = own if level is None else LEVELS[level]
        self._random = random.Random(seed)
        self._memory = SearchMemory()
        self._time_left: TimeLeft | None = None

    def prepare(self, state: State, player: int, time_left: TimeLeft | None = None) -> None:
        self._time_left = time_left

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        actions = state.actions(player)
        if len(actions) == 1:
            return actions[0]
        if self._random.random() < self._level.lapses:
            return self._random.choice(near_best(state, player, GLANCE))
        limits = dict(self._level.limits)
        if self._time_left is not None:
            most, limits["usual"] = share_out(self._time_left)
            limits["seconds"] = min(most, limits.get("seconds") or most)
        return alphabeta(state, **limits, interrupted=interrupted, seed=self._random.getrandbits(32), memory=self._memory).action
