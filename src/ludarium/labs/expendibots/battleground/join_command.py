"""``ludarium expendibots join``: a player of this computer at a battleground."""

from __future__ import annotations

from typing import Annotated

import typer

from ludarium.cli.common import number_option, screen
from ludarium.cli.terms import Memory, Sandbox, check_bots

from .lines import PORT


def command(
    host: Annotated[str, typer.Argument(metavar="HOST", help="Where the battleground is.")],
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="Any player: alphabeta, class:mypackage, ./mybot.py.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is called there.")],
    channel: Annotated[str, typer.Argument(metavar="[CHANNEL]", help="Who names the same one is met; random and greedy are players.")] = "",
    port: Annotated[int, number_option(1, 65535, "The server's port.", "--port")] = PORT,
    memory: Memory = 2048,
    sandbox: Sandbox = "auto",
) -> None:
    """Play one game on a server of the BOOM protocol, and print its result."""
    from ludarium.arena.play import program
    from ludarium.core.registry import game
    from ludarium.games.expendibots.players import OFFICIAL
    from ludarium.players.programs import Conditions

    from .joining import join

    conditions = Conditions(memory=memory, sandbox=sandbox)
    spec = program(player, game("expendibots", **OFFICIAL.options), conditions)
    check_bots([player], conditions, "expendibots")
    screen().print(join(host, port, spec, name, channel, lambda line: screen().print(line, soft_wrap=True)), soft_wrap=True)
