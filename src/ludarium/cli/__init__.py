"""The command line, a small file a command. ``main`` is what the program ``ludarium`` calls."""

from __future__ import annotations

import gc
import signal
import sys
from typing import NoReturn

from ludarium.core.garbage import look_seldom
from ludarium.core.stopping import noticed

from .ending import Terminated, end_soon

INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM


def main() -> NoReturn:
    """Run the program on ``sys.argv`` and exit: 0, 2 (refused, with one line on stderr), 130 (Ctrl-C) or 143 (SIGTERM, or the terminal has gone)."""
    if sys.platform == "win32":
        print("ludarium does not run on Windows itself; use it in WSL, the Windows Subsystem for Linux", file=sys.stderr)
        sys.exit(2)
    try:
        look_seldom()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _stop)
        if signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:  # not under nohup
            signal.signal(signal.SIGHUP, _hang_up)
        end_soon()
        from .entry import start  # takes a while: from here on a signal ends the program quietly

        code = start(sys.argv[1:])
    except KeyboardInterrupt:
        code = INTERRUPTED
    except Terminated:
        code = TERMINATED
    gc.freeze()  # what is left ends with the process; Python would look for garbage in it once more, for a quarter of a start
    sys.exit(code)


def _hang_up(number: int, frame: object) -> None:
    """The terminal has gone: whoever finishes something at SIGTERM does so now."""
    signal.raise_signal(signal.SIGTERM)


def _stop(number: int, frame: object) -> NoReturn:
    noticed.set()
    raise KeyboardInterrupt if number == signal.SIGINT else Terminated
