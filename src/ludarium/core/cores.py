"""The cores of this computer."""

from __future__ import annotations

import os
from collections.abc import Sequence


def usable_cores() -> Sequence[int]:
    """The numbers of those that this process may use."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
