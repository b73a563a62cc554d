"""Tournaments: games between many players by a schedule, which can be interrupted and resumed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ludarium.core.journal import Journal
from ludarium.errors import PlayerCrashed, StoreError, store_errors
from ludarium.players import never

from .executor import run_jobs
from .games import GameJob, GamePlan, GameResult
from .ratings import Ratings, rate
from .ratings.results import LARGEST_TABLE
from .schedules import Plans, Results
from .standings import Standing, by_points, standings
from .tournament_file import Tournament


@dataclass(frozen=True)
class TournamentResult:
    """A tournament as far as it was played."""

    tournament: Tournament
    games: tuple[GameResult, ...]
    """In order of their numbers."""
    is_over: bool
    """Whether all games have been played."""
    seconds: float
    given_up: str = ""
    """Which games are missing because every process that played them died, in words; empty where none is."""

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """One a player, in the order of the file."""
        return standings(self.tournament.names, self.games)

    @cached_property
    def ranking(self) -> tuple[int, ...]:
        """The players' numbers, those with most points first, and of as many in the order of the file."""
        return by_points(self.standings)

    @cached_property
    def ratings(self) -> Ratings | None:
        """The players' ratings, in the order of the file. Games of one player, and those of more than 6, are not rated."""
        if not 2 <= self.tournament.field.seats <= LARGEST_TABLE:
            return None
        return rate(self.tournament.names, [(game.plan.seats, game.returns) for game in self.games])


def hold(
    tournament: Tournament,
    *,
    resume: bool = False,
    workers: int = 1,
    on_result: Callable[[GameResult], None] | None = None,
    interrupted: Callable[[], bool] = never,
) -> TournamentResult:
    """Play a tournament. Results are kept in its folder as they come, and so are the games' records. A game that was cut off is played again, as it was.

    Args:
        resume: whether to go on with what is in the folder; else nothing may be there.
        workers: how many processes play.
        on_result: called with every game's result, those that were kept before too, once it is safe on the disk.
        interrupted: asked often; once it is true the tournament stops, and can be resumed.

    Raises:
        StoreError: the folder cannot be used, or holds results already.
        BadRecord: what is there is damaged, or of another tournament.
    """
    header = {"tournament": tournament.name, "digest": tournament.digest, "format": 1}
    journal = Journal(tournament.folder / "results.jsonl", "the tournament's results", header)
    results: dict[int, GameResult] = {}
    if journal.path.exists() and not resume:
        raise StoreError(f"{journal.path} has results already; --resume goes on with them, or move {tournament.folder} away")
    journal.read(lambda entry: results.update({entry["number"]: _read(entry)}), "a game's result")
    with store_errors(f"records cannot be kept in {tournament.folder}"):
        (tournament.folder / "games").mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()
    job = GameJob(
        tournament.game,
        tournament.specs,
        tournament.seed,
        tournament.openings,
        tournament.folder / "games",
        tournament.terms.hiding(tournament.folder),
    )
    given_up = ""
    for result in sorted(results.values(), key=lambda one: one.number):
        if on_result is not None:
            on_result(result)
    try:
        for result in run_jobs(job, _left(tournament, job, results), workers=workers, interrupted=interrupted):
            if result is not None:
                journal.add(_written(result))
                results[result.number] = result
                if on_result is not None:
                    on_result(result)
    except PlayerCrashed as problem:
        given_up = str(problem)
    finally:
        journal.close()
    games = tuple(results[number] for number in sorted(results))
    return TournamentResult(tournament, games, _is_over(tournament, results), time.perf_counter() - started, given_up)


def _left(tournament: Tournament, job: GameJob, results: Results) -> Plans:
    """The games that have not been played, without what is left of them."""
    for plan in tournament.schedule(tournament.field, results):
        if plan is not None and plan.number not in results:
            job.undo(plan)
            yield plan
        elif plan is None:
            yield None


def _is_over(tournament: Tournament, results: Results) -> bool:
    return all(plan is not None and plan.number in results for plan in tournament.schedule(tournament.field, results))


def _written(result: GameResult) -> dict[str, Any]:
    """A line of the journal."""
    kept = {
        "returns": list(result.returns),
        "reason": result.reason,
        "forfeited": result.forfeited,
        "plies": result.plies,
        "digest": result.digest,
        "started": result.started,
        "finished": result.finished,
    }
    return {"number": result.number, "round": result.plan.round, "seats": list(result.plan.seats), **kept, "unrecorded": result.unrecorded}


def _read(entry: dict[str, Any]) -> GameResult:
    plan = GamePlan(entry["number"], entry["round"], tuple(entry["seats"]))
    kept = [entry[key] for key in ("reason", "forfeited", "plies", "digest", "unrecorded")]
    return replace(GameResult(plan, tuple(entry["returns"]), *kept), started=entry["started"], finished=entry["finished"])
