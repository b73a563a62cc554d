"""The command line, a small file a command. ``main`` is what the program ``ludarium`` calls."""

from __future__ import annotations

import gc
import signal
import sys
import threading
from typing import NoReturn

INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM


def main() -> NoReturn:
    """Run the program on ``sys.argv`` and exit: 0, 2 (refused, with one line on stderr), 130 (Ctrl-C) or 143 (SIGTERM)."""
    gc.set_threshold(200_000, 20, 20)  # what is loaded stays; looking for garbage in it was a tenth of a start
    signal.signal(signal.SIGTERM, _terminated)
    sys.unraisablehook = _swallowed
    try:
        from .entry import start  # takes a while: from here on a signal ends the program quietly

        code = start(sys.argv[1:])
        gc.freeze()  # what is left ends with the process; Python would look for garbage in it once more, for a quarter of a start
        sys.exit(code)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _terminated(number: int, frame: object) -> NoReturn:
    raise SystemExit(TERMINATED)


def _swallowed(lost: sys.UnraisableHookArgs) -> None:
    """A signal that fell into a callback from C, as the compiler has them, cannot end anything there: it comes again a moment later."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        _again(signal.SIGINT)
    elif issubclass(lost.exc_type, SystemExit):
        _again(signal.SIGTERM)
    else:
        sys.__unraisablehook__(lost)


def _again(number: int) -> None:
    if hasattr(signal, "pthread_kill"):  # wakes the main thread where it waits for something
        later = threading.Timer(0.05, signal.pthread_kill, (threading.main_thread().ident, number))
    else:
        later = threading.Timer(0.05, signal.raise_signal, (number,))
    later.daemon = True
    later.start()
