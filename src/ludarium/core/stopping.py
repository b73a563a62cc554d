"""Whether this process has noticed that it is to end, and what is to be done where it has not."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

noticed = threading.Event()
"""Set by whoever learns of Ctrl-C or SIGTERM and finishes. A command that has not noticed, because it compiles or is inside a kernel, is soon ended by
force (``ludarium.cli.ending``)."""

last_acts: list[Callable[[], None]] = []
"""What is done, the latest first, when this process is ended by force: in a thread of its own, wherever the others are, and in a moment."""


@contextmanager
def done_at_a_forced_end(act: Callable[[], None]) -> Generator[None]:
    """While inside, this is among the :data:`last_acts`."""
    last_acts.append(act)
    try:
        yield
    finally:
        last_acts.remove(act)
