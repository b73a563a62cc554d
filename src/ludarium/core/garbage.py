"""How often Python looks for garbage."""

from __future__ import annotations

import gc

ALLOCATIONS, YOUNGER = 200_000, 20
"""Objects made since the last look at the newest ones, and looks at those before one at the older ones."""


def look_seldom() -> None:
    """What is loaded stays: looking for garbage in it was a tenth of a start of the program, and a sixth of compiling."""
    gc.set_threshold(ALLOCATIONS, YOUNGER, YOUNGER)
