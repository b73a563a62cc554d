"""Values of birthday 10,000: nothing recurses in Python, and nothing takes long."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from fractions import Fraction

import pytest

from ludarium.cgt import Value

DAY, LIMIT = 10_000, 5
"""Days, and seconds of processor time; on a quiet machine each step takes less than one."""


def stairs(levels: int) -> Value:
    """``{2n||2n−2||…||2||1|0}``: hot, and every level is another follower."""
    value = Value("{1|0}")
    for level in range(1, levels):
        value = Value.from_options([2 * level], [value])
    return value


DEEP: dict[str, Callable[[], Value]] = {
    "integer": lambda: Value(DAY),
    "fraction": lambda: Value(Fraction(1, 1 << DAY)),
    "dense fraction": lambda: Value(Fraction(int("10" * (DAY // 4), 2), 1 << DAY // 2)),
    "ups": lambda: DAY * Value("^"),
    "ups, a star and a number": lambda: DAY * Value("v") + Value("*3") + Value("5/8"),
    "switch": lambda: Value.from_options([DAY], [-DAY]),
    "stairs": lambda: stairs(DAY // 4),
}


@pytest.mark.parametrize("kind", DEEP)
def test_deep_values_are_made_compared_printed_and_pickled_in_a_moment(kind: str) -> None:
    begin = time.process_time()
    value = DEEP[kind]()
    assert value.birthday >= DAY // 2 - 1
    opposite = -value
    assert value + opposite is Value(0)
    assert value + 1 > value
    assert (value >= 0) == (opposite <= 0) == (value.outcome in "LP")
    assert (value + 1).mean == value.mean + 1 == 1 - opposite.mean
    assert value.stops == tuple(-stop for stop in reversed(opposite.stops))
    assert value.thermograph.left_stop(-1) >= value.thermograph.right_stop(-1)
    assert pickle.loads(pickle.dumps(value)) is value
    assert len(value.merkle64) == 16
    assert Value(str(value)) is value
    assert time.process_time() - begin < LIMIT
