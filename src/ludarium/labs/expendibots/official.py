"""Ludarium's alpha-beta as a player for the course's referee: ``python -m referee ludarium.labs.expendibots.official yours``.

Rules and search are compiled, or loaded, when this is imported, which the referee does not count.
"""

from __future__ import annotations

import time
from typing import ClassVar

from ludarium.arena.warm_up import first_turns, warm_up
from ludarium.core.registry import game
from ludarium.games.expendibots.class_adapter import COLOURS, ActionTuple, action_text, action_tuple
from ludarium.games.expendibots.players import OFFICIAL
from ludarium.players import parse_player

__all__ = ["Player"]

GAME = game("expendibots", **OFFICIAL.options)
SPEC = parse_player("alphabeta:depth=50", GAME)

SHARE = 1 / 25
"""Of the time that is left, for an action."""

warm_up(SPEC.make(GAME, 0), first_turns(GAME))


class Player:
    """Plays a game within the official limits."""

    seconds: ClassVar[float] = 55.0
    """Processor time for the game; the referee allows 60."""

    def __init__(self, colour: str) -> None:
        self._seat = COLOURS.index(colour)
        self._player = SPEC.make(GAME, 0)
        self._state = GAME.start()
        self._left = self.seconds

    def action(self) -> ActionTuple:
        started = time.process_time()
        until = started + self._left * SHARE
        chosen = self._player.choose(self._state, self._seat, lambda: time.process_time() >= until)
        self._left -= time.process_time() - started
        return action_tuple(chosen.text)

    def update(self, colour: str, action: ActionTuple) -> None:
        started = time.process_time()
        self._state = self._state.play(action_text(action))
        self._left -= time.process_time() - started
