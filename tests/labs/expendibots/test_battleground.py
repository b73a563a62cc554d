"""The battleground, with clients that know its protocol and some that do not."""

from __future__ import annotations

import socket
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from ludarium.arena.play import program
from ludarium.cli.entry import run
from ludarium.errors import PlayerFailed
from ludarium.labs.expendibots.battleground.joining import join
from ludarium.labs.expendibots.battleground.lines import Line
from ludarium.labs.expendibots.battleground.server import Battleground
from ludarium.players.programs import Conditions
from tests.games.expendibots.students import WALKS, write_package

PATIENCE = 60.0


@pytest.fixture(scope="module")
def ground() -> Generator[Battleground]:
    with Battleground(("127.0.0.1", 0), patience=PATIENCE, ping=0.02, seed=1) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def connect(ground: Battleground, name: str, channel: str) -> Line:
    line = Line(socket.create_connection(ground.server_address[:2], PATIENCE))
    line.send("PLAY", name=name, channel=channel)
    line.receive(PATIENCE, "OKAY")
    return line


def until(line: Line, mtype: str) -> dict[str, Any]:
    """The next message of this kind; pings before it are answered."""
    while (message := line.receive(PATIENCE, mtype, "OKAY"))["mtype"] == "OKAY":
        line.send("OKAY")
    return message


def begin(ground: Battleground, channel: str) -> dict[str, Line]:
    """Two clients whose game has begun, by colour."""
    both = [connect(ground, "Ada", channel)]
    assert both[0].receive(PATIENCE, "OKAY")  # a ping, so she waits
    both[0].send("OKAY")
    both.append(connect(ground, "Bert", channel))
    games = [until(line, "GAME") for line in both]
    assert games[0] == games[1]
    assert {games[0]["white"], games[0]["black"]} == {"Ada", "Bert"}
    found: dict[str, Line] = {}
    order = both if games[0]["white"] == "Ada" else both[::-1]
    for line in order:
        found[line.receive(PATIENCE, "INIT")["colour"]] = line
        line.send("OKAY")
    assert list(found) == ["white", "black"]
    return found


def act(clients: dict[str, Line], colour: str, action: list[Any]) -> None:
    clients[colour].receive(PATIENCE, "TURN")
    clients[colour].send("ACTN", action=action)
    for line in clients.values():
        assert line.receive(PATIENCE, "UPD8") == {"mtype": "UPD8", "colour": colour, "action": action}
        line.send("OKAY")


def test_a_game_of_two_clients(ground: Battleground) -> None:
    clients = begin(ground, "game")
    act(clients, "white", ["MOVE", 1, [0, 1], [0, 2]])
    act(clients, "black", ["BOOM", [7, 7]])
    act(clients, "white", ["BOOM", [0, 2]])
    clients["black"].receive(PATIENCE, "TURN")
    clients["black"].send("ACTN", action=["BOOM", [7, 7]])
    reason = clients["black"].receive(PATIENCE, "ERRO")["reason"]
    assert reason == "Black forfeited (illegal action: 'h8!' is not legal here; Black is to move)"
    assert clients["white"].receive(PATIENCE, "OVER") == {"mtype": "OVER", "result": "winner: white"}


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (b'{"mtype":"ACTN","action":["MOVE",1,[0,1],[0,9]]}\n', "illegal action: ('MOVE', 1, (0, 1), (0, 9)) is no action on the board"),
        (b'{"mtype":"OKAY"}\n', 'bad answer: no ACTN: {"mtype":"OKAY"}'),
        (b"hello\n", "bad answer: not JSON: hello"),
    ],
)
def test_who_breaks_the_protocol_loses(said: bytes, reason: str, ground: Battleground) -> None:
    clients = begin(ground, "broken")
    clients["white"].receive(PATIENCE, "TURN")
    clients["white"]._socket.sendall(said)  # pyright: ignore[reportPrivateUsage]
    assert clients["white"].receive(PATIENCE, "ERRO")["reason"] == f"White forfeited ({reason})"
    assert clients["black"].receive(PATIENCE, "OVER")["result"] == "winner: black"


def test_who_vanishes_loses(ground: Battleground) -> None:
    clients = begin(ground, "gone")
    act(clients, "white", ["MOVE", 1, [0, 1], [0, 2]])
    clients["white"].close()
    clients["black"].receive(PATIENCE, "TURN")
    clients["black"].send("ACTN", action=["BOOM", [7, 7]])
    clients["black"].receive(PATIENCE, "UPD8")
    clients["black"].send("OKAY")
    assert clients["black"].receive(PATIENCE, "OVER")["result"] == "winner: black"


def test_who_goes_while_it_waits_is_met_by_nobody(ground: Battleground) -> None:
    connect(ground, "Ada", "early").close()
    clients = begin(ground, "early")
    clients["white"].close()
    assert clients["black"].receive(PATIENCE, "OVER")["result"] == "winner: black"


def test_who_fails_while_somebody_comes_is_met_by_nobody(ground: Battleground) -> None:
    ada = connect(ground, "Ada", "late")
    ada.receive(PATIENCE, "OKAY")  # a ping: her thread waits for the answer, and Bert's for her thread
    bert = connect(ground, "Bert", "late")
    ada.send("ACTN")
    assert ada.receive(PATIENCE, "ERRO")["reason"] == 'bad answer: no OKAY: {"mtype":"ACTN"}'
    assert bert.receive(PATIENCE, "OKAY")  # a ping: he waits


def test_what_is_no_greeting_is_refused(ground: Battleground) -> None:
    line = Line(socket.create_connection(ground.server_address[:2], PATIENCE))
    line.send("PLAY", name=7)
    assert line.receive(PATIENCE, "ERRO")["reason"] == "PLAY has a name and a channel, which are texts"


def test_any_player_joins_and_meets_the_channels_player(ground: Battleground, tmp_path: Path) -> None:
    host, port = str(ground.server_address[0]), int(ground.server_address[1])
    said: list[str] = []
    assert join(host, port, program("greedy", ground.game), "Me", "random", said.append) in ("winner: white", "winner: black")
    assert said in (["Me has White, random has Black"], ["random has White, Me has Black"])
    write_package(tmp_path, "walks", WALKS)
    walks = program("class:walks", ground.game, Conditions(folder=tmp_path, sandbox="off"))
    with pytest.raises(PlayerFailed, match="is not legal here"):  # where somebody stands, or where its token is no more
        join(host, port, walks, "Me", "greedy", said.append)


def test_nobody_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert run(["expendibots", "join", "127.0.0.1", "greedy", "Me", "--port", str(port)]) == 2
    assert capsys.readouterr().err == f"error: 127.0.0.1:{port} cannot be reached: Connection refused\n"
