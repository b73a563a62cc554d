"""A game's course as a judge elsewhere tells it to one seat."""

from __future__ import annotations

from typing import Any

from ludarium.core.course import Course, Step
from ludarium.core.game import Action, State
from ludarium.core.leaving import LEAVING
from ludarium.core.rules import CHANCE
from ludarium.errors import LudariumError


class Told(Course):
    """The steps that were told, played through the rules again, so that positions know their history.

    Where something is hidden that cannot be done: then the course begins anew with the position that the seat is told, in which all is that it may know.
    """

    def __init__(self, start: State, seat: int) -> None:
        self.steps = self._steps = [Step(start, {})]
        self.seat = seat
        self._first = 0
        """The judge's number of the first of these steps."""

    def hear(self, message: dict[str, Any]) -> None:
        """Go on with what a ``turn`` tells.

        Raises:
            BadNotation: its position is none of this game.
            LookupError, TypeError, ValueError: this is no such message.
        """
        position = message["position"]
        for event in message["events"]:
            if event["event"] == "out":
                self.out = {**self.out, **dict.fromkeys(map(int, event["players"]), int(message["ply"]))}
        if not self._follow(int(message["from"]), message["events"]) or self.state.seen_by(self.seat).text != position:
            self._steps[:] = [Step(self.game.parse(position), {})]
            self._first = int(message["ply"])

    def _follow(self, first: int, events: list[dict[str, Any]]) -> bool:
        """Play the steps from a number on; whether that could be done."""
        kept = first - self._first
        if not 1 <= kept <= len(self._steps):
            return False
        del self._steps[kept:]
        try:
            for event in events:
                if event["event"] == "out":
                    self._leave({int(seat): str(reason) for seat, reason in event["players"].items()})
                    continue
                actions = (
                    {CHANCE: event["outcome"]}
                    if event["event"] == "chance"
                    else {int(seat): text for seat, text in event["actions"].items()}
                )
                before = self.state
                chosen = before.chosen(actions)
                self._steps.append(Step(before.after(chosen), chosen))
        except LudariumError:  # what is hidden is null
            return False
        return True

    def _leave(self, reasons: dict[int, str]) -> None:
        state = self.state
        for seat in reasons:
            state = state.without(seat)
        self._steps.append(Step(state, {seat: Action(LEAVING, reason) for seat, reason in reasons.items()}))
