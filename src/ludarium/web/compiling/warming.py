"""What is compiled and loaded beside the open server, part by part, and who waits for which part."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterable

from ludarium.core.compiling import NotCompiled, only_loading
from ludarium.core.event_loop import call_in_loop

from .compiler import Compiler
from .warmup import Part, warm_up

log = logging.getLogger("ludarium.web")


class Warming:
    """Loads parts one after the other, those first that somebody waits for. What no cache has yet is compiled by another process before.

    Without parts everything is ready. All methods are called on the event loop's thread.
    """

    def __init__(
        self, parts: Iterable[Part] = (), warm_up: Callable[[Part], None] = warm_up, compiler: Callable[[], Compiler] = Compiler
    ) -> None:
        self._left = list(parts)
        self._ready = {part: asyncio.Event() for part in self._left}
        self._waited_for: Counter[Part] = Counter()
        self._warm_up = warm_up
        self._make_compiler = compiler
        self._compiler: Compiler | None = None
        self._compiling: Part | None = None
        self._is_closed = False
        self._lock = threading.Lock()  # around all these

    def start(self, say: Callable[[str], None]) -> None:
        """Begin, on a thread of its own. ``say`` is told when something must be compiled, and when all of it is."""
        arguments = (asyncio.get_running_loop(), say)
        threading.Thread(
            target=self._run, args=arguments, name="warming", daemon=True
        ).start()  # which a server that stops does not wait for

    def is_ready(self, game: str, *, bots: bool = False) -> bool:
        """Whether a game's rules (with ``bots``, its bots too) are loaded."""
        return all(ready.is_set() for part, ready in self._ready.items() if part.game == game and (bots or part.bot is None))

    async def rules(self, game: str) -> None:
        """Wait until a game's rules are loaded, when their turn comes. Does not wait for an unknown game."""
        if ready := self._ready.get(Part(game)):
            await ready.wait()

    async def ready(self, game: str, players: Iterable[str] = ()) -> None:
        """Wait until a game can be played by these players, given by their specs, without compiling. What nobody waits for gives way to that."""
        wanted = [Part(game), *(Part(game, player.partition(":")[0]) for player in players)]
        wanted = [part for part in wanted if part in self._ready and not self._ready[part].is_set()]
        self._waited_for.update(wanted)
        try:
            if wanted:
                self._come_first(wanted)
            for part in wanted:
                await self._ready[part].wait()
        finally:
            self._waited_for.subtract(wanted)

    def _come_first(self, wanted: list[Part]) -> None:
        with self._lock:
            compiler = None
            if self._compiling is not None and self._waited_for[self._compiling] == 0:
                self._left.insert(0, self._compiling)  # the kernels that are finished are on disk
                compiler, self._compiler = self._compiler, None
                self._compiling = None
            self._left.sort(key=lambda part: part not in wanted)
        if compiler is not None:
            compiler.end()

    def close(self) -> None:
        """End at once. Nobody waits any longer."""
        with self._lock:
            self._is_closed = True
        self._end_compiler()
        self._let_go()

    def _end_compiler(self) -> None:
        with self._lock:
            compiler, self._compiler = self._compiler, None
        if compiler is not None:
            compiler.end()

    def _let_go(self) -> None:
        for ready in self._ready.values():
            ready.set()

    # On the thread.

    def _run(self, loop: asyncio.AbstractEventLoop, say: Callable[[str], None]) -> None:
        compiles = False
        try:
            while part := self._next():
                if not self._load(part):
                    if not compiles:
                        compiles = True
                        call_in_loop(loop, say, "Compiling games and players for this computer, once; what you choose comes first")
                    if not self._compile(part):
                        continue
                if not call_in_loop(loop, self._ready[part].set):
                    return
            if compiles and not self._is_closed:
                call_in_loop(loop, say, "All games and players are compiled")
        finally:
            self._end_compiler()
            call_in_loop(loop, self._let_go)  # whatever has happened: better slow than never

    def _next(self) -> Part | None:
        with self._lock:
            return self._left.pop(0) if self._left and not self._is_closed else None

    def _load(self, part: Part) -> bool:
        """Whether a part could be loaded: all its machine code is in the cache, or it does not work at all."""
        try:
            with only_loading():
                self._warm_up(part)
        except NotCompiled:
            return False
        return True

    def _compile(self, part: Part) -> bool:
        """Have a part compiled, and load it; False: something else has come first. What the other process cannot do, or not keep, this one compiles."""
        with self._lock:
            if self._is_closed:
                return False
            try:
                compiler = self._compiler = self._compiler or self._make_compiler()
                self._compiling = part
            except OSError as problem:
                log.error("no process that compiles can be started: %s", problem.strerror)
                compiler = None
        done = compiler is not None and compiler.compile(part)
        with self._lock:
            gave_way = self._compiler is not compiler
            self._compiling = None
        if gave_way:
            return False
        if not done:
            self._end_compiler()
            log.error(
                "%s is not compiled by another process; the server compiles that itself, and its pages may stop for seconds",
                _name(part),
            )
        if not self._load(part):
            self._warm_up(part)
        return True


def _name(part: Part) -> str:
    return part.game if part.bot is None else f"{part.game}'s {part.bot}"
