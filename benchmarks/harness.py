"""What benchmarks are made of: a figure to be measured beside its reference (:class:`Row`), and fair measuring on a machine with noise (:func:`measure`)."""

from __future__ import annotations

import functools
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Result", "Row", "Target", "at_least", "at_most", "measure", "rate", "shared"]

INSTALL = f'{sys.executable} -m pip install --editable ".[bench]"'


@dataclass(frozen=True, slots=True)
class Target:
    """What a row should reach: a value, a ratio (value / reference value), or both. ``bound`` is ``"at least"`` or ``"at most"``."""

    bound: str
    ratio: float | None
    value: float | None

    def is_met(self, value: float, ratio: float) -> bool:
        wanted = [(figure, bound) for figure, bound in ((value, self.value), (ratio, self.ratio)) if bound is not None]
        return all(figure >= bound if self.bound == "at least" else figure <= bound for figure, bound in wanted)


def at_least(*, ratio: float | None = None, value: float | None = None) -> Target:
    """``at_least(ratio=0.9)`` or ``at_least(value=5e6)``."""
    return Target("at least", ratio, value)


def at_most(*, ratio: float | None = None, value: float | None = None) -> Target:
    """``at_most(ratio=1.1)`` or ``at_most(value=1.0)``."""
    return Target("at most", ratio, value)


@dataclass(frozen=True, slots=True)
class Row:
    """One figure and its reference: how both are measured. A row is cheap to make; what takes time waits in its functions."""

    name: str
    """What is measured: ``perft(4) of Expendibots``."""
    unit: str
    """Of both figures: ``leaves/s``."""
    ours: Callable[[], float]
    """Runs, best for some tenths of a second, and returns its figure."""
    reference: str
    """What it is compared with: ``C, gcc -O3``."""
    theirs: Callable[[], float]
    target: Target | None = None
    """None: the row is for information."""
    rounds: int = 7
    """How often both are measured, after one round that is thrown away. With 1 nothing is thrown away."""
    seconds: float = 10.0
    """How long all this takes, for whoever has no results yet that tell it."""


def shared(name: str, unit: str, share: Callable[[], float], opponent: str, target: Target, seconds: float) -> Row:
    """A row of what two players share, measured once: the opponent has what is missing from 1."""
    measured = functools.cache(share)
    return Row(name, unit, measured, opponent, lambda: 1 - measured(), target, rounds=1, seconds=seconds)


@dataclass(frozen=True, slots=True)
class Result:
    """What measuring a row came to. Figures that could not be measured are NaN."""

    row: Row
    value: float
    reference_value: float
    ratio: float
    """The median over pairs measured one right after the other."""
    seconds: float
    failure: str
    """Why the row, or only its reference, could not be measured, in one line; empty if both were."""

    @property
    def is_met(self) -> bool:
        return not self.failure and (self.row.target is None or self.row.target.is_met(self.value, self.ratio))


def measure(row: Row) -> Result:
    """Measure both sides of a row in turn. What fails is told by the result; ours are measured without a reference too.

    The order changes from round to round, and the ratio is the median of the rounds' ratios: whatever slows the machine down for a while slows both
    sides of a pair.
    """
    began = time.perf_counter()
    ours: list[float] = []
    theirs: list[float] = []
    thrown_away = int(row.rounds > 1)
    failure = ""
    for number in range(thrown_away + row.rounds):
        for side, found in ((row.theirs, theirs), (row.ours, ours))[:: 1 if number % 2 else -1]:
            try:
                if found is ours or not failure:
                    found.append(side())
            except Exception as problem:  # noqa: BLE001  whatever it is, it is this row's alone: the others are measured all the same
                failure = in_one_line(problem)
                if found is ours:
                    return Result(row, math.nan, math.nan, math.nan, time.perf_counter() - began, failure)
    del ours[:thrown_away], theirs[:thrown_away]
    reference_value, ratio = math.nan, math.nan
    if not failure:
        reference_value = statistics.median(theirs)
        ratio = statistics.median(own / other if other else math.inf for own, other in zip(ours, theirs, strict=True))
    return Result(row, statistics.median(ours), reference_value, ratio, time.perf_counter() - began, failure)


def in_one_line(problem: Exception) -> str:
    """What went wrong, here or in a program that was run; where something is not installed, with the command that does it."""
    if isinstance(problem, subprocess.CalledProcessError):
        said = (problem.stderr or "").strip() or f"{problem.cmd[0]} ended with {problem.returncode}"
        line = said.splitlines()[-1]
    else:
        line = " ".join(f"{type(problem).__name__}: {problem}".split())
    return f"{line}; to install what is missing: {INSTALL}" if line.startswith(("ImportError:", "ModuleNotFoundError:")) else line


def rate(work: Callable[[], int], clock: Callable[[], float] = time.perf_counter) -> float:
    """How much work a second: ``work`` returns how much it did. ``time.thread_time`` as the clock counts seconds of one thread's CPU time."""
    start = clock()
    done = work()
    return done / (clock() - start)
