"""A running ``ludarium hexabomb serve``."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["PATIENCE", "serving"]

PATIENCE = 60.0
"""Seconds, for what takes a moment unless something is wrong."""


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], int, str]]:
    """The process, its port for programs, and the page's host and port. What it logs stays in its pipe, which has room for a short game."""
    command = [
        sys.executable,
        "-m",
        "ludarium",
        "hexabomb",
        "serve",
        "--port",
        "0",
        "--web-port",
        "0",
        "--records",
        str(folder),
        *arguments,
    ]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            heard = ""
            while (port := re.search(r"address=\S*?:(\d+)", heard)) is None:
                line = process.stderr.readline()
                assert line, heard
                heard += line
            page = re.search(r"url=http://(\S+)", heard)
            assert page is not None
            yield process, int(port[1]), page[1]
        finally:
            process.terminate()
            process.wait(PATIENCE)
