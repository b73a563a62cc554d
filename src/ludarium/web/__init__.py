"""The games in a browser: a server of pages, of one WebSocket protocol (``docs/protocol.md``) and of the games that are played over it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

__all__ = ["serve"]


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    data: Path | None = None,
    *,
    open_browser: bool = False,
    idle_hours: float = 6.0,
    max_games: int = 200,
    names: Sequence[str] = (),
    say: Callable[[str], None] = print,
) -> None:
    """Serve until Ctrl-C or SIGTERM; then clients are told, records are whole and the function returns.

    Args:
        host: the address to listen on. On a loopback address only requests for loopback names are answered.
        port: the port, 0 for any free one.
        data: the folder that keeps games; by default ``ludarium`` in the user's data folder (``XDG_DATA_HOME``, ``~/.local/share``).
        open_browser: open the lobby in a browser where there is a screen. The address is said in any case.
        idle_hours: a game that nobody has touched for so long leaves the memory.
        max_games: how many games are in memory at most.
        names: further host names by which the server may be reached (behind a proxy).
        say: told each line that the person who started the server should read.

    Raises:
        BadOption: the address cannot be listened on, or a number is out of bounds.
        StoreError: the data folder cannot be written to.
    """
    from .server import run

    run(host, port, data, open_browser=open_browser, idle_hours=idle_hours, max_games=max_games, names=names, say=say)
