"""Submitted bots of a ladder: takes uploads, builds and checks them in a thread, and chooses the version that plays."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from starlette.concurrency import run_in_threadpool

from ludarium.arena.ladder.names import folded
from ludarium.arena.submissions import Version, Versions, check_start, ready_command, submitted_bot, unpack
from ludarium.core.cores import stand_back
from ludarium.core.event_loop import call_in_loop
from ludarium.core.pickling import Unpicklable
from ludarium.errors import LudariumError, ProtocolError, StoreError, store_errors
from ludarium.players.programs import Conditions
from ludarium.web.visitors.visitor import Visitor

from .hosted import HostedBot, IdlePrograms, Ready, hosted
from .limits import Joins
from .room import Room

log = logging.getLogger("ludarium.web")

MAX_UPLOADS = 8
"""Limit of simultaneous uploads."""

ANYWHERE = 1_000_000
"""Limit of bots per address for the server's own bots, which have no address."""


class Checker(Unpicklable):
    """The thread in which submissions of all ladders are built and checked, one after another."""

    send_instead = "send the submissions"

    def __init__(self) -> None:
        self.current: Version | None = None
        """The version that is being checked."""
        self.is_closed = False
        self._waiting: queue.SimpleQueue[tuple[Version, Callable[[], object]]] = queue.SimpleQueue()
        self._thread = threading.Thread(
            target=self._work, name="submissions", daemon=True
        )  # a check may take minutes, and the next start repeats it
        self._thread.start()

    def add(self, version: Version, check: Callable[[], object]) -> None:
        """Queue a check of a version."""
        self._waiting.put((version, check))

    def _work(self) -> None:
        stand_back()
        while not self.is_closed:
            self.current, check = self._waiting.get()
            if not self.is_closed:
                try:
                    check()
                except StoreError as problem:
                    log.error("version %d of '%s' stays as it is: %s", self.current.number, self.current.name, problem)
            self.current = None

    def close(self) -> None:
        """Start no more checks, and drop the result of a running one."""
        self.is_closed = True
        self._waiting.put((Version("", 0, "", "", 0.0), lambda: None))


