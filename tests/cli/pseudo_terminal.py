"""A pseudo-terminal at which the program plays."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import struct
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager

from tests.command_line import PROGRAM


@contextmanager
def at_a_terminal(*arguments: str, columns: int = 80) -> Iterator[tuple[subprocess.Popen[bytes], Terminal]]:
    """Run ``ludarium play`` with these arguments at a terminal of 24 lines."""
    outside, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")} | {
        "TERM": "xterm-256color"
    }
    with subprocess.Popen(
        [PROGRAM, "play", *arguments], stdin=inside, stdout=inside, stderr=inside, env=environment, start_new_session=True
    ) as program:
        os.close(inside)
        try:
            yield program, Terminal(outside)
        finally:
            program.kill()
            os.close(outside)


class Terminal:
    """The other end of what the program takes for a terminal."""

    def __init__(self, end: int) -> None:
        self.end = end
        self.seen = b""

    def wait_for(self, text: bytes) -> bytes:
        """Read until the text has come; everything up to it since the last call."""
        while text not in self.seen:
            self.seen += os.read(self.end, 4096)
        found, _, self.seen = self.seen.partition(text)
        return found

    def type(self, keys: bytes) -> None:
        os.write(self.end, keys)


def interrupt(program: subprocess.Popen[bytes]) -> int:
    """Ctrl-C; the exit code. Python may miss one that comes just before it waits for a key, so that a person would press it again."""
    for _ in range(10):
        program.send_signal(signal.SIGINT)
        try:
            return program.wait(3)
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError("it goes on")
