"""Ludarium's alpha-beta as a player for the course's referee: ``python -m referee ludarium.labs.expendibots.official yours``.

Rules and search are compiled, or loaded, when this is imported, which the referee does not count.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar

from ludarium.core.registry import game
from ludarium.games.expendibots.class_adapter import action_text, action_tuple
from ludarium.games.expendibots.players import OFFICIAL
from ludarium.players import TimeLeft
from ludarium.players.alphabeta import share_out
from ludarium.search import SearchMemory, alphabeta

if TYPE_CHECKING:
    from ludarium.games.expendibots.class_adapter import ActionTuple

__all__ = ["Player"]

GAME = game("expendibots", **OFFICIAL.options)

alphabeta(GAME.start(), nodes=1)


class Player:
    """Plays a game within the official limits."""

    seconds: ClassVar[float] = 55.0
    """Processor time for the game; the referee allows 60."""

    def __init__(self, colour: str) -> None:
        self._memory = SearchMemory()
        self._state = GAME.start()
        self._left = self.seconds

    def action(self) -> ActionTuple:
        started = time.process_time()
        most, usual = share_out(TimeLeft(self._left, 0.0, is_per_action=False, patience=self._left))
        found = alphabeta(self._state, seconds=most, usual=usual, memory=self._memory, clock=time.process_time)
        self._left -= time.process_time() - started
        return action_tuple(found.action.text)

    def update(self, colour: str, action: ActionTuple) -> None:
        started = time.process_time()
        self._state = self._state.play(action_text(action))
        self._left -= time.process_time() - started
