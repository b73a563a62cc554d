"""What the operator of an orchestrator can choose."""

from __future__ import annotations

from dataclasses import dataclass

from ludarium.core.options import Option
from ludarium.errors import BadOption, one_of

__all__ = ["TURN_TIMEOUT", "VARIABLES", "Settings"]

TURN_TIMEOUT = 10.0
"""Seconds that fast mode waits for a player unless it is told otherwise."""

VARIABLES = {
    "nb-turns-max": ("turns", 1, 65535),
    "nb-players-max": ("players", 0, 1024),
    "nb-splayers-max": ("special_players", 0, 1024),
    "nb-visus-max": ("visualizations", 0, 1024),
    "delay-first-turn": ("delay_first_turn", 50, 10_000),
    "delay-turns": ("delay_turns", 50, 10_000),
}
"""What can be set until the game starts: the name as it is typed, the field of :class:`Settings`, the least and the greatest value."""


@dataclass
class Settings:
    """Limits and times of one game. Delays are in milliseconds, ``turn_timeout`` in seconds."""

    turns: int = 100
    players: int = 4
    special_players: int = 0
    visualizations: int = 1
    delay_first_turn: int = 1000
    delay_turns: int = 1000
    autostart: bool = False
    fast: bool = False
    turn_timeout: float = TURN_TIMEOUT

    def __post_init__(self) -> None:
        for name, value in self.variables().items():
            self.set(name, value)
        if not 0 < self.turn_timeout <= 1e6:
            raise BadOption(f"turn-timeout={self.turn_timeout} is not a number of seconds above 0")

    def set(self, name: str, value: str | int) -> None:
        """Change a variable by its typed name.

        Raises:
            BadOption: there is no such variable, or it does not take the value.
        """
        if name not in VARIABLES:
            raise BadOption(f"variable {one_of(name, tuple(VARIABLES))}")
        field, least, most = VARIABLES[name]
        setattr(self, field, Option(name, "whole number", None, "", minimum=least, maximum=most).check(value, "netorcai"))

    def variables(self) -> dict[str, int]:
        """All variables with their values."""
        return {name: getattr(self, field) for name, (field, _, _) in VARIABLES.items()}
