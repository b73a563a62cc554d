"""Processes forked from one that has loaded what is not ours, which takes longer than most of what they do, and nothing of ours."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

PATIENCE = 300
"""Seconds after which a program has hung."""

FORKING = """
import atexit, gc, json, os, runpy, socket, sys, threading, traceback

def run(program, arguments, folder, output, variables):
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.dup2(os.open(os.path.join(output, name), os.O_WRONLY if number else os.O_RDONLY), number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    numba.config.reload_config()
    sys.argv = [program, *arguments]
    sys.path[0] = os.path.dirname(program)
    sys.path[1:1] = [path for path in variables.get("PYTHONPATH", "").split(os.pathsep) if path and path not in sys.path]
    if os.path.exists(customize := os.path.join(sys.path[0], "sitecustomize.py")):  # not by its name: Debian's Python has loaded one already
        runpy.run_path(customize)
    try:
        runpy.run_path(program, run_name="__main__")
    except SystemExit as end:
        return end.code or 0
    except BaseException:
        traceback.print_exc()
        return 1
    return 0

import numba
numba.njit(lambda x: x + 1)(1)  # what Numba loads for the first function that it compiles
exec(sys.argv[2])
gc.freeze()  # or a child would copy all that its collector looks at
gc.set_threshold(200_000, 20, 20)  # as ludarium.core.garbage does
judge = socket.socket(fileno=int(sys.argv[1]))
for line in judge.makefile():
    child = os.fork()
    if child == 0:
        judge.close()
        code = run(*json.loads(line))
        threading._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)  # without taking apart, and so copying, all that Numba has
    judge.sendall(b"%d\\n" % child)
    judge.sendall(b"%d\\n" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


class ForkingProcess:
    """Runs programs one after the other, each in a process of its own. All have this one's seed of hashes."""

    def __init__(self, loading: str = "") -> None:
        """``loading``: statements that load more than Numba."""
        self._judge, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-c", FORKING, str(theirs.fileno()), loading]
            kept = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
            self._process = subprocess.Popen(command, env=kept, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        self._said = self._judge.makefile()

    def run(
        self, program: Path, *arguments: str, folder: Path, variables: dict[str, str], typed: bytes = b""
    ) -> subprocess.CompletedProcess[str]:
        """Run a program in a folder, with these environment variables alone; what it wrote. One that hangs is killed. ``typed``: what it can read."""
        with tempfile.TemporaryDirectory() as output:
            for name, text in (("stdin", typed), ("stdout", b""), ("stderr", b"")):
                Path(output, name).write_bytes(text)
            self._judge.sendall(json.dumps([str(program), arguments, str(folder), output, variables]).encode() + b"\n")
            last = threading.Timer(PATIENCE, os.kill, (int(self._said.readline()), signal.SIGKILL))
            last.start()
            code = int(self._said.readline())
            last.cancel()
            return subprocess.CompletedProcess(
                [program, *arguments], code, *(Path(output, name).read_text("utf-8") for name in ("stdout", "stderr"))
            )

    def close(self) -> None:
        self._said.close()
        self._judge.close()
        self._process.wait()
