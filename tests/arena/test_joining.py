"""Players of this computer on a ladder elsewhere."""

from __future__ import annotations

import json
import math
import re
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import Request, Response, ServerConnection, serve

import ludarium
from ludarium.arena import play_game
from ludarium.arena.joining import Ladder, Seat, join, joining, ladder_of, seat_of
from ludarium.arena.joining.addresses import options_of
from ludarium.arena.joining.keys import keep_key, kept_key
from ludarium.arena.joining.seats import BuiltIn
from ludarium.cli.entry import run
from ludarium.core.game import Game
from ludarium.core.timeline import Timeline
from ludarium.errors import BadNotation, BadOption, PlayerCrashed, PlayerFailed, ProtocolError
from ludarium.players import PlayerKind, PlayerSpec, never, parse_player
from ludarium.players.programs import Conditions
from ludarium.players.programs.messages import HELLO
from ludarium.players.programs.player import ProgramPlayer
from ludarium.players.programs.program import Program
from tests.players.programs.bots import eventually, write_bot
from tests.web.live import PATIENCE, Live


class Link:
    """Leads from a judge to somebody: nothing but messages."""

    def __init__(self, send: Callable[[bytes], None], receive: Callable[[], bytes]) -> None:
        self._send, self._receive = send, receive

    def send(self, message: bytes, *_: Any) -> None:
        self._send(message)

    def receive(self, *_: Any) -> bytes:
        return self._receive()

    def said_unasked(self) -> bytes:
        return b""

    def is_lost(self) -> bool:
        return False

    def is_outdated(self) -> bool:
        return False

    def last_words(self) -> str:
        return ""

    def cpu_seconds(self) -> float:
        return 0.0

    def log_to(self, path: Path | None) -> None: ...

    def go(self) -> None: ...

    rest = end = go


class Lender:
    """Lends one program, again and again."""

    def __init__(self, link: Link) -> None:
        self._program = Program(link)

    def borrow(self) -> Program:
        return self._program

    def give_back(self, program: Program) -> None: ...


def lent(link: Link) -> PlayerSpec:
    lender = Lender(link)
    return PlayerSpec("lent", PlayerKind("lent", "", (), lambda game, options, seed: ProgramPlayer(lender, seed)), {}, is_program=True)


def to_seat(seat: Seat) -> Link:
    answers: list[bytes | None] = []

    def answer() -> bytes:
        found = answers.pop()
        assert found is not None
        return found

    return Link(lambda line: answers.append(seat.hear(json.loads(line), line.strip(), never)), answer)


def at_the_board(text: str, game: Game) -> PlayerSpec:
    """The same player, with the seed that a bot is told."""
    spec = parse_player(text, game)
    kind = spec.kind
    assert kind is not None
    return PlayerSpec(text, PlayerKind(text, "", (), lambda game, _, seed: kind.make(game, spec.options, seed >> 11)), {})


def actions(timeline: Timeline) -> list[Any]:
    assert timeline.events[-2]["event"] != "forfeit", timeline.events[-2]
    return [{key: value for key, value in event.items() if key != "seconds"} for event in timeline.events]


@pytest.mark.parametrize(
    ("game", "options", "player"),
    [
        ("expendibots", {"turn_limit": 12, "repetition": "board"}, "alphabeta:depth=2"),
        ("expand-conquer", {"rows": 3, "columns": 4, "start": "O***|****|***X"}, "sentestrat"),
        ("hexabomb", {"turns": 4}, "painter"),
        ("roboderby", {"players": 2, "board": "first-lap", "turn_limit": 3}, "greedy"),
        ("liars-dice", {"players": 2, "dice": 2}, "mcts:sims=40"),
        ("test-cups", {}, "random"),
    ],
)
def test_a_built_in_player_plays_by_messages_as_at_the_board(cups: str, game: str, options: dict[str, Any], player: str) -> None:
    """Although it knows no more of hidden things than the messages tell."""
    played = ludarium.game(game, **options)
    for seat in range(2):
        others = ["random"] * (played.players - 1)
        by_messages = play_game(played, [*others[:seat], lent(to_seat(BuiltIn(player))), *others[seat:]], seed=5)
        at_board = play_game(played, [*others[:seat], at_the_board(player, played), *others[seat:]], seed=5)
        assert actions(by_messages) == actions(at_board)


def test_a_built_in_player_takes_no_more_than_its_clock_has() -> None:
    seat = BuiltIn("alphabeta:time=60s")
    start = ludarium.game("expendibots").start()
    seat.hear({"type": "game", "game": "expendibots", "options": {}, "position": start.text, "seat": 0, "seed": 1}, b"", never)
    turn: dict[str, Any] = {"type": "turn", "from": 1, "events": [], "ply": 0, "position": start.text}
    answer = seat.hear(turn | {"clock": {"left": 0.01, "increment": 0.0, "per": "action"}}, b"", never)
    assert answer is not None
    assert json.loads(answer)["action"] in start.legal()


