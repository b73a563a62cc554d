"""Reading what the operator types, beside everything else that goes on."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager

from ludarium.core.event_loop import call_in_loop
from ludarium.core.user_text import user_lines
from ludarium.errors import BadNotation

from .prompt import complete

_CHUNK = 65_536


@contextmanager
def read_lines(obey: Callable[[str], None], *, words: Sequence[str], simple: bool) -> Generator[threading.Thread]:
    """While inside, call ``obey`` on the event loop's thread with every line of standard input, until it ends. It gives the thread that reads.

    Args:
        words: what the tab key completes at a terminal.
        simple: do not edit lines, even at a terminal.
    """
    loop = asyncio.get_running_loop()

    def tell(line: str) -> None:
        call_in_loop(loop, obey, line)

    if simple or not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield _start(lambda: _read_plainly(tell))
        return
    with terminal_as_it_was():  # the thread that reads a line is cut off in the middle of it
        complete(words)
        yield _start(lambda: _read_edited(tell))


def _start(read: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=read, name="prompt", daemon=True)
    thread.start()
    return thread


def _read_plainly(tell: Callable[[str], None]) -> None:
    """Read from the file itself: a thread that waits inside ``sys.stdin`` would keep Python from ending."""
    try:
        descriptor = sys.stdin.fileno()
    except OSError:  # it is no file
        return
    try:
        for line in user_lines(_lines(descriptor), "standard input"):
            tell(line.decode("utf-8", "replace"))
    except BadNotation as problem:
        print(f"error: {problem}", file=sys.stderr)


def _lines(descriptor: int) -> Iterator[bytes]:
    waiting = b""
    while True:
        try:
            data = os.read(descriptor, _CHUNK)
        except OSError:  # a terminal that is gone
            data = b""
        *lines, waiting = (waiting + data).split(b"\n")
        if not data and waiting:
            lines.append(waiting)
        yield from (line + b"\n" for line in lines)
        if not data:
            return


def _read_edited(tell: Callable[[str], None]) -> None:
    while True:
        try:
            tell(input("netorcai> "))
        except (EOFError, OSError):
            return


@contextmanager
def terminal_as_it_was(*, echo: bool = True) -> Generator[None]:
    """Put the terminal's mode back in the end. Without ``echo``, what is typed inside is not shown; elsewhere than at a terminal nothing changes."""
    import termios

    if not sys.stdin.isatty():
        yield
        return
    before = termios.tcgetattr(sys.stdin.fileno())
    if not echo:
        silent = [*before[:3], before[3] & ~termios.ECHO, *before[4:]]
        termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, silent)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, before)
