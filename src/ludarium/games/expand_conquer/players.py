"""The players that know this game."""

from __future__ import annotations

from ludarium.players import PlayerKind

from .bots.hottest import HotstratPlayer, SentestratPlayer
from .bots.perfect import PERFECT_OPTIONS, PerfectPlayer

KINDS = (
    PlayerKind(
        "perfect", "solves the position and wins what can be won; searches where that takes too long", PERFECT_OPTIONS, PerfectPlayer
    ),
    PlayerKind("hotstrat", "moves in the hottest component", (), HotstratPlayer),
    PlayerKind(
        "sentestrat",
        "answers where the opponent has just moved if it is hot there; else moves in the hottest component",
        (),
        SentestratPlayer,
    ),
)
