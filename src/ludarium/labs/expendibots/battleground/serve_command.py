"""``ludarium expendibots battleground``: a server for the course's clients."""

from __future__ import annotations

from typing import Annotated

import typer

from ludarium.cli.common import number_option, screen
from ludarium.core.hosts import in_url

from .lines import PORT


def command(
    port: Annotated[int, number_option(0, 65535, "The port to listen on; 0 takes a free one.", "--port")] = PORT,
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 lets others in.")] = "127.0.0.1",
    patience: Annotated[int, number_option(1, 86_400, "Seconds that a client has for each answer.", "--patience")] = 120,
) -> None:
    """Serve the BOOM protocol, until Ctrl-C: clients of one channel play against each other, those of random, greedy and alphabeta against that player.

    A client that goes away, is silent or breaks the protocol loses, and is told why.
    """
    from .server import Battleground

    with Battleground((host, port), patience=patience, ping=5.0, say=_say) as server:
        _say(f"Listening on {in_url(host)}:{server.server_address[1]}; Ctrl-C ends it")
        server.serve_forever()


def _say(line: str) -> None:
    screen().print(line, soft_wrap=True)
    screen().file.flush()
