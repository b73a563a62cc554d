"""Does the parts of a job in this process or in several, and stops them all when asked."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import islice, takewhile
from typing import Any, Generic, Protocol, TypeVar, cast

from ludarium.errors import PlayerCrashed

from .processes import WARM_UP, Died, Interrupted, Processes, cores_for

Part = TypeVar("Part", bound=Hashable)
Asked = TypeVar("Asked", bound=Hashable, contravariant=True)
Result = TypeVar("Result", covariant=True)

MOST_DEATHS = 3
"""Processes that may die at one part before it is given up."""

MOST_IN_A_ROW = 15
"""Processes for each worker that may die in a row, with nothing finished, before all is given up."""

NAMED = 5
"""Parts that were given up are named, up to so many of them."""


class Job(Protocol[Asked, Result]):
    """Work in parts, which have an order. Processes get it pickled, and then each part. What has nothing to compile or to undo leaves these as they are."""

    def warm_up(self) -> None:
        """Compile what is not in the cache yet, in one process before there are others, which would all compile the same."""
        return

    def __call__(self, part: Asked, interrupted: Interrupted, /) -> Result:
        """Do a part. It looks at the second argument now and then and returns early once that is true."""
        ...

    def name(self, part: Asked, /) -> str:
        """What to call a part where people read of it."""
        ...

    def undo(self, part: Asked, /) -> None:
        """Remove what a process that died at a part has left behind."""
        return


class Worker(Protocol):
    """A process somewhere that does parts of a job."""

    is_ready: bool
    """Whether it can be given something, if it has nothing."""
    most: int
    """How many parts it is to have at once."""
    parts: Sequence[Any]
    """What it has been given and not answered."""
    results: Sequence[Any]
    """What it has answered latest."""

    def give(self, parts: Sequence[Any], /) -> None:
        """Give it parts, besides those that it has. It answers them in their order, one or several together."""
        ...

    def has_answered(self) -> bool:
        """Hear what it has to say: results of its parts, or something else.

        Raises:
            Exception: what a part raised.
            Died: it cannot answer any more.
        """
        ...

    def end(self) -> str:
        """End it; how it has ended, in words."""
        ...


AnyWorker = TypeVar("AnyWorker", bound=Worker)


class Workplace(Protocol[AnyWorker]):
    """Where workers are."""

    def start(self) -> AnyWorker:
        """One more worker.

        Raises:
            OSError, EOFError: there is no room for it now.
        """
        ...

    def wait(self, workers: Sequence[AnyWorker], /) -> Sequence[AnyWorker]:
        """Those that have something to say; wait a tenth of a second for the first of them."""
        ...

    def close(self, workers: Sequence[AnyWorker], /) -> None:
        """End all these workers, whatever they are at."""
        ...


def run_jobs(
    job: Job[Part, Result],
    parts: Iterable[Part | None],
    *,
    workers: int,
    interrupted: Interrupted,
    pin: bool = False,
    workplace: Workplace[Any] | None = None,
) -> Iterator[Result]:
    """Results of the parts, as they are finished; they cease early once ``interrupted()`` is true.

    With several workers, pinned ones, or a workplace, each is a process. When one dies (killed, out of memory, crashed outside of Python), its parts are done
    again from the beginning. A part is given up when :data:`MOST_DEATHS` processes died at it; and so is all that is left, when nothing is finished any more
    because all die.

    Args:
        parts: asked for the next one whenever there is somebody to do it; None: what comes next depends on results that are not known yet.
        pin: whether each worker has a core of its own, where it stays with all that it starts.
        workplace: where the workers are, else processes of this machine.

    Raises:
        BadOption: there are not so many cores.
        PlayerCrashed: parts were given up; it comes after all results.
    """
    if workers > 1 or pin or workplace is not None:
        place = workplace or Processes(job, cores_for(workers) if pin else ())
        yield from _in_processes(job, _Supply(parts), workers, interrupted, place)
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

    def take(self, most: int) -> list[Part]:
        """The next ones, as far as there are any now; those to be done again when there are no others, each alone: one of them may be what kills."""
        if self._first:
            return [self._first.popleft()]
        parts = list(takewhile(lambda part: part is not None, islice(self._parts, most)))
        return cast("list[Part]", parts) or ([self._again.popleft()] if self._again else [])

    def give_back(self, parts: Sequence[Part]) -> None:
        """Nobody has begun them."""
        self._first.extendleft(reversed(parts))

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


def _in_processes(
    job: Job[Part, Result], supply: _Supply[Part], most: int, interrupted: Interrupted, workplace: Workplace[Any]
) -> Iterator[Result]:
    given_up = list[Part]()
    workers: list[Worker] = []
    results: list[Result] = []
    deaths, in_a_row, cause, is_warm = Counter[Part](), 0, "", False
    try:
        while not interrupted():
            if in_a_row >= MOST_IN_A_ROW * most:
                given_up += [part for part in (*supply.rest(), *(part for worker in workers for part in worker.parts)) if part != WARM_UP]
                break
            has_more = True
            while (worker := _idle(workers)) or len(workers) < (most if is_warm else 1):
                if not (parts := supply.take(worker.most - len(worker.parts) if worker else 1)):
                    has_more = False
                    break
                try:
                    if worker is None:
                        workers.append(worker := workplace.start())
                except (OSError, EOFError) as problem:  # the system has no room for it, or has just killed what forks it
                    supply.give_back(parts)
                    in_a_row, cause = in_a_row + 1, str(problem)
                    break
                if worker.is_ready:
                    worker.give(parts)
                else:
                    supply.give_back(parts)
            if results:  # of those who have their next parts by now
                new, results = results, []
                yield from new
                continue  # what comes next may depend on them
            if not has_more and not any(worker.parts for worker in workers):
                break
            for worker in workplace.wait([worker for worker in workers if worker.parts or not worker.is_ready]):
                parts: Sequence[Any] = worker.parts
                try:
                    if not worker.has_answered():
                        continue
                except Died as death:
                    workers.remove(worker)
                    cause = worker.end()
                    in_a_row += 1
                    begun = parts[: death.begun]
                    supply.give_back(parts[len(begun) :])
                    for part in begun if is_warm else ():
                        job.undo(part)
                        deaths[part] += death.by_its_part
                        if deaths[part] == MOST_DEATHS:
                            given_up.append(part)
                        else:
                            supply.do_again(part)
                else:
                    in_a_row = 0
                    if is_warm:
                        results += worker.results
                is_warm = is_warm or bool(parts)
        yield from results
    finally:
        workplace.close(workers)
    if given_up and not interrupted():
        names = [job.name(part) for part in sorted(cast("list[Any]", given_up))]
        raise PlayerCrashed(f"{_listed(names)} given up: processes died again and again, at last with {cause}")


def _idle(workers: Sequence[Worker]) -> Worker | None:
    """Somebody who has less than half of what it is to have; first whoever has nothing."""
    hungry = [worker for worker in workers if worker.is_ready and 2 * len(worker.parts) < worker.most]
    return min(hungry, key=lambda worker: len(worker.parts), default=None)


def _listed(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")
