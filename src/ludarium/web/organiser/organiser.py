"""Whoever keeps order on a server: known by a token that lies in its data folder."""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any

from ludarium.core.user_text import read_user_text
from ludarium.errors import ProtocolError, StoreError, store_errors
from ludarium.web.sessions import Sessions
from ludarium.web.table.seats import with_seat
from ludarium.web.table.session import Session
from ludarium.web.visitors.bans import Bans
from ludarium.web.visitors.rate import Rate
from ludarium.web.visitors.visitor import Visitor

WRONG, WRONG_SECONDS = 5, 60.0
"""How many wrong tokens may come from one address at once, and how long it is then until the next one."""

BANNED, REFUSED = "the organiser has banned you", 1008
"""What they are told who have to go, and the status of the close."""


def token_in(path: Path) -> str:
    """The token in a file that its owner alone may read; a new one if there is none.

    Raises:
        StoreError: the file cannot be used.
    """
    with store_errors(f"the organiser's token {path} cannot be kept"):
        with suppress(FileExistsError):
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                os.write(file, f"{secrets.token_urlsafe(24)}\n".encode())
            finally:
                os.close(file)
        if token := read_user_text(path, StoreError).strip():
            return token
        path.unlink()  # it was cut off while it was written
        return token_in(path)


class Organiser:
    """What the organiser may do with a server's games, chat and names. All methods run on the event loop."""

    def __init__(self, sessions: Sessions, bans: Bans, token: str) -> None:
        self._sessions = sessions
        self._bans = bans
        self._token = token
        self._wrong = Rate(WRONG, WRONG_SECONDS, time.monotonic)

    def check(self, authorization: str, visitor: Visitor) -> None:
        """Whether a visitor is the organiser, by the header ``Authorization: Bearer TOKEN``.

        Raises:
            ProtocolError: ``not_organiser`` or ``too_many``.
        """
        if wait := ceil(self._wrong.wait(visitor.address)):
            raise ProtocolError("too_many", f"many wrong tokens have come from here; the next one can be tried in {wait} s", wait)
        if not secrets.compare_digest(authorization.encode(), f"Bearer {self._token}".encode()):
            self._wrong.count(visitor.address)
            raise ProtocolError("not_organiser", "this is not the organiser's token, which lies in the server's data folder")

    def as_json(self) -> dict[str, Any]:
        """What there is to keep in order; see ``docs/protocol.md``."""
        return {
            "games": [_game(session) for session in self._sessions.in_memory],
            "bans": [{"address": ban.address, "name": ban.name, "until": ban.until} for ban in self._bans.open],
        }

    def ban(self, address: str | None, name: str | None, hours: float) -> None:
        """See :meth:`Bans.ban`. Whoever is here and banned has to go."""
        try:
            self._bans.ban(address, name, hours)
        finally:
            self._turn_out()

    def _turn_out(self) -> None:
        for client in [client for session in self._sessions.looked_at for client in session.clients]:
            if self._bans.refusal(address=client.visitor.address) or self._bans.refusal(name=client.name):
                client.tell(type="closed", reason=BANNED, come_back=False)
                client.close(REFUSED, "banned")
        for ban in self._bans.open:
            if ban.address is not None and self._sessions.others is not None:
                self._sessions.others.turn_out(ban.address, BANNED)

    async def close(self, id: str) -> None:
        """End a game without a result, and forget it.

        Raises:
            ProtocolError: ``no_such_game``.
        """
        await self._sessions.remove(id, "the organiser has closed this game")

    def remove_name(self, name: str) -> None:
        """Nobody has this name any more, and at no table it is read.

        Raises:
            ProtocolError: ``no_such_page``: nobody has it.
            StoreError: the disk does not take it.
        """
        people = self._sessions.people
        found = people and people.names.find(name)
        if people is None or not found:
            raise ProtocolError("no_such_page", f"nobody is called '{name[:80]}' here")
        people.names.remove(found)
        for session in self._sessions.in_memory:
            for seat in session.play.seats:
                if seat.token and seat.nickname == found:
                    session.play.seats = with_seat(session.play.seats, replace(seat, nickname=""))
            session.tell_players()

    def remove_line(self, id: str, by: int, text: str) -> None:
        """Nobody reads any more what a seat has said in a game.

        Raises:
            ProtocolError: ``no_such_game``.
        """
        found = next((session for session in self._sessions.in_memory if session.id == id), None)
        if found is None:
            raise ProtocolError("no_such_game", f"there is no game {id[:40]!r} in memory")
        found.unsay(by, text)


def _game(session: Session) -> dict[str, Any]:
    return {
        "id": session.id,
        "title": session.course.game.title,
        "is_over": session.course.is_over,
        "plies": session.course.ply,
        "seats": [{"player": seat.number, "name": seat.name, "nickname": seat.nickname, "spec": seat.spec} for seat in session.play.seats],
        "clients": [{"player": client.seat, "name": client.name, "address": client.visitor.address} for client in session.clients],
        "lines": [{"by": line.by, "text": line.text} for line in session.chat.lines],
    }
