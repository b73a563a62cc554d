"""A player who searches with alpha-beta."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, ClassVar

from ludarium.core.game import Action, Game, State
from ludarium.core.options import Option
from ludarium.errors import BadOption, LudariumError
from ludarium.search import SearchMemory, alphabeta, check_alphabeta_plays

from .base import Player, TimeLeft, never
from .greedy import near_best

NODES = 30_000
"""Positions that are looked at where no limit is given."""

ALPHABETA_OPTIONS = (
    Option("time", "seconds", None, "time a turn", minimum=0.001),
    Option("depth", "whole number", None, "actions to look ahead", minimum=1, maximum=50, shared_maximum=20),
    Option(
        "nodes",
        "whole number",
        None,
        f"positions to look at a turn ({NODES:,} unless a limit is given)",
        minimum=1,
        shared_maximum=10_000_000,
    ),
    Option("lapse", "whole number", 0, "percent of its turns on which it takes what seems good at a glance", minimum=0, maximum=100),
    Option(
        "glance",
        "whole number",
        40,
        "how far below the best, in hundredths of the game's unit, what seems good at a glance may be one action ahead",
        minimum=0,
        maximum=10_000,
    ),
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
    """Chooses by alpha-beta search. Without ``time`` it does not look at the time: equal seeds give equal games, if there are no clocks."""

    sees_clock: ClassVar[bool] = True

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        """Prepare for a game.

        Raises:
            BadOption: more than one of the options, or a game that alpha-beta cannot play.
        """
        given = {name: options[name] for name in ("time", "depth", "nodes") if options[name] is not None}
        if len(given) > 1:
            raise BadOption(f"player alphabeta: {' and '.join(given)} exclude each other; give one of time, depth, nodes")
        try:
            check_alphabeta_plays(game)
        except LudariumError as problem:
            raise BadOption(f"player alphabeta: {problem}") from None
        self._seconds: float | None = options["time"]
        self._depth: int | None = options["depth"]
        self._nodes: int | None = options["nodes"] if given else NODES
        self._lapses: float = options["lapse"] / 100
        self._glance: int = options["glance"]
        self._random = random.Random(seed)
        self._memory = SearchMemory()
        self._time_left: TimeLeft | None = None

    def prepare(self, state: State, player: int, time_left: TimeLeft | None = None) -> None:
        self._time_left = time_left

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        actions = state.actions(player)
        if len(actions) == 1:
            return actions[0]
        if self._random.random() < self._lapses:
            return self._random.choice(near_best(state, player, self._glance))
        seconds, usual = self._seconds, None
        if self._time_left is not None:
            most, usual = share_out(self._time_left)
            seconds = min(most, seconds or most)
        return alphabeta(
            state,
            depth=self._depth,
            nodes=self._nodes,
            seconds=seconds,
            usual=usual,
            interrupted=interrupted,
            seed=self._random.getrandbits(32),
            memory=self._memory,
        ).action
