"""A ladder on a real server, with small bots at real sockets."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from ludarium import game
from ludarium.arena import play_game
from ludarium.arena.store import Search, begin, open_database, search_games
from ludarium.arena.store.records import check_store
from ludarium.cli.entry import run
from ludarium.core.record import Header, read_record
from ludarium.web.ladder.play import FollowedPlay
from ludarium.web.visitors.limits import Limits
from tests.players.programs.bots import eventually
from tests.web.live import PATIENCE, Live

Answer = Callable[[dict[str, Any]], dict[str, Any] | None]


def first(turn: dict[str, Any]) -> dict[str, Any]:
    return {"type": "action", "action": turn["indices"][0]}


class Bot:
    """A bot that has joined. It plays in :meth:`play`, in whatever thread that is called."""

    def __init__(self, connection: ClientConnection, name: str, key: str | None) -> None:
        self._connection = connection
        self.send({"type": "join", "protocol": 1, "name": name, "key": key})
        self.said = self.receive()
        self.key = self.said.get("key", key)

    def send(self, message: dict[str, Any]) -> None:
        self._connection.send(json.dumps(message))

    def receive(self, kind: str | None = None) -> dict[str, Any]:
        """The next message, of a kind if one is named."""
        while True:
            message = json.loads(self._connection.recv(PATIENCE))
            if kind in (None, message["type"]):
                return message

    def greet(self) -> None:
        assert self.receive() == {"type": "hello", "protocol": 1}
        self.send({"type": "ready", "send": ["indices"]})

    def play(self, games: int, answer: Answer = first) -> dict[str, Any]:
        """Play so many games; the last result, or what came instead."""
        while True:
            message = self.receive()
            if message["type"] == "turn" and (said := answer(message)) is not None:
                with suppress(ConnectionClosed):  # a reason comes next
                    self.send(said)
            games -= message["type"] == "result"
            if not games or message["type"] == "quit":
                return message

    def status(self) -> int:
        """Of the close that comes."""
        with pytest.raises(ConnectionClosed) as closed:
            self.receive("nothing")
        assert closed.value.rcvd is not None
        return closed.value.rcvd.code


@contextmanager
def bot(live: Live, name: str, key: str | None = None, id: str = "tic-tac-toe") -> Iterator[Bot]:
    with connect(f"ws://{live.address}/api/ladder/{id}", max_size=None) as connection:
        yield Bot(connection, name, key)


@contextmanager
def ready(live: Live, name: str, key: str | None = None, id: str = "tic-tac-toe") -> Iterator[Bot]:
    with bot(live, name, key, id) as one:
        assert one.said["type"] == "joined", one.said
        one.greet()
        yield one


def together(*works: Callable[[], object]) -> list[Any]:
    """What works come to that are done at the same time."""
    found: list[Any] = [None] * len(works)

    def do(number: int) -> None:
        found[number] = works[number]()

    threads = [threading.Thread(target=do, args=(number,)) for number in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(2 * PATIENCE)
        assert not thread.is_alive()
    return found


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("ladder")
    with Live(folder, ladders=["tic-tac-toe", "liars-dice:players=3,dice=1"], ladder_time="60") as live:
        yield live


def test_bots_play_and_come_again(tmp_path: Path) -> None:
    with Live(tmp_path, ladders=["tic-tac-toe"], ladder_time="60") as live:
        with ready(live, "Hare") as hare, ready(live, "Tortoise") as tortoise:
            results = together(lambda: hare.play(4), lambda: tortoise.play(4))
            assert [result["type"] for result in results] == ["result", "result"]
            assert results[0]["returns"] == [1.0, -1.0]
            table = live.http.get("/api/ladder/tic-tac-toe").json()
            assert {row["name"]: row["online"] for row in table["table"]} == {"Hare": True, "Tortoise": True}
            keys = hare.key, tortoise.key
            page = live.http.get("/ladder/tic-tac-toe").text
            assert f"<code>ludarium join {live.http.base_url.join('/ladder/tic-tac-toe')} ./mybot.py --name NAME</code>" in page
            assert all(
                part in page
                for part in (
                    '<a href="/ladder/tic-tac-toe/Hare"><img class="face" src="/faces/tic-tac-toe/Hare.svg" alt="" /><bdi>Hare</bdi></a>',
                    'data-renew="2"',
                    "60 s",
                )
            )
            live.ladders.room("tic-tac-toe").ladder.join("Never here", None)
            assert [live.http.get(f"/ladder/tic-tac-toe/{name}").status_code for name in ("hare", "Nobody", "Never here")] == [
                200,
                404,
                404,
            ]
            assert "Ladder of Tic-tac-toe<small>Bots play without end; 2 connected" in live.http.get("/").text
        with bot(live, "Hare", keys[1]) as other:
            assert other.said["code"] == "bad_key"
            assert other.status() == 1008
    with open_database(tmp_path / "store.sqlite") as database:
        begin(database, "secret", "match", game("tic-tac-toe"), [])
        games = search_games(database, Search(competition="Ladder tic-tac-toe"))
        assert len(games) in (4, 5)  # the one that they left may have been lost
        assert {games[-1].players, games[-2].players} == {("Hare", "Tortoise"), ("Tortoise", "Hare")}  # seats are exchanged
        assert check_store(database).problems == ()
    with Live(tmp_path, ladders=["tic-tac-toe"]) as live:
        ladder = live.http.get("/api/ladder/tic-tac-toe").json()
        assert {row["games"] for row in ladder["table"]} == {len(games)}
        replay = ladder["newest"][-1]["replay"]
        with live.join(replay.removeprefix("/game/")) as looking:
            assert looking.position["outcome"]["winner"] == 0
        assert "secret" not in live.http.get("/competitions").text
        assert [live.http.get(f"/competitions/{id}").status_code for id in (1, 2)] == [200, 404]
        assert 'href="/ladder/tic-tac-toe">Ladder</a>' in live.http.get(replay).text
        bots = live.http.get("/ladder/tic-tac-toe/hare").text
        assert all(part in bots for part in ("<bdi>Hare</bdi></h1>", "away", 'href="/ladder/tic-tac-toe/Hare?against=1#games"', replay))
        with ready(live, "hare", keys[0]) as hare, ready(live, "Tortoise", keys[1]) as tortoise:
            assert hare.said == {"type": "joined", "name": "Hare", "key": keys[0]}
            together(lambda: hare.play(1), lambda: tortoise.play(1))
    with open_database(tmp_path / "store.sqlite") as database:
        assert search_games(database, Search(competition="Ladder tic-tac-toe"))[0].number >= len(games)


def test_a_server_that_stops_cuts_games_and_tells_bots(tmp_path: Path) -> None:
    with (
        Live(tmp_path, ladders=["tic-tac-toe"], ladder_time="60") as live,
        ready(live, "Hare") as hare,
        ready(live, "Tortoise") as tortoise,
    ):
        asked = together(lambda: hare.receive("game"), lambda: tortoise.receive("game"))
        mover = (hare, tortoise)[[one["seat"] for one in asked].index(0)]
        mover.receive("turn")
        live.stop()
        for one in (hare, tortoise):
            assert one.receive("quit") == {"type": "quit", "reason": "the server stops", "come_back": True}
            assert one.status() == 1001
    (record,) = (tmp_path / "ladders" / "tic-tac-toe" / "games").iterdir()
    assert not read_record(record).replay().is_over
    with open_database(tmp_path / "store.sqlite") as database:
        assert search_games(database) == []


def test_a_game_can_be_watched_and_afterwards_looked_at(tmp_path: Path) -> None:
    waits = {"Ann": threading.Semaphore(0), "Ben": threading.Semaphore(0)}

    def when_told(name: str) -> Answer:
        def answer(turn: dict[str, Any]) -> dict[str, Any]:
            waits[name].acquire(timeout=PATIENCE)
            return first(turn)

        return answer

    with (
        Live(tmp_path, ladders=["tic-tac-toe"], ladder_time="60", ladder_names="before") as live,
        ready(live, "Ann") as ann,
        ready(live, "Ben") as ben,
    ):
        games = together(lambda: ann.receive("game"), lambda: ben.receive("game"))
        names = ("Ann", "Ben") if games[0]["seat"] == 0 else ("Ben", "Ann")
        (shown,) = live.http.get("/api/ladder/tic-tac-toe").json()["live"]
        assert shown["players"] == list(names)
        id = shown["watch"].removeprefix("/game/")
        (board,) = live.http.get("/api/lobby/now").json()["games"]
        assert live.http.get("/api/lobby/now", params={"ladder": "tic-tac-toe"}).json() == {"games": [board]}
        assert live.http.get("/api/lobby/now", params={"ladder": "expendibots"}).json() == {"games": []}
        assert (board["id"], [player["spec"] for player in board["players"]]) == (id, list(names))
        header = json.loads(live.http.get(f"/api/games/{id}/record").text.splitlines()[0])
        assert header["seed"] is None
        assert "dice_seed" not in header
        with live.join(id) as watcher:
            assert [player["spec"] for player in watcher.welcome["players"]] == list(names)
            assert watcher.position["thinking"] == [0]
            assert watcher.code(type="resign") == "not_your_turn"
            players = [threading.Thread(target=one.play, args=(1, when_told(name))) for one, name in ((ann, "Ann"), (ben, "Ben"))]
            for player in players:
                player.start()
            waits[names[0]].release()
            assert watcher.until(lambda position: position["ply"] == 1)["move"]
            for wait in waits.values():
                wait.release(9)
            assert watcher.until(lambda position: position["outcome"] is not None)["outcome"]["winner"] == 0
            for player in players:
                player.join(PATIENCE)
            record = live.http.get(f"/api/games/{id}/record").text.splitlines()
            assert json.loads(record[0])["seed"] is not None
            assert json.loads(record[-1])["event"] == "end"


def test_who_does_not_answer_loses_by_the_clock(tmp_path: Path) -> None:
    with Live(tmp_path, ladders=["tic-tac-toe"], ladder_time="50ms/action") as live, ready(live, "Ann") as ann, ready(live, "Ben") as ben:
        told = together(*(lambda one=one: one.play(1, lambda turn: None) for one in (ann, ben)))
        assert {one["type"]: one["reason"] for one in told} == dict.fromkeys(("result", "quit"), "X forfeited (timeout: no answer in time)")
        assert [one["come_back"] for one in told if one["type"] == "quit"] == [True]


def test_who_chooses_nothing_that_is_legal_is_taken_off(live: Live) -> None:
    """It answers all the same, so that it plays on until then."""
    with ready(live, "Steady") as steady, ready(live, "Clumsy") as clumsy:
        playing = threading.Thread(target=lambda: steady.play(3))
        playing.start()
        told = clumsy.play(9, lambda turn: {"type": "action", "action": "z9"})
        assert "3 games in a row lost by its conduct, the latest like this: " in told["reason"]
        assert "forfeited (illegal action: 'z9' " in told["reason"]
        assert told["come_back"] is False
        assert clumsy.status() == 1000
        playing.join(PATIENCE)
    with bot(live, "Clumsy", clumsy.key) as refused:
        assert refused.said["code"] == "taken_off"
        assert refused.said["reason"].startswith(told["reason"])

    def taken_off() -> dict[str, str | None]:
        table = live.http.get("/api/ladder/tic-tac-toe").json()["table"]
        return {row["name"]: row["taken_off"] for row in table if row["name"] in ("Steady", "Clumsy")}

    assert eventually(lambda: taken_off() == {"Steady": None, "Clumsy": told["reason"]})  # once a game is in the store
    pages = [live.http.get(f"/ladder/tic-tac-toe{page}").text for page in ("", "/Clumsy")]
    assert "taken off</span>" in pages[0]
    assert "forfeited (illegal action: &#39;z9&#39;" in pages[1]


def test_who_fails_again_and_again_is_taken_off(live: Live) -> None:
    key = None
    with ready(live, "Patient") as patient:
        playing = threading.Thread(target=lambda: patient.play(3))
        playing.start()
        for again in (True, True, False):
            with ready(live, "Wild", key) as wild:
                key = wild.key
                told = wild.play(3, lambda turn: {"type": "action", "action": "x" * 70_000})
                assert "forfeited (bad answer: a message of more than 65,536 bytes" in told["reason"]
                assert told["come_back"] is again
                assert wild.status() == 1000
        playing.join(PATIENCE)
        with bot(live, "Wild", key) as wild:
            assert wild.said["code"] == "taken_off"


def test_a_newer_connection_takes_the_place_of_the_older_one(live: Live) -> None:
    with ready(live, "Twice") as older, ready(live, "Twice", older.key):
        assert older.receive("quit") == {"type": "quit", "reason": "another connection has come for this name", "come_back": False}
        assert [row["online"] for row in live.http.get("/api/ladder/tic-tac-toe").json()["table"] if row["name"] == "Twice"] == [True]


def test_a_bot_of_a_banned_address_has_to_go(tmp_path: Path) -> None:
    with Live(tmp_path, ladders=["tic-tac-toe"]) as live, ready(live, "Hare") as hare, ready(live, "Tortoise") as tortoise:
        together(lambda: hare.play(1), lambda: tortoise.play(1))
        with live.join(live.ladders.room("tic-tac-toe").key(0)) as looking:
            headers = {"Authorization": f"Bearer {live.token}"}
            assert live.http.post("/api/organiser/ban", json={"address": "127.0.0.1", "hours": 1}, headers=headers).status_code == 200
            assert looking.receive("closed")["reason"] == "the organiser has banned you"
        for one in (hare, tortoise):
            told = one.receive("quit")
            assert (told["reason"], told["come_back"], one.status()) == ("the organiser has banned you", False, 1008)


def test_three_sit_at_a_table(live: Live) -> None:
    with ready(live, "A", id="liars-dice") as a, ready(live, "B", id="liars-dice") as b, ready(live, "C", id="liars-dice") as c:
        results = together(*(lambda one=one: one.play(1) for one in (a, b, c)))
        assert {len(result["returns"]) for result in results} == {3}
        assert "<dd>players=3, dice=1</dd>" in live.http.get("/ladder/liars-dice").text


def test_steps_of_which_nobody_sees_anything_are_not_counted() -> None:
    """In the middle of a turn's programming, behind screens."""
    derby, players, asked = game("roboderby"), ["random", "random"], iter(range(1000))
    timeline = play_game(derby, players, seed=1, interrupted=lambda: next(asked) > 20)
    play = FollowedPlay(timeline, Header.of(derby, players), lambda call: None)
    play.begin(Mock())
    assert 0 < play.plies < timeline.ply


