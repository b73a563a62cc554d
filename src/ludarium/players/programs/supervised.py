"""Starts programs under their keepers (:mod:`.keeper`), and runs build tools there to their end."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from .commands import PYTHON
from .sandbox import ROOM, TASKS, Confined

KEEPER = Path(__file__).with_name("keeper.py")

SECONDS_TO_TELL = 10.0
"""Time limit for a keeper to tell how a tool ended, after its output was closed."""


def start_kept(
    start: Confined, *, memory: int, processes: int, stdin: int | IO[bytes], stdout: int
) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start a program under a keeper, and close the files that only the program needs.

    Args:
        start: the program.
        memory: limit in bytes for the program and all that it starts.
        processes: limit of its processes.
        stdin: its standard input.
        stdout: its standard output.

    Returns:
        The keeper's process, and the socket that leads to it.
    """
    ours, theirs = socket.socketpair()
    call, task_filter = start.task_filter or (0, b"")
    orders = {
        "command": start.words,
        "folder": str(start.folder),
        "environment": start.environment,
        "files": start.files,
        "confined": start.is_confined,
        "around": start.around,
        "memory": memory,
        "processes": processes,
        "tasks": TASKS,
        "seccomp": call,
        "task_filter": base64.b64encode(task_filter).decode(),
        "scratch": start.scratch,
        "written": [str(path) for path in start.written],
        "room": ROOM,
    }
    try:
        keeper = subprocess.Popen(
            [PYTHON, "-P", "-s", str(KEEPER), str(theirs.fileno()), json.dumps(orders)],
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.DEVNULL,
            pass_fds=[theirs.fileno(), *start.files],
            start_new_session=True,
        )
    except BaseException:
        ours.close()
        raise
    finally:
        start.close()
        theirs.close()
    return keeper, ours


@dataclass(frozen=True)
class Done:
    """The result of a tool."""

    output: bytes
    code: int
    """Exit code; minus the number of the signal that ended it."""
    why: str
    """The limit that it exceeded, in words, or ''."""


def run_kept(start: Confined, *, memory: int, processes: int, seconds: float) -> Done:
    """Run a tool to its end. All that it has started ends with it, also when this is interrupted.

    Args:
        start: the tool.
        memory: limit in bytes for the tool and all that it starts.
        processes: limit of its processes.
        seconds: time limit. The output is limited to twice ``ROOM``.
    """
    reading, writing = os.pipe()
    try:
        keeper, link = start_kept(start, memory=memory, processes=processes, stdin=subprocess.DEVNULL, stdout=writing)
    except BaseException:
        os.close(reading)
        raise
    finally:
        os.close(writing)
    with os.fdopen(reading, "rb", buffering=0) as output, keeper:
        try:
            found, why = _output(output, seconds)
            said = {} if why else _end(link)
        finally:
            link.close()  # which ends the tool
    if "failed" in said:
        return Done(b"", 127, f"a start that failed: {said['failed']}")
    return Done(found, said.get("code", -signal.SIGKILL), why or said.get("why", ""))


def _output(output: IO[bytes], seconds: float) -> tuple[bytes, str]:
    """Read all that a tool writes. Return it, and the limit that it exceeded or ''."""
    found, until = bytearray(), time.monotonic() + seconds
    source = select.poll()
    source.register(output, select.POLLIN)
    while len(found) <= 2 * ROOM:
        if not source.poll(max(0.0, until - time.monotonic()) * 1000):
            return b"", f"more than {seconds:g} s"
        data = output.read(1 << 20)
        if not data:
            return bytes(found), ""
        found += data
    return b"", f"more than {2 * ROOM >> 20} MB of output"


def _end(link: socket.socket) -> dict[str, Any]:
    """Return all that the keeper has said when the tool has ended."""
    said: dict[str, Any] = {}
    link.settimeout(SECONDS_TO_TELL)
    with contextlib.suppress(TimeoutError), link.makefile("r", encoding="utf-8") as lines:
        for line in lines:
            said |= json.loads(line)
            if "code" in said or "failed" in said:
                break
    return said
