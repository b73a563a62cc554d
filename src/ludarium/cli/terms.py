"""The options of commands in which programs play: clocks, and what programs may take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from .common import number_option

if TYPE_CHECKING:
    from ludarium.arena import Terms

TimeControl = Annotated[
    str | None,
    typer.Option(
        "--tc", metavar="TIME", help="The players' clocks: 60+0.5 (a game, and more an action) or 2/action; with commas, one a player."
    ),
]
CpuTime = Annotated[bool, typer.Option("--cpu-time", help="Clocks count processor time, not that on the wall.")]
Ponder = Annotated[bool, typer.Option("--ponder", help="Programs may go on between their turns; else they are stopped.")]
Memory = Annotated[int, number_option(16, 1_000_000, "Megabytes that a program may take, with all that it has started.", "--memory")]


def chosen_terms(players: int, time_control: str | None, cpu_time: bool, ponder: bool, memory: int) -> Terms:
    """What was typed of a game for so many players.

    Raises:
        BadOption: no such time control, or not one a player.
    """
    from ludarium.arena import Terms, time_controls
    from ludarium.players.programs import Conditions

    time = () if time_control is None else time_controls(time_control, players)
    return Terms(time, cpu_time, Conditions(ponder=ponder, memory=memory))
