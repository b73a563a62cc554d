"""Swiss tournaments: in every round players meet who have about as many points, and who have not met before."""

from __future__ import annotations

from collections.abc import Sequence

from ludarium.arena.games import GamePlan
from ludarium.errors import BadOption

from .base import Field, Plans, Results, Tables, points, wait_for

MOST_STEPS = 100_000
"""Pairs that are tried before one more may meet again."""


def swiss(rounds: int, field: Field, results: Results) -> Plans:
    """So many rounds for two seats. In as many rounds as half of the players, nobody meets anybody again; in more, as few as can be.

    With an odd number of players one has a bye in each round, which is worth as many points as its games: the last one in the standings that had none.

    Raises:
        BadOption: another number of seats, fewer than two players, or more rounds than players can meet.
    """
    if field.seats != 2:
        raise BadOption(f"a swiss tournament is for games with two seats, not {field.seats}; hold a round robin")
    most = field.players - 1 + field.players % 2
    if not (field.players >= 2 and 1 <= rounds <= most):
        raise BadOption(f"{rounds} rounds of {field.players} players cannot be: everybody has met everybody after {max(most, 0)}")
    tables = Tables(field)
    plans: list[GamePlan] = []
    met: set[frozenset[int]] = set()
    byes: list[int] = []
    for _ in range(rounds):
        standing = standings(plans, results, field, byes)
        pairs, bye = pair(standing, met, byes)
        if bye is not None:
            byes.append(bye)
        met.update(map(frozenset, pairs))
        games = [plan for one in pairs for plan in tables.at(one)]
        plans += games
        yield from wait_for(games, results)


def games_of_round(field: Field) -> int:
    return field.players // 2 * field.games


def points_of_byes(field: Field, results: Results) -> list[float]:
    """How many points each player has without a game after the rounds of a swiss tournament that are over."""
    found = [0.0] * field.players
    games = games_of_round(field)
    for first in range(0, len(results) - games + 1, games) if field.players % 2 else ():
        seated = {player for number in range(first, first + games) for player in results[number].plan.seats}
        found[next(player for player in range(field.players) if player not in seated)] += field.games
    return found


def standings(plans: Sequence[GamePlan], results: Results, field: Field, byes: Sequence[int]) -> list[int]:
    """The players, those with most points first; equal ones by their numbers."""
    found = points(plans, results, field.players)
    for player in byes:
        found[player] += field.games
    return sorted(range(field.players), key=lambda player: (-found[player], player))


def pair(standing: Sequence[int], met: set[frozenset[int]], byes: Sequence[int]) -> tuple[list[tuple[int, int]], int | None]:
    """Who meets whom, and who has a bye: neighbours in the standings as far as they have not met."""
    candidates = [player for player in reversed(standing) if player not in byes] if len(standing) % 2 else [None]
    for again in range(len(standing)):
        for bye in candidates:
            pairs = _pairs([player for player in standing if player != bye], met, again, [MOST_STEPS])
            if pairs is not None:
                return pairs, bye
    raise AssertionError("with so many who may meet again, neighbours do")


def _pairs(rest: Sequence[int], met: set[frozenset[int]], again: int, steps: list[int]) -> list[tuple[int, int]] | None:
    """The first pairing in which at most so many pairs meet again; None if there is none, or none is found in so many steps."""
    if not rest:
        return []
    for other in rest[1:]:
        steps[0] -= 1
        left = again - (frozenset((rest[0], other)) in met)
        if steps[0] < 0 or left < 0:
            continue
        others = _pairs([player for player in rest[1:] if player != other], met, left, steps)
        if others is not None:
            return [(rest[0], other), *others]
    return None
