"""What the operator of an orchestrator can choose."""

from __future__ import annotations

from dataclasses import dataclass

from ludarium.core.options import Option
from ludarium.errors import BadOption, one_of

TURN_TIMEOUT = 10.0
"""Seconds that fast mode waits for a player unless it is told otherwise."""

_OPTIONS = {
    "turns": Option("nb-turns-max", "whole number", None, "", minimum=1, maximum=65535),
    "players": Option("nb-players-max", "whole number", None, "", minimum=0, maximum=1024),
    "special_players": Option("nb-splayers-max", "whole number", None, "", minimum=0, maximum=1024),
    "visualizations": Option("nb-visus-max", "whole number", None, "", minimum=0, maximum=1024),
    "delay_first_turn": Option("delay-first-turn", "number", None, "", minimum=50, maximum=10_000),
    "delay_turns": Option("delay-turns", "number", None, "", minimum=50, maximum=10_000),
}

VARIABLES = {option.name: (field, option) for field, option in _OPTIONS.items()}
"""What can be set until the game starts, by the name as it is typed: the field of :class:`Settings`, and what checks a value."""


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
        field, option = VARIABLES[name]
        number = option.check(value, "netorcai")
        setattr(self, field, int(number) if number == int(number) else number)  # clients and people read 50, not 50.0

    def variables(self) -> dict[str, float]:
        """All variables with their values."""
        return {name: getattr(self, field) for name, (field, _) in VARIABLES.items()}
