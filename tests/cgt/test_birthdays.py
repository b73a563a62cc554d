"""All values born by a day."""

from __future__ import annotations

import time
from itertools import chain, combinations

import pytest

from ludarium.cgt.birthdays import born_by
from ludarium.errors import BadOption, TooLarge
from tests.cgt import naive_values
from tests.cgt.born_by import as_game


def subsets(games: list[naive_values.Game]) -> list[tuple[naive_values.Game, ...]]:
    return list(chain.from_iterable(combinations(games, size) for size in range(len(games) + 1)))


def test_as_many_values_are_born_as_are_known() -> None:
    """The counts are those of On Numbers and Games (day 2), and of Siegel, section III.1 (day 3)."""
    begin = time.process_time()
    assert [len(born_by(day)) for day in range(4)] == [1, 4, 22, 1474]
    assert time.process_time() - begin < 5


def test_values_come_with_their_birthdays() -> None:
    values = born_by(3)
    assert len(set(values)) == len(values)
    assert [value.birthday for value in values] == [0] + 3 * [1] + 18 * [2] + 1452 * [3]
    assert values[:22] == born_by(2)
    assert {-value for value in values} == set(values)
    assert values == born_by(3)


def test_no_other_values_are_born_by_day_2() -> None:
    """Every set of options that there is, and not only sets without dominated ones."""
    born = [naive_values.ZERO]
    for _ in range(2):
        born = list({naive_values.canonical(naive_values.game(left, right)) for left in subsets(born) for right in subsets(born)})
    assert {as_game(value) for value in born_by(2)} == set(born)


@pytest.mark.parametrize("day", [-1, 1.0, "2", True])
def test_what_is_no_day(day: object) -> None:
    with pytest.raises(BadOption, match="is no day: give a whole number from 0 to 3"):
        born_by(day)  # type: ignore[arg-type]


def test_day_4_is_refused() -> None:
    with pytest.raises(TooLarge, match=r"^by day 4 far too many values are born to list them; days go from 0 to 3$"):
        born_by(4)
