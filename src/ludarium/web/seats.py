"""The seats of one game on the server."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from ludarium.errors import ProtocolError
from ludarium.players import HUMAN

from .thinking import Thinker


@dataclass(frozen=True)
class Seat:
    """Who sits there: a person with a token, a bot, or whoever has a nickname elsewhere."""

    number: int
    name: str
    spec: str
    token: str | None = None
    thinker: Thinker | None = None
    nickname: str = ""
    is_connected: bool | None = True
    """None: nobody is expected here."""


def seat_of(seats: Iterable[Seat], token: str) -> int:
    """The number of the seat that a token opens.

    Raises:
        ProtocolError: ``bad_token``.
    """
    found = [seat.number for seat in seats if seat.token and secrets.compare_digest(seat.token.encode(), token.encode())]
    if not found:
        raise ProtocolError("bad_token", "this token opens no seat of this game; join without one to watch")
    return found[0]


def players_json(seats: Iterable[Seat], present: Collection[int | None]) -> list[dict[str, Any]]:
    """What clients are told of the players; ``present`` are the seats of those that are connected."""
    return [
        {
            "name": seat.name,
            "kind": HUMAN if seat.token else "program" if seat.nickname else "bot",
            "spec": seat.spec,
            **({"nickname": seat.nickname} if seat.nickname else {}),
            "connected": seat.is_connected and (seat.token is None or seat.number in present),
        }
        for seat in seats
    ]
