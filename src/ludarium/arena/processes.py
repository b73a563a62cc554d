"""Processes that compute for this one: they share nothing with it but a pipe, leave Ctrl-C to it, and end when it does."""

from __future__ import annotations

import ctypes
import multiprocessing
import multiprocessing.resource_tracker
import os
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from mmap import mmap
from multiprocessing import reduction
from multiprocessing.connection import wait
from types import ModuleType
from typing import Any

from ludarium.core.compiling import on_compile
from ludarium.core.cores import usable_cores
from ludarium.errors import BadOption

Interrupted = Callable[[], bool]

GRACE = 0.4
"""Seconds that processes get to stop by themselves."""

WARM_UP: Any = "warm up"
"""The part that comes before all others: ``job.warm_up()``."""

AHEAD = 0.02
"""Seconds of work, about, that a process has been given: it need not wait for the next part until somebody has looked at its last result."""

MOST_AHEAD = 64
"""Parts of which that are at most: they and their results fit into a pipe."""

UNKNOWN_EXIT = 255
"""What multiprocessing says of a process when the server that forked it, and would know, has been killed; it ends with that."""

SIGNAL_OF_PARENTS_DEATH = 1
"""PR_SET_PDEATHSIG of Linux's prctl."""

SAFE_PATH = "PYTHONSAFEPATH"
ITS_OWN = "ludarium"
"""That a variable was set here, not by the user."""

_RETURNED, _RAISED, _COMPILES = range(3)
"""What a worker says."""


class Died(Exception):
    """A process ended with something left to do."""

    def __init__(self, begun: int | None = None, by_its_part: bool = True) -> None:
        """``begun``: how many of its parts it may have begun; None: all. ``by_its_part``: whether one of these may be why."""
        super().__init__()
        self.begun = begun
        self.by_its_part = by_its_part


class Flag:
    """A boolean shared by processes, stored in an unnamed temporary file so that it works without ``/dev/shm``."""

    def __init__(self, file: int | None = None) -> None:
        """Create a flag. ``file`` is the descriptor of an existing flag's file."""
        if file is None:
            with tempfile.TemporaryFile() as made:
                made.write(b"\0")
                made.flush()
                self._byte = mmap(made.fileno(), 1)
                self._file = os.dup(made.fileno())
        else:
            self._file, self._byte = file, mmap(file, 1)

    def set(self) -> None:
        """Set the flag in all processes."""
        self._byte[0] = 1

    def is_set(self) -> bool:
        """Return True if the flag is set."""
        return self._byte[0] != 0

    def __reduce__(self) -> Any:
        """Pickle the file descriptor for a child process."""
        return _flag, (reduction.DupFd(self._file),)

    def __del__(self) -> None:
        with suppress(AttributeError, OSError):  # it was never made
            os.close(self._file)


def _flag(file: Any) -> Flag:
    return Flag(file.detach())


class Processes:
    """Where workers are processes of this machine."""

    def __init__(self, job: Any, cores: Sequence[int] = ()) -> None:
        """``cores``: each worker stays on one of these, if there are any, with all that it starts."""
        self._job = job
        self._cores = cores
        self._pinned: dict[int, Process] = {}
        """By core: who was started for it latest."""
        self._context = worker_context()
        self._stop = Flag()

    def start(self) -> Process:
        core = next((core for core in self._cores if core not in self._pinned or self._pinned[core].has_ended), None)
        worker = Process(self._context, self._job, self._stop, core)
        if core is not None:
            self._pinned[core] = worker
        return worker

    def wait(self, workers: Sequence[Process]) -> list[Process]:
        ready = set(wait([sign for worker in workers for sign in worker.signs], timeout=0.1))
        return [worker for worker in workers if not ready.isdisjoint(worker.signs)]

    def close(self, workers: Sequence[Process]) -> None:
        self._stop.set()
        for worker in workers:
            worker.release()
        until = time.monotonic() + GRACE
        for worker in workers:
            worker.end(max(0.0, until - time.monotonic()))


