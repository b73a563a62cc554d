"""Levels of a player: strengths by one number, which stands for some of its other options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
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
    meant = [check_options(kind.options, parse_assignments(text.split(",")), f"player {kind.name}") for text in levels]
    explained = "; ".join(f"{number} is {text}" for number, text in enumerate(levels, 1))
    level = Option("level", "whole number", None, f"a strength, instead of what follows: {explained}", minimum=1, maximum=len(levels))

    def make(game: Game, options: dict[str, Any], seed: int) -> Player:
        number: int | None = options[level.name]
        if number is None:
            return kind.make(game, {name: value for name, value in options.items() if name != level.name}, seed)
        if given := [option.name for option in kind.options if options[option.name] != option.default]:
            text = " and ".join([level.name, *given])
            raise BadOption(f"player {kind.name}: {text} exclude each other; level={number} is {levels[number - 1]}")
        return kind.make(game, meant[number - 1], seed)

    return replace(kind, options=(level, *kind.options), make=make)
