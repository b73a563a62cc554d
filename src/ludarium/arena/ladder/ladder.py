"""A ladder from its beginning on, over as many starts of a server as there may be: who takes part, what they have played, how they stand."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import Counter, deque
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ludarium.arena.clocks import TimeControl
from ludarium.arena.games import GamePlan, GameResult
from ludarium.arena.ratings import Result
from ludarium.arena.standings import WIN, results
from ludarium.arena.store import (
    Competition,
    Database,
    Entrant,
    Rating,
    Search,
    Writer,
    begin,
    competitions,
    current_ratings,
    expulsions,
    last_number,
    latest_results,
    resume,
    search_games,
    totals,
)
from ludarium.arena.store.competitions import LADDER
from ludarium.arena.store.records import take_up_records
from ludarium.arena.store.voiding import State, state_of
from ludarium.arena.terms import Terms
from ludarium.core.game import Game
from ludarium.core.pickling import Unpicklable
from ludarium.core.record import Header
from ludarium.core.timeline import Timeline
from ludarium.errors import BadOption, ProtocolError, StoreError
from ludarium.players.programs.player import Lender
from ludarium.players.specs import player_kinds

from .form import WINDOW, LatestGames
from .names import Names
from .pairing import LATEST, Candidate, next_table
from .playing import Told, play
from .ratings import LiveRatings

MOST_NAMES = 1000

RANKED = 10
"""Games from which on somebody has a rank."""

NEWEST = 30
"""Games that are told as the newest ones."""

WhenNamed = Literal["after", "before"]
"""When the judge tells bots the names of their opponents: after a game or before it."""

LOOK = 0.5
"""Seconds between two checks whether the store has failed, while a game waits for its commit."""


@dataclass(frozen=True)
class LadderRow:
    """How somebody stands."""

    entrant: int
    name: str
    rank: int | None
    """From 1; None before :data:`RANKED` games."""
    rating: float | None
    low: float | None
    high: float | None
    games: int
    wins: int
    draws: int
    losses: int
    points: float


@dataclass(frozen=True)
class PlayedGame:
    """A game that has ended."""

    number: int
    players: tuple[str, ...]
    """By seat, as all that follows."""
    returns: tuple[float, ...]
    reason: str
    forfeits: Mapping[int, str]
    """Why players lost by their conduct."""
    plies: int
    finished: float | None


class Ladder(Unpicklable):
    """A ladder in a store. Threads may use it; those methods that wait for the disk say so."""

    send_instead = "send its table()"

    def __init__(self, game: Game, time: TimeControl, folder: Path, database: Database, names: WhenNamed = "after") -> None:
        """Begin it, or go on with it. Waits for the disk.

        Args:
            time: what everybody has in every game.
            folder: for names and records, in a folder of this ladder's own.
            names: when bots and spectators see the names of a game's players.

        Raises:
            BadOption: a game for one.
            StoreError: the store or the folder cannot be used.
        """
        if game.players < 2:
            raise BadOption(f"{game.id} is played by one alone with these options, and a ladder needs at least two")
        self.game = game
        self.time = time
        self.hides_names = names == "after"
        """True if the ladder hides names until a game is over."""
        self.name, part = _called(game)
        own = self.folder = folder / part
        self._terms = Terms((time,) * game.players)
        self._records = own / "games"
        self._names = Names(own / "names.jsonl", reserved=[*player_kinds(game), *game.player_names])
        self._competition = _taken_up(database, self.name, game)
        take_up_records(self._competition, self._records)
        self._lock = threading.RLock()
        self._taken = threading.Condition(self._lock)
        self._called: list[str] = []
        """Names by entrant."""
        self._numbers: dict[str, int] = {}
        self._sums: list[list[float]] = []
        """Wins, draws, losses and points by entrant, of the games that are in the store."""
        self._played = Counter[int]()
        """Games by entrant, also of those that are not there yet."""
        self._unsafe: dict[int, GameResult] = {}
        for total in totals(database, self.id):
            self._know(total.name, [0, 0, 0, 0.0])
        self._next = last_number(database, self.id) + 1
        self._recall()
        self._writer = Writer(self._competition, self._take)
        self._ratings = LiveRatings(self._competition, current_ratings(database, self.id), self._games_that_count)
        self._ratings.renew()  # whatever ended the ladder the last time

    def _recall(self) -> None:
        """Read from the store which games have been played and count."""
        database, unsafe = self.database, self._unsafe.values()
        self._state: State = state_of(database, self.id)
        self.expelled = {one.entrant: one.reason for one in expulsions(database, self.id)}
        """Reasons for expulsions, by entrant."""
        self._sums = [[total.wins, total.draws, total.losses, total.points] for total in totals(database, self.id)]
        self._played = Counter({entrant: int(sum(sums[:3])) for entrant, sums in enumerate(self._sums)})
        latest = LatestGames(self.game.players)
        for number, seats, returns in latest_results(database, self.id, WINDOW):
            latest.add(number, seats, returns)
        for result in unsafe:
            latest.add(result.number, result.plan.seats, result.returns)
            self._played.update(result.plan.seats)
        self._latest = latest
        self.newest = deque(
            [
                PlayedGame(game.number, game.players, game.returns, game.reason, game.forfeits, game.plies, game.finished)
                for game in search_games(database, Search(competition=self.name), limit=NEWEST)
            ],
            maxlen=NEWEST,
        )
        """The latest games that are in the store and count, newest first."""

    def refresh(self) -> None:
        """Leave out games that the organiser has voided since the last call, and rate again. Waits for the disk.

        Raises:
            StoreError: the store cannot be read.
        """
        if state_of(self.database, self.id) == self._state:
            return
        with self._writer.committing, self._lock:
            self._recall()
        self._ratings.begin_again()

    @property
    def id(self) -> int:
        """Of the competition in the store."""
        return self._competition.id

    @property
    def database(self) -> Database:
        return self._competition.database

    @property
    def problem(self) -> str | None:
        """Why nothing is kept any more, so that nothing should be played."""
        return self._writer.problem

    # Who takes part.

    def join(self, name: str, key: str | None) -> tuple[int, str, str]:
        """Somebody comes: its number, its name, and the key of that. Waits for the disk.

        Raises:
            ProtocolError: ``bad_name``, ``bad_key`` or ``busy``.
            StoreError: the name cannot be kept.
        """
        name, key = self._names.take(name, key, self._enter)
        with self._lock:
            return self._enter(name), name, key

    def check(self, name: str, key: str | None) -> str:
        """Return a name in its first spelling if the key belongs to it; without a key, if the name is not taken.

        Raises:
            ProtocolError: ``bad_name`` or ``bad_key``.
        """
        return self._names.check(name, key) if key is not None else self._names.checked_free(name)

    def enter_owned(self, name: str) -> int | None:
        """Return the entrant number of a taken name, or None. Waits for the disk if the store has forgotten the name.

        Raises:
            ProtocolError: ``busy``.
            StoreError: the store does not take it.
        """
        found = self._names.find(name)
        return None if found is None else self._enter(found)

    def _enter(self, name: str) -> int:
        with self._lock:
            if name.casefold() not in self._numbers:
                if len(self._called) >= MOST_NAMES:
                    raise ProtocolError("busy", f"{MOST_NAMES:,} names are taken, which is all that a ladder has")
                number = self._competition.enter(Entrant(name, name))
                assert number == len(self._called)
                self._know(name, [0, 0, 0, 0.0])
            return self._numbers[name.casefold()]

    def _know(self, name: str, sums: list[float]) -> None:
        self._numbers[name.casefold()] = len(self._called)
        self._played[len(self._called)] = int(sum(sums[:3]))
        self._called.append(name)
        self._sums.append(sums)

    def entrant_of(self, name: str) -> int | None:
        """The number of somebody."""
        return self._numbers.get(name.casefold())

    def name_of(self, entrant: int) -> str:
        return self._called[entrant]

    # Games.

    def next_plan(self, waiting: Mapping[int, float], held: Container[int] = ()) -> GamePlan | None:
        """The next game between some who wait, each since a time; None if they are too few, or all are ``held``: for their sake no game is begun."""
        with self._lock:
            candidates = [self._candidate(entrant, since, entrant in held) for entrant, since in waiting.items()]
            seats = next_table(candidates, self.game.players)
            if seats is None:
                return None
            plan = GamePlan(self._next, self._next, seats)
            while self._record(plan).exists():  # of a game that was cut off
                plan = GamePlan(plan.number + 1, plan.number + 1, seats)
            self._next = plan.number + 1
            return plan

    def _candidate(self, entrant: int, since: float, is_held: bool) -> Candidate:
        rating = self._ratings.latest.get(entrant)
        met, sat = self._latest.met(entrant, LATEST), self._latest.sat(entrant)
        return Candidate(entrant, self._played[entrant], since, rating.rating if rating else 0.0, met, sat, is_held)

    def _games(self, entrant: int) -> int:
        return int(sum(self._sums[entrant][:3]))

    def _record(self, plan: GamePlan) -> Path:
        return self._records / plan.record_name

    def play(
        self,
        plan: GamePlan,
        lenders: Sequence[Lender],
        *,
        on_begin: Callable[[Timeline, Header], None],
        interrupted: Callable[[], bool],
    ) -> GameResult | None:
        """Play a game to its end between lent players, by seat, and tell them the result once it is in the store; see :func:`.playing.play`.

        While the store fails, tell them once the record is complete: :meth:`retry` or the next start adds the game to the store.

        Returns:
            The result, or None if the game was interrupted.
        """
        rows = {row.entrant: row for row in self.table()}
        seated = [rows[entrant] for entrant in plan.seats]
        names = [row.name for row in seated]
        told = Told(names, [row.rating for row in seated], [row.rank for row in seated], is_hidden=self.hides_names)
        record = self._record(plan)
        return play(self.game, plan, names, lenders, told, self._terms, record, on_begin=on_begin, keep=self._keep, interrupted=interrupted)

    def _keep(self, result: GameResult) -> None:
        with self._lock:
            self._latest.add(result.number, result.plan.seats, result.returns)
            self._played.update(result.plan.seats)
            self._unsafe[result.number] = result
            self._writer.add(result)
            while result.number in self._unsafe and self._writer.problem is None:
                self._taken.wait(LOOK)

    def _take(self, safe: Sequence[GameResult]) -> None:
        """Count games that are in the store."""
        with self._lock:
            for game in safe:
                del self._unsafe[game.number]
                seated = zip(game.plan.seats, game.returns, results(game.returns), strict=True)
                for entrant, returns, outcome in seated:
                    sums = self._sums[entrant]
                    sums[WIN - outcome] += 1
                    sums[3] += (1 + returns) / 2
                names = tuple(self._called[entrant] for entrant in game.plan.seats)
                self.newest.appendleft(PlayedGame(game.number, names, game.returns, game.reason, game.forfeits, game.plies, game.finished))
            self._taken.notify_all()
        self._ratings.renew()

    def _games_that_count(self) -> tuple[list[Result], Counter[int]]:
        with self._lock:
            return self._latest.results(), self._played.copy()

    def retry(self) -> None:
        """Try again to keep what the store did not take."""
        with self._lock:
            if self._writer.problem is None:
                return
            with suppress(StoreError):
                self._writer.close()
            self._writer = Writer(self._competition, self._take)
            for result in self._unsafe.values():
                self._writer.add(result)

    # How they stand.

    @property
    def games(self) -> int:
        """That are in the store."""
        return sum(int(sum(sums[:3])) for sums in self._sums) // self.game.players

    def table(self) -> list[LadderRow]:
        """Everybody who has played or is known: those with a rank by rating, then the others by games."""
        with self._lock:
            ranked, others = order_of([self._games(entrant) for entrant in range(len(self._called))], self._ratings.latest)
            return [self._row(entrant, rank) for rank, entrant in enumerate(ranked, 1)] + [self._row(entrant, None) for entrant in others]

    def _row(self, entrant: int, rank: int | None) -> LadderRow:
        wins, draws, losses, points = self._sums[entrant]
        found = self._ratings.latest.get(entrant)
        rating = (round(found.rating, 1), round(found.low, 1), round(found.high, 1)) if found else (None, None, None)
        return LadderRow(entrant, self._called[entrant], rank, *rating, self._games(entrant), int(wins), int(draws), int(losses), points)

    def close(self) -> None:
        """Write what waits. Waits for the disk.

        Raises:
            StoreError: the store does not take all of it.
        """
        try:
            self._writer.close()
        finally:
            self._names.close()
            self._ratings.close()


def order_of(games: Sequence[int], ratings: Mapping[int, Rating]) -> tuple[list[int], list[int]]:
    """Return the entrants that have a rank on a ladder, the best first, and the others, those with most games first.

    Args:
        games: number of games of each entrant.
        ratings: ratings in Elo, by entrant.
    """
    entrants = range(len(games))
    ranked = sorted((one for one in entrants if one in ratings and games[one] >= RANKED), key=lambda one: -ratings[one].rating)
    return ranked, sorted(set(entrants) - set(ranked), key=lambda one: -games[one])


def _called(game: Game) -> tuple[str, str]:
    """How a ladder of a game is called in the store, and its part of the folder: one a game and options."""
    options = _other_options(game)
    if not options:
        return f"Ladder {game.id}", game.id
    digest = hashlib.sha256(_config(game).encode()).hexdigest()[:8]
    words = ", ".join(f"{name}={value}" for name, value in options.items())
    return f"Ladder {game.id}, {words if len(words) <= 100 and words.isprintable() else digest}", f"{game.id}-{digest}"


def _other_options(game: Game) -> dict[str, object]:
    """Those that are not what they are by default."""
    usual = {option.name: option.default for option in game.option_list}
    return {name: value for name, value in game.options.items() if value != usual[name]}


def _config(game: Game) -> str:
    return json.dumps({"options": _other_options(game)}, sort_keys=True)


def _taken_up(database: Database, name: str, game: Game) -> Competition:
    row = next((row for row in competitions(database) if row.name == name), None)
    if row is None:
        return begin(database, name, LADDER, game, (), _config(game))
    entrants = [Entrant(total.name, total.spec, total.version) for total in totals(database, row.id)]
    return resume(database, name, game, entrants, _config(game))
