"""All ladders of a server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ludarium.arena.ladder import Ladder
from ludarium.arena.play import play_game
from ludarium.core.game import Game
from ludarium.core.options import parse_assignments
from ludarium.core.registry import game
from ludarium.errors import BadOption, ProtocolError
from ludarium.players.programs import Conditions
from ludarium.web.addresses import at
from ludarium.web.compiling.warming import Warming
from ludarium.web.table.session import Session

from .hosting import Checker, Hosting
from .limits import Joins, LadderLimits
from .room import Room

RETRY = 10.0
"""Seconds between two attempts to keep what the store did not take."""


LADDER_TIME = "10+0.1"
"""The time control of a ladder's games, unless it has another one."""


def ladder_games(specs: Sequence[str]) -> list[Game]:
    """The games that are named for ladders: ``GAME``, or ``GAME:key=value,key=value`` with options.

    Raises:
        BadOption: no such game or option, or a game twice.
    """
    games: list[Game] = []
    for spec in specs:
        id, _, options = spec.partition(":")
        played = game(id, **(parse_assignments(options.split(",")) if options else {}))
        if any(other.id == id for other in games):
            raise BadOption(f"ladder '{spec}': there is one of {id} already, and a server has one of a game")
        games.append(played)
    return games


class Ladders:
    """The rooms of a server's ladders, which share the threads in which games are played. All methods but :meth:`close` are called on the event loop."""

    def __init__(self, ladders: Sequence[Ladder], warming: Warming, *, people: int, submissions: Conditions | None = None) -> None:
        """Prepare the ladders.

        Args:
            people: how many may come from one address.
            submissions: how bots that are uploaded are built and play; None: none can be uploaded.
        """
        self.limits = LadderLimits()
        self.rooms: dict[str, Room] = {}
        """By the id of the game, once they are open."""
        self.hostings: dict[str, Hosting] = {}
        """Submissions by the id of the game; empty without ``--submit``."""
        self._checker = Checker() if submissions else None
        self._submissions = submissions
        self._ladders = ladders
        self._warming = warming
        self._threads = ThreadPoolExecutor(self.limits.games, thread_name_prefix="judge")
        self._is_closed = False
        self._retrying: asyncio.Task[None] | None = None
        self.joins = Joins(people, time.monotonic)

    def open(self) -> None:
        """Bots may come."""
        loop = asyncio.get_running_loop()
        self.rooms = {ladder.game.id: Room(ladder, self.limits, loop, self._threads.submit, self._begin_games) for ladder in self._ladders}
        if self._checker and self._submissions:
            for id, room in self.rooms.items():
                self.hostings[id] = Hosting(room, self.joins, self._checker, self._submissions, loop)
        self._preparing = [asyncio.create_task(self._prepare(room)) for room in self.rooms.values()]
        self._retrying = asyncio.create_task(self._retry())

    async def _prepare(self, room: Room) -> None:
        """Load what games need, at nobody's expense."""
        played = room.ladder.game
        await self._warming.rules(played.id)
        await asyncio.wrap_future(
            self._threads.submit(play_game, played, ["random"] * played.players, seed=0, interrupted=lambda: self._is_closed)
        )
        room.is_ready = True
        if played.id in self.hostings:
            self.hostings[played.id].tend()
        self._begin_games()

    async def _retry(self) -> None:
        while True:
            await asyncio.sleep(RETRY)
            for room in self.rooms.values():
                await asyncio.to_thread(room.retry)
                room.turn_out_expelled()
            for hosting in self.hostings.values():
                hosting.tend()
            self._begin_games()
            for room in self.rooms.values():
                room.tell_waiting()

    def room(self, game: str) -> Room:
        """That of a game.

        Raises:
            ProtocolError: ``no_such_ladder``.
        """
        if game not in self.rooms:
            raise ProtocolError(
                "no_such_ladder", f"this server has no ladder of '{game[:40]}', but of {', '.join(self.rooms) or 'no game'}"
            )
        return self.rooms[game]

    @property
    def takes_submissions(self) -> bool:
        """True if the server takes uploads of bots."""
        return self._checker is not None

    def hosting(self, game: str) -> Hosting:
        """Return the submitted bots of a game's ladder.

        Raises:
            ProtocolError: ``no_such_ladder``.
        """
        self.room(game)
        return self.hostings[game]

    def _begin_games(self) -> None:
        """Begin as many games as there can be, where fewest are played first."""
        while not self._is_closed and sum(len(room.going) for room in self.rooms.values()) < self.limits.games:
            if not any(room.begin_one() for room in sorted(self.rooms.values(), key=lambda room: len(room.going))):
                return

    def address_of(self, competition: int) -> str | None:
        """The page of the ladder that is a competition of the store."""
        return next((at(f"/ladder/{id}") for id, room in self.rooms.items() if room.ladder.id == competition), None)

    def listed(self) -> list[dict[str, Any]]:
        """For pages and programs that want to know which there are."""
        return [
            {"game": id, "title": room.ladder.game.title, "name": room.ladder.name, "online": len(room.bots), "playing": len(room.going)}
            for id, room in self.rooms.items()
        ]

    # As the server's sessions use it.

    @property
    def in_memory(self) -> list[Session]:
        return [session for room in self.rooms.values() for session in room.sessions.values()]

    def find(self, id: str) -> Session | None:
        """A game that is played or was lately."""
        return next((room.sessions[id] for room in self.rooms.values() if id in room.sessions), None)

    @property
    def clients(self) -> int:
        """How many watch."""
        return sum(len(session.clients) for room in self.rooms.values() for session in room.sessions.values())

    def turn_out(self, address: str, reason: str) -> None:
        for room in self.rooms.values():
            room.turn_out(address, reason)

    def stop(self, reason: str) -> None:
        """Cut all games, and tell everybody."""
        self._is_closed = True
        if self._checker is not None:
            self._checker.close()
        for room in self.rooms.values():
            room.close(reason)
        for hosting in self.hostings.values():
            hosting.close()
        if self._retrying is not None:
            self._retrying.cancel()

    def close(self) -> None:
        """Wait for the judges' threads, which takes hundredths of a second."""
        self._is_closed = True
        self._threads.shutdown(wait=True)
