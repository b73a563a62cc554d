"""Values for tests, and what the naive implementation calls them."""

from __future__ import annotations

from hypothesis import strategies

from ludarium.cgt import Value
from ludarium.cgt.birthdays import born_by
from tests.cgt import naive_values
from tests.cgt.naive_values import Game


def as_game(value: Value) -> Game:
    """A value's canonical form, as the naive implementation keeps games."""
    games: dict[Value, Game] = {}
    for one in value.followers:
        games[one] = naive_values.game([games[option] for option in one.left_options], [games[option] for option in one.right_options])
    return games[value]


def values_born_by(day: int) -> strategies.SearchStrategy[Value]:
    """Any value born by a day; simple ones first when an example is shrunk."""
    return strategies.deferred(lambda: strategies.sampled_from(born_by(day)))


def all_small_born_by(day: int) -> strategies.SearchStrategy[Value]:
    """Any all-small value born by a day."""
    return strategies.deferred(lambda: strategies.sampled_from([one for one in born_by(day) if one.is_all_small]))


def infinitesimals_born_by(day: int) -> strategies.SearchStrategy[Value]:
    """Any infinitesimal born by a day."""
    return strategies.deferred(lambda: strategies.sampled_from([one for one in born_by(day) if one.is_infinitesimal]))
