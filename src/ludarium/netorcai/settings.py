"""What the operator of an orchestrator can choose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from ludarium.core.options import Option
from ludarium.errors import BadOption, one_of

TURN_TIMEOUT = 10.0
"""Seconds that fast mode waits for a player unless it is told otherwise."""


class Variable(NamedTuple):
    """What can be set until the game starts: the field of :class:`Settings`, the least and the greatest value, and what kind of number it takes."""

    field: str
    least: int
    most: int
    kind: Literal["whole number", "number"] = "whole number"

    def option(self, name: str) -> Option:
        """What checks a value that was typed."""
        return Option(name, self.kind, None, "", minimum=self.least, maximum=self.most)


VARIABLES = {
    "nb-turns-max": Variable("turns", 1, 65535),
    "nb-players-max": Variable("players", 0, 1024),
    "nb-splayers-max": Variable("special_players", 0, 1024),
    "nb-visus-max": Variable("visualizations", 0, 1024),
    "delay-first-turn": Variable("delay_first_turn", 50, 10_000, "number"),
    "delay-turns": Variable("delay_turns", 50, 10_000, "number"),
}
"""All variables by the names as they are typed."""


@dataclass
class Settings:
    """Limits and times of one game. Delays are in milliseconds, ``turn_timeout`` in seconds."""

    turns: int = 100
    players: int = 4
    special_players: int = 0
    visualizations: int = 1
    delay_first_turn: float = 1000
    delay_turns: float = 1000
    autostart: bool = False
    fast: bool = False
    turn_timeout: float = TURN_TIMEOUT

    def __post_init__(self) -> None:
        for name, value in self.variables().items():
            self.set(name, value)
        if not 0 < self.turn_timeout <= 1e6:
            raise BadOption(f"turn-timeout={self.turn_timeout} is not a number of seconds above 0")

    def set(self, name: str, value: str | float) -> None:
        """Change a variable by its typed name.

        Raises:
            BadOption: there is no such variable, or it does not take the value.
        """
        if name not in VARIABLES:
            raise BadOption(f"variable {one_of(name, tuple(VARIABLES))}")
        number = VARIABLES[name].option(name).check(value, "netorcai")
        setattr(self, VARIABLES[name].field, int(number) if number == int(number) else number)  # clients and people read 50, not 50.0

    def variables(self) -> dict[str, float]:
        """All variables with their values."""
        return {name: getattr(self, variable.field) for name, variable in VARIABLES.items()}