def test_who_says_much_without_being_asked_is_sent_away(live: Live) -> None:
    with ready(live, "Chatter") as one:
        for _ in range(live.ladders.limits.unasked + 1):
            one.send({"type": "action", "action": 0})
        assert one.receive("quit")["come_back"] is False
        assert one.status() == 1008


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"name": "../x"}, "bad_name"),
        ({"name": "random"}, "bad_name"),
        ({"protocol": 2}, "bad_version"),
        ({"type": "hello"}, "bad_message"),
        ({"key": 7}, "bad_message"),
        ({"name": "x" * 70_000}, "too_large"),
    ],
)
def test_what_is_refused(message: dict[str, Any], code: str, live: Live) -> None:
    with connect(f"ws://{live.address}/api/ladder/tic-tac-toe") as connection:
        connection.send(json.dumps({"type": "join", "protocol": 1, "name": "Eve", "key": None, **message}))
        refused = json.loads(connection.recv(PATIENCE))
        assert (refused["type"], refused["code"]) == ("refused", code)
        assert "\n" not in refused["reason"]


def test_other_ladders_are_refused(live: Live) -> None:
    with bot(live, "Eve", id="expendibots") as refused:
        assert refused.said["code"] == "no_such_ladder"
    assert live.http.get("/api/ladder/expendibots").status_code == 404
    assert {one["game"] for one in live.http.get("/api/ladder").json()} == {"tic-tac-toe", "liars-dice"}


