"""How much time players have, and what their clocks show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ludarium.errors import BadOption, PlayerTimeout
from ludarium.players import TimeLeft

MARGIN = 0.05
"""Seconds by which an answer may be late: what messages need on their way."""

CPU_PATIENCE = 10.0
"""Where processor time counts, a player may need so many times as much by the clock on the wall, and so many seconds besides."""

ACCEPTED = "GAME+INCREMENT such as 60+0.5, or TIME/action such as 2/action; in seconds, or with a unit: 500ms, 10m, 3d; above 0, up to 30d"

_TIME = r"(\d+(?:\.\d*)?|\.\d+)(ms|s|m|h|d)?"
_CONTROL = re.compile(rf"{_TIME}(?:\+{_TIME}|/(action))?")
_UNITS = {None: 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
LONGEST = 86_400 * 30


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time of a player: for a game, with what every action adds to it, or for each action."""

    seconds: float
    increment: float = 0.0
    is_per_action: bool = False

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read ``60``, ``60+0.5``, ``10m+5s``, ``2/action``, ``200ms/action`` or ``3d/action``.

        Raises:
            BadOption: of no such form, no time at all, or more than 30 days.
        """
        found = _CONTROL.fullmatch(text.strip())
        seconds = float(found[1]) * _UNITS[found[2]] if found else 0.0
        increment = float(found[3] or 0) * _UNITS[found[4]] if found else 0.0
        if not found or not 0 < seconds <= LONGEST or increment > LONGEST:
            raise BadOption(f"time control '{text}' is not {ACCEPTED}")
        return cls(seconds, increment, found[5] is not None)

    def __str__(self) -> str:
        if self.is_per_action:
            return f"{self.seconds:.10g}/action"
        return f"{self.seconds:.10g}" + (f"+{self.increment:.10g}" if self.increment else "")


def time_controls(text: str, players: int) -> tuple[TimeControl, ...]:
    """One time control for all players, or one a player, with commas between them.

    Raises:
        BadOption: as :meth:`TimeControl.parse`, or a wrong number of them.
    """
    found = tuple(TimeControl.parse(part) for part in text.split(","))
    if len(found) not in (1, players):
        raise BadOption(f"time controls '{text}': there are {players} players, so write one for all, or {players} with commas between them")
    return found * players if len(found) == 1 else found


class Clocks:
    """The clocks of a game, one a seat."""

    def __init__(self, controls: Sequence[TimeControl], *, by_cpu: bool = False) -> None:
        """``by_cpu``: they count processor time, not that of the clock on the wall."""
        self._controls = controls
        self._left = [control.seconds for control in controls]
        self.by_cpu = by_cpu

    def time_left(self, seat: int) -> TimeLeft:
        """What a player is told when it is asked."""
        control, left = self._controls[seat], self._left[seat]
        patience = left * CPU_PATIENCE + CPU_PATIENCE if self.by_cpu else left + MARGIN
        return TimeLeft(left, control.increment, control.is_per_action, patience)

    def share(self, seat: int) -> float:
        """What a player that does not look at its clock should spend on an action."""
        control, left = self._controls[seat], self._left[seat]
        return left if control.is_per_action else min(left / 25 + control.increment * 0.8, left / 2)

    def charge(self, seat: int, used: float) -> None:
        """Take what a player has used for an action.

        Raises:
            PlayerTimeout: that was more than it had.
        """
        control, left = self._controls[seat], self._left[seat]
        if used > left + MARGIN:
            spent = "processor time" if self.by_cpu else "time"
            raise PlayerTimeout(f"timeout: {used:.3f} s of {spent} used, {left:.3f} s were left")
        if not control.is_per_action:
            self._left[seat] = max(0.0, left - used) + control.increment
