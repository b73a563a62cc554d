"""How games live on the server: in memory, on disk, through restarts; bots that fail, clients that do not read, dice and joint choices."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import socket as sockets
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
from websockets.exceptions import ConnectionClosed

from ludarium.core.game import Action, State
from ludarium.core.record import Header, read_record
from ludarium.core.timeline import Timeline
from ludarium.errors import BadOption, ProtocolError, StoreError
from ludarium.players import Player, PlayerKind, PlayerSpec
from ludarium.web.disk.folder import Folder
from ludarium.web.server import serve
from ludarium.web.sessions import Limits
from ludarium.web.socket import converse
from ludarium.web.table import offers
from ludarium.web.table.client import MOST_WAITING, Client
from ludarium.web.table.local_play import LocalPlay
from ludarium.web.table.messages import Accept, Act, Join, Offer
from ludarium.web.table.renderings import Renderings
from ludarium.web.table.seats import Seat
from ludarium.web.table.session import Session
from ludarium.web.table.thinking import Thinkers
from tests.players.programs.bots import eventually
from tests.web.live import PATIENCE, Live


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def time(self) -> float:
        return self.now

    def call_soon(self, callback: Callable[..., object], *args: Any) -> asyncio.Handle:
        return asyncio.get_running_loop().call_soon(callback, *args)

    def call_later(self, delay: float, callback: Callable[..., object], *args: Any) -> asyncio.Handle:
        return asyncio.get_running_loop().call_later(delay, callback, *args)


def sweep(live: Live, clock: Clock, now: float) -> None:
    """At a time, before anything else happens then."""
    done = threading.Event()

    def at() -> None:
        clock.now = now
        live.sessions.sweep()
        done.set()

    live.loop().call_soon_threadsafe(at)
    assert done.wait(PATIENCE)


def test_games_by_correspondence_go_on_after_a_restart_until_they_end(tmp_path: Path) -> None:
    def begin(live: Live, clock: str | None) -> str:
        made = live.make("human", "human", clock=clock)
        one, two = (seat["token"] for seat in made["seats"])
        with live.join(made["id"], one) as white, live.join(made["id"], two):
            white.act("a2-a3")
            white.receive("position")
        return made["id"]

    with Live(tmp_path) as live:
        long, _, _ = [begin(live, clock) for clock in ("2h", "5m", None)]
        (tmp_path / "games" / "torn.seats.json").write_text("{")
    with Live(tmp_path, clock=(clock := Clock())) as live:
        for _ in range(2):
            asyncio.run_coroutine_threadsafe(live.sessions.go_on(), live.loop()).result(PATIENCE)
        (session,) = live.sessions.in_memory
        assert (session.id, session.clients) == (long, [])
        assert isinstance(session.play, LocalPlay)
        assert session.play.waits_for_time
        clock.now = 7190.0
        with live.join(long) as watcher:
            assert [clock["left"] for clock in watcher.position["clocks"]][1] == 10
            black = session.play.seats[1].token
            with live.join(long, black) as player:
                player.send(type="resign")
                player.until(lambda position: position["outcome"])
    with Live(tmp_path) as live:
        asyncio.run_coroutine_threadsafe(live.sessions.go_on(), live.loop()).result(PATIENCE)
        assert live.sessions.in_memory == []  # it is over


def test_a_pause_outlasts_the_server_until_somebody_ends_it(tmp_path: Path) -> None:
    def again(resume: bool) -> bool:
        with Live(tmp_path) as live, live.join(made["id"], tokens[0]) as white:
            paused: bool = white.position["paused"]
            if resume:
                white.send(type="resume")
                white.until(lambda position: not position["paused"])
            return paused

    with Live(tmp_path) as live:
        made = live.make("human", "human", clock="5m+3s")
        tokens = [seat["token"] for seat in made["seats"]]
        with live.join(made["id"], tokens[0]) as white, live.join(made["id"], tokens[1]) as black:
            white.act("a2-a3")
            white.send(type="offer", kind="pause")
            black.until(lambda position: position["offers"])
            black.send(type="accept", kind="pause")
            black.until(lambda position: position["paused"])
    assert [again(resume=False), again(resume=True), again(resume=False)] == [True, True, False]


def test_idle_games_leave_the_memory_and_come_back(tmp_path: Path) -> None:
    clock = Clock()
    with Live(tmp_path, Limits(idle=100.0, pace=0.0), clock) as live:
        made = live.make("human", "human")
        token, second = (seat["token"] for seat in made["seats"])
        with live.join(made["id"], token) as white:
            with live.join(made["id"], second) as black:
                white.act("b2-b3")
                white.send(type="offer", kind="takeback")
                black.until(lambda position: bool(position["offers"]))
                black.send(type="accept", kind="takeback")
                white.until(lambda position: position["occasion"] == "takeback")
            white.act("a2-a3")
            white.receive("position")
            sweep(live, clock, 99.0)
            assert len(live.sessions) == 1
            white.send(type="look", ply=0)  # whatever a client asks keeps the game
            white.receive("position")
            sweep(live, clock, 198.0)
            assert len(live.sessions) == 1
            sweep(live, clock, 199.0)
            closed = white.receive("closed")
            assert "long time" in closed["reason"]
            assert not closed["come_back"]
            assert white.status() == 1001
        assert len(live.sessions) == 0
        with live.join(made["id"], token) as white:
            assert white.welcome["moves"] == ["a2-a3"] == [white.position["move"]]
            assert white.welcome["you"] == 0
        slow = live.make("human", "human", clock="1d/action")
        one, other = (seat["token"] for seat in slow["seats"])
        with live.join(slow["id"], one), live.join(slow["id"], other) as black:  # whose clocks run while nobody is there
            black.until(lambda position: position["clocks"][0]["running"])
            sweep(live, clock, clock.now + 1000.0)
            assert [session.id for session in live.sessions.in_memory] == [slow["id"]]


def test_finished_games_leave_the_memory_once_everybody_has_left(tmp_path: Path) -> None:
    clock = Clock()
    with Live(tmp_path, Limits(pace=0.0), clock) as live:
        made = live.make("human", "human")
        with live.join(made["id"], made["seats"][0]["token"]) as white:
            white.send(type="resign")
            white.until(lambda position: bool(position["outcome"]))
            sweep(live, clock, 1000.0)
            assert len(live.sessions) == 1
        assert eventually(lambda: not live.sessions.clients)
        sweep(live, clock, 1599.0)
        assert len(live.sessions) == 1
        sweep(live, clock, 2000.0)
        assert len(live.sessions) == 0
        with live.join(made["id"]) as watcher:
            assert watcher.position["outcome"]["winner"] == 1


def test_a_rematch_takes_everybody_along(tmp_path: Path) -> None:
    limits = Limits(pace=0.0, games=2)
    position = "B......./......../......../......../......../......../......../W......W w 0"
    with Live(tmp_path, limits) as live, ExitStack() as held:
        made = live.make("human", "human", position=position)
        first, second = (seat["token"] for seat in made["seats"])
        white, black, watcher = (held.enter_context(live.join(made["id"], token)) for token in (first, second, None))
        assert (white.position["series"], white.position["next"]) == ({"game": 1, "points": [0.0, 0.0]}, None)
        white.send(type="resign")
        assert watcher.until(lambda position: position["outcome"] is not None)["series"]["points"] == [0.0, 1.0]
        assert watcher.code(type="offer", kind="rematch") == "not_your_turn"

        with live.join(live.make("human", "human")["id"]):  # all that the server holds
            white.send(type="offer", kind="rematch")
            asks = {"kind": "rematch", "by": 0, "accepted": [0]}
            assert black.until(lambda position: position["offers"] == [asks])["next"] is None
            assert black.code(type="accept", kind="rematch") == "busy"
            assert white.receive("error")["code"] == watcher.receive("error")["code"] == "busy"
        live.sessions.limits = replace(limits, games=3)
        black.send(type="offer", kind="rematch")
        white.until(lambda position: [offer["by"] for offer in position["offers"]] == [1])
        white.send(type="accept", kind="rematch")
        (following,) = {one.until(lambda position: position["next"] is not None)["next"] for one in (white, black, watcher)}
        assert white.code(type="offer", kind="rematch") == "no_such_offer"
        for token, seat in ((first, 1), (second, 0), (None, None)):
            with live.join(following, token) as socket:
                assert (socket.welcome["you"], socket.position["text"]) == (seat, position)
                assert socket.position["series"] == {"game": 2, "points": [1.0, 0.0]}
    with Live(tmp_path) as live, live.join(made["id"], first) as before, live.join(following, second) as socket:
        assert (before.position["next"], before.position["series"]["points"]) == (following, [0.0, 1.0])
        assert before.code(type="offer", kind="rematch") == "no_such_offer"
        socket.send(type="resign")
        assert socket.receive("position")["series"] == {"game": 2, "points": [1.0, 1.0]}


def test_a_game_goes_on_after_a_restart(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        made = live.make("human", "random", seed=7, options={"turn_limit": 100})
        finished = live.make("human", "human")
        token = made["seats"][0]["token"]
        with live.join(made["id"], token) as socket:
            socket.act("a2-a3")
            position = socket.until(lambda position: position["ply"] == 2)
            socket.send(type="offer", kind="takeback")
            assert socket.receive("position")["ply"] == 0
            socket.act("b2-b3")
            position = socket.until(lambda position: position["ply"] == 2)
        with live.join(finished["id"], finished["seats"][1]["token"]) as socket:
            socket.send(type="resign")
            socket.receive("position")
    record = tmp_path / "games" / f"{made['id']}.jsonl"
    before = record.read_bytes()
    record.write_bytes(before + b'{"event":"acti')  # a server that was cut off
    with Live(tmp_path) as live:
        with live.join(made["id"], token) as socket, live.join(made["id"]) as watcher:
            assert record.read_bytes() == before
            assert socket.welcome["game"]["options"]["turn_limit"] == 100
            assert {**socket.position, "occasion": ""} == {**position, "occasion": ""}
            assert watcher.position["actions"] == []
            socket.act(position["actions"][0]["text"])
            socket.receive("position")
            socket.until(lambda position: position["ply"] == 4)
        with live.socket(made["id"]) as socket:
            assert socket.code(type="join", version=1, token="guess") == "bad_token"
        with live.join(finished["id"]) as socket:
            assert socket.position["outcome"]["reason"] == "Black resigned"
    replayed = read_record(record).replay()
    assert replayed.ply == 4
    assert replayed.outcome is None


def test_the_bot_moves_when_somebody_comes_back(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        made = live.make("random", "human")
        assert json.loads(live.http.get(f"/api/games/{made['id']}/record").text.splitlines()[-1])["event"] == "start"
    with Live(tmp_path) as live, live.join(made["id"], made["seats"][0]["token"]) as socket:
        assert socket.until(lambda position: position["to_move"] == [1])["ply"] == 1


def test_damaged_files_are_games_that_are_not_there(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        ids = [live.make("human", "human")["id"] for _ in range(4)]
    games = tmp_path / "games"
    (games / f"{ids[0]}.jsonl").write_text("nonsense\n", "utf-8")
    (games / f"{ids[1]}.seats.json").write_text("[]", "utf-8")
    (games / f"{ids[2]}.jsonl").unlink()
    record = games / f"{ids[3]}.jsonl"
    record.write_text(record.read_text("utf-8").replace('["human","human"]', '["human","gone"]'), "utf-8")
    with Live(tmp_path) as live:
        for id in ids:
            assert live.http.get(f"/api/games/{id}/record").json()["code"] == "no_such_game"


def test_tokens_are_kept_from_other_users(tmp_path: Path) -> None:
    with Live(tmp_path / "data") as live:
        made = live.make("human", "human")
    seats = tmp_path / "data" / "games" / f"{made['id']}.seats.json"
    assert stat.S_IMODE(seats.stat().st_mode) == 0o600
    assert json.loads(seats.read_text("utf-8"))["tokens"] == {"0": made["seats"][0]["token"], "1": made["seats"][1]["token"]}


def test_games_that_nobody_is_at_give_way_and_others_do_not(tmp_path: Path) -> None:
    with Live(tmp_path, Limits(games=2, pace=0.0)) as live:
        first, second = live.make("human", "human"), live.make("human", "human")
        with live.join(first["id"]), live.join(second["id"]):
            answer = live.http.post("/api/games", json={"game": "expendibots", "players": ["human", "human"]})
            assert (answer.status_code, answer.json()["code"]) == (503, "busy")
        with live.join(second["id"]):
            third = live.make("human", "human")  # the first goes to the disk
            assert len(live.sessions) == 2
            with live.join(third["id"]), live.socket(first["id"]) as socket:
                assert socket.receive("error")["code"] == "busy"
            with live.join(first["id"], first["seats"][0]["token"]) as socket:
                assert socket.welcome["you"] == 0


def test_there_is_a_limit_on_clients(tmp_path: Path) -> None:
    with Live(tmp_path, Limits(clients=2)) as live:
        made = live.make("human", "human")
        with live.join(made["id"]), live.join(made["id"]), live.socket(made["id"]) as third:
            assert third.receive("error")["code"] == "busy"


class Rigged(Player):
    """Does what a test says."""

    def __init__(self, behaviour: Callable[[State, Callable[[], bool]], Action]) -> None:
        self._behaviour = behaviour
        self.closed = threading.Event()

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = lambda: False) -> Action:
        return self._behaviour(state, interrupted)

    def close(self) -> None:
        self.closed.set()


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[State, Callable[[], bool]], Action]], list[Rigged]]:
    """Lets ``rigged`` name a bot of the given behaviour; the bots that were made are listed."""
    made: list[Rigged] = []

    def install(behaviour: Callable[[State, Callable[[], bool]], Action]) -> list[Rigged]:
        def make(*_: object) -> Rigged:
            made.append(Rigged(behaviour))
            return made[-1]

        kind = PlayerKind("rigged", "", (), make)
        usual = offers.parse_player
        monkeypatch.setattr(
            offers,
            "parse_player",
            lambda text, game, **more: PlayerSpec(text, kind, {}) if text == "rigged" else usual(text, game, **more),
        )
        return made

    return install


def fails(state: State, interrupted: Callable[[], bool]) -> Action:
    raise ZeroDivisionError("a bot's own fault")


def cheats(state: State, interrupted: Callable[[], bool]) -> Action:
    return Action(0, "a1-a1")


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        (fails, "Black forfeited (crash: ZeroDivisionError: a bot's own fault)"),
        (cheats, "Black forfeited (illegal action: "),
        (lambda state, interrupted: None, "Black forfeited (illegal action: "),
    ],
)
def test_a_bot_that_fails_forfeits(tmp_path: Path, rig: Any, behaviour: Any, reason: str) -> None:
    rig(behaviour)
    with Live(tmp_path) as live:
        made = live.make("human", "rigged")
        with live.join(made["id"], made["seats"][0]["token"]) as socket:
            socket.act("a2-a3")
            ended = socket.until(lambda position: position["outcome"])
            assert ended["outcome"]["reason"].startswith(reason)
            assert (ended["outcome"]["winner"], ended["occasion"]) == (0, "end")
            assert len(ended["outcome"]["reason"]) < 300
    assert read_record(tmp_path / "games" / f"{made['id']}.jsonl").replay().outcome is not None


def test_thoughts_that_nobody_needs_any_more_are_interrupted(tmp_path: Path, rig: Any) -> None:
    thinks, interrupted_ones = threading.Semaphore(0), threading.Semaphore(0)

    def deep(state: State, interrupted: Callable[[], bool]) -> Action:
        thinks.release()
        while not interrupted():
            time.sleep(0.001)
        interrupted_ones.release()
        return state.actions()[0]

    bots = rig(deep)
    clock = Clock()
    with Live(tmp_path, Limits(pace=0.0, idle=100.0), clock) as live:
        made = live.make("human", "rigged")
        with live.join(made["id"], made["seats"][0]["token"]) as socket:
            socket.act("a2-a3")
            assert socket.receive("position")["thinking"] == [1]
            assert thinks.acquire(timeout=PATIENCE)
            socket.send(type="offer", kind="takeback")
            assert socket.receive("position")["ply"] == 0
            assert interrupted_ones.acquire(timeout=PATIENCE)
            socket.act("b2-b3")
            assert socket.receive("position")["move"] == "b2-b3"
            assert thinks.acquire(timeout=PATIENCE)
            clock.now = 31.0  # longer than any thought may take
            assert socket.receive("position")["ply"] == 2
            assert interrupted_ones.acquire(timeout=PATIENCE)
            socket.act("c2-c3") if "c2-c3" in [action["text"] for action in socket.position["actions"]] else socket.act("a2-a3")
            assert thinks.acquire(timeout=PATIENCE)
            sweep(live, clock, 200.0)
            socket.receive("closed")
            assert bots[0].closed.wait(PATIENCE)
            assert len(bots) == 1
    moves = [event["actions"] for event in read_record(tmp_path / "games" / f"{made['id']}.jsonl").events if event["event"] == "action"]
    assert len(moves) == 4


def test_bots_answer_no_sooner_than_the_pace(tmp_path: Path) -> None:
    with Live(tmp_path, Limits(pace=0.3)) as live:
        made = live.make("human", "random")
        with live.join(made["id"], made["seats"][0]["token"]) as socket:
            start = time.monotonic()
            socket.act("a2-a3")
            socket.until(lambda position: position["ply"] == 2)
            assert time.monotonic() - start >= 0.3


def test_a_client_that_does_not_read_is_dropped_and_disturbs_nobody(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        made = live.make("human", "human")
        host, _, port = live.address.rpartition(":")
        deaf = sockets.socket()
        deaf.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        deaf.settimeout(PATIENCE)
        deaf.connect((host, int(port)))
        head = f"GET /api/games/{made['id']}/socket HTTP/1.1\r\nHost: {live.address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        deaf.sendall(f"{head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode())
        assert deaf.recv(12) == b"HTTP/1.1 101"

        def frame(text: str) -> bytes:
            return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text.encode()  # masked with zeros

        with live.join(made["id"], made["seats"][0]["token"]) as white:
            deaf.sendall(frame('{"type":"join","version":1}'))
            white.receive("players")
            session = live.sessions._games[made["id"]].session
            assert len(session.clients) == 2
            deaf.sendall(frame('{"type":"look","ply":0}') * (4 * MOST_WAITING // len(white.position["svg"])))
            white.receive("players")
            assert len(session.clients) == 1
            white.act("a2-a3")
            white.until(lambda position: position["ply"] == 1)
        deaf.close()


def test_who_has_gone_before_its_socket_is_open_is_not_waited_for() -> None:
    """A conversation that was made and never begun is a warning in the server's log."""
    socket, talk = Mock(accept=AsyncMock(side_effect=RuntimeError("gone"))), Mock()
    with pytest.raises(RuntimeError, match="gone"):
        asyncio.run(converse(socket, Client(), talk))
    talk.assert_not_called()


