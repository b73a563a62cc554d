"""A game between two or more built-in players that the server plays once a day, so that there is something to see however empty the house is."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import logging
import random
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

from ludarium.core.sight import Sight
from ludarium.errors import LudariumError, ProtocolError
from ludarium.players import HUMAN
from ludarium.web.sessions import Sessions
from ludarium.web.table.session import Session
from ludarium.web.visitors.visitor import HOUSE

from .pages import lobby_games

log = logging.getLogger("ludarium.web")

STEP = 1.5
"""Seconds that a position stands while the game is shown again."""
PATIENCE = 60.0
"""Seconds until it is tried again after the server had no room for it."""
REST = 8
"""Steps for which the end stands."""


def _today() -> date:
    return datetime.now(UTC).date()


class GameOfTheDay:
    """Made when somebody first looks for it on a day, played while somebody does, and then shown again from its record. All methods run on the event loop."""

    def __init__(self, sessions: Sessions, today: Callable[[], date] = _today, time: Callable[[], float] | None = None) -> None:
        """``time``: seconds, by default of the event loop."""
        self._sessions = sessions
        self._today = today
        self._time = time
        self._date: date | None = None
        self._session: Session | None = None
        self._making: asyncio.Task[None] | None = None
        self._games: list[dict[str, Any]] | None = None
        self._next_try = float("-inf")

    def look(self) -> tuple[Session, int] | None:
        """The game, and the position to be shown now; None while there is none. Does not wait."""
        today = self._today()
        if self._date != today:
            self._date, self._session = today, None
        if self._session is not None and self._session.is_closed and not self._session.course.is_over:
            self._session = None  # other games needed the place
        if self._session is None:
            if (self._making is None or self._making.done()) and self._now() >= self._next_try:
                self._making = asyncio.create_task(self._make(today))
            return None
        last = Sight(self._session.course, None).ply
        if not self._session.course.is_over:
            self._session.look_on()
            return self._session, last
        return self._session, min(last, int(self._now() / STEP) % (last + 1 + REST))

    def _now(self) -> float:
        return (self._time or asyncio.get_running_loop().time)()

    async def _make(self, day: date) -> None:
        id = base64.urlsafe_b64encode(hashlib.sha256(day.isoformat().encode()).digest()[:9]).decode()
        drawn = random.Random(day.toordinal())
        if self._games is None:
            self._games = await self._sessions.desk.do(HOUSE, lobby_games)
        game = drawn.choice(self._games) if self._games else None
        if game is None or not self._sessions.warming.is_ready(game["id"], bots=True):
            return  # what people wait for is compiled first
        try:
            try:
                session = await self._sessions.find(id, HOUSE)
            except ProtocolError as problem:
                if problem.code != "no_such_game":
                    raise
                session = await self._sessions.create(_wish(game, drawn), HOUSE, id)
        except LudariumError as problem:
            self._next_try = self._now() + PATIENCE
            log.warning("there is no game of the day at the moment: %s", problem)
            return
        if day == self._date:
            self._session = session


def _wish(game: dict[str, Any], drawn: random.Random) -> dict[str, Any]:
    """A game of the lobby, between players that look where they go, if there are any, and that are neighbours in the order of strength."""
    seats = len(game["player_names"])
    specs = [opponent["spec"] for opponent in game["opponents"] if opponent["spec"] not in (HUMAN, "random")] or ["random"]
    weakest = drawn.randrange(max(1, len(specs) - seats + 1))
    players = specs[weakest : weakest + seats]
    players += drawn.choices(specs, k=seats - len(players))
    drawn.shuffle(players)
    return {"game": game["id"], "players": players, "seed": drawn.getrandbits(63), "lobby": "private"}
