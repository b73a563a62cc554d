"""``ludarium join``: a player of this computer takes part in a ladder elsewhere."""

from __future__ import annotations

from typing import Annotated

import typer

from .common import screen
from .signals import stop_signal
from .terms import Memory, Ponder, Sandbox, check_bots


def command(
    url: Annotated[str, typer.Argument(metavar="URL", help="The address of the ladder's page: http://HOST:8000/ladder/GAME.")],
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="A bot, ./mybot.py, or a built-in player, alphabeta:level=3.")],
    name: Annotated[str, typer.Option(metavar="NAME", help="What the player is called on the ladder.")],
    key: Annotated[
        str | None, typer.Option(metavar="KEY", help="The key of the name.", show_default="the one that was kept when the name was new")
    ] = None,
    ponder: Ponder = False,
    memory: Memory = 2048,
    sandbox: Sandbox = "auto",
) -> None:
    """Connect a player to a ladder, where it plays game after game until Ctrl-C.

    The first who joins with a name gets its key, which is kept for the next time.
    """
    from ludarium.arena.joining import join, ladder_of, seat_of
    from ludarium.players.programs import Conditions

    ladder = ladder_of(url)
    conditions = Conditions(ponder=ponder, memory=memory, sandbox=sandbox)
    make_seat = seat_of(player, ladder, conditions)
    check_bots([player], conditions, ladder.game)
    with stop_signal() as stopped:
        join(ladder, name, key, make_seat, _say, stopped)
        stopped.exit_if_stopped()


def _say(line: str) -> None:
    screen().print(line, soft_wrap=True)
    screen().file.flush()