class Process:
    """A worker."""

    is_ready = True

    def __init__(self, context: Any, job: Any, stop: Any, core: int | None = None) -> None:
        """Start it. ``stop`` is a shared flag: once it is set, parts are interrupted. ``core``: where it stays."""
        self.parts: Sequence[Any] = ()
        self.results: Sequence[Any] = ()
        self.most = 1
        self._since = 0.0
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, job, stop, core))
        with quiet_start(job):
            self._process.start()
        theirs.close()  # so that the pipe ends with the process

    @property
    def signs(self) -> tuple[Any, Any]:
        """What ``multiprocessing.connection.wait`` waits for: an answer, or the end of the process."""
        return self._pipe, self._process.sentinel

    def give(self, parts: Sequence[Any]) -> None:
        if not self.parts:
            self._since = time.monotonic()
        self.parts = [*self.parts, *parts]
        with suppress(OSError):  # it has died, which its answer tells
            self._pipe.send(parts)

    def has_answered(self) -> bool:
        """Hear what it has to say, when one of the signs has come: the results, or that it compiles, which listeners of this process are told.

        Raises:
            Exception: what a part raised, with the traceback as a note.
            Died: it cannot answer any more.
        """
        if not self._pipe.poll():  # a process that it has started may keep the pipe open
            raise self._death()
        results: list[Any] = []
        while self._pipe.poll():
            try:
                kind, said = self._pipe.recv()
            except (EOFError, OSError):
                if results:
                    break
                raise self._death() from None
            if kind == _COMPILES:
                for listener in tuple(on_compile):
                    listener(said)
            elif kind == _RAISED:
                raise said
            else:
                results += said
        if results:
            now = time.monotonic()
            each, self._since = (now - self._since) / len(results), now
            self.most = max(1, min(2 * self.most, int(AHEAD / max(each, AHEAD / MOST_AHEAD))))
            self.parts, self.results = self.parts[len(results) :], results
        return bool(results)

    def _death(self) -> Died:
        self._process.join(GRACE)
        return Died(1, by_its_part=self._process.exitcode != UNKNOWN_EXIT)

    @property
    def has_ended(self) -> bool:
        return not self._process.is_alive()

    def release(self) -> None:
        """Let it end when it has nothing to do any more."""
        self._pipe.close()

    def end(self, seconds: float = 0.0) -> str:
        """Wait until it has ended, and end it after so many seconds; how it ended, in words."""
        self._process.join(seconds)
        self._process.kill()
        self._process.join()
        code = self._process.exitcode
        return f"exit code {code}" if code >= 0 else f"signal {-code} ({signal.strsignal(-code)})"


def cores_for(workers: int) -> Sequence[int]:
    """A core for each of so many workers.

    Raises:
        BadOption: there are not so many, or this system keeps nobody on a core.
    """
    cores = usable_cores()
    if not hasattr(os, "sched_setaffinity"):
        raise BadOption("games cannot be pinned to cores here: that takes Linux")
    if workers > len(cores):
        raise BadOption(f"{workers} games at once cannot have a core each: there are {len(cores)}")
    return cores[:workers]


def worker_context() -> Any:
    """Processes that share no threads or locks with this one. The server that forks them imports Ludarium once for all."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["ludarium.arena.games"])
    return context


def _work(pipe: Any, job: Any, stop: Flag, core: int | None) -> None:
    follow_parent()
    if sys.platform == "linux":
        # The parent is the server that forks, without which nobody would learn how this process ends.
        ctypes.CDLL(None).prctl(SIGNAL_OF_PARENTS_DEATH, signal.SIGKILL, 0, 0, 0)
    if core is not None:
        os.sched_setaffinity(0, {core})
    on_compile.append(lambda name: pipe.send((_COMPILES, name)))
    with suppress(EOFError, OSError):  # nobody is there any more
        while True:
            for part in pipe.recv():
                try:
                    answer = _RETURNED, done(job, [part], stop.is_set)
                except Exception as problem:  # noqa: BLE001  whatever it is, whoever asked gets it
                    answer = _RAISED, problem
                pipe.send(answer)


def done(job: Any, parts: Sequence[Any], interrupted: Interrupted) -> list[Any]:
    """The results of parts of a job.

    Raises:
        Exception: what a part raises, with the traceback as a note.
    """
    try:
        return [job.warm_up() if part == WARM_UP else job(part, interrupted) for part in parts]
    except Exception as problem:
        problem.add_note(traceback.format_exc())
        raise


@contextmanager
def quiet_start(job: object) -> Generator[None]:
    """New processes do not run the caller's script a second time, import nothing from the folder where they happen to start (there lie players, whose files
    may be called as modules of Python are), and leave Ctrl-C to this process from their first moment on."""
    main = sys.modules["__main__"]
    from_script = any(type(part).__module__ == "__main__" for part in (job, *getattr(job, "__dict__", {}).values()))
    if not from_script:
        sys.modules["__main__"] = ModuleType("__main__")
    is_safe = SAFE_PATH in os.environ
    os.environ.setdefault(SAFE_PATH, ITS_OWN)
    multiprocessing.resource_tracker.ensure_running()  # the first process starts it, which lets Ctrl-C in again
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if not is_safe:
            os.environ.pop(SAFE_PATH, None)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        sys.modules["__main__"] = main


def follow_parent() -> None:
    """Leave Ctrl-C to the process that asked for this one's work, and end with it, however that ended. What it starts imports from where it lies."""
    if os.environ.get(SAFE_PATH) == ITS_OWN:
        del os.environ[SAFE_PATH]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: Any) -> None:
    parent.join()
    os._exit(1)
