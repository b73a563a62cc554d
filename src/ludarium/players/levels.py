"""Levels of a player: strengths by one number, which stands for some of its other options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ludarium.core.game import Game
from ludarium.core.options import Option, check_options, parse_assignments
from ludarium.errors import BadOption

from .base import Player, PlayerKind

LEVELS: dict[str, Sequence[str]] = {"alphabeta": ("lapse=100", "depth=2,lapse=30", "nodes=30000", "time=3s")}
"""What levels from 1 on stand for, by kind of player, in games that do not say it themselves (``LEVELS`` in their ``players.py``).

In 100 games of Expendibots the second of these won 93 against the first (3 draws), 59 against greedy (22) and 1 against the same search without lapses (15).
"""


def with_levels(kind: PlayerKind, levels: Sequence[str]) -> PlayerKind:
    """A kind of player with the option ``level`` besides its own, unless it has none."""
    if not levels:
        return kind
    meant = tuple(check_options(kind.options, parse_assignments(text.split(",")), f"player {kind.name}") for text in levels)
    explained = "; ".join(f"{number} is {text}" for number, text in enumerate(levels, 1))
    level = Option("level", "whole number", None, f"a strength, instead of what follows: {explained}", minimum=1, maximum=len(levels))
    return replace(kind, options=(level, *kind.options), make=_MakeAtLevel(kind, tuple(levels), meant))


@dataclass(frozen=True)
class _MakeAtLevel:
    """The ``make`` of a kind of player with the option ``level``. A class, because local functions can't be pickled."""

    kind: PlayerKind
    levels: tuple[str, ...]
    meant: tuple[dict[str, Any], ...] = field(hash=False)
    """The options that each level stands for."""

    def __call__(self, game: Game, options: dict[str, Any], seed: int) -> Player:
        number: int | None = options["level"]
        if number is None:
            return self.kind.make(game, {name: value for name, value in options.items() if name != "level"}, seed)
        if given := [option.name for option in self.kind.options if options[option.name] != option.default]:
            text = " and ".join(["level", *given])
            raise BadOption(f"player {self.kind.name}: {text} exclude each other; level={number} is {self.levels[number - 1]}")
        return self.kind.make(game, self.meant[number - 1], seed)
