"""The sizes of slices, on a clock that work moves."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ludarium.core.slices import SLICE, TAIL, Slices


class Work:
    """Work that takes ``cost(time)`` seconds for one of what is counted, and ``fixed`` seconds a call."""

    def __init__(self, cost: Callable[[float], float], fixed: float = 0.00003) -> None:
        self.now = 1000.0
        self.cost, self.fixed = cost, fixed
        self.sizes: list[int] = []
        self.times: list[float] = []

    def run(self, seconds: float | None, first: int, calls: int = 10_000) -> float:
        """How far beyond the time it ended."""
        slices = Slices(seconds, first, lambda: self.now)
        while len(self.sizes) < calls and (size := slices.next()):
            self.sizes.append(size)
            self.times.append(self.fixed + size * self.cost(self.now - 1000.0))
            self.now += self.times[-1]
            slices.did(size)
        return self.now - 1000.0 - (seconds or 0.0)


@pytest.mark.parametrize("seconds", [0.001, 0.05, 2.0])
@pytest.mark.parametrize("cost", [2e-7, 1e-5, 1e-4])
def test_it_ends_in_time_and_uses_it(cost: float, seconds: float) -> None:
    beyond = Work(lambda now: cost).run(seconds, first=4)
    assert -TAIL <= beyond <= max(4 * cost, 2 * TAIL)


def test_work_that_becomes_twice_as_hard_is_in_time() -> None:
    assert Work(lambda now: 2e-7 if now < 0.04 else 4e-7).run(0.05, first=256) <= TAIL


def test_slices_grow_to_their_time_and_follow_it() -> None:
    work = Work(lambda now: 2e-7 if now < 1 else 2e-5)
    work.run(None, first=256, calls=500)
    assert work.sizes[:4] == [256, 512, 1024, 2048]
    assert work.times[50] == pytest.approx(SLICE, rel=0.02)
    assert work.times[-1] == pytest.approx(SLICE, rel=0.02)


def test_what_is_too_little_to_be_measured_changes_nothing() -> None:
    now = 0.0
    slices = Slices(1.0, 100, lambda: now)
    assert slices.next() == 100
    now += 0.001  # a kernel's call alone
    slices.did(1)
    assert slices.next() == 100
    assert (slices.seconds, slices.left) == (0.001, 0.999)
