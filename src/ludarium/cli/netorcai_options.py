"""The options of commands that run an orchestrator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from ludarium.core.options import Option
from ludarium.netorcai.settings import TURN_TIMEOUT, VARIABLES, Settings

from .common import number_option, typed_number

timeout_seconds = typed_number(Option("", "number", None, "", minimum=0, maximum=1_000_000))


def variable(name: str, help: str, *flags: str, **more: Any) -> Any:
    """An option for a variable of the orchestrator, with its bounds."""
    _, one = VARIABLES[name]
    return typer.Option(*flags, parser=typed_number(one), metavar="N", help=f"{help}, {one.minimum} to {one.maximum}.", **more)


Port = Annotated[int, number_option(0, 65535, "The port to listen on; 0 takes any free one.")]
LoginSeed = Annotated[
    int | None,
    number_option(0, 2**64 - 1, "Decides which login becomes which player.", show_default="a random one"),
]


@dataclass
class Pace:
    """When turns begin."""

    delay_first_turn: Annotated[float, variable("delay-first-turn", "Milliseconds before the first turn")] = 1000
    delay_turns: Annotated[float, variable("delay-turns", "Milliseconds between two turns")] = 1000
    autostart: Annotated[bool, typer.Option("--autostart", help="Start once all who may log in are there.")] = False
    fast: Annotated[bool, typer.Option("--fast", help="Begin each turn as soon as every player has answered.")] = False
    turn_timeout: Annotated[
        float, typer.Option(metavar="SECONDS", parser=timeout_seconds, help="With --fast: how long a silent player is waited for.")
    ] = TURN_TIMEOUT

    def settings(self, turns: int, players: int, special_players: int, visualizations: int) -> Settings:
        """All settings of a game.

        Raises:
            BadOption: one is out of its bounds.
        """
        return Settings(turns, players, special_players, visualizations, **vars(self))
