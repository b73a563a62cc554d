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

import ludarium
from ludarium.core.sight import Sight
from ludarium.errors import LudariumError, ProtocolError
from ludarium.players import HUMAN

from .pages import lobby_game
from .session import Session
from .sessions import Sessions
from .visitor import Visitor

log = logging.getLogger("ludarium.web")

HOUSE = Visitor("the house")
"""At whose expense it is played: its bots take their turns with those of visitors."""
STEP = 1.5
"""Seconds that a position stands while the game is shown again."""
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

    def look(self) -> tuple[Session, int] | None:
        """The game, and the position to be shown now; None while there is none. Does not wait."""
        today = self._today()
        if self._date != today:
            self._date, self._session = today, None
        if self._session is not None and self._session.is_closed and not self._session.course.is_over:
            self._session = None  # other games needed the place
        if self._session is None:
            if self._making is None or self._making.done():
                self._making = asyncio.create_task(self._make(today))
            return None
        last = Sight(self._session.course, None).ply
        if not self._session.course.is_over:
            self._session.look_on()
            return self._session, last
        time = self._time or asyncio.get_running_loop().time
        return self._session, min(last, int(time() / STEP) % (last + 1 + REST))

    async def _make(self, day: date) -> None:
        id = base64.urlsafe_b64encode(hashlib.sha256(day.isoformat().encode()).digest()[:9]).decode()
        drawn = random.Random(day.toordinal())
        game = drawn.choice(ludarium.list_games())
        if not self._sessions.warming.is_ready(game, bots=True):
            return  # what people wait for is compiled first
        try:
            try:
                session = await self._sessions.find(id, HOUSE)
            except ProtocolError as problem:
                if problem.code != "no_such_game":
                    raise
                wish = await self._sessions.desk.do(HOUSE, lambda: _wish(game, drawn))
                session = await self._sessions.create(wish, HOUSE, id)
        except LudariumError as problem:
            log.warning("there is no game of the day at the moment: %s", problem)
            return
        if day == self._date:
            self._session = session


def _wish(id: str, drawn: random.Random) -> dict[str, Any]:
    """Players that look where they go, if there are any."""
    game = ludarium.game(id)
    specs = [opponent["spec"] for opponent in lobby_game(game, deal=False)["opponents"] if opponent["spec"] not in (HUMAN, "random")] or [
        "random"
    ]
    players = drawn.sample(specs, min(len(specs), game.players))
    players += drawn.choices(specs, k=game.players - len(players))
    return {"game": id, "players": players, "seed": drawn.getrandbits(63), "lobby": "private"}
