"""Games that are played elsewhere, and whose records come home with the results."""

from __future__ import annotations

import functools
import secrets
import shutil
import socket
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from ludarium.arena.executor import Job
from ludarium.arena.games import GameJob, GamePlan, GameResult
from ludarium.arena.play import program
from ludarium.arena.processes import Interrupted
from ludarium.core.writing import write_bytes
from ludarium.errors import BadOption, LudariumError, StoreError
from ludarium.players.programs import is_program


@dataclass(frozen=True)
class TravellingResult:
    """A game's result with its record, and what programs wrote to their standard errors."""

    result: GameResult
    files: Mapping[str, bytes]
    """By their names."""


@dataclass(frozen=True)
class TravellingJob(Job[GamePlan, TravellingResult | None]):
    """The games of a competition, for workers with a disk of their own."""

    job: GameJob
    version: tuple[str, int]
    """Of Ludarium, and of the game's rules."""

    @classmethod
    def of(cls, job: GameJob) -> TravellingJob:
        """Of the job as it is here."""
        conditions = replace(job.terms.programs, folder=job.terms.programs.folder or Path.cwd())
        return cls(replace(job, terms=replace(job.terms, programs=conditions)), _version(job))

    def warm_up(self) -> None:
        _here(self).warm_up()

    def __call__(self, plan: GamePlan, interrupted: Interrupted) -> TravellingResult | None:
        """None if it was interrupted.

        Raises:
            BadOption: it cannot be played here.
        """
        job = _here(self)
        if job.records is None:
            result, files = job(plan, interrupted), dict[str, bytes]()
        else:
            with _made(job.records):
                result = job(plan, interrupted)
                files = {path.name: path.read_bytes() for path in job.records.iterdir()}
        return None if result is None else TravellingResult(result, files)

    def name(self, plan: GamePlan) -> str:
        return self.job.name(plan)

    def unpacked(self, travelled: TravellingResult) -> GameResult:
        """A result as it would be had the game been played here, with the files written."""
        result, folder = travelled.result, self.job.records
        if folder is None:
            return result
        problem = result.unrecorded
        try:
            for name, content in travelled.files.items():
                write_bytes(folder / name, content)
        except StoreError as why:
            problem = problem or str(why)
        return replace(result, record=self.job.record_of(result.plan), unrecorded=problem)


def _version(job: GameJob) -> tuple[str, int]:
    return version("ludarium"), job.game.version


@contextmanager
def _made(folder: Path) -> Generator[None]:
    """While inside, there is a folder. It has at most what a program wrote late, after its last game: that could not be removed then."""
    folder.mkdir(mode=0o700, exist_ok=True)
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@functools.lru_cache(maxsize=1)
def _here(travelling: TravellingJob) -> GameJob:
    """The job as it is played in this process, looked at once.

    Raises:
        BadOption: it cannot be.
    """
    job = travelling.job
    conditions = job.terms.programs
    node = f"{socket.gethostname()}, a node of the cluster,"
    if (found := _version(job)) != travelling.version:
        there, here = (f"Ludarium {release} with version {rules} of the rules" for release, rules in (found, travelling.version))
        raise BadOption(f"{node} has {there}, and here is {here}")
    if programs := [player for player in job.players if is_program(player)]:
        try:
            if conditions.folder is None or not conditions.folder.is_dir():
                raise BadOption(f"there is no folder {conditions.folder}")
            for player in programs:
                program(player, job.game, conditions)
        except LudariumError as problem:
            raise BadOption(f"{node} cannot run what plays here, which needs the same files on all nodes: {problem}") from None
    if job.records is None:
        return job
    records = Path(tempfile.gettempdir(), f"ludarium-{secrets.token_hex(8)}")  # a game's, until it travels
    return replace(job, records=records, terms=job.terms.hiding(records))
