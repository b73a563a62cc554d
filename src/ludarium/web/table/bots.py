"""The bots of one game on the server: which of them think, and when their answers are played."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ludarium.arena.clocks import Clocks
from ludarium.core.clock import Clock
from ludarium.core.game import State

from .seats import Seat
from .thinking import Answer, Thinker, Thinkers
from .turns import Thought


class Bots:
    """The bots of a game's seats. All methods are called on the event loop's thread."""

    def __init__(self, seats: Iterable[Seat], thinkers: Thinkers, pace: float, clock: Clock) -> None:
        """``pace`` is how many seconds a position stands at least before an answer to it is played."""
        self._bots = {seat.number: seat.thinker for seat in seats if seat.thinker is not None}
        self._thinkers = thinkers
        self._pace = pace
        self._clock = clock
        self._since = clock.time()
        self._thoughts: dict[int, Thought] = {}
        """By player whose bot thinks."""

    def seat(self, player: int, bot: Thinker) -> None:
        """Let a bot play for a player from now on."""
        self._bots[player] = bot

    def unseat(self, player: int) -> None:
        """Stop the bot that plays for a player, and close it."""
        if (thought := self._thoughts.pop(player, None)) is not None:
            self._thinkers.stop(thought)
        if (bot := self._bots.pop(player, None)) is not None:
            self._thinkers.dismiss(bot)

    @property
    def thinking(self) -> list[int]:
        """The players whose bots think, in order."""
        return sorted(self._thoughts)

    def see(self) -> None:
        """A new position stands from now on."""
        self._since = self._clock.time()

    def wake(
        self, players: Iterable[int], state: State, settle: Callable[[int, Answer, float], None], time_of: Callable[[int], Clocks | None]
    ) -> None:
        """Let the bots among these players think, unless they do, with the time that each has; ``settle`` is told the player, the answer and the seconds
        that it took, unless all are stopped before."""
        for player in players:
            if player in self._bots and player not in self._thoughts:
                self._wake(player, self._bots[player], state, settle, time_of(player))

    def _wake(self, player: int, bot: Thinker, state: State, settle: Callable[[int, Answer, float], None], clocks: Clocks | None) -> None:
        def done(answer: Answer, seconds: float) -> None:
            rest = self._pace - (self._clock.time() - self._since)
            if rest > 0:
                self._clock.call_later(rest, end, answer, seconds)
            else:
                end(answer, seconds)

        def end(answer: Answer, seconds: float) -> None:
            if self._thoughts.get(player) is thought:
                del self._thoughts[player]
                settle(player, answer, seconds)

        thought = self._thoughts[player] = self._thinkers.think(bot, state, done, clocks)

    def stop(self) -> None:
        """Nobody is told any more what comes of the thoughts."""
        for thought in self._thoughts.values():
            self._thinkers.stop(thought)
        self._thoughts.clear()

    def dismiss(self) -> None:
        """Stop, and close the bots."""
        self.stop()
        bots, self._bots = self._bots, {}
        for bot in bots.values():
            self._thinkers.dismiss(bot)
