"""How many files and connections a process may have open."""

from __future__ import annotations

import sys


def allow_many_files() -> int:
    """Let this process have as many open as the system lets it; how many that are."""
    try:
        import resource
    except ImportError:  # Windows, which knows no such limit
        return sys.maxsize
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return sys.maxsize if most == resource.RLIM_INFINITY else most
