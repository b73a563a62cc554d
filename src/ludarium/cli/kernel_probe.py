"""A small kernel with which ``ludarium doctor`` tests the compiler and the cache of machine code."""

from __future__ import annotations

import json
import sys

from ludarium.core.cache import Cache
from ludarium.core.jit import JIT, kernel, on_compile


@kernel()
def product(first: int, second: int) -> int:
    """Return the product of two numbers."""
    return first * second


def main() -> None:
    """Print one JSON object: ``right`` and ``compiled`` (true if no cache had the kernel), ``jit``, and the ``folder`` of its machine code."""
    compiled: list[str] = []
    on_compile.append(compiled.append)
    is_right = product(6, 7) == 42
    print(json.dumps({"right": is_right, "jit": JIT, "compiled": bool(compiled), "folder": Cache(main).cache_path}))
    sys.stdout.flush()
