"""How far 20,000 thoughts of each player overstep 10 ms, which takes half an hour."""

from __future__ import annotations

from collections.abc import Iterator

from . import overtime
from .harness import Row

THOUGHTS = 20_000


def rows() -> Iterator[Row]:
    return overtime.rows_with(0.01, THOUGHTS, 99.9, 5.0)
