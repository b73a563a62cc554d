"""Runs numbered jobs in this process or in several, and stops them all when asked."""

from __future__ import annotations

import ctypes
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import wait
from typing import Protocol, TypeVar

from ludarium.errors import PlayerCrashed

from .processes import WARM_UP, Died, Interrupted, Worker, worker_context

Result = TypeVar("Result", covariant=True)

GRACE = 0.4
"""Seconds that processes get to stop by themselves."""

MOST_DEATHS = 3
"""Processes that may die at one part before it is given up."""

MOST_IN_A_ROW = 15
"""Processes for each worker that may die in a row, with nothing finished, before all is given up."""

NAMED = 5
"""Parts that were given up are named, up to so many of them."""


class Job(Protocol[Result]):
    """Work in numbered parts. Processes get it pickled."""

    def warm_up(self) -> None:
        """Compile what is not in the cache yet, in one process before there are others, which would all compile the same."""
        ...

    def __call__(self, number: int, interrupted: Interrupted, /) -> Result:
        """Do a part. It looks at the second argument now and then and returns early once that is true."""
        ...

    def name(self, number: int, /) -> str:
        """What to call a part where people read of it."""
        ...

    def undo(self, number: int, /) -> None:
        """Remove what a process that died at a part has left behind."""
        ...


def run_jobs(job: Job[Result], count: int, *, workers: int, interrupted: Interrupted) -> Iterator[Result]:
    """Results of the parts 0 to count − 1, as they are finished; they cease early once ``interrupted()`` is true.

    With several workers, each is a process. When one dies (killed, out of memory, crashed outside of Python), its part is done again from the beginning. It is
    given up when :data:`MOST_DEATHS` processes died at it; and so is all that is left, when nothing is finished any more because all processes die.

    Raises:
        PlayerCrashed: parts were given up; it comes after all results.
    """
    if min(workers, count) > 1:
        yield from _in_processes(job, count, min(workers, count), interrupted)
        return
    for number in range(count):
        if interrupted():
            return
        yield job(number, interrupted)


def _in_processes(job: Job[Result], count: int, most: int, interrupted: Interrupted) -> Iterator[Result]:
    context = worker_context()
    stop = context.RawValue(ctypes.c_bool, False)
    waiting, given_up = deque([WARM_UP, *range(count)]), list[int]()
    workers: list[Worker] = []
    deaths, in_a_row, cause, is_warm = Counter[int](), 0, "", False
    try:
        while not interrupted():
            if in_a_row >= MOST_IN_A_ROW * most:
                given_up += [*waiting, *(worker.number for worker in workers if worker.number is not None)]
                break
            while waiting and len(workers) < (most if is_warm else 1):
                try:
                    workers.append(Worker(context, job, stop))
                except (OSError, EOFError) as problem:  # the system has no room for it, or has just killed what forks it
                    in_a_row, cause = in_a_row + 1, str(problem)
                    break
            for worker in workers:
                if waiting and worker.number is None:
                    worker.give(waiting.popleft())
            busy = [worker for worker in workers if worker.number is not None]
            if not busy and not waiting:
                break
            ready = set(wait([sign for worker in busy for sign in worker.signs], timeout=0.1))
            for worker in busy:
                number = worker.number
                if number is None or ready.isdisjoint(worker.signs):
                    continue
                try:
                    if not worker.has_answered():
                        continue
                except Died:
                    workers.remove(worker)
                    cause = worker.end()
                    in_a_row += 1
                    if number != WARM_UP:
                        job.undo(number)
                        deaths[number] += 1
                        (given_up if deaths[number] == MOST_DEATHS else waiting).append(number)
                else:
                    in_a_row = 0
                    if number != WARM_UP:
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
        raise PlayerCrashed(f"{_listed(sorted(given_up), job.name)} given up: processes died again and again, at last with {cause}")


def _listed(numbers: Sequence[int], name: Callable[[int], str]) -> str:
    more = len(numbers) - NAMED
    return ", ".join(map(name, numbers[:NAMED])) + (f" and {more} more" if more > 0 else "")
