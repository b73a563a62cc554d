"""The package's own source code as a digest: what was computed with other code is computed anew."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

ROOT = Path(__file__).parents[1]


@functools.cache
def source_digest(*rooms: str) -> bytes:
    """A digest (32 bytes) of all Python files in some of the package's folders: ``source_digest("core", "search")``."""
    found = hashlib.sha256()
    for room in rooms:
        for source in sorted((ROOT / room).rglob("*.py")):
            found.update(hashlib.sha256(source.read_bytes()).digest())
    return found.digest()
