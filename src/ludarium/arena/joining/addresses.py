"""Where a ladder is, from an address as people copy it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import SplitResult, urlsplit
from urllib.request import Request, urlopen

from ludarium.errors import BadNotation, ProtocolError, printable

_PATH = re.compile(r"(.*?)(?:/api)?(?:/ladder(?:/([a-z0-9-]+)?(?:/.*)?)?)?/?")

_SOCKETS = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}

LONGEST_WAIT = 10.0
"""Seconds in which a server tells of its ladders."""

LONGEST_LIST = 1_000_000
"""Bytes of that."""


@dataclass(frozen=True)
class Ladder:
    """A ladder of a server."""

    server: str
    """Its host, with the port if one is named, and where Ludarium begins in its paths."""
    game: str
    """The game's id."""
    socket: str
    """The URL that bots connect to."""

    def __str__(self) -> str:
        return f"the ladder of {self.game} at {self.server}"


def ladder_of(text: str) -> Ladder:
    """The ladder at the address of its page, or of its socket; at that of a server which has one ladder, that one, for which the server is asked.

    Raises:
        BadNotation: no such address, or that of a server with several ladders.
        ProtocolError: the server cannot be asked, or has none.
    """
    try:
        url = urlsplit(text.strip() if "://" in text else f"http://{text.strip()}")
        path = _PATH.fullmatch(url.path)
        if path is None or not url.hostname or not url.hostname.encode("idna") or url.port == 0 or not url.path.isprintable():
            raise ValueError
        scheme = _SOCKETS[url.scheme]
    except (ValueError, KeyError):  # also where urlsplit finds no number of a port, or a bracket without the other
        raise BadNotation(f"'{text}' is not the address of a ladder; copy that of its page, such as http://HOST:8000/ladder/GAME") from None
    root, game = path[1], path[2] or _only_ladder(url, path[1])
    return Ladder(f"{url.netloc.rpartition('@')[2].lower()}{root}", game, f"{scheme}://{url.netloc}{root}/api/ladder/{game}")


def options_of(ladder: Ladder) -> dict[str, Any]:
    """The game's options on a ladder; none where its server does not tell them."""
    try:
        return dict(_told(f"http{ladder.socket.removeprefix('ws')}")["options"])
    except (OSError, HTTPException, ValueError, TypeError, LookupError, RecursionError):
        return {}


def _told(url: str) -> Any:
    with urlopen(Request(url, headers={"Accept": "application/json"}), timeout=LONGEST_WAIT) as answer:
        return json.loads(answer.read(LONGEST_LIST))


def _only_ladder(url: SplitResult, root: str) -> str:
    """The game of a server's ladder."""
    here = f"{url.scheme.replace('ws', 'http')}://{url.netloc}{root}"
    try:
        games = [_game_of(one) for one in _told(f"{here}/api/ladder")]
    except HTTPError as problem:
        raise ProtocolError("unreachable", f"{here} does not say which ladders it has: {printable(str(problem.reason))}") from None
    except (OSError, HTTPException) as problem:
        reason = getattr(problem, "reason", problem)
        words = "no answer in time" if isinstance(reason, TimeoutError) else getattr(reason, "strerror", None) or reason
        raise ProtocolError("unreachable", f"{here} cannot be reached: {printable(str(words))}") from None
    except (ValueError, TypeError, LookupError, RecursionError):
        raise ProtocolError("bad_message", f"{here} does not say which ladders it has") from None
    if len(games) != 1:
        have = (
            f"has {len(games)} ladders; name one: {', '.join(f'{here}/ladder/{game}' for game in games[:20])}" if games else "has no ladder"
        )
        raise BadNotation(f"{here} {have}")
    return games[0]


def _game_of(listed: Any) -> str:
    game = listed["game"]
    if not re.fullmatch("[a-z0-9-]+", game):
        raise ValueError
    return game
