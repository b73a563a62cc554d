"""Codes that take a seat or a name along to another device: for a short time, once, and not to be guessed."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

import segno
from pydantic import BaseModel

from ludarium.errors import ProtocolError
from ludarium.web.addresses import at

from .limits import NEW_GAME_SECONDS, NEW_GAMES
from .rate import Rate
from .visitor import Visitor

SECONDS = 120
"""For which a code holds."""
ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Of what looks alike only one."""
HALF = 4
"""Characters before the hyphen, and after it."""

LONGEST_ORIGIN = 300
"""Characters that can be drawn with some to spare; no host has so many."""


class SeatOpened(BaseModel):
    game: str
    player: int
    name: str
    token: str


class NameOpened(BaseModel):
    name: str
    key: str


@dataclass(frozen=True)
class OneSeat:
    game: str
    seat: int
    token: str
    """The seat's when the code was made; the code is good as long as the token."""


@dataclass(frozen=True)
class _Open:
    what: OneSeat | NameOpened
    until: float
    on_used: Callable[[], None]


class Codes:
    """The codes of a server that still hold."""

    def __init__(self, people: int, clock: Callable[[], float]) -> None:
        """``people`` may come from one address at once; ``clock`` tells seconds."""
        self._clock = clock
        self._open: dict[str, _Open] = {}
        self._made = Rate(NEW_GAMES * people, NEW_GAME_SECONDS / people, clock)
        self._wrong = Rate(NEW_GAMES * people, NEW_GAME_SECONDS / people, clock)
        self._wrong_at_table = Rate(NEW_GAMES, NEW_GAME_SECONDS, clock)

    def make(self, what: OneSeat | NameOpened, visitor: Visitor, on_used: Callable[[], None] = lambda: None) -> str:
        """A new code for a seat or a name, in place of the one that it had; ``on_used`` is called when somebody uses it.

        Raises:
            ProtocolError: ``too_many``: so many were made that the visitor's address has to wait.
        """
        now = self._clock()
        if wait := ceil(self._made.wait(visitor.address)):
            raise ProtocolError("too_many", f"many codes have been made here; the next one can be in {wait} s", wait)
        self._made.count(visitor.address)
        self._open = {code: one for code, one in self._open.items() if one.until > now and one.what != what}
        code = new_code()
        self._open[_plain(code)] = _Open(what, now + SECONDS, on_used)
        return code

    def use(self, text: str, visitor: Visitor) -> OneSeat | NameOpened:
        """What a code opens, now and never again.

        Raises:
            ProtocolError: ``bad_token``: no code that holds; ``too_many``: so many were wrong that the visitor's address has to wait.
        """
        self._let_try(visitor, "")
        found = self._open.pop(_plain(text), None)
        if found is None or found.until <= self._clock():
            self._wrong.count(visitor.address)
            raise ProtocolError("bad_token", f"this code is not good, or not any more; each is good once, and for {SECONDS} seconds")
        found.on_used()
        return found.what

    def seat_with(self, text: str, game: str, codes: Mapping[int, str], visitor: Visitor) -> int:
        """Return the seat of a game that a return code opens.

        Args:
            codes: the return codes of the game's seats.

        Raises:
            ProtocolError: ``bad_token``: none of them; ``too_many``: so many were wrong that the visitor's address has to wait.
        """
        self._let_try(visitor, game)
        given = _plain(text).encode()
        for seat, code in codes.items():
            if secrets.compare_digest(_plain(code).encode(), given):
                return seat
        self._wrong.count(visitor.address)
        self._wrong_at_table.count((visitor.address, game))
        raise ProtocolError("bad_token", "this code opens no seat of this game (any more)")

    def _let_try(self, visitor: Visitor, game: str) -> None:
        if wait := ceil(max(self._wrong.wait(visitor.address), self._wrong_at_table.wait((visitor.address, game)))):
            raise ProtocolError("too_many", f"many wrong codes have come from here; the next one can be tried in {wait} s", wait)


def new_code() -> str:
    """Return a random code as people read it."""
    code = "".join(secrets.choice(ALPHABET) for _ in range(2 * HALF))
    return f"{code[:HALF]}-{code[HALF:]}"


def _plain(code: str) -> str:
    return code.replace("-", "").replace(" ", "").upper()


def code_message(code: str, origin: str | None) -> dict[str, Any]:
    """What a client is told that asked for a code; ``origin`` is the scheme and host by which its page was reached."""
    link = at(f"/continue#{code}")
    qr = None
    if origin and len(origin) <= LONGEST_ORIGIN:
        qr = for_camera(origin + link)
    return {"type": "code", "code": code, "seconds": SECONDS, "link": link, "qr": qr}


def for_camera(link: str) -> str:
    """A link as a QR code, in SVG."""
    return segno.make(link, error="m", micro=False).svg_inline(dark="#000", light="#fff", border=4, omitsize=True)
