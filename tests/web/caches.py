"""A cache of machine code that tests fill as they like."""

from __future__ import annotations

import queue
import threading

from ludarium.core.compiling import on_compile
from ludarium.web.compiling.warming import Warming
from ludarium.web.compiling.warmup import Part
from tests.web.live import PATIENCE


class Cache:
    """What is on disk, as far as a test knows; and processes that fill it, one part whenever they ``may``."""

    def __init__(self, *there: Part) -> None:
        self.there = set(there)
        self.loaded: list[Part] = []
        self.compiled: list[Part] = []
        self.processes: list[Process] = []
        self.begun: queue.Queue[Part] = queue.Queue()
        self.may: queue.Queue[bool] = queue.Queue()

    def warm_up(self, part: Part) -> None:
        if part not in self.there:
            for listener in list(on_compile):
                listener(part.game)
            self.there.add(part)
        self.loaded.append(part)

    def process(self) -> Process:
        self.processes.append(Process(self))
        return self.processes[-1]

    def warming(self, *parts: Part) -> Warming:
        return Warming(parts, self.warm_up, self.process)

    def next(self) -> Part:
        """What a process compiles now."""
        return self.begun.get(timeout=PATIENCE)


class Process:
    def __init__(self, cache: Cache) -> None:
        self.cache = cache
        self.ended = threading.Event()

    def compile(self, part: Part) -> bool:
        self.cache.begun.put(part)
        if not self.cache.may.get(timeout=PATIENCE):
            return False
        self.cache.there.add(part)
        self.cache.compiled.append(part)
        return True

    def end(self) -> None:
        if not self.ended.is_set():
            self.ended.set()
            self.cache.may.put(False)
