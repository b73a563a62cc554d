"""The process between whoever organises games and Ray: a script of its own, which nothing imports while games are organised.

Ray prints on the standard output of a process that uses it, takes its signals, and ends it when the cluster is lost. So it gets a process for itself, with a
session of its own, which Ctrl-C does not reach.

Run as ``driver.py NUMBER``, a connection of ``multiprocessing``. There come an address of Ray's or ``auto``, the number of processors of a Ray that is
started here, and the job. The answer is how many processors there are, or a text that says why there are none. Then come pairs: a worker's number, and its
next parts. The first pair with a number starts the worker, and None for the parts ends it. Answers are triples: a worker's number, what it says, and a
value. When the connection closes, everything ends.

Jobs, parts and results pass through as bytes: the workers, which have Ludarium, unpack them.
"""

from __future__ import annotations

import logging
import os
import pickle
import select
import shutil
import socket
import sys
import threading
import time
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

STARTED, DONE, RAISED, DIED = range(4)
"""What a worker says: that it is there; how many seconds its parts took, and their results; an exception; how it has died."""

PATIENCE = 3.0
"""Seconds in which an address is to answer."""

BEGINNING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + b"\x04" + bytes(5)
"""How HTTP/2 begins, which Ray speaks (RFC 9113, 3.4): these words, and a frame of settings. It begins with such a frame, too."""

GRACE = 0.4
"""Seconds that workers get to stop by themselves."""

MOST_TO_LEAVE = 10.0
"""Seconds in which this process has ended when nobody needs it any more."""

STOPPING = "stopping"
"""The thread of a worker that can be told to stop while another works."""

ENVIRONMENT = {"RAY_kill_child_processes_on_worker_exit": "0"}
"""Of workers: Ray would kill the keepers of programs, which then live on. Keepers end them, and themselves, when a worker has ended."""

OBJECT_STORE = 80 << 20
"""Bytes of shared memory for a Ray that is started here, a little more than it needs at least: results are small."""


class Actor:
    """A worker. Ray sends this class to its nodes, and what it imports is theirs."""

    def __init__(self) -> None:
        self._is_stopped = False
        self._job: Any = None

    def start(self, job: bytes) -> tuple[int, Any]:
        try:
            self._job = pickle.loads(job)
        except Exception as problem:  # noqa: BLE001  whatever a node lacks, whoever asked for the job is told
            return RAISED, pickle.dumps(_refusal(problem))
        return STARTED, None

    def do(self, parts: bytes) -> tuple[int, Any]:
        from ludarium.arena.processes import done

        started = time.perf_counter()
        try:
            results = done(self._job, pickle.loads(parts), lambda: self._is_stopped)
        except Exception as problem:  # noqa: BLE001  whatever it is, whoever asked for the parts gets it
            return RAISED, pickle.dumps(problem)
        return DONE, (time.perf_counter() - started, pickle.dumps(results))

    def stop(self) -> None:
        self._is_stopped = True


def _refusal(problem: Exception) -> Exception:
    from ludarium.errors import BadOption

    return BadOption(f"{socket.gethostname()}, a node of the cluster, cannot play this: {type(problem).__name__}: {problem}")


class Driver:
    """What is done on Ray for whoever is at the other end of a connection."""

    def __init__(self, home: Connection, job: bytes) -> None:
        import ray

        self._ray: Any = ray
        self._home = home
        self._job = job
        self._sending = threading.Lock()
        made = self._ray.remote(num_cpus=1, concurrency_groups={STOPPING: 1}, runtime_env={"env_vars": ENVIRONMENT})
        self._actor: Any = made(Actor)
        self._actors: dict[int, Any] = {}
        self._asked: dict[int, Any] = {}
        """What actors were asked latest; they answer in order."""

    def run(self) -> None:
        """Do it until the connection closes, and leave Ray."""
        with suppress(EOFError, OSError):
            while True:
                number, parts = self._home.recv()
                if parts is None:
                    del self._asked[number]
                    self._ray.kill(self._actors.pop(number))
                    continue
                if number in self._actors:
                    self._asked[number] = self._actors[number].do.remote(parts)
                else:
                    self._actors[number] = self._actor.remote()
                    self._asked[number] = self._actors[number].start.remote(self._job)
                self._asked[number].future().add_done_callback(partial(self._tell, number))
        for actor in self._actors.values():
            actor.stop.options(concurrency_group=STOPPING).remote()
        if asked := list(self._asked.values()):
            self._ray.wait(asked, num_returns=len(asked), timeout=GRACE)
        for actor in self._actors.values():
            self._ray.kill(actor)
        self._ray.shutdown()

    def _tell(self, number: int, future: Any) -> None:
        try:
            said = future.result()
        except self._ray.exceptions.RayTaskError as problem:
            said = RAISED, pickle.dumps(RuntimeError(str(problem)))
        except Exception as problem:  # noqa: BLE001  Ray has dozens of them for what can happen to a process
            said = DIED, f"{type(problem).__name__}: {problem}".partition("\n")[0]
        with self._sending, suppress(OSError):  # nobody is there any more
            self._home.send((number, *said))


def join(address: str, processors: int) -> tuple[int, str | None]:
    """Connect this process to Ray, which is started here if it is to be found here and is not.

    Returns:
        The number of its processors, and the folder of one that was started, which nobody needs after it has ended.

    Raises:
        Exception: it cannot be done; Ray has many reasons.
    """
    if address == "auto":
        address = os.environ.get("RAY_ADDRESS", "") or address
    if address != "auto":
        knock(address)
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray

    found: Any = ray
    folder: str | None = None
    quiet = {"log_to_driver": False, "configure_logging": False, "logging_level": logging.CRITICAL}
    if address == "auto":
        try:
            started = found.init(num_cpus=processors, include_dashboard=False, object_store_memory=OBJECT_STORE, **quiet)
            folder = started.address_info["session_dir"]
        except ValueError:  # there is one, whose size nobody can choose any more
            found.init(**quiet)
    else:
        found.init(address, **quiet)
    return int(found.cluster_resources().get("CPU", 0)), folder


def knock(address: str) -> None:
    """Whether a Ray may be at an address, which Ray itself takes half a minute to say.

    Raises:
        ConnectionError: none is.
    """
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        there = socket.create_connection((host.strip("[]"), int(port)), PATIENCE)
    except OSError as problem:
        raise ConnectionError(f"nobody answers there ({problem.strerror or problem})") from None
    if os.environ.get("RAY_USE_TLS", "0").lower() not in ("0", "false"):
        there.close()
        return
    answer = b""
    with there, suppress(OSError):
        there.sendall(BEGINNING)
        while len(answer) < 4 and (more := there.recv(64)):
            answer += more
    if answer[3:4] != b"\x04":
        raise ConnectionError("what answers there is no Ray")


def end_after(home: Connection) -> None:
    """End this process a while after the other end of the connection has closed, whatever it is at: Ray waits for some things for ever."""
    closed = select.poll()
    closed.register(home.fileno(), 0)
    closed.poll()
    time.sleep(MOST_TO_LEAVE)
    os._exit(1)


def main() -> None:
    home = Connection(int(sys.argv[1]))
    threading.Thread(target=end_after, args=(home,), daemon=True).start()
    address, processors, job = home.recv()
    try:
        found, folder = join(address, processors)
    except Exception as problem:  # noqa: BLE001  as join says
        home.send((str(problem) or type(problem).__name__).partition("\n")[0])
        return
    with suppress(OSError):  # nobody is there any more
        home.send(found)
    Driver(home, job).run()
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
