"""What becomes of games when the server is killed, the power fails, or the disk takes no more."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

import ludarium
from ludarium.core.game import Action, State
from ludarium.core.record import Header, read_record
from ludarium.core.timeline import Timeline
from ludarium.errors import StoreError
from ludarium.web.disk.folder import Folder, Kept
from ludarium.web.disk.keeping import SYNC
from ludarium.web.sessions import Sessions
from ludarium.web.table.local_play import LocalPlay
from ludarium.web.table.session import Session
from ludarium.web.table.thinking import Thinkers
from ludarium.web.visitors.limits import Limits
from ludarium.web.visitors.visitor import Visitor
from tests.disks import Disk, room_for
from tests.netorcai.lab import HandClock
from tests.web.live import PATIENCE, Live, Socket

ID = "made-by-test"


def new_game() -> Kept:
    game = ludarium.game("expendibots")
    return Kept(Header.of(game, ["human", "human"]), Timeline(game.start()), {0: "one", 1: "another"}, None)


def quiet(state: State) -> list[Action]:
    """Actions that do not end the game soon."""
    return [action for action in state.actions() if "!" not in action.text]


# Killed.


def test_a_program_that_is_killed_at_any_system_call_loses_nothing_that_it_answered(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "tests.web.killed", tmp_path], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 100


SERVERS = """
import os, signal, sys
from pathlib import Path
import ludarium
from tests.web.live import Live
ludarium.game("expendibots").start().actions()  # what this loads, the servers have
for folder in sys.stdin:
    if (server := os.fork()) == 0:
        print(os.getpid(), Live(Path(folder.strip())).address, flush=True)
        signal.pause()
    os.waitpid(server, 0)