def test_a_full_queue_loses_the_client_and_keeps_nothing() -> None:
    client = Client()
    client.send("w" * 3 * MOST_WAITING)  # however long one message is
    for _ in range(4):
        assert not client.lost
        client.send("x" * (MOST_WAITING // 3))
    assert client.lost
    assert not client._waiting


def test_renderings_are_bounded() -> None:
    renderings = Renderings(100)
    made: list[int] = []

    def make(number: int) -> str:
        made.append(number)
        return "x" * 40

    for number in (1, 2, 1, 3, 1, 2):
        assert renderings.get(number, lambda number=number: make(number)) == "x" * 40
    assert made == [1, 2, 3, 2]
    assert renderings.get(9, lambda: "y" * 1000) == "y" * 1000


def test_wrong_starts_are_one_line(tmp_path: Path) -> None:
    with sockets.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(BadOption, match=rf"cannot listen on 127\.0\.0\.1, port {port}: "):
            serve(port=port, data=tmp_path)
    with pytest.raises(BadOption, match=r"cannot listen on no\.such\.host\.invalid"):
        serve("no.such.host.invalid", data=tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be written to"):
        serve(data=tmp_path / "file")


def heed_hangups() -> None:
    """Whatever begins under ``nohup`` is deaf to them."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 0), ("SIGHUP", 143)])
def test_the_process_ends_in_order(tmp_path: Path, name: str, code: int) -> None:
    """SIGHUP, which comes when a terminal has gone, is SIGTERM to all commands."""
    options = f"serve --port 0 --data {tmp_path} --name play.example.org --trusted-proxy 127.0.0.1"
    command = [sys.executable, "-m", "ludarium", *options.split()]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed_hangups)
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        line = next(line for line in process.stdout if "http://" in line)
        assert process.stdout.readline().startswith("Others reach it at https://play.example.org; ")
        assert process.stdout.readline().startswith("Its organiser keeps order at https://play.example.org/organiser, ")
        live = Live.__new__(Live)
        import httpx

        live.address = line.split("http://")[1].split()[0]
        live.http = httpx.Client(base_url=f"http://{live.address}", timeout=PATIENCE)
        made = live.make("human", "human")
        with live.join(made["id"], made["seats"][0]["token"]) as white:
            white.act("a2-a3")
            white.receive("position")
            os.kill(process.pid, getattr(signal, name))
            assert white.receive("closed") == {"type": "closed", "reason": "the server stops", "come_back": True}
            assert white.status() in (1001, 1012)
        live.http.close()
        assert process.wait(PATIENCE) == code
        assert process.stderr.read() == ""
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()
    assert read_record(tmp_path / "games" / f"{made['id']}.jsonl").replay().ply == 1


class Listening(Client):
    """A client without a socket."""

    def __init__(self) -> None:
        super().__init__()
        self.got: list[dict[str, Any]] = []

    def send(self, text: str) -> None:
        self.got.append(json.loads(text))

    def positions(self) -> list[dict[str, Any]]:
        found = [message for message in self.got if message["type"] == "position"]
        self.got.clear()
        return found


def test_joint_choices_stay_secret_and_dice_fall_by_themselves(tmp_path: Path) -> None:
    from tests.tiny_games.coins import Coins

    game = Coins()
    thinkers = Thinkers(1)
    seats = [Seat(number, name, "human", f"token-{number}") for number, name in enumerate(game.player_names)]
    import numpy as np

    play = LocalPlay(
        Header.of(game, ["human", "human"], 1), Timeline(game.start()), seats, np.array([5], np.uint64), thinkers, clock=Clock()
    )
    session = Session("x", play, Renderings(), clock=Clock())
    one, two, watcher = Listening(), Listening(), Listening()
    session.join(one, Join(1, "token-0"))
    session.join(two, Join(1, "token-1"))
    session.join(watcher, Join(1))
    start = watcher.positions()[-1]
    assert (start["ply"], start["to_move"], start["actions"]) == (0, [0, 1], [])
    assert [action["text"] for action in one.positions()[-1]["actions"]] == ["heads", "tails"]
    two.got.clear()

    session.handle(one, Act(0, "tails"))
    for client in (one, two, watcher):
        (notice,) = client.positions()
        assert (notice["occasion"], notice["ply"], notice["to_move"]) == ("notice", 0, [1])
        assert notice["actions"] == (
            [{"text": text, "picks": [text], "effects": []} for text in ("heads", "tails")] if client is two else []
        )
        assert "tails" not in notice["svg"]
    with pytest.raises(ProtocolError) as refused:
        session.handle(one, Act(0, "heads"))
    assert refused.value.code == "not_your_turn"

    session.handle(two, Act(0, "tails"))
    shown = watcher.positions()
    assert [(position["ply"], position["occasion"], position["to_move"]) for position in shown] == [
        (1, "action", []),
        (2, "action", [0, 1]),
    ]
    assert shown[0]["move"] == "tails, tails"
    assert shown[1]["move"] in ("1", "2", "3")
    assert all(position["latest"] and position["length"] == position["ply"] for position in shown)

    session.handle(one, Act(2, "heads"))
    session.handle(one, Offer("takeback"))
    one.positions(), two.positions()
    session.handle(two, Accept("takeback"))
    back = two.positions()[-1]
    assert (back["ply"], back["to_move"], back["occasion"]) == (0, [0, 1], "takeback")
    assert [line.get("event") for line in session.play.record()] == [None, "start", "action", "chance", "takeback"]
    thinkers.close()


def test_the_folder_must_be_writable(tmp_path: Path) -> None:
    (tmp_path / "other" / "lock").mkdir(parents=True)
    with pytest.raises(StoreError, match="cannot be written to"), Folder(tmp_path / "other").claimed():
        pass
    (tmp_path / "games").touch()
    with pytest.raises(StoreError):
        Folder(tmp_path)


@pytest.mark.parametrize("where", ["handle", "join", "leave"])
def test_an_error_of_the_server_is_logged_and_not_taken_for_a_client_that_left(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("dictionary changed size during iteration")

    with Live(tmp_path) as live:
        monkeypatch.setattr(logging.getLogger("uvicorn"), "propagate", True)
        made = live.make("human", "human")
        if where == "join":
            monkeypatch.setattr(Session, where, fail)
            with live.socket(made["id"]) as socket:
                socket.send(type="join", version=1, token=None, new_token=None)
                with pytest.raises(ConnectionClosed):
                    socket.until(lambda message: False)
        else:
            with live.join(made["id"]) as socket:
                monkeypatch.setattr(Session, where, fail)
                if where == "handle":
                    socket.send(type="resign")
                    with pytest.raises(ConnectionClosed):
                        socket.until(lambda message: False)
    assert [str(one.exc_info[1]) for one in caplog.records if one.exc_info] == ["dictionary changed size during iteration"]


def test_a_client_that_leaves_while_it_is_sent_something_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with Live(tmp_path) as live:
        monkeypatch.setattr(logging.getLogger("uvicorn"), "propagate", True)
        made = live.make("human", "human")
        for _ in range(20):
            with live.socket(made["id"]) as socket:
                socket.send(type="join", version=1, token=None, new_token=None)
                for _ in range(30):
                    socket.send(type="chat", text="x")
    assert [one.getMessage() for one in caplog.records if one.exc_info] == []
