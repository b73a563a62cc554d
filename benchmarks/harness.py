"""What benchmarks are made of: a figure with its reference (:class:`Row`), and fair measuring on a machine with noise (:func:`compare`)."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["Row", "Target", "at_least", "at_most", "compare", "rate"]


@dataclass(frozen=True, slots=True)
class Target:
    """What a row should reach.

    ``of`` is ``"ratio"`` (value / reference value) or ``"value"``; ``bound`` is ``"at least"`` or ``"at most"``.
    """

    of: str
    bound: str
    number: float

    def is_met(self, row: Row) -> bool:
        figure = row.ratio if self.of == "ratio" else row.value
        return figure >= self.number if self.bound == "at least" else figure <= self.number


def at_least(*, ratio: float | None = None, value: float | None = None) -> Target:
    """``at_least(ratio=0.9)`` or ``at_least(value=5e6)``."""
    return _target("at least", ratio, value)


def at_most(*, ratio: float | None = None, value: float | None = None) -> Target:
    """``at_most(ratio=1.1)`` or ``at_most(value=1.0)``."""
    return _target("at most", ratio, value)


def _target(bound: str, ratio: float | None, value: float | None) -> Target:
    if (ratio is None) == (value is None):
        raise TypeError(f"{bound} what? Give a ratio or a value")
    return Target("value", bound, value) if value is not None else Target("ratio", bound, ratio or 0.0)


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: what was measured, beside its reference."""

    name: str
    """What was measured: ``perft(4) of Expendibots``."""
    unit: str
    """Of both values: ``leaves/s``."""
    value: float
    reference: str
    """What it is compared with: ``C, gcc -O3``."""
    reference_value: float
    ratio: float
    """value / reference value; from :func:`compare`, the median over pairs measured one right after the other."""
    target: Target | None = None
    """None: the row is for information."""

    @property
    def is_met(self) -> bool:
        return self.target is None or self.target.is_met(self)

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "met": self.is_met if self.target else None}


def compare(
    name: str,
    unit: str,
    ours: Callable[[], float],
    reference: str,
    theirs: Callable[[], float],
    target: Target | None = None,
    rounds: int = 7,
) -> Row:
    """Measure two things in turn, ``rounds`` times, after one round that is thrown away.

    ``ours`` and ``theirs`` run for some tenths of a second and return their figure, in ``unit``. The order changes from round to round, and the
    ratio is the median of the rounds' ratios: whatever slows the machine down for a while slows both sides of a pair.
    """
    ours(), theirs()
    pairs: list[tuple[float, float]] = []
    for number in range(rounds):
        if number % 2:
            other, own = theirs(), ours()
        else:
            own, other = ours(), theirs()
        pairs.append((own, other))
    values, references = zip(*pairs, strict=True)
    ratio = statistics.median(own / other for own, other in pairs)
    return Row(name, unit, statistics.median(values), reference, statistics.median(references), ratio, target)


def rate(work: Callable[[], int], clock: Callable[[], float] = time.perf_counter) -> float:
    """How much work a second: ``work`` returns how much it did. ``time.thread_time`` as the clock counts seconds of one thread's CPU time."""
    start = clock()
    done = work()
    return done / (clock() - start)
