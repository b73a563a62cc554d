"""Where what a player plans leads, as the game says that may foresee it."""

from __future__ import annotations

from typing import Any

from ludarium.core.course import Course
from ludarium.core.sight import Sight
from ludarium.errors import ProtocolError

from .messages import Foresee, checked_ply


def foreseen(course: Course, player: int, plan: Foresee) -> dict[str, Any]:
    """The answer to a player: what would happen, by what it may know in the position that it asks about. So it holds however the game has gone on since.

    Raises:
        ProtocolError: ``no_such_ply``, or ``bad_message``: this game foresees nothing.
        IllegalAction: the plan cannot be carried out there.
    """
    sight, game = Sight(course, player), course.game
    if game.show.foresee is None:
        raise ProtocolError("bad_message", f"{game.title} does not say where plans lead")
    events = game.show.foresee(sight.state(checked_ply(plan.ply, sight.ply)), player, plan.actions)
    return {
        "type": "foresight",
        "ply": plan.ply,
        "actions": plan.actions,
        "events": [{"text": event.text, **event.data} for event in events],
    }
