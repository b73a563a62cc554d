"""Programs that are killed, and the power that fails: what was told as safe is there, and nothing is counted twice."""

from __future__ import annotations

import os
import random
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from ludarium.arena import GameResult
from ludarium.arena.standings import results
from ludarium.arena.store import competitions, entrants_of, open_database, resume, totals
from ludarium.arena.store.records import check_store
from ludarium.core.record import read_record
from ludarium.players import never
from tests.arena.store.killed import GAME, PLAYERS, job, plans
from tests.folders import ROOT
from tests.missing import need


@cache
def uninterrupted(games: int) -> list[GameResult]:
    played = [job(None)(plan, never) for plan in plans(games)]
    return [result for result in played if result is not None]


def start(store: str | Path, records: Path, games: int, *told: str, **environment: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.arena.store.killed", str(store), str(records), str(games), *told]
    return subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env={**os.environ, **environment})


def check(store: str | Path, told: set[int], played: list[GameResult]) -> None:
    """All that was told is there as it was played, and counted once."""
    with open_database(store) as database:
        there = list(resume(database, "cup", GAME, entrants_of(PLAYERS)).finished_games())
        assert told <= {result.number for result in there}
        assert there == [played[result.number] for result in there]
        counted = Counter(
            (entrant, result) for game in there for entrant, result in zip(game.plan.seats, results(game.returns), strict=True)
        )
        for number, total in enumerate(totals(database, 1)):
            assert (total.wins, total.draws, total.losses) == tuple(counted[number, result] for result in (1, 0, -1))
        assert [problem for problem in check_store(database).problems if "record" not in problem] == []


@pytest.mark.parametrize(
    ("make", "kills", "games"), [("sqlite", 5, 1000), pytest.param("postgresql", 2, 600, marks=pytest.mark.xdist_group("postgresql"))]
)
def test_kill(make: str, kills: int, games: int, tmp_path: Path, scale: int, request: pytest.FixtureRequest) -> None:
    """Five times (or 50), at any moment, also while the store is made or opened; then the match is played to its end."""
    chance = random.Random(1)

    def new_place() -> tuple[str, Path]:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        return request.getfixturevalue("new_postgresql")() if make == "postgresql" else str(folder / "store.sqlite"), folder / "records"

    store, records = new_place()
    told = set[int]()
    for _ in range(kills * scale):
        if len(told) == games:
            (store, records), told = new_place(), set[int]()
        with start(store, records, games) as program:
            said = said_before_kill(program, until_told=chance.random() < 0.8, seconds=chance.uniform(0.0, 0.4))
        told |= {int(line) for line in said.splitlines(keepends=True) if line.endswith(b"\n")}
        if is_begun(store):
            check(store, told, uninterrupted(games))
        else:
            assert told == set()
    with start(store, records, games) as program:
        output, _ = program.communicate(timeout=120)
    assert program.returncode == 0
    assert told.isdisjoint(int(line) for line in output.splitlines())
    check(store, set(range(games)), uninterrupted(games))
    with open_database(store) as database:
        assert check_store(database).problems == ()


def said_before_kill(program: subprocess.Popen[bytes], *, until_told: bool, seconds: float) -> bytes:
    """Kill it so many seconds after its first word, or after its start."""
    assert program.stdout is not None
    said, until = os.read(program.stdout.fileno(), 20) if until_told else b"", time.monotonic() + seconds
    while (rest := until - time.monotonic()) > 0 and select.select([program.stdout], [], [], rest)[0]:
        if not (more := os.read(program.stdout.fileno(), 20)):
            break
        said += more
    program.send_signal(signal.SIGKILL)
    return said + program.stdout.read()


def is_begun(store: str | Path) -> bool:
    with open_database(store) as database:
        return competitions(database) != []


@dataclass
class Content:
    """Of a file: what is on the disk for sure, and what was done since."""

    flushed: bytearray = field(default_factory=bytearray)
    since: list[tuple[int, bytes | None]] = field(default_factory=list[tuple[int, bytes | None]])
    """Where, and what was written there; None: it was cut there."""

    def flush(self) -> None:
        for offset, data in self.since:
            self.do(self.flushed, offset, data)
        self.since.clear()

    @staticmethod
    def do(content: bytearray, offset: int, data: bytes | None) -> None:
        if data is None:
            del content[offset:]
        content.extend(bytes(max(0, offset - len(content))))
        if data is not None:
            content[offset : offset + len(data)] = data

    def torn(self, chance: random.Random) -> bytes:
        """What a power cut may leave: any of what was done since, in any state; disks write sectors of 512 bytes whole."""
        left = bytearray(self.flushed)
        keep = chance.choice([0.0, 0.5, 1.0])
        for offset, data in self.since:
            if chance.random() < keep:
                self.do(
                    left, offset, data if data is None or chance.random() < 0.8 else data[: 512 * chance.randrange(1 + len(data) // 512)]
                )
        return bytes(left)


def test_power_cut(tmp_path: Path, scale: int) -> None:
    """At any moment, every write that was not flushed may be missing or torn."""
    need("gcc", "gcc")
    games = 150 if scale == 1 else 400
    library, log, disk = tmp_path / "writes.so", tmp_path / "log", tmp_path / "disk"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", str(library), str(Path(__file__).with_name("writes.c")), "-ldl"], check=True)
    disk.mkdir()
    watched = {"LD_PRELOAD": str(library), "LUDARIUM_WRITES": str(log), "LUDARIUM_WATCHED": str(disk)}
    with start(disk / "store.sqlite", disk / "records", games, str(disk / "told"), **watched) as program:
        program.communicate(timeout=120)
    assert program.returncode == 0
    operations = read_log(log, disk)
    chance = random.Random(2)
    cuts = sorted(chance.sample(range(len(operations)), 10 * scale))
    files: dict[str, Content] = {}
    for number, (operation, offset, name, data) in enumerate(operations):
        if operation == "s":
            if name in files:  # and no folder
                files[name].flush()
        elif operation == "d":
            files.pop(name, None)
        else:
            files.setdefault(name, Content()).since.append((offset, data if operation == "w" else None))
        if number in cuts:
            check_cut(tmp_path / f"cut-{number}", files, chance, uninterrupted(games))
    check_cut(tmp_path / "end", files, chance, uninterrupted(games))


def read_log(log: Path, disk: Path) -> list[tuple[str, int, str, bytes]]:
    data, at = log.read_bytes(), 0
    operations: list[tuple[str, int, str, bytes]] = []
    while at < len(data):
        end = data.index(b"\n", at)
        operation, offset, length, path = data[at:end].decode().split(" ", 3)
        at = end + 1 + int(length)
        if not path.endswith("-shm"):  # is memory that processes share, and no power cut leaves any of it
            operations.append((operation, int(offset), str(Path(path).relative_to(disk)), data[end + 1 : at]))
    return operations


def check_cut(folder: Path, files: dict[str, Content], chance: random.Random, played: list[GameResult]) -> None:
    told = set[int]()
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name == "told":
            content.flush()
            told = {int(line) for line in content.flushed.split(b"\n")[:-1]}
        else:
            path.write_bytes(content.torn(chance))
    if not is_begun(folder / "store.sqlite"):
        assert told == set()
        return
    check(folder / "store.sqlite", told, played)
    with open_database(folder / "store.sqlite") as database:
        for result in resume(database, "cup", GAME, entrants_of(PLAYERS)).finished_games():
            assert result.record is not None
            assert read_record(folder / "records" / result.record.name).replay().outcome is not None
