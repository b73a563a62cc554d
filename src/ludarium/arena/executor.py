"""Does the parts of a job in this process or in several, and stops them all when asked."""

from __future__ import annotations

import ctypes
import time
from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import takewhile
from multiprocessing.connection import wait
from typing import Any, Generic, Protocol, TypeVar, cast

from ludarium.errors import PlayerCrashed

from .processes import WARM_UP, Died, Interrupted, Worker, worker_context

Part = TypeVar("Part", bound=Hashable)
Asked = TypeVar("Asked", bound=Hashable, contravariant=True)
Result = TypeVar("Result", covariant=True)

GRACE = 0.4
"""Seconds that processes get to stop by themselves."""

MOST_DEATHS = 3
"""Processes that may die at one part before it is given up."""

MOST_IN_A_ROW = 15
"""Processes for each worker that may die in a row, with nothing finished, before all is given up."""

NAMED = 5
"""Parts that were given up are named, up to so many of them."""


class Job(Protocol[Asked, Result]):
    """Work in parts, which have an order. Processes get it pickled, and then each part."""

    def warm_up(self) -> None:
        """Compile what is not in the cache yet, in one process before there are others, which would all compile the same."""
        ...

    def __call__(self, part: Asked, interrupted: Interrupted, /) -> Result:
        """Do a part. It looks at the second argument now and then and returns early once that is true."""
        ...

    def name(self, part: Asked, /) -> str:
        """What to call a part where people read of it."""
        ...

    def undo(self, part: Asked, /) -> None:
        """Remove what a process that died at a part has left behind."""
        ...


def run_jobs(job: Job[Part, Result], parts: Iterable[Part | None], *, workers: int, interrupted: Interrupted) -> Iterator[Result]:
    """Results of the parts, as they are finished; they cease early once ``interrupted()`` is true.

    With several workers, each is a process. When one dies (killed, out of memory, crashed outside of Python), its part is done again from the beginning. It is
    given up when :data:`MOST_DEATHS` processes died at it; and so is all that is left, when nothing is finished any more because all processes die.

    Args:
        parts: asked for the next one whenever there is somebody to do it; None: what comes next depends on results that are not known yet.

    Raises:
        PlayerCrashed: parts were given up; it comes after all results.
    """
    if workers > 1:
        yield from _in_processes(job, _Supply(parts), workers, interrupted)
        return
    for part in parts:
        if interrupted():
            return
        assert part is not None, "all results are known"
        yield job(part, interrupted)


class _Supply(Generic[Part]):
    """The parts that nobody is at."""

    def __init__(self, parts: Iterable[Part | None]) -> None:
        self._parts = iter(parts)
        self._first = deque[Part]([WARM_UP])
        self._again = deque[Part]()

    def take(self) -> Part | None:
        """The next one, if there is one now; those to be done again when there is no other."""
        if self._first:
            return self._first.popleft()
        part = next(self._parts, None)
        return self._again.popleft() if part is None and self._again else part

    def give_back(self, part: Part) -> None:
        """Nobody has begun it."""
        self._first.append(part)

    def do_again(self, part: Part) -> None:
        """A process died at it."""
        self._again.append(part)

    def rest(self) -> list[Part]:
        """All that are left, as far as they are known."""
        return [
            part
            for part in (*self._first, *takewhile(lambda part: part is not None, self._parts), *self._again)
            if part not in (None, WARM_UP)
        ]


def _in_processes(job: Job[Part, Result], supply: _Supply[Part], most: int, interrupted: Interrupted) -> Iterator[Result]:
    context = worker_context()
    stop = context.RawValue(ctypes.c_bool, False)
    given_up = list[Part]()
    workers: list[Worker] = []
    deaths, in_a_row, cause, is_warm, has_room = Counter[Part](), 0, "", False, True
    try:
        while not interrupted():
            if in_a_row >= MOST_IN_A_ROW * most:
                given_up += [*supply.rest(), *(worker.part for worker in workers if worker.part not in (None, WARM_UP))]
                break
            has_room = True
            while any(worker.part is None for worker in workers) or len(workers) < (most if is_warm else 1):
                if (part := supply.take()) is None:
                    break
                worker = next((worker for worker in workers if worker.part is None), None)
                try:
                    if worker is None:
                        workers.append(worker := Worker(context, job, stop))
                except (OSError, EOFError) as problem:  # the system has no room for it, or has just killed what forks it
                    supply.give_back(part)
                    in_a_row, cause, has_room = in_a_row + 1, str(problem), False
                    break
                worker.give(part)
            busy = [worker for worker in workers if worker.part is not None]
            if not busy and has_room:
                break
            ready = set(wait([sign for worker in busy for sign in worker.signs], timeout=0.1))
            for worker in busy:
                part: Any = worker.part
                if part is None or ready.isdisjoint(worker.signs):
                    continue
                try:
                    if not worker.has_answered():
                        continue
                except Died:
                    workers.remove(worker)
                    cause = worker.end()
                    in_a_row += 1
                    if part != WARM_UP:
                        job.undo(part)
                        deaths[part] += 1
                        if deaths[part] == MOST_DEATHS:
                            given_up.append(part)
                        else:
                            supply.do_again(part)
                else:
                    in_a_row = 0
                    if part != WARM_UP:
                        yield worker.result
                is_warm = True
    finally:
        stop.value = True
        for worker in workers:
            worker.release()
        until = time.monotonic() + GRACE
        for worker in workers:
            worker.end(max(0.0, until - time.monotonic()))
    if given_up and not interrupted():
        names = [job.name(part) for part in sorted(cast("list[Any]", given_up))]
        raise PlayerCrashed(f"{_listed(names)} given up: processes died again and again, at last with {cause}")


def _listed(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")