"""
"""For every folder that it reads, a server of its own, once the one before is dead."""


def test_a_server_that_is_killed_loses_no_move_that_it_answered(tmp_path: Path, scale: int) -> None:
    chance = random.Random(11)
    made: dict[str, Any] = {}
    moves: list[str] = []
    with subprocess.Popen([sys.executable, "-c", SERVERS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as servers:
        assert servers.stdin is not None
        assert servers.stdout is not None
        for _ in range(4 * scale):
            servers.stdin.write(f"{tmp_path}\n")
            servers.stdin.flush()
            number, address = servers.stdout.readline().split()
            live = Live.__new__(Live)
            live.address = address
            found = played_until_killed(live, made, int(number), chance)
            assert found[: len(moves)] == moves
            moves = found
        servers.stdin.close()
    kept = [step.action and step.action.text for step in read_record(tmp_path / "games" / f"{made['id']}.jsonl").replay().steps[1:]]
    assert kept[: len(moves)] == moves
    assert len(kept) <= len(moves) + 1


def played_until_killed(live: Live, made: dict[str, Any], server: int, chance: random.Random) -> list[str]:
    """The moves of a game that clients know of at last: some more are played, and while another is on its way the server is killed."""
    with ExitStack() as connections:
        try:
            if not made:
                live.http = connections.enter_context(httpx.Client(base_url=f"http://{live.address}", timeout=PATIENCE))
                made |= live.make("human", "human")
            people = [connections.enter_context(live.join(made["id"], seat["token"])) for seat in made["seats"]]
            moves: list[str] = people[0].welcome["moves"]
            for left in reversed(range(chance.randrange(1, 20))):
                mover = people[len(moves) % 2]
                mover.until(lambda position: position["ply"] == len(moves))
                mover.act(chance.choice([action["text"] for action in mover.position["actions"] if "!" not in action["text"]]))
                if left:
                    moves.append(people[0].receive("position")["move"])
        finally:
            os.kill(server, signal.SIGKILL)
    return moves


def test_a_record_that_an_older_server_was_writing_anew_is_taken_up(tmp_path: Path) -> None:
    """It had renamed the record before, and was killed."""
    folder = Folder(tmp_path)
    records = [folder.games / f"{number}.jsonl" for number in range(3)]
    for record in records:
        folder.create(record.stem, new_game()).close()
    whole = [record.read_bytes() for record in records]
    for record, size in zip(records, (0, 10, 300), strict=True):
        record.rename(record.with_suffix(".before"))
        record.write_bytes(whole[0][:size])
    records[0].unlink()
    Folder(tmp_path)
    assert [record.read_bytes() for record in records] == whole
    assert not list(tmp_path.glob("games/*.before"))


# The power fails.


async def pass_by(clock: HandClock, seconds: float) -> None:
    """Time, with all that is due in it, and what the one thread does then."""
    clock.advance(seconds)
    await asyncio.get_running_loop().run_in_executor(None, lambda: None)
    await asyncio.sleep(0)  # lets what was called back run; no time passes


def test_a_power_cut_takes_no_more_than_the_last_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scale: int) -> None:
    """Of a game that was made all is there that is older, and of what came later the beginning; it goes on from there."""
    chance = random.Random(5)
    disk = Disk(tmp_path / "data" / "games", monkeypatch)
    clock = HandClock()

    async def play() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        thinkers = Thinkers(1)
        sessions = Sessions(Folder(tmp_path / "data"), thinkers, clock=clock)
        session = await sessions.create({"game": "expendibots", "players": ["human", "human"]}, Visitor("127.0.0.1"))
        play = session.play
        assert isinstance(play, LocalPlay)
        times = [-SYNC]  # of every event; that the game was made is answered
        for number in range(40):
            for _ in range(chance.randrange(3)):
                state = play.course.state
                play.choose(state.to_move[0], chance.choice(quiet(state)))
                times.append(clock.now)
            for cut in range(2 * scale):
                check(tmp_path / f"cut-{number}-{cut}", session, sum(time <= clock.now - SYNC for time in times))
            await pass_by(clock, chance.choice([0.1, 0.4, SYNC]))
        sessions.close("enough")
        await pass_by(clock, 0.0)
        check(tmp_path / "end", session, len(times))
        thinkers.close()

    def check(path: Path, session: Session, old: int) -> None:
        disk.cut(path / "games", chance)
        kept, recorder = Folder(path).open(session.id)
        events = kept.timeline.events
        assert kept.tokens == {seat.number: seat.token for seat in session.play.seats}
        assert old <= len(events)
        assert events == session.play.course.events[: len(events)]
        kept.timeline.listen(recorder.write, len(events))
        kept.timeline.act({kept.timeline.state.to_move[0]: quiet(kept.timeline.state)[0]})
        recorder.close()
        assert read_record(recorder.path).replay().events == kept.timeline.events

    asyncio.run(play())


# The disk is full.

FULL = "File too large"
"""What the system says where no file may grow."""


class Table:
    """A server, whose time passes when a test says so, and two people at the first game on it."""

    def __init__(self, live: Live, clock: HandClock) -> None:
        self.live = live
        live.loop().set_default_executor(ThreadPoolExecutor(1))
        self._clock = clock
        self.made = live.make("human", "human")
        self.record = live.sessions.folder.games / f"{self.made['id']}.jsonl"
        self.told: list[str | None] = []
        """What both people were told of the record."""
        self._people: list[Socket] = []

    @property
    def kept(self) -> int:
        """How many moves the record has."""
        return read_record(self.record).replay().ply

    @property
    def size(self) -> int:
        """Bytes of the record."""
        return self.record.stat().st_size

    def pass_by(self, seconds: float = SYNC) -> None:
        asyncio.run_coroutine_threadsafe(pass_by(self._clock, seconds), self.live.loop()).result(PATIENCE)

    def on_loop(self, call: Callable[[], object]) -> None:
        """Have something done where the server does all of its own work."""

        async def called() -> None:
            call()

        asyncio.run_coroutine_threadsafe(called(), self.live.loop()).result(PATIENCE)

    def sweep(self) -> None:
        """What the server does now and then."""
        self.on_loop(self.live.sessions.sweep)

    @contextmanager
    def people(self) -> Iterator[None]:
        white, black = (seat["token"] for seat in self.made["seats"])
        with self.live.join(self.made["id"], white) as one, self.live.join(self.made["id"], black) as other:
            self._people = [one, other]
            yield

    def move(self) -> None:
        """The next move."""
        ply = self._people[0].position["ply"]
        mover = self._people[ply % 2]
        mover.act(next(action["text"] for action in mover.position["actions"] if "!" not in action["text"]))
        while self.hear("record", "position")["type"] == "record":
            pass

    def hear(self, *kinds: str) -> dict[str, Any]:
        """What both people are told next."""
        messages = [socket.receive(*kinds) for socket in self._people]
        if messages[0]["type"] == "record":
            assert messages[0] == messages[1]
            self.told.append(messages[0]["problem"])
        return messages[0]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    clock = HandClock()
    with Live(tmp_path, Limits(idle=100.0, games=1, pace=0.0), clock) as live:
        table = Table(live, clock)
        with table.people():
            yield table


@pytest.mark.parametrize("again", ["move", "sweep"])
def test_a_full_disk_disturbs_no_game_and_its_record_is_completed(table: Table, again: str) -> None:
    table.move()
    with room_for(table.size + 20):
        table.move()
        assert table.told == [FULL]
        assert not table.record.read_bytes().endswith(b"\n")
        table.move()
        with table.live.join(table.made["id"]) as watcher:
            assert watcher.receive("record")["problem"] == FULL
        table.sweep()
        table.pass_by()
        assert table.kept == 1
    getattr(table, again)()
    moves = 3 + (again == "move")
    assert table.kept == moves
    assert table.told == [FULL]
    table.pass_by()
    table.hear("record")
    assert table.told == [FULL, None]
    table.move()
    assert table.kept == moves + 1


def test_a_game_that_is_not_kept_does_not_leave_the_memory(table: Table) -> None:
    table.live.sessions.folder.games.joinpath("probe").touch()
    with room_for(table.size):
        table.move()
        table.pass_by(1000.0)
        table.sweep()
        assert len(table.live.sessions) == 1
    table.sweep()
    assert len(table.live.sessions) == 1
    table.pass_by()
    table.hear("record")
    assert table.told == [FULL, None]
    table.pass_by(1000.0)
    table.sweep()
    assert len(table.live.sessions) == 0
    assert table.kept == 1


def test_a_game_that_is_not_kept_gives_no_place_to_another(tmp_path: Path) -> None:
    clock = HandClock()
    with Live(tmp_path, Limits(games=1, pace=0.0), clock) as live:
        table = Table(live, clock)
        with room_for(table.size):
            with table.people():
                table.move()
            refused = live.http.post("/api/games", json={"game": "expendibots", "players": ["human", "human"]})
            assert (refused.status_code, refused.json()["code"]) == (503, "busy")
        table.sweep()
        table.pass_by()
        live.make("human", "human")
        assert table.kept == 1


def test_where_the_server_stops_before_there_is_room_it_says_so(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    table.move()
    with room_for(table.size + 20):
        table.move()
        table.move()
        table.on_loop(lambda: table.live.sessions.close("the server stops"))
    assert f"{table.record} ends early, without the last 2 lines: {FULL}" in caplog.text
    assert table.record.read_bytes().endswith(b"}\n")
    assert table.kept == 1


def test_what_the_disk_does_not_flush_is_written_anew(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system may have dropped it. Network file systems say only then that they are full."""

    def refuse(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    table.move()
    table.pass_by()
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", refuse)
        table.move()
        table.move()
        table.pass_by()
        assert table.hear("record")["problem"] == "No space left on device"
    data = table.record.read_bytes()
    table.record.write_bytes(data[:-60])  # which the system has lost
    table.move()
    assert table.told == ["No space left on device"]
    table.pass_by()
    assert table.hear("record")["problem"] is None
    assert table.record.read_bytes().startswith(data)
    assert table.kept == 4


def test_a_game_that_cannot_be_made_leaves_no_files(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    kept = new_game()
    needed = 0
    for room in range(0, 1000, 11):
        with room_for(room):
            try:
                recorder = folder.create(ID, kept)
            except StoreError:
                assert not list(folder.games.iterdir())
            else:
                recorder.close()
                needed = room
                break
    assert needed - 11 < recorder.path.stat().st_size <= needed
    assert read_record(recorder.path).events == kept.timeline.events
    assert json.loads(folder.games.joinpath(f"{ID}.seats.json").read_bytes())["tokens"] == {"0": "one", "1": "another"}


@pytest.mark.parametrize("failing", ["open", "write", "fsync"])
def test_a_game_is_made_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    """Whichever of its calls the system refuses."""
    folder = Folder(tmp_path)
    real = getattr(os, failing)
    for refused in range(20):
        calls = iter(range(100))

        def call(*arguments: Any, calls: Iterator[int] = calls, refused: int = refused) -> Any:
            if next(calls) == refused:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return real(*arguments)

        with monkeypatch.context() as patched:
            patched.setattr(os, failing, call)
            try:
                folder.create(ID, new_game()).close()
                break
            except StoreError:
                assert not list(folder.games.iterdir())
    assert refused >= 2
    assert len(list(folder.games.iterdir())) == 2


def test_people_who_make_a_game_on_a_full_disk_are_told(tmp_path: Path) -> None:
    with Live(tmp_path) as live, room_for(100):
        answer = live.http.post("/api/games", json={"game": "expendibots", "players": ["human", "random"]})
        assert (answer.status_code, answer.json()["code"]) == (503, "cannot_store")
        assert str(tmp_path) not in answer.text
        assert not list(tmp_path.glob("games/*"))
