"""People at the page of ``ludarium hexabomb serve``, over real sockets, beside the client library that bots use."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import netorcai.client
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from ludarium.cli.entry import run
from ludarium.core.record import read_record
from tests.labs.hexabomb.server import PATIENCE, serving


class Seat:
    """A person in the browser, without the browser: takes a seat in the waiting room and goes on to the board."""

    def __init__(self, page: str, nickname: str | None) -> None:
        self.page = page
        self.token: str | None = None
        self.received: list[dict[str, Any]] = []
        with connect(f"ws://{page}/api/room", open_timeout=PATIENCE) as room:
            if nickname is not None:
                room.send(json.dumps({"type": "sit", "nickname": nickname}))
            while True:
                message = json.loads(room.recv(PATIENCE))
                assert message["type"] != "error", message
                if message["type"] == "seated":
                    self.token = message["token"]
                elif message["started"]:
                    self.game = message["game"]
                    return

    @contextmanager
    def board(self) -> Iterator[ClientConnection]:
        with connect(f"ws://{self.page}/api/games/{self.game}/socket", max_size=None) as board:
            board.send(json.dumps({"type": "join", "version": 1, "token": self.token}))
            yield board

    def play(self) -> list[dict[str, Any]]:
        """Move character by character wherever the first way leads, until the server ends; all positions."""
        sent: set[int] = set()
        with self.board() as board:
            try:
                while True:
                    message = json.loads(board.recv(PATIENCE))
                    assert message["type"] != "error", message
                    self.received.append(message)
                    if message["type"] == "position" and message["orders"] and message["ply"] not in sent:
                        sent.add(message["ply"])
                        moves = [next((path for path in paths if path[1] not in ("none", "bomb")), None) for paths in message["orders"]]
                        board.send(json.dumps({"type": "act", "ply": message["ply"], "orders": moves}))
            except ConnectionClosed:
                pass
        return [message for message in self.received if message["type"] == "position"]


def library_bot(port: int, nickname: str) -> list[dict[str, Any]]:
    """A program that does nothing; the states that it saw."""
    client = netorcai.client.Client()
    client.connect("127.0.0.1", port)
    client.send_login(nickname, "player")
    client.read_login_ack()
    starts = client.read_game_starts()
    seen = [starts.initial_game_state]
    for _ in range(starts.nb_turns_max - 1):
        turn = client.read_turn()
        seen.append(turn.game_state)
        client.send_turn_ack(turn.turn_number, [])
    seen.append(client.read_game_ends().game_state)
    client.close()
    return seen


def test_a_person_plays_beside_a_program_while_others_watch(tmp_path: Path) -> None:
    arguments = ("--map", "glade2", "--turns", "12", "--fast", "--autostart", "--wait-for-people", "--delay-first-turn", "50")
    with serving(tmp_path, *arguments) as (process, port, page):
        with ThreadPoolExecutor(4) as pool:
            watching = [pool.submit(lambda: Seat(page, None).play()) for _ in range(2)]
            person = pool.submit(lambda: Seat(page, "ann").play())
            seen = pool.submit(library_bot, port, "bob").result(PATIENCE)
            mine, *others = (one.result(PATIENCE) for one in (person, *watching))
        assert process.wait(PATIENCE) == 0
    assert len(seen) == 13
    me = next(
        player["player_id"] for player in [{"player_id": 0}, {"player_id": 1}] if seen[-1]["cell_count"][str(player["player_id"])] > 3
    )
    assert seen[-1]["cell_count"][str(1 - me)] <= 3  # the program did nothing
    assert mine[-1]["ply"] == 12
    assert mine[-1]["outcome"]["winner"] == me
    for positions in (mine, *others):
        for position in positions:
            shown, true = json.loads(position["text"]), seen[position["ply"]]
            assert {key: shown[key] for key in ("cells", "characters", "score")} == {
                key: true[key] for key in ("cells", "characters", "score")
            }
    assert all(positions[-1]["orders"] == [] for positions in others)
    (file,) = tmp_path.iterdir()
    assert read_record(file).replay().is_over
    assert sorted(read_record(file).header.players) == ["ann", "bob"]


def test_a_person_who_closes_the_page_does_not_stop_the_game(tmp_path: Path) -> None:
    arguments = ("--map", "tiny2", "--turns", "6", "--fast", "--autostart", "--wait-for-people", "--delay-first-turn", "50")
    with serving(tmp_path, *arguments) as (process, port, page), ThreadPoolExecutor(2) as pool:
        bot = pool.submit(library_bot, port, "bob")
        with Seat(page, "ann").board() as board:
            while not json.loads(board.recv(PATIENCE)).get("orders"):
                pass
        assert len(bot.result(PATIENCE)) == 7  # after the grace for those who come back
        assert process.wait(PATIENCE) == 0


def test_the_page_stays_and_ends_with_the_server(tmp_path: Path) -> None:
    arguments = ("--map", "tiny2", "--turns", "4", "--players", "1", "--fast", "--autostart", "--stay", "--delay-first-turn", "50")
    with serving(tmp_path, *arguments) as (process, port, page):
        assert len(library_bot(port, "bob")) == 5
        assert process.stderr is not None
        while "The page stays" not in process.stderr.readline():
            pass
        seat = Seat(page, None)
        with seat.board() as board:
            assert json.loads(board.recv(PATIENCE))["moves"] == [f"Turn {turn}: nothing happened" for turn in range(1, 5)]
            assert json.loads(board.recv(PATIENCE))["outcome"]["winner"] == 0
            record = httpx.get(f"http://{page}/api/games/{seat.game}/record").text
            (tmp_path / "downloaded.jsonl").write_text(record)
            assert read_record(tmp_path / "downloaded.jsonl").replay().is_over
            assert httpx.get(f"http://{page}/game/{seat.game}").status_code == 200
            assert httpx.get(f"http://{page}/game/another").status_code == 404
            assert httpx.post(f"http://{page}/api/games", json={}).status_code in (404, 405)
            assert "Waiting for the game" in httpx.get(f"http://{page}/").text
            process.send_signal(signal.SIGINT)
            while (message := json.loads(board.recv(PATIENCE)))["type"] != "closed":
                assert message["type"] == "position"  # the last ones of a game that has just ended
            assert message["reason"] == "the server of this game has ended"
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
    assert "Traceback" not in errors


def test_a_port_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(["hexabomb", "serve", "--map", "tiny2", "--records", str(tmp_path), "--web-port", str(port)]) == 2
    error = capsys.readouterr().err
    assert (
        error == f"error: cannot listen on 127.0.0.1, port {port}: Address already in use; --web-port takes another one, --no-page none\n"
    )


def test_without_a_page(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ludarium", "hexabomb", "serve", "--map", "tiny2", "--turns", "3", "--players", "0", "--autostart"]
    command += ["--fast", "--delay-first-turn", "50", "--port", "0", "--records", str(tmp_path), "--no-page"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0
    assert "url=" not in done.stderr


def test_the_page_does_not_stay_when_the_operator_quits(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ludarium", "hexabomb", "serve", "--map", "tiny2", "--port", "0", "--records", str(tmp_path), "--stay"]
    done = subprocess.run(command, input="start\nquit\n", capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0
    assert "the operator quits" in done.stderr
    assert "The page stays" not in done.stderr