def test_a_greeting_that_is_not_answered_well_is_refused(live: Live) -> None:
    with bot(live, "Rude") as rude:
        rude.receive("hello")
        rude.send({"type": "hi"})
        assert rude.receive("quit")["reason"].startswith("bad answer")
        assert rude.status() == 1008


def test_an_address_may_try_only_so_often(tmp_path: Path) -> None:
    with Live(tmp_path, Limits(people=1), ladders=["tic-tac-toe"]) as live:
        said = []
        for number in range(11):
            with bot(live, "Hare", f"wrong {number}") as one:
                said.append(one.said.get("code"))
        assert said == [None, *["bad_key"] * 9, "too_many"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ladder", "chess"], "error: game 'chess' is not one of: "),
        (["--ladder", "expendibots:turns=1"], "error: expendibots: option 'turns' is not one of: "),
        (["--ladder", "tic-tac-toe", "--ladder", "tic-tac-toe"], "error: ladder 'tic-tac-toe': there is one of tic-tac-toe already"),
        (["--ladder", "tic-tac-toe", "--ladder-time", "soon"], "error: time control 'soon' is not "),
    ],
)
def test_bad_arguments(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--port", "0", *arguments]) == 2
    said = capsys.readouterr().err
    assert said.startswith(message)
    assert said.count("\n") == 1
