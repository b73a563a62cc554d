"""A weaker form of any player: some of its choices are made at random."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from ludarium.core.game import Action, Game, State
from ludarium.core.options import Option
from ludarium.core.sight import Sight

from .base import Player, PlayerKind, TimeLeft, never
from .random import RandomPlayer

SLIP = Option("slip", "whole number", 0, "percent of its choices that are made at random instead", minimum=0, maximum=100)


class SlippingPlayer(Player):
    """Does what another player would do, but each choice (where a player gives several orders at once, each order) is random with a given probability."""

    def __init__(self, player: Player, percent: int, seed: int) -> None:
        self._player = player
        self._probability = percent / 100
        self._random = random.Random(f"slips of {seed}")

    def sit(self, sight: Sight, log: Path | None = None) -> None:
        self._player.sit(sight, log)

    def prepare(self, state: State, player: int, time_left: TimeLeft | None = None) -> None:
        self._player.prepare(state, player, time_left)

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        meant = self._player.choose(state, player, interrupted)
        slots = state.game.dimensions.slots
        orders = cast("tuple[int, ...]", meant.index if slots > 1 else (meant.index,))
        done = tuple([self._random.choice(state.legal(player, slot)) if self._slips() else order for slot, order in enumerate(orders)])
        return meant if done == orders else state.action(done if slots > 1 else done[0], player)

    def _slips(self) -> bool:
        return self._random.random() < self._probability

    def cpu_seconds(self) -> float:
        return self._player.cpu_seconds()

    def close(self) -> None:
        self._player.close()


def with_slips(kind: PlayerKind) -> PlayerKind:
    """A kind of player with the option ``slip`` besides its own, unless all its choices are random anyway."""
    if kind.make is RandomPlayer:
        return kind

    return replace(kind, options=(*kind.options, SLIP), make=_MakeWithSlips(kind))


@dataclass(frozen=True)
class _MakeWithSlips:
    """The ``make`` of a kind of player with the option ``slip``. A class, because local functions can't be pickled."""

    kind: PlayerKind

    def __call__(self, game: Game, options: dict[str, Any], seed: int) -> Player:
        own = {name: value for name, value in options.items() if name != SLIP.name}
        player = self.kind.make(game, own, seed)
        percent: int = options[SLIP.name]
        return SlippingPlayer(player, percent, seed) if percent else player
