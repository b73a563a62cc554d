"""The games that people with names have played here, over all starts of the server, and the ratings that follow from them."""

from __future__ import annotations

import json
import logging
import time
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter

from ludarium.arena.ladder.form import LatestGames
from ludarium.arena.ratings import Result, rate
from ludarium.arena.ratings.results import LARGEST_TABLE
from ludarium.core.lines import kept_lines
from ludarium.core.record import FORMAT, called_today

log = logging.getLogger("ludarium.web")

KEPT = 100
"""Games of somebody that are listed, the latest first."""

MOST_RATED = 300
"""Of a field, those who played last: the time of a fit grows with the cube of their number, and of so many it takes a fifth of a second at most."""

LEISURE = 20
"""So many times as long as rating a field takes it is not rated again."""

Pool = Literal["people", "bots"]


@dataclass(frozen=True)
class Played:
    """A game that is over, at whose table somebody had a name."""

    id: str
    game: str
    title: str
    options: Mapping[str, Any]
    """Those that are not as usual."""
    names: tuple[str | None, ...]
    """By seat, as all that follows; None for those who have none."""
    players: tuple[str, ...]
    """For bots their specs, for people without a name their colour."""
    returns: tuple[float, ...]
    reason: str
    finished: float
    """As of ``time.time``."""
    pool: Pool | None
    """In which it counts for ratings, if it does."""
    format: int = 1
    """That of the records whose words ``players`` has."""

    @property
    def field(self) -> Field:
        return Field(self.pool or "people", self.game, self.title, json.dumps(self.options, sort_keys=True))

    def result(self, seat: int) -> str:
        """Of a seat: ``win``, ``draw`` (nobody did better, somebody as well) or ``loss``; of one alone, ``played``."""
        own, others = self.returns[seat], [value for other, value in enumerate(self.returns) if other != seat]
        if not others:
            return "played"
        return "win" if own > max(others) else "draw" if own == max(others) else "loss"


@dataclass(frozen=True)
class Field:
    """Whose games are rated together: those of one game and its options, among people or against bots."""

    pool: Pool
    game: str
    title: str
    options: str
    """As JSON."""

    @property
    def in_words(self) -> str:
        options = ", ".join(f"{name.replace('_', ' ')} {str(value)[:40]}" for name, value in json.loads(self.options).items())
        return f"{self.title}{f', {options}' if options else ''}"


@dataclass
class Record:
    """What somebody has played in one field."""

    win: int = 0
    draw: int = 0
    loss: int = 0
    streak: int = 0
    """Wins in a row, up to the latest game."""
    best_streak: int = 0

    @property
    def games(self) -> int:
        return self.win + self.draw + self.loss

    def add(self, result: str) -> None:
        setattr(self, result, getattr(self, result) + 1)
        self.streak = self.streak + 1 if result == "win" else 0
        self.best_streak = max(self.best_streak, self.streak)


@dataclass(frozen=True)
class Rating:
    """In Elo points, of which the mean of a field is 0, with the bounds of a 95 % interval."""

    rating: int
    low: int
    high: int


@dataclass
class _Rated:
    """A field, and its ratings as they were found last."""

    latest: LatestGames
    entrants: dict[str, int] = field(default_factory=dict[str, int])
    """Numbers of names, and of bots as ``=SPEC``."""
    games: int = 0
    known: int = 0
    """Of how many games the ratings are."""
    ratings: dict[str, Rating] = field(default_factory=dict[str, Rating])
    again: float = 0.0
    """When they may be found again, as of ``time.monotonic``."""


_PLAYED = TypeAdapter(Played)


