"""Who meets whom next: whoever needs a game most, those who are about as strong, and seats in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SETTLED = 20
"""Games up to which those with fewer of them come first."""

AGAIN = 50.0
"""Rating points that somebody seems further away for each of the latest games with it."""

LATEST = 12
"""So many games are the latest ones."""


@dataclass(frozen=True)
class Candidate:
    """Somebody who could play now."""

    entrant: int
    games: int
    since: float
    """Since when it waits, by any clock."""
    rating: float
    met: Sequence[int] = ()
    """Those whom it met in its latest games, once for each."""
    sat: Sequence[int] = ()
    """How often it sat at each seat."""
    is_held: bool = False
    """It may be met, but no game is begun for its sake."""


def tables_at_once(present: int, seats: int) -> int:
    """How many games are played at once at most. Somebody waits, where there are more than a table needs: else those who have just met would meet again."""
    return max(1, (present - 1) // seats) if present >= seats else 0


def next_table(candidates: Sequence[Candidate], seats: int) -> tuple[int, ...] | None:
    """Who sits at each seat of the next game; None where they are too few, or all are held."""
    neediest = min((one for one in candidates if not one.is_held), key=_need, default=None)
    if neediest is None or len(candidates) < seats:
        return None
    others = sorted((one for one in candidates if one is not neediest), key=lambda one: (_distance(neediest, one), _need(one)))
    return _seated([neediest, *others[: seats - 1]])


def _need(one: Candidate) -> tuple[float, ...]:
    """The lowest comes first."""
    return min(one.games, SETTLED), one.since, one.entrant


def _distance(one: Candidate, other: Candidate) -> float:
    return abs(one.rating - other.rating) + AGAIN * one.met.count(other.entrant)


def _seated(players: list[Candidate]) -> tuple[int, ...]:
    """Each seat in turn goes to whoever has sat there least, by its own measure."""
    seated: list[int] = []
    for seat in range(len(players)):
        one = min(players, key=lambda player: _surplus(player, seat))
        players.remove(one)
        seated.append(one.entrant)
    return tuple(seated)


def _surplus(one: Candidate, seat: int) -> float:
    """How much more often than at the others it sat there."""
    return one.sat[seat] - sum(one.sat) / len(one.sat) if one.sat else 0.0
