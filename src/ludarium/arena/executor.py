"""Runs numbered jobs in this process or in several, and stops them all when asked."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from types import ModuleType
from typing import Any, TypeVar, cast

from ludarium.errors import PlayerCrashed

Result = TypeVar("Result")
Interrupted = Callable[[], bool]
Job = Callable[[int, Interrupted], Result]
"""A job for a number. It looks at the second argument now and then and returns early once that is true. Processes get it pickled."""

CAN_BLOCK = hasattr(signal, "pthread_sigmask")

GRACE = 0.4
"""Seconds that processes get to stop by themselves."""


def run_jobs(job: Job[Result], count: int, *, workers: int, interrupted: Interrupted) -> Iterator[Result]:
    """Results of the jobs 0 to count − 1, as they are finished; they cease early once ``interrupted()`` is true.

    Raises:
        PlayerCrashed: a process died, which only code outside Python's control can bring about.
    """
    if min(workers, count) > 1:
        yield from _in_processes(job, count, min(workers, count), interrupted)
        return
    for number in range(count):
        if interrupted():
            return
        yield job(number, interrupted)


def _in_processes(job: Job[Result], count: int, workers: int, interrupted: Interrupted) -> Iterator[Result]:
    context = _context()
    stop = context.RawValue(ctypes.c_bool, False)
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_enter, initargs=(job, stop))
    numbers = iter(range(count))
    waiting: set[Future[Any]] = set()
    try:
        while not interrupted():
            while len(waiting) < 2 * workers and (number := next(numbers, None)) is not None:
                with quiet_start(job):
                    waiting.add(pool.submit(_run, number))
            if not waiting:
                break
            done, waiting = wait(waiting, timeout=0.1, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    except BrokenProcessPool:
        if not interrupted():
            raise PlayerCrashed("a process that played games died; with one worker the reason may show") from None
    finally:
        stop.value = True
        pool.shutdown(wait=False, cancel_futures=True)
        until = time.monotonic() + GRACE
        for process in set(multiprocessing.active_children()) - others:
            process.join(max(0.0, until - time.monotonic()))
            if process.is_alive():
                process.kill()
                process.join()


def _context() -> Any:
    """Processes that share no threads or locks with this one. The server that forks them imports Ludarium once for all."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["ludarium.arena.match"])
    return context


@contextmanager
def quiet_start(job: object) -> Generator[None]:
    """New processes do not run the caller's script a second time, and leave Ctrl-C to this process from their first moment on."""
    main = sys.modules["__main__"]
    from_script = any(type(part).__module__ == "__main__" for part in (job, *getattr(job, "__dict__", {}).values()))
    if not from_script:
        sys.modules["__main__"] = ModuleType("__main__")
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if CAN_BLOCK else None
    try:
        yield
    finally:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        sys.modules["__main__"] = main


class _Here:
    """What a worker process was given."""

    job: Job[Any]
    stop: Any


def _enter(job: Job[Any], stop: Any) -> None:
    follow_parent()
    _Here.job, _Here.stop = job, stop


def follow_parent() -> None:
    """Leave Ctrl-C to the process that asked for this one's work, and end with it, however that ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if CAN_BLOCK:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: Any) -> None:
    parent.join()
    os._exit(1)


def _run(number: int) -> Any:
    return cast(Any, _Here.job)(number, lambda: bool(_Here.stop.value))
