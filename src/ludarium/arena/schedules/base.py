"""What all ways to hold a tournament share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ludarium.arena.games import GamePlan, GameResult

Results = Mapping[int, GameResult]
"""The games that have been played, by their numbers; it grows while a schedule goes on."""

Plans = Iterator[GamePlan | None]
"""Games to be played, in order of their numbers; None as often as it is asked before the results are there on which the next ones depend."""


@dataclass(frozen=True)
class Field:
    """Who takes part in what."""

    players: int
    """Players are numbered from 0, the strongest first where somebody has seeded them."""
    seats: int
    """How many play a game."""
    games: int
    """Games of each table, a multiple of ``seats``: in each round everybody sits once at each seat."""
    option_sets: int = 1


class Tables:
    """Numbers the games as they are planned, and spreads the option sets over them."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self._planned = 0
        self._rounds = Counter[tuple[frozenset[int], int]]()
        """Planned rounds by players, all of a table or one, or none for all rounds, and by option set."""

    def at(self, table: Sequence[int]) -> list[GamePlan]:
        """Return the games of players who meet.

        Tables that meet at the same time have the same openings, deals and dice. All games of a round have the same option set.
        """
        games, seats = self._field.games, len(table)
        sets = [self._next_set(table) for _ in range(games // seats)]
        plans = [GamePlan.at(table, game, self._planned, sets[game // seats]) for game in range(games)]
        self._planned += games
        return plans

    def _next_set(self, table: Sequence[int]) -> int:
        """Return the option set of a table's next round: the one that the table has had least often, then its players, then all."""
        rounds, players = self._rounds, [frozenset((player,)) for player in table]

        def had(option_set: int) -> tuple[int, int, int]:
            of_players = sum(rounds[player, option_set] for player in players)
            return rounds[frozenset(table), option_set], of_players, rounds[frozenset(), option_set]

        chosen = min(range(self._field.option_sets), key=had)
        rounds.update((who, chosen) for who in (frozenset(table), *players, frozenset[int]()))
        return chosen


def wait_for(plans: Sequence[GamePlan], results: Results) -> Plans:
    """Give these plans, then None until all of them have been played."""
    yield from plans
    while any(plan.number not in results for plan in plans):
        yield None


def points(plans: Sequence[GamePlan], results: Results, players: int) -> list[float]:
    """Each player's points in the games that have been played: (1 + return) / 2 a game."""
    found = [0.0] * players
    for plan in plans:
        if plan.number in results:
            for player, value in zip(plan.seats, results[plan.number].returns, strict=True):
                found[player] += (1 + value) / 2
    return found


Schedule = Callable[[Field, Results], Plans]
"""A way to hold a tournament. What it plans depends on the field and the results only, so that it goes on where it was stopped."""
