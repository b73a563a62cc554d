"""What a store tells of what it holds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

from ludarium.arena.conduct import NO_GAMES, Conduct


@dataclass(frozen=True)
class Entrant:
    """Who takes part in a competition."""

    name: str
    spec: str
    version: str = ""
    """Of the program, such as a digest of its file; empty where nobody knows."""


@dataclass(frozen=True)
class CompetitionRow:
    """A tournament, a match, a ladder, or records that were imported."""

    id: int
    name: str
    kind: str
    game: str
    config: str
    """What it was begun with, as a text of whoever began it."""
    status: str
    """``running``, ``interrupted`` or ``finished``. One that was cut off is ``running`` until it is resumed, or until somebody checks the store."""
    created: float
    """Seconds since 1970, as all times here."""
    finished: float | None
    games: int
    players: int
    """How many take part."""
    voided: int = 0
    """Number of voided games, which ``games`` does not include."""

    @property
    def settings(self) -> dict[str, Any]:
        """``config``, where that is an object of JSON."""
        try:
            config = json.loads(self.config)
        except ValueError:
            return {}
        return cast("dict[str, Any]", config) if isinstance(config, dict) else {}


@dataclass(frozen=True)
class Total:
    """What came of all games of a player, or of an entrant in one competition. Points are as in :class:`.standings.Standing`."""

    name: str
    spec: str
    version: str
    wins: int
    draws: int
    losses: int
    points: float
    byes: float
    """How many of the points are of byes, not of games."""
    conduct: Conduct = NO_GAMES

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


class Pair(NamedTuple):
    """How often an entrant did better, as well and worse than another one, of a higher number, at the same board."""

    entrant: int
    opponent: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True)
class Rating:
    """An entrant's rating at a time, in Elo points."""

    entrant: int
    time: float
    rating: float
    low: float
    """The lower bound of the 95 % interval."""
    high: float
    """Its upper bound."""
    games: int
    """How many games the entrant had played."""


@dataclass(frozen=True)
class Voiding:
    """The reason why a game does not count."""

    time: float
    reason: str
    expelled: int | None
    """The expelled entrant whose games were voided; None if the game alone was voided."""


@dataclass(frozen=True)
class Expulsion:
    """An entrant whose games do not count."""

    entrant: int
    name: str
    time: float
    reason: str
    games: int
    """Number of games that were voided with the entrant."""


@dataclass(frozen=True)
class StoredGame:
    """One game."""

    key: str
    """Names it in its store, and the next page after it: ``COMPETITION:NUMBER``, both numbers."""
    competition: str
    number: int
    """From 0."""
    round: int
    game: str
    options: dict[str, Any]
    opening: str
    """The position that it began from; empty where that is not known."""
    seed: int | None
    players: tuple[str, ...]
    """By seat."""
    returns: tuple[float, ...]
    reason: str
    forfeits: Mapping[int, str]
    """Why players lost by their conduct, by seat."""
    out: Mapping[int, int]
    """The players who left a game for three or more, by seat, with the number of the state in which they were out."""
    plies: int
    digest: str
    started: float | None
    finished: float | None
    record: Path | None
    record_digest: str | None
    voided: tuple[Voiding, ...] = ()
    """The reasons why it does not count; empty if it counts."""

    def as_json(self) -> dict[str, Any]:
        forfeited = next(iter(self.forfeits), None)
        return asdict(self) | {"forfeited": forfeited, "record": str(self.record) if self.record else None}
