"""Games of the store that people look at: each is named by its key in the store, and opened from its record."""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from weakref import WeakValueDictionary

from ludarium.arena.store import StoredGame, game_of
from ludarium.core.record import Record, read_record, record_digest
from ludarium.errors import BadRecord, ProtocolError, StoreError
from ludarium.web.compiling.warming import Warming
from ludarium.web.table.renderings import Renderings
from ludarium.web.table.session import Session
from ludarium.web.visitors.desk import Desk
from ludarium.web.visitors.limits import Limits
from ludarium.web.visitors.visitor import Visitor

from .record_play import RecordPlay
from .store import Store, unreadable

KEY = re.compile(r"\d{1,9}:\d{1,9}", re.ASCII)

NOT_YET = 5.0
"""Seconds after which the page of a game that has not ended looks again."""

UNATTENDED = 20
"""Games that stay in memory though nobody looks at them any more."""


class Archive:
    """The games that are looked at. All methods run on the event loop."""

    def __init__(self, store: Store, warming: Warming, limits: Limits) -> None:
        self._store = store
        self._warming = warming
        self._limits = limits
        self._desk = Desk()
        self._renderings = Renderings()
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._opening = WeakValueDictionary[str, asyncio.Lock]()

    @property
    def clients(self) -> int:
        return sum(len(session.clients) for session in self._sessions.values())

    @property
    def in_memory(self) -> list[Session]:
        return list(self._sessions.values())

    async def find(self, key: str, visitor: Visitor) -> Session:
        """A game by its key.

        Raises:
            ProtocolError: ``no_such_game``: there is none, or it has no whole record; ``busy``.
        """
        lock = self._opening[key] = self._opening.get(key) or asyncio.Lock()
        async with lock:
            if key not in self._sessions:
                self._make_room()
                self._sessions[key] = await self._open(key, visitor)
            self._sessions.move_to_end(key)
            return self._sessions[key]

    async def _open(self, key: str, visitor: Visitor) -> Session:
        try:
            game, record = await self._desk.do(visitor, lambda: self._read(key))
            await self._warming.rules(record.header.game)
            timeline = await self._desk.do(visitor, record.replay)
        except BadRecord as problem:
            raise ProtocolError("no_such_game", f"this game cannot be shown: {problem}") from None
        if not timeline.is_over:
            raise ProtocolError("no_such_game", "the record of this game does not come to its end")
        return Session(key, RecordPlay(record, timeline, game.players), self._renderings)

    def _read(self, key: str) -> tuple[StoredGame, Record]:
        database = self._store.opened()
        try:
            game = game_of(database, key) if database is not None and self._store.shows(int(key.partition(":")[0])) else None
        except StoreError as problem:
            raise unreadable(problem) from None
        if game is None:
            raise self._refusal(key)
        called = f"game {game.number + 1}"
        if game.record is None:
            raise ProtocolError("no_such_game", f"{called} has no record")
        try:
            digest = record_digest(game.record.read_bytes())
        except OSError:
            raise ProtocolError("no_such_game", f"the record of {called} is not there any more") from None
        if digest != game.record_digest:
            raise ProtocolError("no_such_game", f"the record of {called} has changed since it was played")
        return game, read_record(game.record)

    def _refusal(self, key: str) -> ProtocolError:
        """Say that there is no game of a key, or not yet."""
        competition, _, number = key.partition(":")
        row = self._store.competition(int(competition))
        if row is not None and row.status == "running":
            return ProtocolError("no_such_game", f"game {int(number) + 1} of {row.name} has not ended yet, or there is none", NOT_YET)
        return ProtocolError("no_such_game", f"there is no game {key} in the store")

    def _make_room(self) -> None:
        """Raises: ProtocolError: ``busy``."""
        alone = [key for key, session in self._sessions.items() if not session.clients]
        for key in alone[: max(0, len(alone) + 1 - UNATTENDED)]:
            self._sessions.pop(key).close("nobody looked at it")
        if len(self._sessions) >= self._limits.games:
            raise ProtocolError(
                "busy", f"{self._limits.games} games are being looked at, which is all that this server shows; try again later"
            )

    def close(self, reason: str) -> None:
        """Tell all clients, and that they should come back."""
        for session in self._sessions.values():
            session.close(reason, come_back=True)
        self._sessions.clear()
