"""A Ray cluster as a workplace. Ray itself is in a process of its own, see :mod:`.driver`."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from importlib.util import find_spec
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

from ludarium.arena.processes import Died, Interrupted
from ludarium.errors import BadOption, PlayerCrashed

from .driver import DIED, RAISED, STARTED

ADDRESS = re.compile(r"auto|(ray://)?[^/\s]+:\d{1,5}", re.ASCII)

MOST_TO_JOIN = 30.0
"""Seconds after which whatever answers at an address but does not let itself be joined is left alone."""

MOST_TO_START = 90.0
"""Seconds that a Ray of this computer's own may take; ten on a busy one."""

TOKEN_HINT = "; where it asks for a token, RAY_AUTH_MODE=token sends it yours"

BATCH = 0.5
"""Seconds that a worker is to be busy with a batch: much more than a message takes, and still soon over."""

FASTEST_GROWTH = 4
"""A batch has at most so many times as many parts as the one before."""


class Cluster:
    """Where workers are actors of Ray. What they do can be given up at any time."""

    def __init__(self, address: str, job: object, processors: int) -> None:
        """Begin to join it.

        Raises:
            BadOption: no address of Ray's, or there is no Ray here.
        """
        if not ADDRESS.fullmatch(address):
            raise BadOption(f"cluster '{address}' is neither 'auto' nor HOST:PORT nor ray://HOST:PORT")
        if find_spec("ray") is None:
            raise BadOption("games are played on a cluster with Ray, which is not installed: pip install 'ludarium[cluster]'")
        self.processors = 0
        self._name = "the Ray of this computer" if address == "auto" else f"the Ray at {address}"
        self._workers = 0
        self._most = MOST_TO_START if address == "auto" else MOST_TO_JOIN
        self._until = time.monotonic() + self._most
        self._driver_end, theirs = Pipe()
        with theirs:
            self._driver = subprocess.Popen(
                [sys.executable, "-P", str(Path(__file__).with_name("driver.py")), str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._driver_end.send((address, processors, pickle.dumps(job)))

    def joined(self, interrupted: Interrupted) -> bool:
        """Wait until it has been joined; False if this was interrupted before.

        Raises:
            BadOption: it cannot be joined.
        """
        while not self._driver_end.poll(0.1):
            if interrupted():
                return False
            if time.monotonic() > self._until:
                raise BadOption(f"{self._name} cannot be joined: nothing comes of it within {self._most:.0f} s{TOKEN_HINT}")
        said = self._hear()
        if isinstance(said, str):
            raise BadOption(f"{self._name} cannot be joined: {said}{TOKEN_HINT if 'Failed to connect' in said else ''}")
        if said == 0:
            raise BadOption(f"{self._name} has no processors to play on")
        self.processors = said
        return True

    def start(self) -> ClusterWorker:
        self._workers += 1
        worker = ClusterWorker(self, self._workers)
        worker.tell(())
        return worker

    def wait(self, workers: Sequence[ClusterWorker]) -> list[ClusterWorker]:
        numbered = {worker.number: worker for worker in workers}
        while self._driver_end.poll(0 if any(worker.said for worker in workers) else 0.1):
            number, kind, value = self._hear()
            if number in numbered:  # else it has been ended
                numbered[number].said.append((kind, value))
        return [worker for worker in workers if worker.said]

    def _hear(self) -> Any:
        try:
            return self._driver_end.recv()
        except (EOFError, OSError):
            raise PlayerCrashed(f"{self._name} has been lost") from None

    def tell(self, message: tuple[int, bytes | None]) -> None:
        try:
            self._driver_end.send(message)
        except OSError:
            raise PlayerCrashed(f"{self._name} has been lost") from None

    def close(self, workers: Sequence[ClusterWorker] = ()) -> None:
        """Leave it, with whatever workers there are. What was started here for it ends by itself in a few seconds, for which nobody needs to wait."""
        self._driver_end.close()
        threading.Thread(target=self._driver.wait, daemon=True).start()


class ClusterWorker:
    """A worker on a cluster."""

    def __init__(self, cluster: Cluster, number: int) -> None:
        self.is_ready = False
        self.parts: Sequence[Any] = ()
        self.results: Sequence[Any] = ()
        self.number = number
        self.said = deque[tuple[int, Any]]()
        """What it has said and nobody has heard yet."""
        self._cluster = cluster
        self._batch = 1
        self._batches = deque[int]()
        self._end = ""

    @property
    def most(self) -> int:
        """A batch that it is at, and nearly as much: so that it is given the next batch when one is finished and another is there."""
        return 2 * self._batch - 1

    def tell(self, parts: Sequence[Any] | None) -> None:
        self._cluster.tell((self.number, None if parts is None else pickle.dumps(parts)))

    def give(self, parts: Sequence[Any]) -> None:
        self.parts = [*self.parts, *parts]
        for first in range(0, len(parts), self._batch):
            batch = parts[first : first + self._batch]
            self._batches.append(len(batch))
            self.tell(batch)

    def has_answered(self) -> bool:
        results: list[Any] = []
        while self.said and not (results and self.said[0][0] == DIED):
            kind, value = self.said.popleft()
            if kind == RAISED:
                raise pickle.loads(value)
            if kind == DIED:
                self._end = value
                raise Died(self._batches[0] if self._batches else 0)
            if kind == STARTED:
                self.is_ready = True
                continue
            seconds, answered = value
            results += pickle.loads(answered)
            size = self._batches.popleft()
            self.parts = self.parts[size:]
            self._batch = max(1, min(int(BATCH * size / max(seconds, 1e-9)), FASTEST_GROWTH * size))
        self.results = results
        return bool(results)

    def end(self) -> str:
        self.tell(None)
        return self._end
