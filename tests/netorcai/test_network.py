"""Over TCP: with the client library that bots use, with our own clients, and with those who misbehave."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

import netorcai.client
import pytest

from ludarium.errors import BadOption, ProtocolError
from ludarium.netorcai.client import Channel, GameEnds, GameStarts, Turn, join, log_in
from ludarium.netorcai.connection import address_of
from ludarium.netorcai.game_logic import serve_logic
from ludarium.netorcai.messages import VISUALIZATION, message
from ludarium.netorcai.server import ANYWHERE, listen
from tests.folders import DOCS
from tests.netorcai.lab import Counter
from tests.netorcai.live import PATIENCE, Live, read_all, send

LOGIN = json.dumps({"message_type": "LOGIN", "nickname": "bob", "role": "player", "metaprotocol_version": "2.0.0"}).encode()


@contextmanager
def beside(*tasks: Callable[[], Any]) -> Iterator[list[Future[Any]]]:
    """Run functions in threads; their results are there in the end, and what they raised is raised."""
    with ThreadPoolExecutor(len(tasks)) as pool:
        futures = [pool.submit(task) for task in tasks]
        yield futures
    for future in futures:
        future.result()


class Recorder:
    """Does what it is told, and remembers what it saw."""

    def __init__(self, actions: list[Any] | None = None) -> None:
        self.actions = actions or []
        self.begun: GameStarts | None = None
        self.turns: list[Turn] = []
        self.ended: GameEnds | None = None

    def start(self, start: GameStarts) -> None:
        self.begun = start

    def turn(self, turn: Turn) -> list[Any]:
        self.turns.append(turn)
        return self.actions

    def end(self, end: GameEnds) -> None:
        self.ended = end


# The library that bots use.


def library_player(port: int, actions: list[Any]) -> dict[str, Any]:
    client = netorcai.client.Client()
    client.connect("127.0.0.1", port)
    client.send_login("libplayer", "player")
    client.read_login_ack()
    starts = client.read_game_starts()
    seen = [starts.initial_game_state]
    for number in range(starts.nb_turns_max - 1):
        turn = client.read_turn()
        assert turn.turn_number == number
        seen.append(turn.game_state)
        client.send_turn_ack(turn.turn_number, actions)
    ends = client.read_game_ends()
    client.close()
    return {"id": starts.player_id, "seen": seen, "winner": ends.winner_player_id, "last": ends.game_state}


def library_logic(port: int) -> list[list[tuple[int, int, list[Any]]]]:
    """Adds up what players send."""
    client = netorcai.client.Client()
    client.connect("127.0.0.1", port)
    client.send_login("liblogic", "game logic")
    client.read_login_ack()
    init = client.read_do_init()
    assert (init.nb_players, init.nb_special_players) == (2, 0)
    client.send_do_init_ack({"all_clients": {"sum": 0}})
    heard, total = [], 0
    for _ in range(init.nb_turns_max):
        turn = client.read_do_turn()
        heard.append([(one.player_id, one.turn_number, one.actions) for one in turn.player_actions])
        total += sum(sum(one.actions) for one in turn.player_actions)
        client.send_do_turn_ack({"all_clients": {"sum": total}}, heard[-1][-1][0] if heard[-1] else -1)
    client.close()
    return heard


@pytest.mark.parametrize("fast", [True, False])
def test_the_library_plays_a_game(fast: bool) -> None:
    with (
        Live(turns=4, fast=fast, delay_turns=100) as live,
        beside(lambda: library_player(live.port, [1]), lambda: library_player(live.port, [10]), lambda: library_logic(live.port)) as (
            first,
            second,
            logic,
        ),
    ):
        pass
    assert {first.result()["id"], second.result()["id"]} == {0, 1}
    assert first.result()["seen"] == second.result()["seen"] == [{"sum": 0}, {"sum": 0}, {"sum": 11}, {"sum": 22}]
    assert first.result()["last"] == {"sum": 33}
    assert first.result()["winner"] in (0, 1)
    assert [len(turn) for turn in logic.result()] == [0, 2, 2, 2]
    assert live.code == 0


def test_the_library_is_told_why_it_is_kicked() -> None:
    with Live(Counter(), players=0, visualizations=1) as live:
        client = netorcai.client.Client()
        client.connect("127.0.0.1", live.port)
        client.send_login("libplayer", "player")
        with pytest.raises(RuntimeError, match="Maximum number of players reached"):
            client.read_login_ack()
        client.close()
        live.loop.call_soon_threadsafe(live.server.orchestrator.quit)


# Our own clients.


def test_our_clients_and_our_logic_meet_over_the_network() -> None:
    player, special, viewer, logic = Recorder(["x"]), Recorder(["y"]), Recorder(), Counter()
    with (
        Live(turns=5, players=1, special_players=1, visualizations=1) as live,
        beside(
            lambda: join(player, "127.0.0.1", live.port, nickname="ann", timeout=PATIENCE),
            lambda: join(special, "127.0.0.1", live.port, nickname="sue", role="special player", timeout=PATIENCE),
            lambda: join(viewer, "127.0.0.1", live.port, nickname="vic", role=VISUALIZATION, timeout=PATIENCE),
            lambda: serve_logic(logic, "127.0.0.1", live.port, nickname="counter", timeout=PATIENCE),
        ),
    ):
        pass
    assert logic.begun == (1, 1, 5)
    assert [sorted((one.player_id, one.actions[0]) for one in turn) for turn in logic.turns[1:]] == [[(0, "y"), (1, "x")]] * 4
    assert player.begun is not None
    assert (player.begun.player_id, player.begun.turns, player.begun.players, player.begun.state) == (1, 5, 1, {"turns": 0})
    assert player.begun.delay_first_turn == 0.05
    assert [(turn.number, turn.state, turn.players_info) for turn in player.turns] == [(n, {"turns": n + 1}, ()) for n in range(4)]
    assert viewer.begun is not None
    assert viewer.begun.player_id == -1
    assert [(one.player_id, one.nickname) for one in viewer.turns[0].players_info] == [(0, "sue"), (1, "ann")]
    assert player.ended is not None
    assert player.ended.state == {"turns": 5}
    assert live.code == 0


def test_clients_say_what_went_wrong() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(ProtocolError, match=f"cannot connect to 127.0.0.1, port {port}") as unreachable:
        Channel("127.0.0.1", port)
    assert unreachable.value.code == "unreachable"

    with Live(Counter(), players=1, visualizations=1) as live:
        with pytest.raises(ProtocolError, match="Invalid nickname") as kicked:
            join(Recorder(), "127.0.0.1", live.port, nickname="much too long a name")
        assert kicked.value.code == "kicked"
        with pytest.raises(ProtocolError, match="A game logic is already logged in"):
            serve_logic(Counter(), "127.0.0.1", live.port, nickname="other")
        with Channel("127.0.0.1", live.port, timeout=PATIENCE) as channel:
            log_in(channel, "ann", "player")
            live.loop.call_soon_threadsafe(live.server.orchestrator.quit)
            with pytest.raises(ProtocolError, match="netorcai abort"):
                channel.receive_message("GAME_STARTS")


def test_a_logic_that_raises_reaches_whoever_serves_it() -> None:
    class Broken(Counter):
        def initial_state(self, players: int, special_players: int, turns: int) -> dict[str, Any]:
            raise BadOption(f"{players} are too many players for this map")

    with Live(Broken(), players=1) as live, pytest.raises(ProtocolError, match="netorcai abort"):
        join(Recorder(), "127.0.0.1", live.port, nickname="ann", timeout=PATIENCE)
    assert str(live.failure) == "1 are too many players for this map"


def test_the_examples_of_the_page_play_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    page = DOCS / "netorcai.md"
    logic, bot = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(logic, names)
    with Live(names["Sum"](), players=1, turns=3) as live:
        exec(bot.replace("4242", str(live.port)), names)
    assert capsys.readouterr().out == "winner: -1\n"


# Those who misbehave.


RUBBISH = [
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"\xff" * 4096,
    b"\x05\x00\x00\x00hello",
    b"\x02\x00",
    b"\x00\x00\x00\x00" * 100,
    b"\x10\x00\x00\x00[[[[[[[[[[[[[[[[",
    b"",
]


def test_a_thousand_connections_with_rubbish_do_not_disturb_a_game() -> None:
    turns = 1000
    all_sent = threading.Event()

    class Last(Recorder):
        """Ends the game no sooner than all rubbish has been sent."""

        def turn(self, turn: Turn) -> list[Any]:
            if turn.number == turns - 2:
                assert all_sent.wait(PATIENCE)
            return super().turn(turn)

    players = [Recorder(), Recorder(), Last()]
    with (
        Live(Counter(), players=3, turns=turns) as live,
        beside(*(lambda one=one: join(one, "127.0.0.1", live.port, nickname="bot", timeout=PATIENCE) for one in players)),
    ):
        rude: deque[socket.socket] = deque()
        for number in range(1000):
            rude.append(live.connect())
            with suppress(OSError):  # it may have been thrown out already
                rude[-1].sendall(RUBBISH[number % len(RUBBISH)])
            if len(rude) > 300:
                rude.popleft().close()
        all_sent.set()
    for connection in rude:
        connection.close()
    for player in players:
        assert [turn.number for turn in player.turns] == list(range(turns - 1))
    assert live.code == 0


def test_a_reader_that_stalls_does_not_stop_a_game() -> None:
    class Large(Counter):
        def turn(self, players_actions: Any) -> tuple[bytes, int]:
            super().turn(players_actions)
            return b'{"large":"%b"}' % (b"x" * 2_000_000), -1

    player = Recorder()
    with Live(Large(), players=1, visualizations=1, turns=20) as live, socket.socket() as stalled:
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stalled.connect(("127.0.0.1", live.port))
        send(stalled, LOGIN.replace(b'"player"', b'"visualization"'))
        join(player, "127.0.0.1", live.port, nickname="ann", timeout=PATIENCE)
    assert [turn.number for turn in player.turns] == list(range(19))
    assert live.code == 0


def test_a_kick_reaches_those_who_have_much_more_to_say() -> None:
    """A connection that is closed while unread data waits is reset by the system, and the reason would be lost."""
    with Live(Counter(), players=1) as live:
        connection = live.connect()
        connection.sendall((2**20).to_bytes(4, "little") + b"x" * 2**20)
        assert b"does not fit in 10 bits" in read_all(connection)
        connection.close()
        live.loop.call_soon_threadsafe(live.server.orchestrator.quit)


def test_messages_may_arrive_in_pieces_and_in_bunches() -> None:
    with Live(Counter(), players=1, turns=3) as live:
        connection = live.connect()
        for byte in len(LOGIN).to_bytes(4, "little") + LOGIN:
            connection.sendall(bytes([byte]))
        everything = b""
        while b'"turn_number":0' not in everything:
            everything += connection.recv(65_536)
        acknowledgement = message(message_type="TURN_ACK", turn_number=0, actions=[])
        connection.sendall(acknowledgement + acknowledgement)
        everything += read_all(connection)
        connection.close()
    assert b"client state is not THINKING" in everything or b"expecting 1" in everything


@pytest.mark.parametrize(
    ("peer", "written"),
    [
        (("127.0.0.1", 4242), "127.0.0.1:4242"),
        (("::ffff:10.0.0.7", 1, 0, 0), "10.0.0.7:1"),
        (("::1", 4242, 0, 0), "[::1]:4242"),
        (None, ""),
    ],
)
def test_addresses_are_written_as_netorcai_does(peer: object, written: str) -> None:
    assert address_of(peer) == written


def test_all_addresses_of_this_computer() -> None:
    with listen(ANYWHERE, 0) as listener, socket.create_connection(("127.0.0.1", listener.getsockname()[1]), PATIENCE) as connection:
        accepted, peer = listener.accept()
        accepted.close()
        assert address_of(peer) == f"127.0.0.1:{connection.getsockname()[1]}"


def test_an_address_that_cannot_be_had() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BadOption, match=f"cannot listen on 127.0.0.1, port {port}: "):
            listen("127.0.0.1", port)
    with pytest.raises(BadOption, match="cannot listen on no such host, port 1: "):
        listen("no such host", 1)
