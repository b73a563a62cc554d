"""Bots that listen: what they are told, what they do wrong, and who cannot be reached."""

from __future__ import annotations

import asyncio
import functools
import json
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.server import Request, Response, ServerConnection, serve

import ludarium
from ludarium.arena import Terms, TimeControl, match, play_game
from ludarium.cli.entry import run
from ludarium.core.game import Game
from ludarium.errors import PlayerCrashed, PlayerIllegal, PlayerTimeout
from ludarium.players import never
from ludarium.players.programs import pool, websocket
from ludarium.players.programs.program import Program
from ludarium.players.programs.websocket import WebSocket
from tests.folders import ROOT
from tests.players.programs.bots import eventually

HALF = Terms((TimeControl(0.5, is_per_action=True),) * 2)

closed: list[int | None] = []
"""With which codes connections ended in order."""


def turns(judge: ServerConnection) -> Iterator[dict[str, Any]]:
    for text in judge:
        message = json.loads(text)
        if message["type"] == "hello":
            judge.send('{"type": "ready", "name": "test"}')
        elif message["type"] == "turn":
            yield message


def act(judge: ServerConnection, message: dict[str, Any]) -> None:
    judge.send(json.dumps({"type": "action", "action": message["actions"][0]}))


def good(judge: ServerConnection) -> None:
    for message in turns(judge):
        act(judge, message)


def once(judge: ServerConnection) -> None:
    """Leaves after every game."""
    for text in judge:
        message = json.loads(text)
        if message["type"] == "result":
            judge.close()
        elif message["type"] == "hello":
            judge.send('{"type": "ready"}')
        elif message["type"] == "turn":
            act(judge, message)


over = threading.Event()


def never_reads(judge: ServerConnection) -> None:
    over.wait()


def at_a_turn(does: Callable[[ServerConnection], None]) -> Callable[[ServerConnection], None]:
    def bot(judge: ServerConnection) -> None:
        for _ in turns(judge):
            does(judge)

    return bot


def twice(judge: ServerConnection) -> None:
    for message in turns(judge):
        act(judge, message)
        act(judge, message)


FAULTS = {
    "closes": (lambda judge: judge.close(1001, "tired"), "crash: ", "has closed the connection: 1001 (going away) tired"),
    "vanishes": (lambda judge: judge.socket.shutdown(socket.SHUT_RDWR), "crash: ", "the connection to ws://"),
    "is-long": (lambda judge: judge.send("x" * 65_537), "bad answer: ", "a message of more than 65,536 bytes"),
    "is-long-in-frames": (lambda judge: judge.send(["x" * 40_000] * 2), "bad answer: ", "a message of more than 65,536 bytes"),
    "is-binary": (lambda judge: judge.send(b'{"type": "action", "action": 0}'), "bad answer: ", "a binary message of 31 bytes"),
    "is-no-utf-8": (lambda judge: judge.send(b"\xff{}", text=True), "bad answer: ", "not UTF-8"),
    "is-no-json": (lambda judge: judge.send("a2-a4"), "bad answer: ", "not JSON: a2-a4"),
    "is-no-frame": (lambda judge: judge.socket.sendall(b"\xff" * 40), "crash: ", "does not speak as WebSockets do"),
    "is-illegal": (lambda judge: judge.send('{"type": "action", "action": "a1-a8"}'), "illegal action: ", "a1-a8"),
    "is-silent": (lambda judge: None, "timeout: ", ""),
}
BOTS = {"good": good, "once": once, "never-reads": never_reads, "twice": twice} | {
    name: at_a_turn(does) for name, (does, _, _) in FAULTS.items()
}


def answer(judge: ServerConnection) -> None:
    assert judge.request is not None
    BOTS[judge.request.path[1:]](judge)
    closed.append(judge.close_code)


def refuse(connection: ServerConnection, request: Request) -> Response | None:
    return None if request.path[1:] in BOTS else connection.respond(HTTPStatus.NOT_FOUND, "nobody")


