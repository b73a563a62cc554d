"""Matches: many games between the same players, who take turns on the seats."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ludarium.core.game import Game
from ludarium.errors import BadOption, PlayerCrashed, StoreError, store_errors
from ludarium.players import never

from .cluster import check_cores, play_games
from .elo import EloDifference, elo_difference
from .games import GameJob, GamePlan, GameResult
from .openings import THE_START, Openings
from .play import checked_seed, random_seed, seat_players
from .standings import Standing, standings
from .terms import FREE, Terms


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
        return standings(self.players, self.games)

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
            "players": [standing.as_json() for standing in self.standings],
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
    workers: int | None = None,
    openings: Openings = THE_START,
    records: Path | None = None,
    terms: Terms = FREE,
    pin: bool = False,
    before: Sequence[GameResult] | None = None,
    on_result: Callable[[GameResult], None] | None = None,
    cluster: str | None = None,
    interrupted: Callable[[], bool] = never,
) -> MatchResult:
    """Play a match, in rounds in which every player sits once at each seat: with n players, player ``i`` has seat ``(i + k) mod n`` in game ``k``.

    The games of a round have the same seed, made of the match's seed and the round's number, and so the same opening, deal and dice. The number of workers
    changes nothing, except for players that are limited by time. A game whose process dies is played again, by another one; see :func:`.executor.run_jobs`.

    Args:
        players: specs, as many as the game has seats.
        workers: how many processes play; one plays in this process. None: one, and on a cluster one for each of its processors.
        openings: where games start, else from the initial state.
        records: a folder for one record a game, ``game-0001.jsonl`` and so on, and for what programs write to their standard errors.
        terms: the players' clocks, and what programs may take.
        pin: whether each process has a core of its own, where it stays with the programs that it starts.
        before: the results of games that were finished when this match was interrupted. What is left of the others is removed, and they are played again.
        on_result: called with every other game's result, as games are finished.
        cluster: where games are played, if not on this computer; see :func:`.cluster.play_games`.
        interrupted: asked often; once it is true the match ends, with the games that were finished.

    Raises:
        BadNotation, BadOption: a wrong player, a person, a wrong number of players, games or workers, or more pinned workers than cores; a cluster
            that cannot be joined.
        StoreError: the folder for records cannot be had, or they stand there already. A record that cannot be written is told by its game's result.
    """
    for name, value in (("games", games), ("workers", workers)):
        if value is not None and value < 1:
            raise BadOption(f"{name}={value} is not at least 1")
    if pin:
        check_cores(workers, cluster)
    specs = seat_players(game, players, terms.programs)
    terms.check(game)
    if terms.time and len(terms.time) != game.players:
        raise BadOption(f"{len(terms.time)} time controls are not one for each of {game.players} players")
    names = tuple(spec.text for spec in specs)
    seed = random_seed() if seed is None else checked_seed(seed)
    job = GameJob((game,), names, seed, openings, records, terms.hiding(records))
    finished = list(before or ())
    known = {result.number for result in finished}
    plans = [GamePlan.at(range(game.players), number) for number in range(games) if number not in known]
    if before is not None:
        for plan in plans:
            job.undo(plan)
    if records is not None:
        _prepare(records, [job.record_of(plan) for plan in plans])
    started = time.perf_counter()
    given_up = ""
    try:
        most = workers and min(workers, len(plans))
        for result in play_games(job, plans, workers=most, pin=pin, cluster=cluster, interrupted=interrupted):
            if result is not None:
                finished.append(result)
                if on_result is not None:
                    on_result(result)
    except PlayerCrashed as problem:
        given_up = str(problem)
    finished.sort(key=lambda result: result.number)
    return MatchResult(game, names, tuple(finished), seed, time.perf_counter() - started, given_up)


def _prepare(folder: Path, files: Sequence[Path | None]) -> None:
    with store_errors(f"records cannot be kept in {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        present = {path.name for path in folder.iterdir()}
    taken = [file for file in files if file is not None and file.name in present]
    if taken:
        raise StoreError(f"{taken[0]} exists already; name an empty folder for the records")
