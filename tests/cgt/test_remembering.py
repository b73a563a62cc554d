"""Positions whose values are known are not computed again, within bounds and until they are forgotten."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from ludarium.cgt import Value, forget, value
from ludarium.cgt.positions import remembering
from ludarium.cgt.rulesets import Domineering
from ludarium.errors import TooLarge

asked: list[Any] = []


class Heap:
    """A heap of which Left takes one and Right any number; it tells what it was asked."""

    def left_options(self, position: int) -> list[int]:
        asked.append(position)
        return [position - 1] if position else []

    def right_options(self, position: int) -> list[int]:
        return list(range(position))


class Offset(Heap):
    """With a state of its own: a heap so much smaller."""

    def __init__(self, less: int) -> None:
        self.less = less

    def components(self, position: int) -> list[int]:
        return [position - self.less] if position == 9 else [position]


class Slotted(Heap):
    __slots__ = ("less",)

    def __init__(self, less: int) -> None:
        self.less = less


class Named(str, Heap):
    """Its state is what it is."""


@dataclass
class Unhashable(Heap):
    less: int = 0


def computed(ruleset: Any, position: Any) -> int:
    """How many positions a ruleset is asked about for the value of one."""
    asked.clear()
    value(ruleset, position)
    return len(asked)


@pytest.fixture(autouse=True)
def _nothing_is_known() -> None:
    forget()


def test_only_what_is_new_is_computed() -> None:
    heap = Heap()
    assert [computed(heap, size) for size in (5, 5, 3, 8, 8, 7)] == [6, 0, 0, 3, 0, 0]
    fresh = [value(heap, size) for size in range(9)]
    forget()
    assert [value(Heap(), size) for size in range(8, -1, -1)] == fresh[::-1]


def test_rulesets_without_attributes_are_one() -> None:
    assert computed(Heap(), 4) == 5
    assert computed(Heap(), 4) == 0
    assert computed(type("Another", (Heap,), {})(), 4) == 5


@pytest.mark.parametrize("make", [Offset, Slotted, lambda less: Named(str(less)), Unhashable])
def test_rulesets_with_a_state_are_known_as_objects(make: Any) -> None:
    one, other = make(1), make(2)
    assert computed(one, 4) == computed(other, 4) == 5
    assert computed(one, 4) == (5 if isinstance(one, Unhashable) else 0)


def test_values_stay_apart_where_rules_differ() -> None:
    assert value(Offset(5), 9) is value(Heap(), 4)
    assert value(Offset(6), 9) is value(Heap(), 3)


def test_what_is_known_is_told_to_the_progress() -> None:
    told: list[tuple[int, int | None]] = []
    for _ in range(2):
        known = value(Domineering(), "***|***", progress=lambda done, total: told.append((done, total)))
        assert known is Value("{2|-1/2}")
    assert told[-1] == (1, 1)


def test_what_failed_is_not_known() -> None:
    with pytest.raises(TooLarge):
        value(Heap(), 10**6, most_bytes=1 << 20)
    assert computed(Heap(), 2) == 3


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembering, "MOST_POSITIONS", 20)
    monkeypatch.setattr(remembering, "MOST_RULESETS", 3)
    expected = value(Heap(), 6)
    for less in range(30):
        assert value(Offset(less), 6) is expected
        assert value(Heap(), less) is value(Heap(), less)
        assert len(remembering._known) <= 3
        assert sum(map(len, remembering._known.values())) <= 21
