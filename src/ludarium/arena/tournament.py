"""Tournaments: games between many players by a schedule, which can be interrupted and resumed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ludarium.core.lines import sync_folder
from ludarium.core.user_text import read_user_text
from ludarium.core.writing import replace_file
from ludarium.errors import PlayerCrashed, StoreError, store_errors
from ludarium.players import never

from .cluster import check_cores, play_games
from .games import GameJob, GameResult
from .ratings import Ratings, rate
from .ratings.results import LARGEST_TABLE
from .schedules import Plans, games_of_round, points_of_byes
from .standings import Standing, by_points, standings
from .store import Scorekeeper, entrants_of
from .tournament_file import Tournament

OPTION_SETS = "option_sets"
"""Key of the option sets in a stored tournament's config, where there are several."""


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
    byes: tuple[float, ...] = ()
    """How many points each player has without a game, in the order of the file; empty where nobody can have any."""

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """One a player, in the order of the file, with the points of byes."""
        found = standings(self.tournament.names, self.games)
        return tuple(replace(one, points=one.points + bye) for one, bye in zip(found, self.byes, strict=True)) if self.byes else found

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


class CutShort(StoreError):
    """What is played cannot be kept any more, so that a tournament ends before it is over."""

    def __init__(self, why: str, result: TournamentResult) -> None:
        super().__init__(why)
        self.result = result
        """As far as it was played."""


def hold(
    tournament: Tournament,
    *,
    resume: bool = False,
    workers: int | None = None,
    store: str | Path | None = None,
    on_begun: Callable[[int], None] | None = None,
    on_result: Callable[[GameResult], None] | None = None,
    cluster: str | None = None,
    interrupted: Callable[[], bool] = never,
) -> TournamentResult:
    """Play a tournament. Its games are in the store as they come, their records in its folder. A game that was cut off is played again, as it was.

    Args:
        resume: whether to go on with the games that the store, or the folder alone, has; else none may be in the folder.
        workers, cluster: as for :func:`.match.match`.
        store: as for :func:`.store.open_database`.
        on_begun: called with the tournament's number in the store.
        on_result: called with every game's result once it and its record are safe on the disk; with those of this run in a thread of its own.
        interrupted: asked often; once it is true the tournament stops, and can be resumed.

    Raises:
        StoreError: the store or the folder cannot be used; or the folder has games already, or those of another tournament.
        CutShort: the same where it turns out after the first game was begun. What was kept is there, and the tournament can be resumed.
        BadOption: its games are to be pinned, and there are fewer cores than workers; a cluster that cannot be joined.
    """
    if tournament.pin:
        check_cores(workers, cluster)
    records = _take_folder(tournament, resume=resume)
    job = GameJob(tournament.option_sets, tournament.specs, tournament.seed, tournament.openings, records, tournament.terms_of_games)
    entrants = entrants_of(tournament.specs, tournament.names, tournament.terms.programs.folder)
    config = json.dumps(
        {"folder": str(tournament.folder.resolve()), "file": tournament.text, "games": tournament.games} | _option_sets(tournament)
    )
    started = time.perf_counter()
    results: dict[int, GameResult] = {}
    given_up = ""
    failed: list[str] = []
    """Why nothing is kept any more."""
    with Scorekeeper(
        "tournament", tournament.name, tournament.option_sets, entrants, config, store=store, resumed=resume, on_safe=on_result
    ) as keeper:
        if on_begun is not None:
            on_begun(keeper.number)
        for result in keeper.before:
            results[result.number] = result if result.record else replace(result, unrecorded="it was not written to its end")
            if on_result is not None:
                on_result(result)
        try:
            left = _left(tournament, job, results, keeper, interrupted)
            for result in play_games(
                job,
                left,
                workers=workers,
                pin=tournament.pin,
                cluster=cluster,
                interrupted=lambda: interrupted() or keeper.has_failed() or bool(failed),
            ):
                if result is not None and result.unrecorded:  # records are the truth: it is played again when there is room for it
                    failed.append(f"{result.unrecorded}; without a record no more games were begun")
                elif result is not None:
                    results[result.number] = result
                    keeper.add(result)
                    if tournament.format == "swiss" and len(results) % games_of_round(tournament.field) == 0:
                        keeper.give_byes(points_of_byes(tournament.field, results))
        except PlayerCrashed as problem:
            given_up = str(problem)
        except StoreError as problem:
            failed.append(str(problem))
        is_over = all(plan is not None and plan.number in results for plan in tournament.schedule(tournament.field, results))
        byes = tuple(points_of_byes(tournament.field, results)) if tournament.format == "swiss" else ()
        games = tuple(results[number] for number in sorted(results))
        result = TournamentResult(tournament, games, is_over, time.perf_counter() - started, given_up, byes)
        keeper.rate(result.ratings)
        if byes and not failed and not keeper.has_failed():
            keeper.give_byes(byes)
        if is_over:
            keeper.finish()
    try:
        keeper.raise_problem()
    except StoreError as problem:
        failed.insert(0, str(problem))
    if failed:
        raise CutShort(failed[0], result)
    return result


def _option_sets(tournament: Tournament) -> dict[str, Any]:
    """Return what the store's config says of option sets; nothing of a single one, as of tournaments that were begun before there were several."""
    sets = [dict(game.options) for game in tournament.option_sets]
    return {OPTION_SETS: sets} if len(sets) > 1 else {}


def _take_folder(tournament: Tournament, *, resume: bool) -> Path:
    """Where records are kept, with the tournament's file beside them: they are nobody else's."""
    folder = tournament.records
    copy = folder / "tournament.toml"
    with store_errors(f"records cannot be kept in {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        if next(folder.glob("*.jsonl"), None) is None:
            replace_file(copy, tournament.text.encode("utf-8"))
            for one in (tournament.folder, tournament.folder.parent):
                sync_folder(one)
            return folder
        before = read_user_text(copy, StoreError) if copy.exists() else None
    if not resume:
        raise StoreError(f"{folder} has games already; --resume goes on with them, or move {tournament.folder} away")
    if before is None:
        raise StoreError(
            f"{folder} has games of a tournament that an older Ludarium held; to go on with it, copy its unchanged file to {copy}"
        )
    if before != tournament.text:
        raise StoreError(
            f"{folder} has games of another tournament, which {copy} describes; move {tournament.folder} away to begin this one"
        )
    return folder


def _left(
    tournament: Tournament, job: GameJob, results: dict[int, GameResult], keeper: Scorekeeper, interrupted: Callable[[], bool]
) -> Plans:
    """The games that have not been played, without what is left of them. Those of which there is a whole record have been played, whatever the store says."""
    for plan in tournament.schedule(tournament.field, results):
        if plan is None:
            yield None
        elif interrupted():
            return
        elif plan.number not in results:
            if (found := job.recorded(plan)) is not None:
                results[plan.number] = found
                keeper.restore(found)
            else:
                job.undo(plan)
                yield plan
