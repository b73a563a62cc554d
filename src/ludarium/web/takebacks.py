"""Turns that are taken back."""

from __future__ import annotations

from collections.abc import Iterable

from ludarium.core.timeline import Timeline
from ludarium.errors import ProtocolError

from .seats import Seat


class Takebacks:
    """The question of whoever wants its last turn back to the other people."""

    def __init__(self, seats: Iterable[Seat]) -> None:
        self.asks: int | None = None
        """The player who asks."""
        self.count = 0
        """How often turns have been taken back."""
        self._people = {seat.number for seat in seats if seat.token is not None}
        self._agree: set[int] = set()

    def ask(self, timeline: Timeline, player: int) -> bool:
        """A player asks, or agrees with the one who did. When all people agree the turn is taken back: says whether it has been.

        Raises:
            ProtocolError: ``nothing_to_take_back``.
        """
        if timeline.game.secrets is not None:
            title = timeline.game.title
            raise ProtocolError("nothing_to_take_back", f"turns of {title} are not taken back: what has been seen cannot be unseen")
        if self.asks is None:
            if _last_turn(timeline, player) is None:
                raise ProtocolError("nothing_to_take_back", f"{timeline.game.player_names[player]} has not had a turn yet")
            self.asks, self._agree = player, set()
        self._agree.add(player)
        if self._agree != self._people:
            return False
        ply = _last_turn(timeline, self.asks)
        assert ply is not None  # an action would have withdrawn the question
        timeline.take_back(timeline.ply - ply)
        self.withdraw()
        self.count += 1
        return True

    def withdraw(self) -> None:
        """Nobody asks any more."""
        self.asks = None


def _last_turn(timeline: Timeline, player: int) -> int | None:
    """The latest earlier position in which a player chose."""
    steps = timeline.steps
    return next((ply - 1 for ply in range(len(steps) - 1, 0, -1) if player in steps[ply].actions), None)
