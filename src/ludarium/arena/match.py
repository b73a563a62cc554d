"""Matches: many games between the same players, who take turns on the seats."""

from __future__ import annotations

import functools
import hashlib
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ludarium.core.game import Game, State
from ludarium.core.random import generator_from
from ludarium.core.record import Header, Recorder
from ludarium.core.rules import CHANCE
from ludarium.core.timeline import Event, Timeline
from ludarium.errors import BadOption, PlayerCrashed, StoreError, store_errors
from ludarium.players import PlayerSpec, never
from ludarium.players.programs import Conditions

from .elo import EloDifference, elo_difference
from .executor import run_jobs
from .play import ask, checked_seed, play_game, random_seed, seat_players
from .terms import FREE, Terms

RANDOM = "random"


@dataclass(frozen=True)
class GameResult:
    """How one game of a match ended. Players are numbered as in the match."""

    number: int
    """From 0."""
    seats: tuple[int, ...]
    """Which player sat at each seat."""
    returns: tuple[float, ...]
    """By player, in [−1, 1]."""
    reason: str
    forfeited: int | None
    """The player who lost by its own conduct."""
    plies: int
    digest: str
    """Equal for games of equal actions."""
    unrecorded: str | None
    """Why it has no whole record, where it should have one."""


@dataclass(frozen=True)
class Standing:
    """A player's sums. A point a win, half a point a draw; with more than two players (1 + return) / 2."""

    name: str
    wins: int
    draws: int
    losses: int
    points: float


@dataclass(frozen=True)
class MatchResult:
    """A match as far as it was played."""

    game: Game
    players: tuple[str, ...]
    games: tuple[GameResult, ...]
    """In order of their numbers."""
    seed: int
    seconds: float
    given_up: str = ""
    """Which games are missing because every process that played them died, in words; empty where none is."""

    @property
    def standings(self) -> tuple[Standing, ...]:
        """One a player, in the order of ``players``."""
        return tuple(self._standing(player) for player in range(len(self.players)))

    def _standing(self, player: int) -> Standing:
        wins = draws = 0
        for game in self.games:
            best = max(game.returns)
            if game.returns[player] == best:
                if game.returns.count(best) == 1:
                    wins += 1
                else:
                    draws += 1
        points = sum((1 + game.returns[player]) / 2 for game in self.games)
        return Standing(self.players[player], wins, draws, len(self.games) - wins - draws, round(points, 6))

    @property
    def elo(self) -> EloDifference | None:
        """The first player's Elo difference to the second; None with more than two players."""
        if len(self.players) != 2:
            return None
        first = self.standings[0]
        return elo_difference(first.wins, first.draws, first.losses)

    @property
    def repeated(self) -> int:
        """How many games repeat an earlier one action for action."""
        return len(self.games) - len({game.digest for game in self.games})

    def as_json(self) -> dict[str, Any]:
        """What ``ludarium match --json`` prints."""
        return {
            "game": self.game.id,
            "options": dict(self.game.options),
            "games": len(self.games),
            "players": [asdict(standing) for standing in self.standings],
            "elo": asdict(self.elo) if self.elo else None,
            "seed": self.seed,
            "seconds": round(self.seconds, 3),
        }


def match(
    game: Game,
    players: Sequence[str],
    *,
    games: int = 20,
    seed: int | None = None,
    workers: int = 1,
    start: State | None = None,
    records: Path | None = None,
    terms: Terms = FREE,
    on_result: Callable[[GameResult], None] | None = None,
    interrupted: Callable[[], bool] = never,
) -> MatchResult:
    """Play a match. In game ``k`` player ``i`` has seat ``(i + k) mod n``, so sides alternate.

    Every game has a seed of its own, made of the match's seed and the game's number: the number of workers changes nothing, except for
    players that are limited by time. A game whose process dies is played again, by another one; see :func:`.executor.run_jobs`.

    Args:
        players: specs, as many as the game has seats.
        workers: how many processes play; one plays in this process.
        start: a state that every game starts from, else the initial one.
        records: a folder for one record a game, ``game-0001.jsonl`` and so on, and for what programs write to their standard errors.
        terms: the players' clocks, and what programs may take.
        on_result: called with every game's result, as games are finished.
        interrupted: asked often; once it is true the match ends, with the games that were finished.

    Raises:
        BadNotation, BadOption: a wrong player, a person, or a wrong number of players, games or workers.
        StoreError: the folder for records cannot be had, or they stand there already. A record that cannot be written is told by its game's result.
    """
    for name, value in (("games", games), ("workers", workers)):
        if value < 1:
            raise BadOption(f"{name}={value} is not at least 1")
    specs = seat_players(game, players, terms.programs)
    if terms.time and len(terms.time) != game.players:
        raise BadOption(f"{len(terms.time)} time controls are not one for each of {game.players} players")
    names = tuple(spec.text for spec in specs)
    seed = random_seed() if seed is None else checked_seed(seed)
    job = _MatchJob(game, names, seed, start, records, terms)
    if records is not None:
        _prepare(records, [job.record_of(number) for number in range(games)])
    started = time.perf_counter()
    finished: list[GameResult] = []
    given_up = ""
    try:
        for result in run_jobs(job, games, workers=workers, interrupted=interrupted):
            if result is not None:
                finished.append(result)
                if on_result is not None:
                    on_result(result)
    except PlayerCrashed as problem:
        given_up = str(problem)
    finished.sort(key=lambda result: result.number)
    return MatchResult(game, names, tuple(finished), seed, time.perf_counter() - started, given_up)


