"""Games on Ray, on two nodes with one processor each: the same as on this computer, whatever dies."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
import pytest

import ludarium
from ludarium.arena import match
from ludarium.arena.cluster import workplace
from ludarium.arena.cluster.travelling import TravellingJob
from ludarium.arena.games import GameJob, GamePlan, GameResult
from ludarium.arena.openings import THE_START
from ludarium.arena.terms import FREE, Terms
from ludarium.arena.tournament import hold
from ludarium.arena.tournament_file import read_tournament
from ludarium.cli.entry import run
from ludarium.core.record import read_record
from ludarium.errors import BadOption
from ludarium.players import never
from ludarium.players.programs import Conditions
from tests.arena.test_tournament import written
from tests.command_line import PROGRAM, run_program, start_program
from tests.missing import lacks
from tests.players.programs.bots import eventually, write_bot

pytestmark = pytest.mark.xdist_group("ray")

GAME = ludarium.game("expendibots")
PLAN = GamePlan(0, 0, (0, 1))


class Nodes:
    """A Ray in processes of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.address = self._line()

    def kill_one(self) -> None:
        """Kill all that the second node consists of, at once."""
        assert self._process.stdin is not None
        print(file=self._process.stdin, flush=True)
        assert self._line() == "killed"

    def workers(self) -> list[psutil.Process]:
        """Processes that play."""
        return [one for one in psutil.Process(self._process.pid).children(recursive=True) if "ray::Actor" in one.name()]

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


@pytest.fixture(scope="module")
def ray() -> None:
    if find_spec("ray") is None:
        lacks("Ray", "pip install 'ludarium[cluster]'")


@pytest.fixture(scope="module")
def nodes(ray: None) -> Iterator[Nodes]:
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory(prefix="ray") as folder:  # pytest's are too deep for sockets
        for name in [name for name in os.environ if name.startswith("RAY_")]:
            patch.delenv(name)
        environment = os.environ | {"RAY_TMPDIR": folder, "TMPDIR": folder, "RAY_USAGE_STATS_ENABLED": "0"}
        command = [sys.executable, Path(__file__).with_name("ray_nodes.py")]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
        with subprocess.Popen(command, env=environment, **pipes) as process:
            yield Nodes(process)


def drivers() -> list[psutil.Process]:
    """The processes that hold on to clusters, without those that have ended and are not waited for yet."""
    all_there = psutil.process_iter(["ppid", "cmdline"])  # without those that end meanwhile
    return [one for one in all_there if one.info["ppid"] == os.getpid() and "driver.py" in " ".join(one.info["cmdline"] or ())]


def kill_drivers(result: GameResult) -> None:
    for driver in drivers():
        with suppress(psutil.NoSuchProcess):
            driver.kill()


def events(file: Path) -> list[Any]:
    record = read_record(file)
    assert record.notice is None
    return [event | {"seconds": 0} for event in record.events]


@pytest.mark.slow
def test_the_verdict_is_the_same_and_ray_says_nothing(nodes: Nodes) -> None:
    test = ("sprt", "expendibots", "greedy", "random", "--elo1", "50", "--seed", "3", "--json")
    there, here = start_program(*test, "--cluster", nodes.address), run_program(*test)
    assert (there.returncode, there.stderr) == (0, "")
    assert json.loads(there.stdout) == json.loads(here.stdout)


@pytest.mark.slow
def test_a_ray_of_ones_own_is_started_and_ended(nodes: Nodes) -> None:
    game = ("match", "expendibots", "greedy", "random", "--games", "10", "--seed", "3", "--json")
    with tempfile.TemporaryDirectory(prefix="ray") as folder:
        variables = {"HOME": folder, "RAY_TMPDIR": folder, "TMPDIR": folder}
        there, here = start_program(*game, "--cluster", "auto", **variables), run_program(*game)
        assert (there.returncode, there.stderr) == (0, "")
        results = [json.loads(said.stdout) for said in (there, here)]
        for result in results:
            result["seconds"] = 0
            for player in result["players"]:
                player["seconds_per_action"] = 0
        assert results[0] == results[1]
        sessions = Path(folder, "ray")
        assert (sessions / "session_latest").is_symlink(), "it did not join the one that the other tests have"
        while list(sessions.glob("session_2*")):  # it ends by itself
            time.sleep(0.05)
        assert not [one for one in psutil.process_iter(["cmdline"]) if folder in " ".join(one.info["cmdline"] or ())]


@pytest.mark.slow
def test_ctrl_c_ends_it(nodes: Nodes, tmp_path: Path) -> None:
    command = [
        PROGRAM,
        "match",
        "expendibots",
        "greedy",
        "random",
        "--games",
        "30000",
        "--cluster",
        nodes.address,
        "--records",
        tmp_path / "records",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not list(tmp_path.glob("records/*")):
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.1)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (130, "")
    assert "of 30000, then stopped" in out
    for file in tmp_path.glob("records/*"):
        assert read_record(file).replay().is_over


@pytest.mark.slow
def test_a_cluster_that_is_lost_leaves_a_tournament_to_go_on_with(nodes: Nodes, tmp_path: Path) -> None:
    head = 'game = "expendibots"\nformat = "swiss"\nrounds = 2\ngames = 10'
    broken, whole = tmp_path / "broken", tmp_path / "whole"
    broken.mkdir()
    whole.mkdir()
    tournament = read_tournament(written(broken, head))
    lost = hold(tournament, cluster=nodes.address, on_result=kill_drivers)
    assert lost.given_up == f"the Ray at {nodes.address} has been lost"
    assert not lost.is_over
    assert hold(tournament, resume=True, cluster=nodes.address).games == hold(read_tournament(written(whole, head))).games


