"""Processes that have Numba, and nothing of ours: forked from one that has compiled something, since Numba's start takes longer than most of what they do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

FORKING = """
import atexit, gc, json, os, runpy, sys, traceback
import numba
numba.njit(lambda x: x + 1)(1)  # what Numba loads for the first function that it compiles
gc.freeze()  # or a child would copy all that its collector looks at
for line in sys.stdin:
    folder, variables = json.loads(line)
    child = os.fork()
    if child == 0:
        for name, number in (("stdout", 1), ("stderr", 2)):
            os.dup2(os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        os.environ.clear()
        os.environ.update(variables)
        numba.config.reload_config()
        sys.path.insert(0, folder)
        if os.path.exists(os.path.join(folder, "sitecustomize.py")):
            import sitecustomize
        code = 0
        try:
            runpy.run_path(os.path.join(folder, "main.py"), run_name="__main__")
        except BaseException:
            traceback.print_exc()
            code = 1
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)  # without taking apart, and so copying, all that Numba has
    print(os.waitpid(child, 0)[1], flush=True)
"""


class ForkingProcess:
    """Runs programs one after the other, each in a process of its own. All have this one's seed of hashes."""

    def __init__(self) -> None:
        command = [sys.executable, "-c", FORKING]
        kept = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
        self._process = subprocess.Popen(command, env=kept, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, code: str, folder: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
        """Run code that imports from a folder, where it, its output and its errors are kept, with these environment variables alone."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        (folder / "main.py").write_text(code)
        print(json.dumps([str(folder), variables]), file=self._process.stdin, flush=True)
        status = int(self._process.stdout.readline())
        return subprocess.CompletedProcess([], status, (folder / "stdout").read_text(), (folder / "stderr").read_text())

    def close(self) -> None:
        self._process.communicate()
