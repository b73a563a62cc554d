"""A second process that compiles: it fills the cache of machine code on disk, so that the server has only to load it.

Compiling holds one lock of Numba's for seconds, for which loading waits too; a thread of the server that compiled would stop its pages.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading

from ludarium.core.garbage import look_seldom

from .warmup import Part, warm_up

NICENESS = 15
"""How far the process stands back behind others: pages come first, then bots."""


class Compiler:
    """The server's end. The process ends with the server, however that ends."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # what goes wrong is said by the server, when it loads the part
            creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
            start_new_session=True,  # a terminal's Ctrl-C is for the server, which ends this process
        )

    def compile(self, part: Part) -> bool:
        """Have a part compiled and wait for it. False: the process has ended."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(f"{json.dumps(part)}\n".encode())
            stdin.flush()
            return bool(stdout.readline())
        except OSError:
            return False

    def end(self) -> None:
        """End the process at once. May be called from another thread than :meth:`compile`, which then returns False."""
        self._process.kill()
        self._process.wait()


def main() -> None:
    """Compile the parts that come on standard input, a JSON array a line, and answer each with an empty line."""
    look_seldom()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a plug-in prints is no answer
    os.nice(NICENESS)
    lines = queue.SimpleQueue[str]()
    threading.Thread(target=_listen, args=(lines,), daemon=True).start()
    while True:
        warm_up(Part(*json.loads(lines.get())))
        print(file=answers, flush=True)


def _listen(lines: queue.SimpleQueue[str]) -> None:
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)  # in the middle of a part, which nobody wants any more


if __name__ == "__main__":
    main()