WAITING = """\
open(f"bot-{os.getpid()}", "w").close()
for message in turns():
    print("my turn", file=sys.stderr)
    if not os.path.exists("go"):
        open(f"waits-{os.getpid()}", "w").close()
    while not os.path.exists("go"):
        time.sleep(0.01)
    act(message)
"""


@pytest.mark.timeout(800)  # a cluster takes its time to see that a node has died
def test_what_dies_costs_only_its_games(nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both nodes are in the middle of a game when one of them is killed; later the only worker that is left is killed too."""
    bot = write_bot(tmp_path, WAITING)
    terms = Terms(programs=Conditions(sandbox="off"))
    lost: list[int] = []
    monkeypatch.setattr(TravellingJob, "undo", lambda job, plan: lost.append(plan.number))

    def kill_node() -> None:
        while len(list(tmp_path.glob("waits-*"))) < 2:
            time.sleep(0.02)
        nodes.kill_one()
        (tmp_path / "go").touch()

    def kill_worker(result: GameResult) -> None:
        if len(found) == 20:
            (worker,) = nodes.workers()
            worker.kill()
        found.append(result.number)

    found: list[int] = []
    killing = threading.Thread(target=kill_node, daemon=True)
    killing.start()
    disturbed = match(
        GAME, [bot, "greedy"], games=36, seed=5, records=tmp_path / "disturbed", terms=terms, cluster=nodes.address, on_result=kill_worker
    )
    killing.join()
    assert disturbed.given_up == ""
    assert len(lost) > 1
    assert len(nodes.workers()) <= 1
    bots = [int(file.name.removeprefix("bot-")) for file in tmp_path.glob("bot-*")]
    assert len(bots) > 2
    assert eventually(lambda: not any(map(psutil.pid_exists, bots)))
    calm = match(GAME, [bot, "greedy"], games=36, seed=5, records=tmp_path / "calm", terms=terms)
    assert disturbed.games == calm.games
    for game, other in zip(disturbed.games, calm.games, strict=True):
        assert game.record is not None
        assert other.record is not None
        assert game.record.name == other.record.name
        assert events(game.record) == events(other.record)
    logs = [log.read_text("utf-8") for log in (tmp_path / "disturbed").glob("*.log")]
    assert set("".join(logs).splitlines()) == {"my turn"}


def travelling_job(players: tuple[str, ...] = ("greedy", "random")) -> TravellingJob:
    return TravellingJob.of(GameJob((GAME,), players, 1, THE_START, None, FREE))


def test_a_node_with_another_ludarium_is_refused() -> None:
    job = travelling_job()
    with pytest.raises(
        BadOption, match=r", a node of the cluster, has Ludarium .* with version 1 of the rules, and here is Ludarium 9 with version 8 "
    ):
        replace(job, version=("9", 8))(PLAN, never)


def test_a_node_without_the_programs_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_bot(tmp_path, "")
    job = travelling_job(("./bot.py", "random"))
    monkeypatch.chdir("/")
    (tmp_path / "bot.py").unlink()
    with pytest.raises(BadOption, match=r"needs the same files on all nodes: player './bot.py': there is no such file$"):
        job(PLAN, never)
    tmp_path.rmdir()
    with pytest.raises(BadOption, match=f"needs the same files on all nodes: there is no folder {tmp_path}$"):
        job(PLAN, never)


def test_a_record_that_cannot_be_written_at_home_is_told(tmp_path: Path) -> None:
    job = TravellingJob.of(GameJob((GAME,), ("greedy", "random"), 1, THE_START, tmp_path / "gone", FREE))
    travelled = job(PLAN, never)
    assert travelled is not None
    assert "game-0001.jsonl cannot be written" in str(job.unpacked(travelled).unrecorded)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("here", "cluster 'here' is neither 'auto' nor HOST:PORT nor ray://HOST:PORT"),
        ("http://there:80", "cluster 'http://there:80' is neither 'auto' nor HOST:PORT nor ray://HOST:PORT"),
        ("127.0.0.1:1", "the Ray at 127.0.0.1:1 cannot be joined: nobody answers there (Connection refused)"),
    ],
)
def test_an_address_of_nobody(ray: None, address: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["match", "expendibots", "random", "random", "--cluster", address]) == 2
    assert capsys.readouterr().err == f"error: {message}\n"


def test_what_is_on_a_cluster_cannot_be_pinned(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["match", "expendibots", "random", "random", "--cluster", "auto", "--pin"]) == 2
    assert capsys.readouterr().err == "error: games on a cluster cannot be pinned to cores: Ray decides where its processes run\n"


def test_without_ray(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(workplace, "find_spec", lambda name: None)
    assert run(["match", "expendibots", "random", "random", "--cluster", "auto"]) == 2
    assert capsys.readouterr().err == (
        "error: games are played on a cluster with Ray, which is not installed: pip install 'ludarium[cluster]'\n"
    )


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b""])
def test_an_address_of_somebody_else(ray: None, answer: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def talk() -> None:
            with server.accept()[0] as there:
                there.recv(100)
                there.sendall(answer)

        threading.Thread(target=talk, daemon=True).start()
        address = f"127.0.0.1:{server.getsockname()[1]}"
        assert run(["match", "tic-tac-toe", "random", "random", "--cluster", address]) == 2
    assert capsys.readouterr().err == f"error: the Ray at {address} cannot be joined: what answers there is no Ray\n"
