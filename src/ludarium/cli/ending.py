"""A command ends soon after it was told to, whatever it does: Python looks at signals between two of its own steps only, and compiling has long ones."""

from __future__ import annotations

import functools
import os
import signal
import socket
import sys
import threading
import time
from typing import Any, NoReturn

from ludarium.core.stopping import last_acts, noticed

SOON = 0.6
"""Seconds that a command has to notice that it is to end, after which it is ended; a second signal ends it at once."""

LATEST = 10.0
"""Seconds that one has that has noticed, and finishes; it needs hundredths of one, where others do not keep the computer busy."""

ENDS = (signal.SIGINT, signal.SIGTERM)

LAST = 1.0
"""Seconds that the last acts may take, should the command hold what is needed for them."""

patient = threading.Event()
"""Set while Ctrl-C ends something else than the command: what was asked for at its prompt."""


class Terminated(BaseException):
    """SIGTERM has come. No SystemExit, which a program may raise that plays, and is then said to have failed."""


def end_soon() -> None:
    """From now on, Ctrl-C and SIGTERM end this process, if it does not notice them or does not end by itself."""
    came, wakeup = socket.socketpair()
    wakeup.setblocking(False)
    signal.set_wakeup_fd(wakeup.fileno(), warn_on_full_buffer=False)
    mode = _terminal_mode()
    sys.unraisablehook = functools.partial(_end_where_it_was_lost, mode)
    threading.Thread(target=_watch, args=(came, wakeup, mode), name="ending", daemon=True).start()


def _end_where_it_was_lost(mode: Any, lost: sys.UnraisableHookArgs) -> None:
    """What signals raise inside of callbacks from C, as the compiler has them, ends nothing there: the compiler would go on with code that is half made."""
    if issubclass(lost.exc_type, Terminated):
        _end(128 + signal.SIGTERM, mode)
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
    elif not patient.is_set():
        _end(128 + signal.SIGINT, mode)


def _watch(came: socket.socket, wakeup: socket.socket, mode: Any) -> None:
    """Wait for the numbers of signals, which Python writes to ``wakeup`` as they come. It stays open as long as somebody reads here."""
    while (number := came.recv(1)[0]) not in ENDS or (number == signal.SIGINT and patient.is_set()):
        pass
    if not _another(came, SOON) and noticed.is_set():
        _another(came, LATEST - SOON)
    _end(128 + number, mode)


def _another(came: socket.socket, seconds: float) -> bool:
    """Whether another signal that ends the command comes in this time."""
    until = time.monotonic() + seconds
    try:
        while (left := until - time.monotonic()) > 0:
            came.settimeout(left)
            if came.recv(1)[0] in ENDS:
                return True
    except TimeoutError:
        pass
    return False


def _end(code: int, mode: Any) -> NoReturn:
    threading.Timer(LAST, os._exit, (code,)).start()
    try:
        sys.stdout.flush()
        _restore_terminal(mode)
        for act in reversed(last_acts):
            act()
    finally:
        os._exit(code)


def _terminal_mode() -> Any:
    """How the terminal of standard input is set, None without one."""
    import termios

    return termios.tcgetattr(0) if os.isatty(0) else None


def _restore_terminal(mode: Any) -> None:
    if mode is not None and mode != _terminal_mode():
        import termios

        termios.tcsetattr(0, termios.TCSANOW, mode)
    from .common import notices, screen  # which take a while to import, and are there by now

    if screen().is_alt_screen:
        screen().set_alt_screen(False)
    notices().show_cursor()
    if notices().is_terminal:
        notices().print()  # what the shell writes next begins a line
