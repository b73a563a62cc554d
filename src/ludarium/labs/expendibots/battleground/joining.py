"""A player of this computer at a battleground."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

from ludarium.arena.play import ask, random_seed, seat_player
from ludarium.core.hosts import in_url, without_brackets
from ludarium.core.registry import game
from ludarium.core.timeline import Timeline
from ludarium.errors import ProtocolError, printable
from ludarium.games.expendibots.class_adapter import COLOURS, action_text, action_tuple
from ludarium.games.expendibots.players import OFFICIAL
from ludarium.players import PlayerSpec

from .lines import Line, as_tuple

TO_CONNECT = 10.0
"""Seconds."""


def join(host: str, port: int, player: PlayerSpec, name: str, channel: str, say: Callable[[str], None]) -> str:
    """Play one game; its result as the server tells it.

    Raises:
        ProtocolError: nobody is there, or the server refuses, goes away, or says what nobody understands.
        PlayerFailed: the player has.
    """
    try:
        connection = socket.create_connection((without_brackets(host), port), TO_CONNECT)
    except (OSError, UnicodeError) as problem:  # the last: what names no computer, such as 127..0.1
        reason = (isinstance(problem, OSError) and problem.strerror) or str(problem)
        raise ProtocolError("unreachable", f"{in_url(host)}:{port} cannot be reached: {reason}") from None
    with connection:
        line = Line(connection)
        line.send("PLAY", name=name, channel=channel)
        _hear(line, "OKAY")
        return _game(line, player, say)


def _game(line: Line, spec: PlayerSpec, say: Callable[[str], None]) -> str:
    timeline, seat, player = Timeline(game("expendibots", **OFFICIAL.options).start()), 0, None
    try:
        while True:
            message = _hear(line, "OKAY", "GAME", "INIT", "TURN", "UPD8", "OVER")
            try:
                match message["mtype"]:
                    case "OVER":
                        return str(message["result"])
                    case "GAME":
                        say(f"{printable(str(message['white']))} has White, {printable(str(message['black']))} has Black")
                        continue
                    case "INIT":
                        seat = COLOURS.index(message["colour"])
                    case "UPD8":
                        timeline.act({COLOURS.index(message["colour"]): action_text(as_tuple(message["action"]))})
                    case "TURN" if player is None:
                        raise ValueError("the game has not begun")
                    case _:
                        pass
            except (LookupError, TypeError, ValueError) as problem:
                raise ProtocolError("broken", f"the server says what does not fit: {printable(str(message))[:200]} ({problem})") from None
            if message["mtype"] == "TURN" and player is not None:
                line.send("ACTN", action=action_tuple(ask(player, timeline.state, seat)[0].text))
                continue
            if message["mtype"] == "INIT":
                player = seat_player(timeline, spec, seat, random_seed())
            line.send("OKAY")
    finally:
        if player is not None:
            player.close()


def _hear(line: Line, *accepted: str) -> dict[str, Any]:
    message = line.receive(None, *accepted, "ERRO")
    if message["mtype"] == "ERRO":
        raise ProtocolError("refused", f"the server says: {printable(str(message.get('reason')))[:300]}")
    return message
