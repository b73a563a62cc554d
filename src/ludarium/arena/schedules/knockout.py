"""Knockout tournaments: whoever loses a table is out."""

from __future__ import annotations

from ludarium.arena.games import GamePlan
from ludarium.errors import BadOption

from .base import Field, Plans, Results, Tables, points, wait_for

Pair = tuple[int, int]

MOST_REPLAYS = 4
"""How often a table is played again that ends level, before the better seeded player goes on."""


def knockout(field: Field, results: Results) -> Plans:
    """For two seats. The strongest meet last: the first player and the second only in the final. Where there are fewer players
    than a power of two, the first ones have a bye in the first round.

    Raises:
        BadOption: another number of seats, or fewer than two players.
    """
    if field.seats != 2:
        raise BadOption(f"a knockout is for games with two seats, not {field.seats}; hold a round robin")
    if field.players < 2:
        raise BadOption("a knockout needs two players")
    tables = Tables(field)
    left = bracket(field.players)
    while len(left) > 1:
        pairs = [(left[at], left[at + 1]) for at in range(0, len(left), 2)]
        played: dict[Pair, list[GamePlan]] = {(first, second): [] for first, second in pairs if first is not None and second is not None}
        level = list(played)
        for _ in range(1 + MOST_REPLAYS):
            games = {pair: tables.at(pair) for pair in level}
            yield from wait_for([plan for plans in games.values() for plan in plans], results)
            for pair in level:
                played[pair] += games[pair]
            level = [pair for pair in level if _lead(pair, played[pair], results, field) == 0]
        left = [_winner(first, second, played, results, field) for first, second in pairs]


def bracket(players: int) -> list[int | None]:
    """Who meets whom in the first round, two and two; None: nobody."""
    places = [0]
    while len(places) < players:
        places = [place for one in places for place in (one, 2 * len(places) - 1 - one)]
    return [place if place < players else None for place in places]


def _lead(pair: Pair, plans: list[GamePlan], results: Results, field: Field) -> float:
    """By how many points the first of two is ahead."""
    found = points(plans, results, field.players)
    return round(found[pair[0]] - found[pair[1]], 6)


def _winner(first: int | None, second: int | None, played: dict[Pair, list[GamePlan]], results: Results, field: Field) -> int:
    if first is None or second is None:
        return next(one for one in (first, second) if one is not None)
    lead = _lead((first, second), played[first, second], results, field)
    return min(first, second) if lead == 0 else first if lead > 0 else second
