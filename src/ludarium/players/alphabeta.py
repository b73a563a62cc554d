"""A player who searches with alpha-beta, in four levels or with a limit."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ludarium.core.game import Action, Game, State
from ludarium.core.options import Option
from ludarium.errors import BadOption, LudariumError
from ludarium.search import alphabeta, check_alphabeta_plays

from .base import Player, never
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


class AlphaBetaPlayer(Player):
    """Chooses by alpha-beta search. Levels 1 to 3, ``depth`` and ``nodes`` do not look at the clock: equal seeds give equal games."""

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

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        actions = state.actions(player)
        if len(actions) == 1:
            return actions[0]
        if self._random.random() < self._level.lapses:
            return self._random.choice(near_best(state, player, GLANCE))
        return alphabeta(state, **self._level.limits, interrupted=interrupted, seed=self._random.getrandbits(32)).action