@pytest.fixture(scope="module")
def at() -> Iterator[str]:
    """Where the bots listen, each at a path."""
    over.clear()
    with serve(answer, "127.0.0.1", 0, process_request=refuse, max_queue=1, max_size=None, close_timeout=0.1) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}/"
        pool.end_all()
        over.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def nowhere() -> Iterator[str]:
    """Where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"ws://127.0.0.1:{taken.getsockname()[1]}"


@pytest.fixture
def game() -> Game:
    return ludarium.game("tic-tac-toe")


def test_one_connection_plays_game_after_game_as_a_program_would(game: Game, at: str) -> None:
    closed.clear()
    result = match(game, [f"{at}good", "random"], games=4, seed=1, workers=1)
    assert [one.forfeited for one in result.games] == [()] * 4
    assert closed == []
    pool.end_all()
    assert eventually(lambda: closed == [1000])


def test_a_connection_that_was_lost_between_games_is_made_anew(game: Game, at: str) -> None:
    for _ in range(2):
        assert play_game(game, [f"{at}once", "random"], seed=1).events[-2]["event"] == "action"
        assert eventually(lambda: all(program.is_lost() for bot, _, program in pool._waiting if getattr(bot, "url", "") == f"{at}once"))


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_has_its_reason(at: str, fault: str) -> None:
    _, kind, words = FAULTS[fault]
    timeline = play_game(ludarium.game("expendibots"), [at + fault, "random"], seed=1, terms=HALF if fault == "is-silent" else Terms())
    assert timeline.events[-2]["event"] == "forfeit"
    reason = timeline.events[-2]["reason"]
    assert reason.startswith(kind)
    assert words in reason
    assert timeline.outcome is not None
    assert timeline.outcome.winner == 1


def test_what_comes_unasked_is_out_of_turn(at: str) -> None:
    link = WebSocket(f"{at}twice")
    program = Program(link)
    turn = b'{"type":"turn","actions":["a1"]}'
    assert program.ask(turn, 10, never) == b'{"type": "action", "action": "a1"}'
    assert eventually(link._next.done)
    with pytest.raises(PlayerIllegal, match=r'out of turn: \{"type": "action"'):
        program.ask(turn, 10, never)
    program.end()


class Late(Future[str]):
    """Done at the moment at which somebody has waited in vain."""

    def result(self, timeout: float | None = None) -> str:
        if not self.done():
            self.set_result("late")
            raise TimeoutError
        return super().result(timeout)


def test_what_comes_at_the_end_of_a_wait_is_taken(at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    link = WebSocket(f"{at}good")
    monkeypatch.setattr(link, "_next", Late())
    assert link.receive(float("inf"), never) == b"late"
    link.end()


def test_first_connections_that_are_made_at_once_share_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "_loop", functools.cache(websocket._loop.__wrapped__))
    together, loops = threading.Barrier(8), set[Any]()

    async def tell() -> None:
        loops.add(asyncio.get_running_loop())

    def submit() -> None:
        together.wait()
        websocket._submit(tell()).result()

    threads = [threading.Thread(target=submit) for _ in range(together.parties)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loops) == 1


def test_who_cannot_be_reached_forfeits_in_the_middle(game: Game, at: str, nowhere: str) -> None:
    assert play_game(game, [nowhere, "random"], seed=1).events[-2]["reason"] == f"crash: {nowhere} cannot be reached: Connection refused"
    reason = play_game(game, [f"{at}gone", "random"], seed=1).events[-2]["reason"]
    assert reason == f"crash: {at}gone cannot be reached: server rejected WebSocket connection: HTTP 404"


def test_the_time_on_the_wall_counts_as_processor_time(at: str) -> None:
    link = WebSocket(f"{at}good")
    before = time.monotonic()
    link.go()
    link.send(b'{"type": "hello"}\n', before + 10, never)
    link.receive(before + 10, never)
    link.rest()
    assert 0 < link.cpu_seconds() <= time.monotonic() - before
    link.end()


def flood(link: WebSocket, until: float) -> None:
    while True:
        link.send(b"x" * 1_000_000, until, never)


def wait_after(link: WebSocket, words: str) -> None:
    for word in words.split():
        link.send(word.encode(), float("inf"), never)
    link.receive(float("inf"), never)


def test_who_takes_nothing_is_not_waited_for(at: str) -> None:
    link = WebSocket(f"{at}never-reads")
    until = time.monotonic() + 0.2
    with pytest.raises(PlayerTimeout, match="timeout: no answer in time"):
        flood(link, until)
    link.end()


def test_who_answers_no_ping_has_gone_where_that_counts(at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "BETWEEN_PINGS", 0.02)
    link = WebSocket(f"{at}never-reads", silence=0.1)
    with pytest.raises(PlayerCrashed, match=r"crash: the connection to ws://.* is lost"):
        wait_after(link, "more than it has room for")


def test_an_interrupted_game_waits_for_nobody(game: Game, at: str) -> None:
    asked = iter(range(10))
    closed.clear()
    assert play_game(game, [f"{at}is-silent", "random"], seed=1, interrupted=lambda: next(asked) > 3).outcome is None
    assert eventually(lambda: closed == [1000])


def test_commands_say_in_one_line_that_nobody_is_there(nowhere: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "far.toml"
    players = "".join(f'[[players]]\nname = "{name}"\nspec = "{spec}"\n' for name, spec in (("far", nowhere), ("near", "random")))
    file.write_text(f'game = "tic-tac-toe"\nformat = "round-robin"\n{players}')
    for command in (
        ["match", "tic-tac-toe", nowhere, "random"],
        ["sprt", "tic-tac-toe", "random", nowhere],
        ["play", "tic-tac-toe", nowhere, "random"],
        ["check-bot", "tic-tac-toe", nowhere],
        ["tournament", str(file)],
    ):
        assert run(command) == 2
        said = capsys.readouterr()
        assert (said.out, said.err) == ("", f"error: player {nowhere} cannot be reached: Connection refused\n")


def test_check_bot_knows_what_a_connection_cannot_show(
    at: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludarium.arena.bot_checks.candidate.PAUSE", 0.01)
    monkeypatch.setattr("ludarium.arena.bot_checks.checks.WHOLE_TURNS", 5)
    assert run(["check-bot", "tic-tac-toe", f"{at}good"]) == 0
    said = capsys.readouterr().out
    assert "✓ slow host: messages came in two frames\n" in said
    assert "✓ end of input: it agreed that the connection was closed\n" in said
    assert run(["check-bot", "tic-tac-toe", f"{at}closes"]) == 1
    assert f"✗ first turn: crash: {at}closes has closed the connection: 1001 (going away) tired" in capsys.readouterr().out


def test_the_bot_in_the_documentation(nowhere: str, game: Game) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/bots.md").read_text(encoding="utf-8"), re.DOTALL)
    port = nowhere.rpartition(":")[2]
    with subprocess.Popen([sys.executable, "-c", code.replace('"0.0.0.0", 9000', f'"127.0.0.2", {port}')]) as bot:
        try:
            address = f"127.0.0.2:{port}"
            assert eventually(lambda: socket.socket().connect_ex(("127.0.0.2", int(port))) == 0)
            for name in ("tic-tac-toe", "liars-dice"):
                timeline = play_game(ludarium.game(name), [f"ws://{address}", "random"], seed=1)
                assert timeline.events[-2]["event"] != "forfeit"
        finally:
            bot.kill()