class PlayedGames:
    """All of them, in a file. All methods but :meth:`ratings` run on the event loop."""

    def __init__(self, path: Path) -> None:
        """
        Raises:
            StoreError: the file cannot be used.
        """
        self._ids = set[str]()
        self._latest = defaultdict[str, deque[Played]](lambda: deque(maxlen=KEPT))
        self._records = defaultdict[str, dict[Field, Record]](dict)
        self._fields: dict[Field, _Rated] = {}
        self._file = kept_lines(path, "the games of people", "game of people", lambda line: self._know(_today(_PLAYED.validate_json(line))))

    def __contains__(self, id: str) -> bool:
        return id in self._ids

    def add(self, played: Played) -> None:
        """A game is over. Once more it is none: whoever is killed between the end and this may say so when the game is opened again."""
        if played.id in self._ids:
            return
        try:
            self._file.add(_PLAYED.dump_python(played, mode="json"))
        except OSError as problem:
            log.error("the result of game %s cannot be kept until the game is opened again: %s", played.id, problem)
        self._know(played)

    def _know(self, played: Played) -> None:
        self._ids.add(played.id)
        for name in {name for name in played.names if name}:
            self._latest[name].appendleft(played)
        if played.pool is None:
            return
        rated = self._fields.setdefault(played.field, _Rated(LatestGames(len(played.names))))
        seats: list[int] = []
        for seat, name in enumerate(played.names):
            entrant = name or f"={played.players[seat]}"
            seats.append(rated.entrants.setdefault(entrant, len(rated.entrants)))
            if name:
                self._records[name].setdefault(played.field, Record()).add(played.result(seat))
        rated.latest.add(rated.games, tuple(seats), played.returns)
        rated.games += 1

    def latest(self, name: str) -> Sequence[Played]:
        """Somebody's games, the latest first."""
        return list(self._latest.get(name, ()))

    def records(self, name: str) -> Mapping[Field, Record]:
        """What somebody has played that counts."""
        return self._records.get(name, {})

    @property
    def fields(self) -> Sequence[Field]:
        """Those in which somebody has played, the most played first."""
        return sorted(self._fields, key=lambda one: -self._fields[one].games)

    def names_in(self, field: Field) -> list[str]:
        return [entrant for entrant in self._fields[field].entrants if not entrant.startswith("=")]

    def ratings(self, field: Field) -> Mapping[str, Rating]:
        """By name. This may take a moment: call it outside the event loop, and not twice at once."""
        rated, started = self._fields[field], time.monotonic()
        if rated.known == rated.games or started < rated.again:
            return rated.ratings
        known, entrants = rated.games, list(rated.entrants)
        places, results = _of_few(rated.latest.results())
        found = rate([entrants[entrant] for entrant in places], results)
        values = zip(found.names, found.ratings.tolist(), found.low.tolist(), found.high.tolist(), strict=True)
        rated.ratings = {entrant: Rating(round(own), round(low), round(high)) for entrant, own, low, high in values}
        rated.known, now = known, time.monotonic()
        rated.again = now + LEISURE * (now - started)
        return rated.ratings

    def close(self) -> None:
        self._file.close()


def _today(played: Played) -> Played:
    """A game with its players as they are called today."""
    if played.format == FORMAT:
        return played
    return replace(played, players=tuple(called_today(player, played.game, played.format) for player in played.players), format=FORMAT)


def _of_few(games: list[Result]) -> tuple[dict[int, int], list[Result]]:
    """The latest of these games, as far back as not too many played them, with everybody numbered anew: the numbers by those from before."""
    places: dict[int, int] = {}
    results: list[Result] = []
    for seats, returns in reversed(games):
        if len(places.keys() | set(seats)) > MOST_RATED:
            break
        results.append((tuple(places.setdefault(entrant, len(places)) for entrant in seats), returns))
    return places, results


def pool_of(names: Sequence[str | None], is_bot: Sequence[bool], players: Sequence[str]) -> Pool | None:
    """In which pool a table counts, whose people and bots are these by seat: everybody has a name, and nobody sits twice. See ``docs/protocol.md``."""
    entrants = {name or player for name, player in zip(names, players, strict=True)}
    if not 2 <= len(names) <= LARGEST_TABLE or len(entrants) < len(names) or not any(names):
        return None
    if any(name is None and not bot for name, bot in zip(names, is_bot, strict=True)):
        return None
    return "bots" if any(is_bot) else "people"
