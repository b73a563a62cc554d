"""Games, played here or on a cluster of computers that run Ray."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain

from ludarium.arena.executor import run_jobs
from ludarium.arena.games import GameJob, GamePlan, GameResult
from ludarium.arena.processes import Interrupted, cores_for
from ludarium.errors import BadOption

from .travelling import TravellingJob
from .workplace import Cluster


def check_cores(workers: int | None, cluster: str | None) -> None:
    """Whether games can have a core each.

    Raises:
        BadOption: they cannot.
    """
    if cluster is not None:
        raise BadOption("games on a cluster cannot be pinned to cores: Ray decides where its processes run")
    cores_for(workers or 1)


def play_games(
    job: GameJob,
    plans: Iterable[GamePlan | None],
    *,
    workers: int | None,
    pin: bool,
    cluster: str | None,
    interrupted: Interrupted,
) -> Iterator[GameResult | None]:
    """Yield the results of games, as :func:`ludarium.arena.executor.run_jobs` does, with their records in the job's folder.

    Without a game nothing is started.

    Args:
        workers: how many processes play; None: one, and on a cluster one for each of its processors.
        pin: whether each process has a core of its own; not on a cluster.
        cluster: None: the games are played on this computer. ``auto``: on the Ray of this computer, which is started if there is none. ``HOST:PORT``,
            ``ray://HOST:PORT``: on that one.

    Raises:
        BadOption: the cluster cannot be joined, one of its nodes cannot play this, or there are not so many cores to pin games to; a program crashed
            before its first action twice, for the same reason.
        PlayerCrashed: games were given up, or the cluster was lost; it comes after all results.
    """
    failures: Counter[tuple[int, str]] = Counter()
    with closing(_played(job, plans, workers, pin, cluster, interrupted)) as results:
        for result in results:
            yield result
            if result is not None and result.failed_start:
                seat = next(seat for seat, reason in result.forfeits.items() if reason == result.failed_start)
                failures[result.plan.seats[seat], re.sub(r"/\S*|\d+", "", result.failed_start)] += 1  # without what may differ each time
                if 2 in failures.values():
                    name = job.players[result.plan.seats[seat]]
                    raise BadOption(f"player {name} failed at the start of two games: {result.failed_start.removeprefix('crash: ')}")


def _played(
    job: GameJob, plans: Iterable[GamePlan | None], workers: int | None, pin: bool, cluster: str | None, interrupted: Interrupted
) -> Generator[GameResult | None]:
    plans = iter(plans)
    if (first := next(plans, None)) is None:
        return
    plans = chain([first], plans)
    if cluster is None:
        yield from run_jobs(job, plans, workers=workers or 1, pin=pin, interrupted=interrupted)
        return
    travelling = TravellingJob.of(job)
    workplace = Cluster(cluster, travelling, workers or os.cpu_count() or 1)
    try:
        if workplace.joined(interrupted):
            most = workers or workplace.processors
            for travelled in run_jobs(travelling, plans, workers=most, interrupted=interrupted, workplace=workplace):
                yield travelled and travelling.unpacked(travelled)
    finally:
        workplace.close()