class Hosting:
    """Submissions of one ladder. Call all methods on the event loop."""

    def __init__(self, room: Room, joins: Joins, checker: Checker, conditions: Conditions, loop: asyncio.AbstractEventLoop) -> None:
        """Load earlier submissions. Waits for the disk.

        Args:
            conditions: under which bots are built and play.

        Raises:
            StoreError: the folder of submissions cannot be used.
        """
        self._room = room
        self._joins = joins
        self._checker = checker
        self._conditions = replace(conditions, sandbox="require", folder=None, hidden=())
        self._loop = loop
        self._versions = Versions(room.ladder.folder / "submissions")
        self._idle = IdlePrograms()
        self._uploading = set[str]()
        self._entrants: dict[int, str] = {}
        self._hosted: dict[int, HostedBot] = {}
        for name in self._versions.names:
            if (entrant := room.ladder.enter_owned(name)) is not None:
                self._entrants[entrant] = name
        for version in self._versions.waiting():
            self._check_later(version)

    # What owners do.

    async def submit(self, name: str, key: str | None, file: str, visitor: Visitor, body: Callable[[], Awaitable[bytes]]) -> dict[str, Any]:
        """Take an upload.

        Args:
            name: the bot's name on the ladder.
            key: the key of the name; None for a free name, which gets one.
            file: the file's name.
            body: reads the upload.

        Returns:
            The name, its key, and the version as :meth:`versions` tells it.

        Raises:
            ProtocolError: it is refused.
            StoreError: the disk does not take it.
        """
        self._joins.count_address(visitor.address)
        ladder = self._room.ladder
        name = ladder.check(name, key)
        entrant = ladder.entrant_of(name)
        if entrant in ladder.expelled:
            raise ProtocolError("expelled", f"the organiser has expelled '{name}': {ladder.expelled[entrant]}")
        if key is None:
            self._joins.count_new_name(visitor.address)
        self._versions.check_quota(name)
        async with self._one_upload(name):
            entrant, key, version = await run_in_threadpool(self._take, name, key, file, await body())
        self._entrants[entrant] = version.name
        self._check_later(version)
        return {"name": version.name, "key": key, "version": self._told(version)}

    @asynccontextmanager
    async def _one_upload(self, name: str) -> AsyncGenerator[None]:
        if folded(name) in self._uploading:
            raise ProtocolError("too_many", f"another upload for '{name}' is running", 1)
        if len(self._uploading) >= MAX_UPLOADS:
            raise ProtocolError("busy", f"{MAX_UPLOADS} uploads are running, the limit; try again soon", 5)
        self._uploading.add(folded(name))
        try:
            yield
        finally:
            self._uploading.discard(folded(name))

    def _take(self, name: str, key: str | None, file: str, data: bytes) -> tuple[int, str, Version]:
        """Unpack an upload and store it. Runs in a thread."""
        try:
            with self._versions.made() as files:
                unpack(file, data, files)
                bot = submitted_bot(files)
                entrant, name, key = self._room.ladder.join(name, key)
                version = self._versions.add(files, name, file, bot.path)
            self._versions.prune(name)
        except StoreError as problem:  # which names files
            log.error("an upload cannot be kept: %s", problem)
            raise StoreError("the server's disk does not take the upload; try again later") from None
        return entrant, key, version

    def versions(self, name: str, key: str) -> dict[str, Any]:
        """Return a name and its versions, the newest first, for its owner.

        Raises:
            ProtocolError: ``bad_key``.
        """
        name = self._room.ladder.check(name, key)
        return {"name": name, "versions": [self._told(version) for version in reversed(self._versions.of(name))]}

    def log_of(self, name: str, key: str, number: int) -> str:
        """Return the log of a version for its owner. Waits for the disk.

        Raises:
            ProtocolError: ``bad_key``, or ``no_such_page``: the name has no such version.
        """
        name = self._room.ladder.check(name, key)
        for version in self._versions.of(name):
            if version.number == number:
                return self._versions.read_log(version)
        raise ProtocolError("no_such_page", f"'{name}' has no version {number}")

    def _told(self, version: Version) -> dict[str, Any]:
        state, reason = self._state(version)
        return {
            "number": version.number,
            "file": version.file,
            "bot": version.bot,
            "bytes": version.size,
            "uploaded": version.uploaded,
            "state": state,
            "reason": reason or None,
            "has_files": version.has_files,
        }

    def _state(self, version: Version) -> tuple[str, str]:
        if version.state == "waiting":
            current = self._checker.current
            is_current = current is not None and (current.name, current.number) == (version.name, version.number)
            return ("building" if is_current else "waiting"), ""
        if version.state != "passed":
            return version.state, version.reason
        playing = self._versions.playing(version.name)
        if playing is None or playing.number != version.number:
            return "replaced", ""
        entrant = self._room.ladder.entrant_of(version.name)
        if entrant is None or entrant in self._room.ladder.expelled:
            return "ready", "the organiser has expelled this name"
        bot = self._room.bots.get(entrant)
        if isinstance(bot, HostedBot):
            return "playing", ""
        return "ready", "a connected bot plays under this name" if bot else "it plays within a minute"

    # Builds and checks.

    def _check_later(self, version: Version) -> None:
        self._checker.add(version, lambda: self._check(version))

    def _check(self, version: Version) -> None:
        """Build and check a version, and store the result. Runs in the checker's thread."""
        files, program, errors = (place(version) for place in (self._versions.files_of, self._versions.program_of, self._versions.log_of))
        ladder = self._room.ladder
        try:
            problem = check_start(ladder.game, ladder.time, files, version.bot, program, errors, self._conditions)
        except Exception:  # the rules of any installed game may fail here, and later uploads are checked all the same
            log.exception("version %d of '%s' cannot be checked", version.number, version.name)
            problem = "the server could not check it; submit it again, or ask the organiser"
        if self._checker.is_closed:
            return
        if problem:
            self._versions.note(version, problem)
        with store_errors(f"the size of {program} cannot be read"):
            size = version.size + (program.stat().st_size if program.exists() else 0)
        self._versions.change(version, size=size, state="refused" if problem else "passed", reason=problem.partition("\n")[0][:500])
        self._versions.prune(version.name)
        call_in_loop(self._loop, self.tend)

    # Who plays.

    def tend(self) -> None:
        """Let the newest version that passed play, for every name whose owner is not connected."""
        for entrant, name in self._entrants.items():
            version = self._versions.playing(name)
            if version is None or self._checker.is_closed:
                continue
            bot = self._hosted.get(entrant)
            if bot is None or bot.ready.version.number != version.number:
                ready = self._ready(version)
                if ready is None:
                    continue
                if bot is not None and self._room.bots.get(entrant) is bot:
                    bot.ready = ready
            else:
                ready = bot.ready
            if entrant not in self._room.bots:
                self._enter(entrant, ready)

    def _enter(self, entrant: int, ready: Ready) -> None:
        try:
            self._room.check(entrant, "", ANYWHERE)
        except ProtocolError:  # expelled, taken off for a minute, or no room; tried again later
            return
        self._hosted[entrant] = hosted(
            entrant, self._loop.time(), ready=ready, conditions=self._conditions, idle=self._idle, on_quit=self._has_quit
        )
        self._room.enter(self._hosted[entrant])

    def _ready(self, version: Version) -> Ready | None:
        try:
            command = ready_command(self._versions.files_of(version), version.bot, self._versions.program_of(version))
        except (LudariumError, OSError) as problem:
            log.error("version %d of '%s' cannot play: %s", version.number, version.name, problem)
            self._stop(version, str(problem))
            return None
        return Ready(version, command, self._versions.log_of(version))

    def _has_quit(self, bot: HostedBot) -> None:
        why = self._room.taken_off(bot.entrant)
        if why is not None and bot.played is not None:
            self._stop(bot.played, why)

    def _stop(self, version: Version, why: str) -> None:
        """Stop a version. The previous one takes its place."""
        try:
            self._versions.note(version, f"stopped: {why}")
            self._versions.change(version, state="stopped", reason=why[:500])
        except StoreError as problem:
            log.error("%s", problem)

    def close(self) -> None:
        """End all programs."""
        self._idle.close()
