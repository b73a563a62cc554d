"""Turns that are taken back."""

from __future__ import annotations

from ludarium.core.timeline import Timeline
from ludarium.errors import ProtocolError


def last_turn(timeline: Timeline, player: int) -> int:
    """The latest earlier position in which a player chose, which it may go back to.

    Raises:
        ProtocolError: ``nothing_to_take_back``.
    """
    if timeline.game.secrets is not None:
        title = timeline.game.title
        raise ProtocolError("nothing_to_take_back", f"turns of {title} are not taken back: what has been seen cannot be unseen")
    steps = timeline.steps
    found = next((ply - 1 for ply in range(len(steps) - 1, 0, -1) if player in steps[ply].actions), None)
    if found is None:
        raise ProtocolError("nothing_to_take_back", f"{timeline.game.player_names[player]} has not had a turn yet")
    if any(left > found for left in timeline.out.values()):
        raise ProtocolError("nothing_to_take_back", "turns from before a player left are not taken back")
    return found
