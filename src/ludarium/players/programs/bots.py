"""What of a player spec is a bot of its own: a program, or the address where one listens."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from ludarium.errors import BadNotation, BadOption, PlayerCrashed, escaped

from .classes import class_command
from .commands import CLASS, Command, command_of, is_program

SCHEMES = ("ws", "wss")


@dataclass(frozen=True)
class Address:
    """Where a bot listens."""

    text: str
    """What it is called: the spec, or another name."""
    url: str


Bot = Command | Address


def is_address(text: str) -> bool:
    """Whether a spec names a bot that listens: ``ws://host:port/path``, or ``wss://…``."""
    return text.partition(":")[0] in SCHEMES and ":" in text


def is_bot(text: str) -> bool:
    """Whether a spec names a bot, and not a built-in player."""
    return is_program(text) or is_address(text)


def bot_of(text: str, folder: Path, game: str, seconds: float | None = None) -> Bot:
    """The bot that a spec names, for the game of an id; a program, seen from a folder. A class has so many ``seconds`` of processor time for a game.

    Nothing is started, and nobody is connected to.

    Raises:
        BadNotation, BadOption: as :func:`.commands.command_of` and :func:`.classes.class_command`, or what is no URL of a WebSocket.
    """
    if is_address(text):
        return _address_of(text)
    command = class_command(text, folder, game, seconds) if text.startswith(CLASS) else command_of(text, folder)
    return replace(command, text=escaped(text))


def _address_of(text: str) -> Address:
    try:
        url = urlsplit(text)
        is_whole = text.startswith(f"{url.scheme}://") and url.hostname and url.hostname.encode("idna") and url.port != 0
    except ValueError:  # no number of a port, a bracket without the other, a name that no host has
        is_whole = False
    else:
        is_whole = is_whole and not url.fragment and text.isprintable() and " " not in text
    if not is_whole:
        raise BadNotation(f"'{text}' is not where a bot listens; write ws://HOST:PORT/PATH or wss://HOST/PATH")
    return Address(text, text)


def check_reachable(text: str) -> None:
    """Connect to where a bot listens, and leave it at that.

    Raises:
        BadNotation: no address.
        BadOption: nobody can be reached there.
    """
    from .websocket import WebSocket  # with its library, which takes a while, only for who needs it

    _address_of(text.strip())
    try:
        WebSocket(text.strip()).end()
    except PlayerCrashed as problem:
        raise BadOption(f"player {str(problem).removeprefix('crash: ')}") from None
