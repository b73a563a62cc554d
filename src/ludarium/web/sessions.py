"""All games of a server: in memory while somebody uses them, on disk always."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from dataclasses import dataclass, field
from typing import Any, Protocol

from starlette.concurrency import run_in_threadpool

from ludarium.arena.play import CHANCE_STREAM
from ludarium.core.clock import Clock
from ludarium.core.random import generator_from
from ludarium.core.record import Header
from ludarium.core.timeline import Timeline
from ludarium.errors import LudariumError, ProtocolError
from ludarium.players import Player, parse_player

from .folder import Folder, Kept, Writer
from .local_play import LocalPlay
from .new_game import check_new_game, make_players
from .renderings import Renderings
from .seats import Seat
from .session import Session
from .thinking import Thinker, Thinkers
from .warming import Warming

log = logging.getLogger("ludarium.web")

_ID = re.compile(r"[A-Za-z0-9_-]{12}")


@dataclass(frozen=True)
class Limits:
    """How much a server takes on."""

    idle: float = 6 * 3600.0
    """Seconds after which a game that nobody has touched leaves the memory."""
    games: int = 200
    clients: int = 1000
    join: float = 10.0
    """Seconds that a socket has for its first message."""
    pace: float = 0.25
    """Seconds that a position stands at least before a bot's answer to it is played."""


class Games(Protocol):
    """The games of a server, as its sockets and pages use them. All methods run on the event loop."""

    limits: Limits

    @property
    def clients(self) -> int:
        """How many are connected."""
        ...

    async def find(self, id: str) -> Session:
        """A game by its id.

        Raises:
            ProtocolError: ``no_such_game`` or ``busy``.
        """
        ...

    def sweep(self) -> None:
        """Called now and then."""
        ...

    def close(self, reason: str) -> None:
        """Tell all clients that the server stops."""
        ...


@dataclass
class Sessions:
    """Finds, makes and drops games. All methods run on the event loop."""

    folder: Folder
    thinkers: Thinkers
    limits: Limits = field(default_factory=Limits)
    clock: Clock | None = None
    """By default the event loop that runs."""
    warming: Warming = field(default_factory=Warming)

    def __post_init__(self) -> None:
        self._games: dict[str, tuple[Session, Writer]] = {}
        self._renderings = Renderings()
        self._reopening = asyncio.Lock()
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._games)

    @property
    def clients(self) -> int:
        return sum(len(session.clients) for session, _ in self._games.values())

    async def create(self, wish: dict[str, Any]) -> Session:
        """A new game, once what it needs is compiled.

        Raises:
            LudariumError: the wish is wrong, there are too many games (``busy``), or the folder cannot be written to.
        """
        self._make_room()
        new = await run_in_threadpool(lambda: check_new_game(wish))
        id = secrets.token_urlsafe(9)
        tokens = {seat: secrets.token_urlsafe(18) for seat, spec in enumerate(new.specs) if spec.is_human}
        header = Header.of(new.start.game, [spec.text for spec in new.specs], new.seed)
        try:
            await self.warming.ready(header.game, header.players)
            self._make_room()
            kept = Kept(header, Timeline(new.start), tokens, new.clock)
            writer = self.folder.create(id, kept)
        except BaseException:
            for player in new.players.values():
                player.close()
            raise
        return self._seat(id, kept, writer, new.players)

    async def find(self, id: str) -> Session:
        """See :class:`Games`; a game that has left the memory is taken up again from the disk."""
        if id in self._games:
            return self._games[id][0]
        if not self._is_closed and _ID.fullmatch(id) and self.folder.holds(id):
            try:
                return await self._take_up(id)
            except ProtocolError:
                raise
            except LudariumError as problem:
                log.error("game %s cannot be taken up again: %s", id, problem)
        raise ProtocolError("no_such_game", f"there is no game {id[:40]!r} (any more)")

    async def _take_up(self, id: str) -> Session:
        header = await run_in_threadpool(self.folder.header, id)
        await self.warming.ready(header.game, header.players)
        async with self._reopening:
            if id in self._games:
                return self._games[id][0]
            self._make_room()
            kept, writer = await run_in_threadpool(self.folder.open, id)
            try:
                players = await run_in_threadpool(_players_again, kept.header, kept.timeline)
            except BaseException:
                writer.close()
                raise
            return self._seat(id, kept, writer, players)

    def _seat(self, id: str, kept: Kept, writer: Writer, players: dict[int, Player]) -> Session:
        header, timeline = kept.header, kept.timeline
        bots = {number: Thinker(player, number) for number, player in players.items()}
        names = enumerate(timeline.game.player_names)
        seats = [Seat(number, name, header.players[number], kept.tokens.get(number), bots.get(number)) for number, name in names]
        # A game taken up again goes on with other dice than it began with, or it would repeat them.
        generator = generator_from(header.seed or 0, CHANCE_STREAM, *([len(timeline.events)] if timeline.ply else []))
        play = LocalPlay(
            header, timeline, seats, generator, self.thinkers, pace=self.limits.pace, turn_seconds=kept.clock, clock=self.clock
        )
        session = Session(id, play, self._renderings, clock=self.clock)
        self._games[id] = (session, writer)
        return session

    def _make_room(self) -> None:
        """When there are as many games as there may be, the one that was left alone for longest goes to the disk."""
        if self._is_closed:
            raise ProtocolError("busy", "the server is stopping")
        if len(self._games) < self.limits.games:
            return
        alone = [session for session, _ in self._games.values() if not session.clients]
        if not alone:
            raise ProtocolError("busy", f"{self.limits.games} games are being played, which is all that this server holds; try again later")
        self._drop(min(alone, key=lambda session: session.last_used), "other games needed the place")

    def sweep(self) -> None:
        """Drop the games that were idle for too long."""
        now = (self.clock or asyncio.get_running_loop()).time()
        for session, _ in list(self._games.values()):
            if now - session.last_used >= self.limits.idle:
                self._drop(session, "nobody has played for a long time; open the game's link to go on")

    def _drop(self, session: Session, reason: str, *, come_back: bool = False) -> None:
        _, writer = self._games.pop(session.id)
        session.close(reason, come_back=come_back)
        writer.close()

    def close(self, reason: str) -> None:
        """Drop all games and take no more. They wait on the disk for the next start, so clients may wait for it too."""
        self._is_closed = True
        self.warming.close()
        for session, _ in list(self._games.values()):
            self._drop(session, reason, come_back=True)


def _players_again(header: Header, timeline: Timeline) -> dict[int, Player]:
    specs = tuple(parse_player(player, timeline.game) for player in header.players)
    return make_players(timeline.state, specs, (header.seed or 0) + len(timeline.events))
