"""The seats of one game on the server."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from ludarium.core.game import Game
from ludarium.errors import ProtocolError
from ludarium.players import HUMAN, strength_of
from ludarium.web.addresses import at
from ludarium.web.faces import face_address

from .thinking import Thinker


@dataclass(frozen=True)
class Seat:
    """Who sits there: a person with a token, a bot, or whoever has a nickname here or elsewhere."""

    number: int
    name: str
    spec: str
    token: str | None = None
    thinker: Thinker | None = None
    nickname: str = ""
    is_connected: bool | None = True
    """None: nobody is expected here."""
    is_taken: bool = True
    """Whether the token stays as it is: the first one is an invitation, which gives way to the token of who takes the seat."""
    is_host: bool = False
    """Whether the player decides about the seats of others."""
    code: str = ""
    """A code that opens the seat where no token was stored; "" at tables without codes."""
    dead: tuple[str, ...] = ()
    """Digests of tokens that opened the seat and do not any more, the latest last."""
    substitute: str = ""
    """The spec of the bot that plays for a person, "" for none. The bot is the ``thinker``."""

    @property
    def is_person(self) -> bool:
        """Whether a person makes the choices, and no bot does so in their place."""
        return self.token is not None and not self.substitute

    def with_token(self, token: str, *, is_taken: bool) -> Seat:
        """Return the seat with another token; the one before opens it no more."""
        dead = (*self.dead, digest(self.token or ""))[-MOST_DEAD:]
        return replace(self, token=token, is_taken=is_taken, dead=dead)


MOST_DEAD = 8
"""Tokens of a seat that are remembered when they open it no more."""


def digest(token: str) -> str:
    """Return what is stored of a token that opens nothing any more."""
    return hashlib.sha256(token.encode()).hexdigest()


def seat_of(seats: Iterable[Seat], *tokens: str | None) -> Seat:
    """The seat that the first token which opens one opens.

    Raises:
        ProtocolError: ``bad_token``.
    """
    seats = list(seats)
    for token in tokens:
        for seat in seats:
            if token and seat.token and secrets.compare_digest(seat.token.encode(), token.encode()):
                return seat
    raise ProtocolError("bad_token", "this token opens no seat of this game (any more); join without one to watch")


def with_seat(seats: Iterable[Seat], changed: Seat) -> tuple[Seat, ...]:
    """Return the seats with one of them changed."""
    return tuple(changed if seat.number == changed.number else seat for seat in seats)


def players_json(game: Game, seats: Iterable[Seat], present: Collection[int | None]) -> list[dict[str, Any]]:
    """What clients are told of the players; ``present`` are the seats of those that are connected."""
    return [
        {
            "name": seat.name,
            "kind": HUMAN if seat.token or seat.spec == HUMAN else "program" if seat.nickname else "bot",
            "spec": seat.spec,
            **({"nickname": seat.nickname} if seat.nickname else {}),
            **({"page": at(f"/people/{quote(seat.nickname, safe='')}")} if seat.nickname and seat.token and seat.spec == HUMAN else {}),
            "connected": seat.is_connected and (seat.token is None or seat.number in present),
            **({"taken": seat.is_taken} if seat.token else {}),
            **({"host": True} if seat.is_host else {}),
            **({"substitute": {"name": in_words(game, seat.substitute), "spec": seat.substitute}} if seat.substitute else {}),
            **_opponent(game, seat),
        }
        for seat in seats
    ]


def in_words(game: Game, spec: str) -> str:
    """The name of the opponent who plays like this spec, else the spec."""
    found = strength_of(spec, game)
    return found[0].name if found else spec


def _opponent(game: Game, seat: Seat) -> dict[str, Any]:
    """Who a bot is to people."""
    if seat.token or seat.nickname or seat.spec == HUMAN:
        return {}
    found = strength_of(seat.spec, game)
    if found is None:
        return {"opponent": {"name": "", "face": face_address(game.id, seat.spec)}}
    one, place, count = found
    return {"opponent": {"name": one.name, "sentence": one.sentence, "strength": [place, count], "face": face_address(game.id, one.id)}}
