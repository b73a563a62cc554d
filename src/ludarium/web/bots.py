"""The bots of one game on the server: which of them think, and when their answers are played."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ludarium.core.game import State

from .thinking import Answer, Thinker, Thinkers, Thought

__all__ = ["Bots"]


class Bots:
    """The thoughts of a game's bots. All methods are called on the event loop's thread."""

    def __init__(self, thinkers: Thinkers, pace: float, clock: Callable[[], float]) -> None:
        """``pace`` is how many seconds a position stands at least before an answer to it is played."""
        self._thinkers = thinkers
        self._pace = pace
        self._clock = clock
        self._since = clock()
        self._thoughts: dict[int, Thought] = {}

    @property
    def thinking(self) -> list[int]:
        """The players whose bots think, in order."""
        return sorted(self._thoughts)

    def see(self) -> None:
        """A new position stands from now on."""
        self._since = self._clock()

    def wake(self, player: int, thinker: Thinker, state: State, settle: Callable[[int, Answer, float], None]) -> None:
        """Let a player's bot think, unless it does; ``settle`` is told the player, the answer and the seconds that it took, unless all are stopped before."""
        if player in self._thoughts:
            return

        def done(answer: Answer, seconds: float) -> None:
            rest = self._pace - (self._clock() - self._since)
            if rest > 0:
                asyncio.get_running_loop().call_later(rest, end, answer, seconds)
            else:
                end(answer, seconds)

        def end(answer: Answer, seconds: float) -> None:
            if self._thoughts.get(player) is thought:
                del self._thoughts[player]
                settle(player, answer, seconds)

        thought = self._thoughts[player] = self._thinkers.think(thinker, state, done)

    def stop(self) -> None:
        """Nobody is told any more what comes of the thoughts."""
        for thought in self._thoughts.values():
            thought.stop()
        self._thoughts.clear()
