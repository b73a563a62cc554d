"""The command line, a small file a command. ``main`` is what the program ``ludarium`` calls."""

from __future__ import annotations

import signal
import sys
from typing import NoReturn

__all__ = ["main"]

INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM


def main() -> NoReturn:
    """Run the program on ``sys.argv`` and exit: 0, 2 (refused, with one line on stderr), 130 (Ctrl-C) or 143 (SIGTERM)."""
    signal.signal(signal.SIGTERM, _terminated)
    try:
        from .entry import start  # loads Numba: from here on a signal ends the program quietly

        sys.exit(start(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _terminated(number: int, frame: object) -> NoReturn:
    raise SystemExit(TERMINATED)
