"""How many files and connections a process may have open."""

from __future__ import annotations

import resource
import sys
from contextlib import suppress

OPEN_MAX = 10_240
"""What macOS allows where it says that there is no limit."""


def allow_many_files() -> int:
    """Let this process have as many open as the system lets it; how many that are."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in (most, OPEN_MAX):
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
            break
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if allowed == resource.RLIM_INFINITY else allowed
