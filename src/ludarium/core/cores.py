"""The cores of this computer."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence

NICENESS = 5
"""How far threads stand back: a third of the weight of others, so that on a busy computer they still get on."""


def usable_cores() -> Sequence[int]:
    """The numbers of those that this process may use."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)


def stand_back() -> None:
    """Lower the priority of this thread and its children below that of the main thread (Linux only)."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, os.getpid()) + NICENESS)
