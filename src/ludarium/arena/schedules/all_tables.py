"""Tournaments in which it is known from the beginning who meets whom."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import comb

from ludarium.errors import BadOption

from .base import Field, Plans, Results, Tables

MOST_GAMES = 10_000_000


def round_robin(field: Field, results: Results) -> Plans:
    """Everybody meets everybody: all tables that can be made of the players.

    Raises:
        BadOption: there are too few players, or far too many tables.
    """
    _check(field, comb(field.players, field.seats))
    tables = Tables(field)
    for table in sorted(combinations(range(field.players), field.seats), key=_far_apart):
        yield from tables.at(table)


def gauntlet(field: Field, results: Results) -> Plans:
    """The first player meets everybody else: all tables at which it sits.

    Raises:
        BadOption: as :func:`round_robin`.
    """
    _check(field, comb(field.players - 1, field.seats - 1))
    tables = Tables(field)
    for others in combinations(range(1, field.players), field.seats - 1):
        yield from tables.at((0, *others))


def _check(field: Field, tables: int) -> None:
    if field.players < field.seats:
        raise BadOption(f"{field.players} players cannot fill a table of {field.seats}")
    if tables * field.games > MOST_GAMES:
        raise BadOption(
            f"{tables:,} tables with {field.games} games each are more than {MOST_GAMES:,} games; hold a swiss tournament, or name fewer players"
        )


def _far_apart(table: tuple[int, ...]) -> tuple[int, ...]:
    """Neighbours meet last, so that for long everybody has played about as often."""
    return tuple(first - second for first, second in pairwise(table)) + table