def test_no_server_has_files_of_this_computer_read() -> None:
    message = {"type": "game", "game": "hexabomb", "options": {"map": "/etc/hostname"}, "position": "", "seat": 0, "seed": 1}
    with pytest.raises(BadOption, match="map='/etc/hostname' is not one of"):
        BuiltIn("painter").hear(message, b"", never)


LATE = {"type": "result", "returns": [-1.0, 1.0], "reason": "X forfeits: timeout: no answer in time"}
GOODBYE = {"type": "quit", "reason": "timeout: no answer in time", "come_back": True}


class Server:
    """A ladder of Tic-tac-toe, where everybody meets a built-in player."""

    def __init__(self) -> None:
        self.joined: list[dict[str, Any]] = []
        self.games: list[Timeline] = []

    def __call__(self, connection: ServerConnection) -> None:
        asked = json.loads(connection.recv())
        self.joined.append(asked)
        if asked["name"] == "taken":
            connection.send(json.dumps({"type": "refused", "code": "bad_key", "reason": "the name 'taken' is\ntaken"}))
            return
        if asked["name"] == "nonsense":
            connection.send("[]")
            return
        if asked["name"] == "replaced":
            connection.send('{"type": "joined", "name": "replaced", "key": "k"}')
            connection.send(json.dumps({"type": "quit", "reason": "another one has come", "come_back": len(self.joined) < 2}))
            return
        if asked["name"] == "late":
            connection.send('{"type": "joined", "name": "late", "key": "k"}')
            connection.send(json.dumps(HELLO))
            connection.recv()
            names: dict[str, Any] = {"names": ["late", "House"], "ratings": [-12.3, 40.7], "ranks": [2, 1]}
            alone = {"type": "waiting", "reason": "nobody is here"}
            for message in (
                alone,
                {"type": "game", "seat": 0, "players": ["X", "O"]} | names,
                {"type": "turn", "clock": None},
                LATE,
                GOODBYE,
            ):
                connection.send(json.dumps(message))
            return
        connection.send(json.dumps({"type": "joined", "name": asked["name"], "key": f"key of {asked['name']}"}))
        with suppress(PlayerFailed, ConnectionClosed):
            bot = lent(Link(lambda line: connection.send(line.decode().strip()), lambda: str(connection.recv(30)).encode()))
            self.games.append(play_game(ludarium.game("tic-tac-toe"), [bot, "random"], seed=1))


