"""Processes that die cost what they were doing, which is done again, and nothing else."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.arena import executor, match
from ludarium.arena.executor import MOST_DEATHS, run_jobs
from ludarium.arena.games import GameResult
from ludarium.arena.processes import Died
from ludarium.core.record import read_record
from ludarium.errors import PlayerCrashed
from ludarium.players import never
from tests.command_line import start_program


def segmentation_fault() -> None:
    ctypes.string_at(0)


def leave() -> None:
    os._exit(7)


def kill_what_forked_it() -> None:
    os.kill(os.getppid(), signal.SIGKILL)
    signal.pause()  # it ends as well


@dataclass
class Squares:
    """Squares of numbers. At some of them the process dies, as often as there are no more files in the folder than that."""

    folder: Path
    fatal: frozenset[int] = frozenset()
    times: int = 1 << 30
    die: Callable[[], None] = leave
    cold: bool = False
    undone: list[int] = field(default_factory=list)

    def warm_up(self) -> None:
        if self.cold:
            self.die()

    def __call__(self, number: int, interrupted: Callable[[], bool]) -> int:
        tried = len(list(self.folder.glob(f"{number} *")))
        (self.folder / f"{number} {tried}").touch()
        if number in self.fatal and tried < self.times:
            self.die()
        return number * number

    def name(self, number: int) -> str:
        return f"square {number}"

    def undo(self, number: int) -> None:
        self.undone.append(number)


def results_of(job: Squares, count: int = 20) -> Iterator[int]:
    return run_jobs(job, range(count), workers=2, interrupted=never)


@pytest.mark.parametrize("die", [leave, segmentation_fault])
def test_what_a_dead_process_was_at_is_done_again(tmp_path: Path, die: Callable[[], None]) -> None:
    job = Squares(tmp_path, frozenset({0, 7, 19}), times=MOST_DEATHS - 1, die=die)
    assert sorted(results_of(job)) == [number * number for number in range(20)]
    assert sorted(job.undone) == sorted([0, 7, 19] * (MOST_DEATHS - 1))
    assert len(list(tmp_path.iterdir())) == 20 + len(job.undone), "nothing else is done twice"


@pytest.mark.parametrize(("die", "said"), [(leave, "exit code 7"), (segmentation_fault, r"signal 11 \(Segmentation fault\)")])
def test_what_kills_every_process_is_given_up_after_all_else(tmp_path: Path, die: Callable[[], None], said: str) -> None:
    found: list[int] = []
    with pytest.raises(PlayerCrashed, match=f"^square 3, square 11 given up: processes died again and again, at last with {said}$"):
        found.extend(results_of(Squares(tmp_path, frozenset({3, 11}), die=die)))
    assert sorted(found) == [number * number for number in range(20) if number not in (3, 11)]
    assert len(list(tmp_path.glob("3 *"))) == MOST_DEATHS


class Together:
    """Where a worker does what it is given at once together, and dies at some parts. There is no process: a worker answers when somebody waits for it."""

    most = 4
    is_ready = False

    def __init__(self, done: list[list[Any]], fatal: set[int]) -> None:
        self.done, self.fatal = done, fatal
        self.given: list[list[Any]] = []
        self.results: Sequence[Any] = ()

    @property
    def parts(self) -> Sequence[Any]:
        return [part for parts in self.given for part in parts]

    def start(self) -> Together:
        return Together(self.done, self.fatal)

    def give(self, parts: Sequence[Any]) -> None:
        self.given.append(list(parts))

    def wait(self, workers: Sequence[Together]) -> Sequence[Together]:
        return workers

    def has_answered(self) -> bool:
        if not self.is_ready:
            self.is_ready = True
            return False
        self.done.append(self.given[0])
        if not self.fatal.isdisjoint(self.given[0]):
            raise Died(len(self.given[0]))
        self.results = self.given.pop(0)
        return True

    def end(self) -> str:
        return "a shot"

    def close(self, workers: Sequence[Together]) -> None:
        pass


def test_of_parts_that_are_done_together_only_the_one_that_kills_is_given_up(tmp_path: Path) -> None:
    job, done, found = Squares(tmp_path), list[list[Any]](), list[int]()
    workplace = Together(done, {6})
    with pytest.raises(PlayerCrashed, match=r"^square 6 given up: processes died again and again, at last with a shot$"):
        found.extend(run_jobs(job, range(12), workers=2, interrupted=never, workplace=workplace))
    assert sorted(found) == [number for number in range(12) if number != 6]
    first, *later = [parts for parts in done if 6 in parts]
    assert len(first) == 4
    assert later == [[6], [6]]
    assert sorted(job.undone) == sorted([*first, 6, 6])
    assert all([part] in done for part in first), "what was lost is done again, each part alone"


def test_when_everything_kills_there_is_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "MOST_IN_A_ROW", 4)
    with pytest.raises(PlayerCrashed, match=r"^square 0, square 1, square 2, square 3, square 4 and 9995 more given up: "):
        list(results_of(Squares(tmp_path, frozenset(range(10_000))), 10_000))
    assert len(list(tmp_path.iterdir())) <= 4 * 2 + 1


def test_a_process_that_dies_while_it_warms_up_costs_nothing(tmp_path: Path) -> None:
    assert sorted(results_of(Squares(tmp_path, cold=True))) == [number * number for number in range(20)]


def test_what_a_job_raises_comes_out_with_its_traceback(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        list(run_jobs(Inverses(), range(5), workers=2, interrupted=never))
    assert "in inverse" in caught.value.__notes__[0]


class Inverses:
    def warm_up(self) -> None:
        pass

    def __call__(self, number: int, interrupted: Callable[[], bool]) -> float:
        return inverse(number)

    def name(self, number: int) -> str:
        return str(number)

    def undo(self, number: int) -> None:
        raise AssertionError


def inverse(number: int) -> float:
    return 1 / number


def test_a_match_whose_processes_are_killed_is_the_same_match(tmp_path: Path) -> None:
    game, players = ludarium.game("expendibots"), ["random", "greedy"]
    others, chance = set(multiprocessing.active_children()), random.Random(1)
    told = killed = 0

    def kill_one(result: GameResult) -> None:
        nonlocal told, killed
        told += 1
        workers = sorted(set(multiprocessing.active_children()) - others, key=lambda one: one.pid or 0)
        if told <= 30 and chance.random() < 0.5:  # not to the end, when games are played again: at one that dies three times they give up
            chance.choice(workers).kill()  # in the middle of whatever game it plays by now
            killed += 1

    calm = match(game, players, games=60, seed=5, records=tmp_path / "calm")
    disturbed = match(game, players, games=60, seed=5, workers=2, records=tmp_path / "disturbed", on_result=kill_one)
    assert killed > 10
    assert disturbed.games == calm.games
    assert disturbed.given_up == ""
    for file in sorted((tmp_path / "calm").iterdir()):
        one, other = read_record(file), read_record(tmp_path / "disturbed" / file.name)
        assert [event | {"seconds": 0} for event in one.events] == [event | {"seconds": 0} for event in other.events]
        assert other.notice is None


def test_no_part_is_given_up_because_what_forks_processes_has_died(tmp_path: Path) -> None:
    job = Squares(tmp_path, frozenset({0, 7}), times=MOST_DEATHS, die=kill_what_forked_it)
    assert sorted(results_of(job)) == [number * number for number in range(20)]
    assert Counter(job.undone)[7] >= MOST_DEATHS


def test_the_process_that_forks_them_may_die_too() -> None:
    from multiprocessing import forkserver

    def kill_it(result: GameResult) -> None:
        if result.number in (3, 9):
            os.kill(forkserver._forkserver._forkserver_pid, signal.SIGKILL)  # type: ignore[attr-defined] # no public name tells which process it is

    game = ludarium.game("expendibots")
    disturbed = match(game, ["random", "random"], games=20, seed=5, workers=2, on_result=kill_it)
    assert disturbed.given_up == ""
    assert disturbed.games == match(game, ["random", "random"], games=20, seed=5).games


STARTING = """
from ludarium.arena.processes import quiet_start, worker_context

if __name__ == "__main__":
    context = worker_context()
    context.set_forkserver_preload(["interrupted"])
    with quiet_start(None):
        process = context.Process(target=print, args=("works",))
        process.start()
    process.join()
"""


def test_processes_that_just_start_leave_ctrl_c_alone(tmp_path: Path) -> None:
    (tmp_path / "interrupted.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    (tmp_path / "starting.py").write_text(STARTING)
    done = subprocess.run([sys.executable, "starting.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "works\n", "")


@dataclass
class Variables:
    """What a process has in its environment."""

    def __call__(self, part: int, interrupted: Callable[[], bool]) -> str | None:
        return os.environ.get("PYTHONSAFEPATH")

    def warm_up(self) -> None:
        """Nothing."""


def test_files_of_players_may_be_called_as_modules_of_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is imported from where the match is begun. Programs that processes start import from where they lie, as ever."""
    for name in ("numpy", "random", "selectors", "token", "types"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'imported')!r}, 'a').write({name!r})\nraise ImportError\n")
    monkeypatch.chdir(tmp_path)
    done = start_program("match", "expendibots", "random", "greedy", "-n", "2", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "imported").exists()
    assert list(run_jobs(Variables(), range(2), workers=2, interrupted=never)) == [None, None]
