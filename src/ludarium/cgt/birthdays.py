"""All values born by a day (Siegel, Combinatorial Game Theory, section III.1): those whose canonical form is at most so high."""

from __future__ import annotations

from collections.abc import Sequence

from ludarium.errors import BadOption, TooLarge

from .engine.store import store
from .values import Value, _value

LAST_DAY = 3
"""The last day whose values can be listed: by day 4 there are more than any memory holds."""


def born_by(day: int) -> tuple[Value, ...]:
    """All values with a birthday of at most ``day`` (0 to 3), older ones first: 1, 4, 22 and 1,474 of them.

    Raises:
        BadOption: no whole number from 0 on.
        TooLarge: a day after the third.
    """
    if type(day) is not int or day < 0:
        raise BadOption(f"{day!r} is no day: give a whole number from 0 to {LAST_DAY}")
    if day > LAST_DAY:
        raise TooLarge(f"by day {day} far too many values are born to list them; days go from 0 to {LAST_DAY}")
    born = [store.canonical((), ())]
    for _ in range(day):
        sets = _antichains(born)
        born = list(dict.fromkeys([*born, *[store.canonical(left, right) for left in sets for right in sets]]))
    return tuple(map(_value, born))


def _antichains(values: Sequence[int]) -> list[tuple[int, ...]]:
    """All sets of which no value is at most another. Options need only be such sets: dominated ones count for nothing."""
    related = {
        value: sum(1 << place for place, other in enumerate(values) if store.at_most(value, other) or store.at_most(other, value))
        for value in values
    }
    found: list[tuple[tuple[int, ...], int]] = [((), 0)]
    for place, value in enumerate(values):
        found += [((*chosen, value), barred | related[value]) for chosen, barred in found if not barred >> place & 1]
    return [chosen for chosen, _ in found]