@pytest.fixture(scope="module")
def listening() -> Iterator[tuple[list[Server], str]]:
    handlers: list[Server] = []
    with serve(lambda connection: handlers[-1](connection), "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield handlers, f"http://127.0.0.1:{server.socket.getsockname()[1]}/ladder/tic-tac-toe"
        server.shutdown()
        thread.join()


@pytest.fixture
def server(listening: tuple[list[Server], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Server, str]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(joining, "PAUSES", (0.0,))
    listening[0].append(Server())  # what is still said to those before does not matter any more
    return listening[0][-1], listening[1]


def test_a_program_joins_plays_and_comes_again(server: tuple[Server, str], tmp_path: Path) -> None:
    ladder, url = server
    bot = write_bot(tmp_path, "for message in turns(): act(message)")
    said: list[str] = []
    join(ladder_of(url), "Zoë", None, seat_of(bot, ladder_of(url), Conditions()), said.append, lambda: len(ladder.games) >= 2)
    assert [one["key"] for one in ladder.joined] == [None, "key of Zoë"]
    assert ladder.joined[0] == {"type": "join", "protocol": 1, "name": "Zoë", "key": None}
    assert all(game.events[-2]["event"] == "action" for game in ladder.games)
    host = url.removeprefix("http://").partition("/")[0]
    assert said[0] == f"joined the ladder of tic-tac-toe at {host} as Zoë"
    (kept,) = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert said[1] == f"the key of this name is kept in {kept}"
    assert kept.read_text() == "key of Zoë\n"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert said[2] == "game as player 0 (X)"
    outcome = ladder.games[0].outcome
    assert outcome is not None
    assert said[3] == f"{'won' if outcome.winner == 0 else 'lost' if outcome.winner == 1 else 'draw'}: {outcome.reason}"
    assert "has closed the connection: 1000 (OK)" in said[4]
    assert said[5:7] == ["joining again in 0 s", "joined again"]


def test_a_built_in_player_joins_and_a_key_that_is_given_is_not_kept(server: tuple[Server, str], tmp_path: Path) -> None:
    ladder, url = server
    make_seat = seat_of("alphabeta:depth=2", ladder_of(url), Conditions())
    join(ladder_of(url), "built-in", "mine", make_seat, lambda _: None, lambda: bool(ladder.games))
    assert ladder.joined[0]["key"] == "mine"
    assert ladder.games[0].events[-2]["event"] == "action"
    assert not (tmp_path / "data").exists()


def test_who_fails_loses_the_connection_and_comes_again(server: tuple[Server, str], tmp_path: Path) -> None:
    ladder, url = server
    bot = write_bot(tmp_path, "for message in turns(): sys.exit('no idea')")
    said: list[str] = []
    make_seat = seat_of(bot, ladder_of(url), Conditions())
    join(ladder_of(url), "weak", None, make_seat, said.append, lambda: len(ladder.joined) >= 2)
    assert f"{bot} ended with exit code 1; it last wrote to its standard error: no idea" in said


def test_who_lost_while_its_program_hangs_is_told_at_once(
    server: tuple[Server, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the program, which has any time."""
    monkeypatch.setattr("ludarium.arena.joining.seats.LONGEST_START", math.inf)
    ladder, url = server
    bot = write_bot(tmp_path, "for message in turns(): time.sleep(1000)")
    said: list[str] = []
    make_seat = seat_of(bot, ladder_of(url), Conditions())
    join(ladder_of(url), "late", "k", make_seat, said.append, lambda: len(ladder.joined) >= 2)
    assert said[1:5] == [
        "waiting: nobody is here",
        "game against House (41) as player 0 (X); your rating -12, rank 2",
        "lost: X forfeits: timeout: no answer in time",
        "timeout: no answer in time",
    ]


def test_pauses_grow_while_the_player_cannot_play(server: tuple[Server, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joining, "PAUSES", (0.0, 0.001, 0.002))
    said: list[str] = []
    starts = 0

    def make_seat() -> Seat:
        nonlocal starts
        starts += 1
        if starts > 1:
            raise PlayerCrashed("crash: it is gone")
        return BuiltIn("random")

    join(ladder_of(server[1]), "gone", "k", make_seat, said.append, lambda: starts > 3)
    assert said[-4:] == ["it is gone", "joining again in 0.002 s", "it is gone", "joining again in 0.002 s"]
    assert said[-6:-4] == ["it is gone", "joining again in 0.001 s"]


def test_who_is_stopped_answers_nothing_more(server: tuple[Server, str]) -> None:
    asked = 0

    class Stopped:
        """Answers at once when it is to stop, as built-in players do."""

        def hear(self, message: dict[str, Any], line: bytes, interrupted: Callable[[], bool]) -> bytes | None:
            nonlocal asked
            asked += message["type"] == "turn"
            if message["type"] == "hello":
                return b'{"type":"ready"}'
            return b'{"type":"action","action":0}' if message["type"] == "turn" else None

        def close(self) -> None: ...

    said: list[str] = []
    join(ladder_of(server[1]), "stopped", "k", Stopped, said.append, lambda: asked > 0)
    assert asked == 1
    assert said[-1] == "left in the middle of a game, which is lost"


def test_on_a_real_ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(joining, "PAUSES", (0.0,))
    bot = write_bot(tmp_path, "for message in turns(): act(message)")
    said: dict[str, list[str]] = {bot: [], "alphabeta:depth=1": []}

    def finished(lines: list[str]) -> int:
        return sum(line.startswith(("won: ", "lost: ", "draw: ")) for line in lines)

    def play(spec: str, name: str) -> None:
        ladder = ladder_of(f"{live.address}/")
        join(ladder, name, None, seat_of(spec, ladder, Conditions()), said[spec].append, lambda: min(map(finished, said.values())) >= 2)

    with Live(tmp_path / "server", ladders=["tic-tac-toe"], ladder_names="before") as live:
        threads = [threading.Thread(target=play, args=(spec, f"Player {number}")) for number, spec in enumerate(said)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()

        def in_table() -> set[str]:
            return {row["name"] for row in live.http.get("/api/ladder/tic-tac-toe").json()["table"]}

        assert eventually(lambda: in_table() == {"Player 0", "Player 1"})  # who has left is there once a game is in the store
    games = [[re.sub(r" \(-?\d+\)(?= as)|;.*", "", line) for line in lines if line.startswith("game ")][:2] for lines in said.values()]
    assert sorted(games[0]) == ["game against Player 1 as player 0 (X)", "game against Player 1 as player 1 (O)"]
    assert sorted(games[1]) == ["game against Player 0 as player 0 (X)", "game against Player 0 as player 1 (O)"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("taken", "refused: the name 'taken' is\\ntaken"),
        ("nonsense", "the server sent what is no message: []"),
        ("replaced", "has ended this: another one has come"),
    ],
)
def test_who_is_refused_is_told_in_one_line(server: tuple[Server, str], capsys: pytest.CaptureFixture[str], name: str, words: str) -> None:
    assert run(["join", server[1], "random", "--name", name, "--key", "\udcff"]) == 2
    said = capsys.readouterr()
    assert [line for line in said.out.splitlines() if "join" not in line and "key" not in line] == ["another one has come"] * (
        name == "replaced"
    )
    assert said.err.startswith("error: ")
    assert said.err.endswith(f"{words}\n")
    assert said.err.count("\n") == 1


def test_who_comes_to_another_address_is_told_where_its_key_is(server: tuple[Server, str], capsys: pytest.CaptureFixture[str]) -> None:
    """A server that has moved is another one to whoever keeps keys."""
    kept = keep_key(Ladder("elsewhere:8000", "tic-tac-toe", "ws://elsewhere:8000/api/ladder/tic-tac-toe"), "Taken", "k")
    assert run(["join", server[1], "random", "--name", "taken"]) == 2
    assert capsys.readouterr().err.endswith(
        f"taken; of another address its key is kept in {kept}: if that was this ladder, join with --key\n"
    )


def test_a_name_of_nothing_has_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    ladder = Ladder("host", "tic-tac-toe", "ws://host/api/ladder/tic-tac-toe")
    keep_key(ladder, "Taken", "k")
    assert (kept_key(ladder, "taken"), kept_key(ladder, "")) == ("k", None)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["http://127.0.0.1:1/ladder/tic-tac-toe", "random"],
            "ws://127.0.0.1:1/api/ladder/tic-tac-toe cannot be reached: Connection refused",
        ),
        (["http://127.0.0.1:1", "random"], "http://127.0.0.1:1 cannot be reached: Connection refused"),
        (["http://127.0.0.1:1/ladder/chess", "random"], "game 'chess' is not one of"),
        (["http://127.0.0.1:1/ladder/tic-tac-toe", "human"], "'human' is a person"),
        (["http://127.0.0.1:1/ladder/tic-tac-toe", "./none.py"], "there is no such file"),
    ],
)
def test_what_the_command_refuses(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["join", *arguments, "--name", "me"]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "server", "socket"),
    [
        ("http://host:8000/ladder/tic-tac-toe", "host:8000", "ws://host:8000/api/ladder/tic-tac-toe"),
        ("Host:8000/ladder/tic-tac-toe/", "host:8000", "ws://Host:8000/api/ladder/tic-tac-toe"),
        (
            "https://play.example.org/arena/ladder/tic-tac-toe/Zoë",
            "play.example.org/arena",
            "wss://play.example.org/arena/api/ladder/tic-tac-toe",
        ),
        ("ws://[::1]:8000/api/ladder/tic-tac-toe", "[::1]:8000", "ws://[::1]:8000/api/ladder/tic-tac-toe"),
    ],
)
def test_addresses(text: str, server: str, socket: str) -> None:
    found = ladder_of(text)
    assert (found.server, found.game, found.socket) == (server, "tic-tac-toe", socket)


@pytest.mark.parametrize(
    ("listed", "found"),
    [
        ([{"game": "tic-tac-toe"}], "tic-tac-toe"),
        ([{"game": "a"}, {"game": "b"}], "has 2 ladders; name one: http://HERE/ladder/a, http://HERE/ladder/b"),
        ([], "has no ladder"),
        ([{"game": "../x"}], "does not say which ladders it has"),
        (None, "does not say which ladders it has: Not Found"),
    ],
)
def test_a_server_is_asked_which_ladder_it_has(listed: Any, found: str) -> None:
    def answer(connection: ServerConnection, request: Request) -> Response:
        told = {"/api/ladder": listed, "/api/ladder/tic-tac-toe": {"options": {"size": 3}}}.get(request.path)
        return connection.respond(HTTPStatus.NOT_FOUND if told is None else HTTPStatus.OK, json.dumps(told))

    with serve(lambda _: None, "127.0.0.1", 0, process_request=answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        here = f"127.0.0.1:{server.socket.getsockname()[1]}"
        try:
            ladder = ladder_of(f"http://{here}/")
            said = ladder.game
            assert options_of(ladder) == {"size": 3}
            assert options_of(replace(ladder, socket=f"{ladder.socket}-not")) == {}
        except (BadNotation, ProtocolError) as problem:
            said = str(problem)
        server.shutdown()
        thread.join()
    assert said.endswith(found.replace("HERE", here))


@pytest.mark.parametrize(
    "text",
    ["", "http://", "ftp://host/ladder/x", "http://host:many/ladder/x", "http://[::1/ladder/x", "http:///ladder/x"],
)
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(BadNotation, match="is not the address of a ladder"):
        ladder_of(text)