@dataclass(frozen=True)
class _MatchJob:
    """All that a process needs to know to play any game of a match."""

    game: Game
    players: tuple[str, ...]
    seed: int
    start: State | None
    records: Path | None
    terms: Terms

    def record_of(self, number: int) -> Path | None:
        return self.records / f"game-{number + 1:04}.jsonl" if self.records else None

    def warm_up(self) -> None:
        """Ask every player once."""
        state = self.start or self.game.start()
        play_game(self.game, [RANDOM] * self.game.players, start=state, seed=0)
        while state.to_move == (CHANCE,):
            state = state.play(state.outcomes()[0][0])
        specs = _specs_of(self.game, self.players, self.terms.programs)
        for spec in specs if not state.is_over else ():
            if spec.is_program:
                continue
            with suppress(Exception), closing(spec.make(self.game, 0)) as player:  # what programs raise the match will show, as forfeits
                ask(player, state, state.to_move[0], lambda: True)

    def __call__(self, number: int, interrupted: Callable[[], bool]) -> GameResult | None:
        if self.terms.time:
            _warm_up_here(self)  # nobody loads its machine code at the expense of its clock
        specs = _specs_of(self.game, self.players, self.terms.programs)
        seats = tuple((seat - number) % len(specs) for seat in range(len(specs)))
        players = [specs[player] for player in seats]
        seed = int(generator_from(self.seed, number)[0] >> 11)
        problems: list[str] = []
        with self._recorded(number, [spec.text for spec in players], seed, problems) as listeners:
            timeline = play_game(
                self.game,
                players,
                start=self.start,
                seed=seed,
                log=self.record_of(number),
                terms=self.terms.seated(seats),
                listeners=listeners,
                interrupted=interrupted,
            )
        return _result_of(number, seats, timeline, problems[0] if problems else None)

    @contextmanager
    def _recorded(self, number: int, players: Sequence[str], seed: int, problems: list[str]) -> Generator[list[Callable[[Event], None]]]:
        """What listens to a game and writes its record. The game is more important: why that cannot be done is added to ``problems``."""
        path, recorder = self.record_of(number), None
        try:
            recorder = Recorder(path, Header.of(self.game, players, seed)) if path else None
        except StoreError as problem:
            problems.append(str(problem))
        yield [recorder.write] if recorder else []
        try:
            if recorder:
                recorder.close()
        except StoreError as problem:
            problems.append(str(problem))

    def name(self, number: int) -> str:
        return f"game {number + 1}"

    def undo(self, number: int) -> None:
        if (record := self.record_of(number)) is not None:
            with store_errors(f"{record} cannot be removed"):
                record.unlink(missing_ok=True)


@functools.lru_cache(maxsize=1)
def _warm_up_here(job: _MatchJob) -> None:
    """Once in every process."""
    job.warm_up()


@functools.lru_cache(maxsize=1)
def _specs_of(game: Game, players: tuple[str, ...], conditions: Conditions) -> tuple[PlayerSpec, ...]:
    """The players, read once in every process."""
    return seat_players(game, players, conditions)


def _result_of(number: int, seats: tuple[int, ...], timeline: Timeline, unrecorded: str | None) -> GameResult | None:
    """None for a game that was cut off."""
    if timeline.outcome is None:
        return None
    returns = [0.0] * len(seats)
    for seat, player in enumerate(seats):
        returns[player] = timeline.outcome.returns[seat]
    forfeits: list[int] = [seats[event["player"]] for event in timeline.events if event["event"] == "forfeit"]
    actions = repr([sorted((seat, action.index) for seat, action in step.actions.items()) for step in timeline.steps])
    return GameResult(
        number,
        seats,
        tuple(returns),
        timeline.outcome.reason,
        forfeits[0] if forfeits else None,
        timeline.ply,
        hashlib.sha256(actions.encode()).hexdigest(),
        unrecorded,
    )


def _prepare(folder: Path, files: Sequence[Path | None]) -> None:
    with store_errors(f"records cannot be kept in {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        present = {path.name for path in folder.iterdir()}
    taken = [file for file in files if file is not None and file.name in present]
    if taken:
        raise StoreError(f"{taken[0]} exists already; name an empty folder for the records")
