"""Games, played here or on a cluster of computers that run Ray."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
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
    """Results of games, as :func:`ludarium.arena.executor.run_jobs` yields them, with their records in the job's folder. Without a game nothing is started.

    Args:
        workers: how many processes play; None: one, and on a cluster one for each of its processors.
        pin: whether each process has a core of its own; not on a cluster.
        cluster: None: the games are played on this computer. ``auto``: on the Ray of this computer, which is started if there is none. ``HOST:PORT``,
            ``ray://HOST:PORT``: on that one.

    Raises:
        BadOption: the cluster cannot be joined, one of its nodes cannot play this, or there are not so many cores to pin games to.
        PlayerCrashed: games were given up, or the cluster was lost; it comes after all results.
    """
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
