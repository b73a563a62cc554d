"""hexabomb over the network: served to the client library that bots use, as a game logic, and joined by players from here."""

from __future__ import annotations

import json
import random
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import netorcai.client
import pytest
from rich.console import Console

from ludarium.cli.entry import run
from ludarium.core.record import read_record
from ludarium.errors import BadOption, ProtocolError, StoreError
from ludarium.games.hexabomb import simulate
from ludarium.games.hexabomb.maps import load_map
from ludarium.labs.hexabomb.network import player_agent
from ludarium.labs.hexabomb.serving import view
from ludarium.labs.hexabomb.serving.logic import MOST_ORDERS, HexabombLogic
from ludarium.labs.hexabomb.serving.record import GameRecord
from ludarium.labs.hexabomb.serving.scores import score_line
from ludarium.netorcai.client import GameStarts
from ludarium.netorcai.client import Turn as ClientTurn
from ludarium.netorcai.events import Aborted, Event, GameEnded, GameStarted, PlayerInfo, PlayersChanged, TurnPlayed
from ludarium.netorcai.messages import PlayerActions, message
from tests.folders import ROOT

PATIENCE = 60.0
DIRECTIONS = ("x+", "y+", "z+", "x-", "y-", "z-")
ANN, BOB = PlayerInfo(0, "ann", "127.0.0.1:1", True), PlayerInfo(1, "bob", "127.0.0.1:2", False)


@contextmanager
def program(*arguments: str, typed: int = subprocess.DEVNULL) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A running program that serves, and the port that it listens on."""
    command = [sys.executable, "-m", "ludarium", *arguments, "--port", "0"]
    with subprocess.Popen(command, stdin=typed, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            heard = ""
            while (found := re.search(r"address=\S*?:(\d+)", heard)) is None:
                line = process.stderr.readline()
                assert line, heard
                heard += line
            yield process, int(found[1])
        finally:
            process.kill()


@contextmanager
def beside(*tasks: Callable[[], Any]) -> Iterator[list[Future[Any]]]:
    """Run functions in threads; what they raised is raised in the end."""
    with ThreadPoolExecutor(len(tasks)) as pool:
        futures = [pool.submit(task) for task in tasks]
        yield futures
    for future in futures:
        future.result()


def random_orders(state: dict[str, Any], color: int, choice: random.Random) -> list[dict[str, Any]]:
    """An order for each character, possible or not."""
    orders: list[dict[str, Any]] = []
    for character in state["characters"]:
        if character["color"] == color:
            number = {"id": character["id"]}
            orders.append(
                choice.choice(
                    [
                        number | {"movement": "move", "direction": choice.choice(DIRECTIONS)},
                        number | {"movement": "bomb", "bomb_delay": choice.randint(2, 5), "bomb_range": choice.randint(2, 4)},
                        number | {"movement": "revive"},
                    ]
                )
            )
    choice.shuffle(orders)
    return orders


def library_client(port: int, nickname: str, role: str = "player", turns: int | None = None) -> dict[str, Any]:
    """A bot, as people write one with the library from PyPI; everything that it saw. It leaves after so many turns."""
    choice = random.Random(nickname)
    client = netorcai.client.Client()
    client.connect("127.0.0.1", port)
    client.send_login(nickname, role)
    client.read_login_ack()
    starts = client.read_game_starts()
    seen, sent = [starts.initial_game_state], []
    for _ in range(starts.nb_turns_max - 1 if turns is None else turns):
        turn = client.read_turn()
        seen.append(turn.game_state)
        sent.append(random_orders(turn.game_state, starts.player_id + 1, choice))
        client.send_turn_ack(turn.turn_number, sent[-1])
    if turns is None:
        ends = client.read_game_ends()
        seen.append(ends.game_state)
        winner = ends.winner_player_id
    else:
        winner = None
    client.close()
    return {"id": starts.player_id, "seen": seen, "sent": sent, "winner": winner}


def library_viewer(port: int, nickname: str) -> dict[str, Any]:
    """A viewer of that library. One that is slow is not waited for: it misses turns."""
    client = netorcai.client.Client()
    client.connect("127.0.0.1", port)
    client.send_login(nickname, "visualization")
    client.read_login_ack()
    starts = client.read_game_starts()
    while (message := client.recv_json())["message_type"] == "TURN":
        client.send_turn_ack(message["turn_number"], [])
    assert message["message_type"] == "GAME_ENDS"
    client.close()
    return {"id": starts.player_id, "seen": [message["game_state"]]}


def unordered(state: dict[str, Any]) -> dict[str, Any]:
    """A state whose bombs stand in no order, without what the common interface adds."""
    bombs = sorted(state["bombs"], key=lambda bomb: (bomb["q"], bomb["r"]))
    return {key: value for key, value in (state | {"bombs": bombs}).items() if key not in ("mode", "turn")}


# Served in one process.


def test_bots_play_and_the_record_gives_the_states_that_they_saw(tmp_path: Path) -> None:
    arguments = ("--map", "glade2", "--turns", "40", "--visualizations", "1", "--fast", "--autostart", "--delay-first-turn", "50")
    with program("hexabomb", "serve", *arguments, "--records", str(tmp_path / "games")) as (process, port):
        with beside(
            lambda: library_client(port, "ann"), lambda: library_client(port, "bob"), lambda: library_viewer(port, "vic")
        ) as futures:
            ann, bob, viewer = (future.result(PATIENCE) for future in futures)
        out, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
    assert {ann["id"], bob["id"], viewer["id"]} == {0, 1, -1}
    assert ann["seen"] == bob["seen"]
    assert viewer["seen"][-1] == ann["seen"][-1]
    (file,) = (tmp_path / "games").iterdir()
    timeline = read_record(file).replay()
    assert [unordered(json.loads(step.state.text)) for step in timeline.steps] == [unordered(state) for state in ann["seen"]]
    assert timeline.outcome is not None
    assert (-1 if timeline.outcome.winner is None else timeline.outcome.winner) == ann["winner"]
    names = read_record(file).header.players
    assert (names[ann["id"]], names[bob["id"]]) == ("ann", "bob")

    assert re.search(r'Order rejected  player_id=\d nickname=ann reason="Character id=\d+ cannot be (moved|revived) \(', errors)
    assert re.search(
        r'Order rejected  player_id=\d nickname=bob reason="Character id=\d+ cannot spawn a bomb \(invalid bomb delay 5\)"', errors
    )
    scores = ann["seen"][-1]["score"]
    assert out.splitlines()[-1] == "turn 40 of 40: " + ", ".join(f"{player} {names[player]} {scores[str(player)]:,}" for player in (0, 1))


def test_an_interrupt_tells_the_clients_and_leaves_a_whole_record(tmp_path: Path) -> None:
    arguments = ("--map", "tiny2", "--players", "1", "--autostart", "--delay-first-turn", "50", "--delay-turns", "50")
    with program("hexabomb", "serve", *arguments, "--records", str(tmp_path)) as (process, port):
        client = netorcai.client.Client()
        client.connect("127.0.0.1", port)
        client.send_login("ann", "player")
        client.read_login_ack()
        client.read_game_starts()
        client.read_turn()
        process.send_signal(signal.SIGINT)
        with pytest.raises(RuntimeError, match="netorcai abort"):
            client.read_turn()
        client.close()
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in errors
    (file,) = tmp_path.iterdir()
    record = read_record(file)
    assert record.notice is None
    assert not record.replay().is_over


def test_it_starts_when_start_is_typed_with_whoever_is_there(tmp_path: Path) -> None:
    arguments = ("--map", "lair4", "--turns", "3", "--special-players", "1", "--fast", "--delay-first-turn", "50")
    with program("hexabomb", "serve", *arguments, "--records", str(tmp_path), typed=subprocess.PIPE) as (process, port):
        with beside(lambda: library_client(port, "ann"), lambda: library_client(port, "sue", "special player")) as futures:
            assert process.stderr is not None
            assert process.stdin is not None
            assert all("Logged in" in process.stderr.readline() for _ in range(2))
            process.stdin.write("set nb-turns-max=5\nstart\n")
            process.stdin.flush()
            ann, sue = (future.result(PATIENCE) for future in futures)
        assert process.wait(PATIENCE) == 0
    assert (sue["id"], ann["id"], ann["winner"]) == (0, 1, 1)
    assert len(ann["seen"]) == 6
    (file,) = tmp_path.iterdir()
    assert read_record(file).header.options["mode"] == "sudden-death"
    assert read_record(file).replay().is_over


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--map", "nowhere"], "File nowhere does not exist"),
        (["--map", "tiny2", "--players", "3"], "Too many players (3) for this map (max=2)."),
        (["--map", "tiny2", "--special-players", "2"], "Having 0 or 1 special player is supported, not more (got 2)"),
        (["--map", "meadow4", "--special-players", "1"], "loaded map does not support sudden death mode"),
        (["--map", "tiny2", "--turns", "0"], "'0' is not a whole number, at least 1"),
        (["--map", "tiny2", "--turn-timeout", "0"], "turn-timeout=0.0 is not a number of seconds above 0"),
        (["--map", "tiny2", "--host", "no such host"], "cannot listen on no such host"),
        ([], "Missing option '--map'"),
    ],
)
def test_what_is_refused(arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hexabomb", "serve", "--records", str(tmp_path), *arguments]) == 2
    output = capsys.readouterr()
    assert output.err.startswith("error: ")
    assert output.err.count("\n") == 1
    assert said in output.err


# As a game logic.


def test_as_a_game_logic_of_another_orchestrator(tmp_path: Path) -> None:
    flags = ("--nb-players-max=1", "--nb-visus-max=0", "--nb-turns-max=30", "--delay-first-turn=50", "--fast", "--autostart")
    with program("netorcai", "orchestrate", *flags) as (process, port):
        command = [sys.executable, "-m", "ludarium", "hexabomb", "logic", "tiny2", "-h", "127.0.0.1", "-p", str(port)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as logic:
            ann = library_client(port, "ann")
            _, errors = logic.communicate(timeout=PATIENCE)
        assert (process.wait(PATIENCE), logic.returncode) == (0, 0)
    turns: list[list[dict[str, Any]]] = [[], *([{"player_id": 0, "actions": actions}] for actions in ann["sent"])]
    rejected: list[str] = []
    states = [state for state, _ in simulate("tiny2", 1, 0, turns, lambda player, reason: rejected.append(f"{reason} (player {player})"))]
    assert ann["seen"] == states
    assert ann["winner"] == 0
    assert errors.splitlines() == [f"Ignoring a character action: {reason}" for reason in rejected]
    assert rejected


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 255, "one map is needed"),
        (["tiny2", "--map", "tiny2"], 255, "one map is needed"),
        (["tiny2", "--nothing"], 255, "No such option: --nothing"),
        (["nowhere"], 1, "File nowhere does not exist"),
        (["tests"], 1, "tests is not a file"),
        (["tiny2", "-p", "x"], 1, "Invalid port: 'x' is not a whole number"),
        (["tiny2", "--port", "65536"], 1, "Invalid port: '65536'"),
    ],
)
def test_a_game_logic_fails_with_the_exit_codes_of_the_original(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert run(["hexabomb", "logic", *arguments]) == code
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert said in error


def test_a_game_logic_without_an_orchestrator(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert run(["hexabomb", "logic", "--map", "tiny2", "--hostname", "127.0.0.1", "-p", str(port)]) == 1
    assert capsys.readouterr().err.startswith("error: Unable to connect socket: ")


def test_very_many_rejected_orders_are_not_all_told(capsys: pytest.CaptureFixture[str]) -> None:
    from ludarium.labs.hexabomb.serving.logic_command import _TalkingLogic

    logic = _TalkingLogic(load_map("tiny2"))
    logic.initial_state(2, 0, 10)
    for _ in range(2):
        logic.turn([PlayerActions(0, 0, [None] * 1000), PlayerActions(1, 0, [{"id": 9, "movement": "revive"}])])
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == ["Ignoring a character action: CharacterActions value is not an object (player 0)"] * 2
    assert lines.count("Ignoring a character action: Character id=9 does not exist (player 1)") == 2
    assert len(lines) == 2 * (16 + 1 + 1)


# Joined by players from here.


def join(port: int, *arguments: str) -> str:
    """Let a player join in a process of its own, and return what it says of the end."""
    command = [sys.executable, "-m", "ludarium", "netorcai", "join", *arguments, "--port", str(port)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=2 * PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_our_players_join(tmp_path: Path) -> None:
    arguments = ("--map", "lair4", "--players", "2", "--special-players", "1", "--turns", "20", "--fast", "--autostart")
    with program("hexabomb", "serve", *arguments, "--records", str(tmp_path)) as (process, port):
        joins = [["random", "--seed", "1"], ["random", "--nickname", "bob"], ["random", "--special", "--nickname", "sue"]]
        with beside(*(lambda one=one: join(port, *one) for one in joins)) as futures:
            lines = [future.result().removesuffix("\n") for future in as_completed(futures)]
        _, errors = process.communicate(timeout=PATIENCE)
    assert len(lines) == 3
    assert any(re.fullmatch(r"random was player [12], (random|player [12]|nobody) has won", line) for line in lines)
    assert any(re.fullmatch(r"sue was player 0, (player [12]|nobody) has won", line) for line in lines)
    # Legal orders can still be refused where another player was quicker; others never are.
    assert not re.search("does not exist|does not have a member|Key not found|invalid bomb|cannot do actions", errors)
    (file,) = tmp_path.iterdir()
    assert sorted(read_record(file).header.players) == ["bob", "random", "sue"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nobody"], "player 'nobody' is not one of: random, "),
        (["human"], "'human' is a person, not a program"),
        (["random", "--game", "go"], "--game 'go' is not one of: hexabomb"),
        (["random", "--port", "0"], "'0' is not a whole number, at least 1"),
        (["random", "--nickname", "two words"], "--nickname 'two words' is not 1 to 10 characters without spaces"),
        (["random", "--nickname", "elevenchars"], "--nickname 'elevenchars' is not 1 to 10"),
    ],
)
def test_who_cannot_join(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["netorcai", "join", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert said in error


def starts(**fields: Any) -> GameStarts:
    whole = {
        "player_id": 0,
        "nb_players": 2,
        "nb_special_players": 0,
        "nb_turns_max": 10,
        "milliseconds_before_first_turn": 50,
        "milliseconds_between_turns": 50,
        "initial_game_state": next(simulate("glade2", 2, 0, []))[0],
        "players_info": [],
    }
    return GameStarts(whole | fields)


def test_a_player_whose_characters_rest_sends_no_order_for_them() -> None:
    agent = player_agent("random", 3, special=False)
    state = next(simulate("tiny2", 2, 0, []))[0]
    agent.start(starts(initial_game_state=state))
    answers = [
        agent.turn(ClientTurn(0, message(message_type="TURN", turn_number=0, game_state=state, players_info=[])[4:])) for _ in range(40)
    ]
    agent.close()
    assert [] in answers
    assert all(order["id"] == 0 and order["movement"] in ("move", "bomb") for answer in answers for order in answer)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"initial_game_state": {"sum": 0}}, "no game of hexabomb: the state has no 'characters'"),
        ({"initial_game_state": []}, "no game of hexabomb"),
        ({"nb_players": 0}, "too large"),
        ({"nb_players": 3}, "no game of hexabomb: .*Too many players"),
    ],
)
def test_another_game_is_none_to_join(fields: dict[str, Any], said: str) -> None:
    agent = player_agent("random", 0, special=False)
    with pytest.raises(ProtocolError, match=said):
        agent.start(starts(**fields))
    agent.close()


def test_a_state_of_another_map_is_told() -> None:
    agent = player_agent("random", 0, special=False)
    agent.start(starts())
    other = next(simulate("tiny2", 2, 0, []))[0]
    with pytest.raises(ProtocolError, match="turn 4 cannot be read: cells is a list of 55 elements"):
        agent.turn(ClientTurn(4, message(message_type="TURN", turn_number=4, game_state=other, players_info=[])[4:]))
    agent.close()


# What is shown and recorded.


class Clock:
    """Time that is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waiting: list[tuple[float, Callable[..., object]]] = []

    def time(self) -> float:
        return self.now

    def call_soon(self, callback: Callable[..., object], *args: Any) -> Any:
        raise AssertionError

    def call_later(self, delay: float, callback: Callable[..., object], *args: Any) -> Any:
        entry = (self.now + delay, callback)
        self.waiting.append(entry)
        clock = self

        class Timer:
            def cancel(self) -> None:
                if entry in clock.waiting:
                    clock.waiting.remove(entry)

        return Timer()

    def advance(self, seconds: float) -> None:
        self.now += seconds
        for entry in [entry for entry in self.waiting if entry[0] <= self.now]:
            self.waiting.remove(entry)
            entry[1]()


class Played:
    """A game of the logic, told to observers."""

    def __init__(self, map: str = "tiny2", turns: int = 10) -> None:
        self.logic = HexabombLogic(load_map(map))
        self.turns = turns
        self.number = 0

    def start(self, *observers: Callable[[Event], None], players: tuple[PlayerInfo, ...] = (ANN, BOB)) -> None:
        state = self.logic.initial_state(len(players), 0, self.turns)
        for observer in observers:
            observer(PlayersChanged(players, 0))
            observer(GameStarted(len(players), 0, self.turns, state))

    def turn(self, *observers: Callable[[Event], None], actions: tuple[PlayerActions, ...] = ()) -> None:
        state, winner = self.logic.turn(actions)
        for observer in observers:
            observer(TurnPlayed(self.number, actions, state, winner))
        self.number += 1
        if self.number == self.turns:
            for observer in observers:
                observer(GameEnded(winner, state))


def test_a_fast_game_is_shown_now_and_then_and_in_the_end() -> None:
    clock, played, shown = Clock(), Played(), []
    picture = view.Picture(played.logic)
    seen = view.View(picture, clock, lambda: shown.append(picture.line()), 1.0)
    seen(PlayersChanged((ANN,), 0))
    assert shown == []
    played.start(seen)
    for _ in range(4):
        played.turn(seen)
    assert [line.partition(":")[0] for line in shown] == ["turn 0 of 10"]
    clock.advance(1.0)
    assert shown[1:] == ["turn 4 of 10: 0 ann 4, 1 bob 4 (left)"]
    clock.advance(5.0)
    for _ in range(6):
        played.turn(seen)
    assert [line.partition(":")[0] for line in shown[2:]] == ["turn 5 of 10", "turn 10 of 10"]
    assert clock.waiting == []


def test_the_live_board(monkeypatch: pytest.MonkeyPatch) -> None:
    out = StringIO()
    console = Console(file=out, force_terminal=True, width=100, height=40, color_system=None)
    monkeypatch.setattr(view, "screen", lambda: console)
    clock, played = Clock(), Played(turns=3)
    with view.live_board(view.Picture(played.logic), clock) as seen:
        seen(PlayersChanged((ANN, BOB), 0))
        assert out.getvalue() == ""
        played.start(seen)
        played.turn(seen, actions=(PlayerActions(0, 0, [{"id": 0, "movement": "move", "direction": "x+"}]),))
        clock.advance(1.0)
        seen(Aborted("the operator quits"))
    text = out.getvalue()
    assert "turn 1 of 3" in text
    assert "aA0" in text
    assert re.search(r"● +A ann +2 +1/1 +2", text)
    assert re.search(r"○ +B bob +1 +1/1 +1", text)


def test_a_narrow_terminal_has_the_players_above_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "screen", lambda: Console(file=StringIO(), width=50))
    played, console = Played(), Console(file=StringIO(), width=50)
    picture = view.Picture(played.logic)
    played.start(picture)
    console.print(picture.drawing())
    lines = console.file.getvalue().splitlines()
    assert lines[0].startswith("turn 0 of 10")
    assert next(number for number, line in enumerate(lines) if "A ann" in line) < next(n for n, line in enumerate(lines) if "aA0" in line)


def test_a_record_of_a_game_without_a_place_in_the_common_interface(tmp_path: Path) -> None:
    played = Played()
    record = GameRecord(played.logic, tmp_path / "games")
    played.start(record, players=())
    for _ in range(10):
        played.turn(record)
    assert list((tmp_path / "games").iterdir()) == []
    assert played.logic.simulation is not None
    assert score_line(played.logic.simulation, (), 10) == "turn 10 of 10"


def test_two_games_in_one_second_have_records_of_their_own(tmp_path: Path) -> None:
    for _ in range(3):
        played = Played(turns=1)
        record = GameRecord(played.logic, tmp_path)
        played.start(record)
        played.turn(record)
    assert len(list(tmp_path.iterdir())) == 3
    assert all(read_record(file).replay().is_over for file in tmp_path.iterdir())


def test_a_record_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"the folder .* for records cannot be made"):
        GameRecord(HexabombLogic(load_map("tiny2")), tmp_path / "file")
    played = Played()
    record = GameRecord(played.logic, tmp_path / "games")
    (tmp_path / "games").rmdir()
    (tmp_path / "games").touch()
    played.start(record)  # the game goes on
    played.turn(record)


def test_a_logic_refuses_too_many_players() -> None:
    with pytest.raises(BadOption, match="Too many players"):
        HexabombLogic(load_map("tiny2")).initial_state(3, 0, 10)


def test_a_message_with_millions_of_orders_does_not_hold_up_the_turn() -> None:
    rejected: list[str] = []
    logic = HexabombLogic(load_map("tiny2"))
    logic.on_rejected = lambda player, reason: rejected.append(reason)
    logic.initial_state(1, 0, 10)
    logic.turn([PlayerActions(0, 0, [{"id": 0, "movement": "move", "direction": "x+"}] + [1] * 2_000_000)])
    assert rejected[0] == "More than 10,000 actions in one message: the others are not looked at"
    assert len(rejected) == MOST_ORDERS
    assert logic.simulation is not None
    assert logic.simulation.carried_out == {0: (1,)}


WHOLE_GAME = """
import sys
from pathlib import Path
from ludarium.core.cache import Cache
from ludarium.games.hexabomb.maps import load_map
from ludarium.labs.hexabomb.serving.logic import HexabombLogic
from ludarium.labs.hexabomb.serving.record import GameRecord
from ludarium.netorcai.events import GameEnded, GameStarted, PlayerInfo, PlayersChanged, TurnPlayed

logic = HexabombLogic(load_map("tiny2"))
record = GameRecord(logic, Path(sys.argv[1]))
logic.warm_up()
record.warm_up()
load = Cache.load_overload
Cache.load_overload = lambda self, *signature: print(self._function.__name__) or load(self, *signature)
record(PlayersChanged((PlayerInfo(0, "ann", "", True), PlayerInfo(1, "bob", "", True)), 0))
record(GameStarted(2, 0, 1, logic.initial_state(2, 0, 1)))
state, winner = logic.turn([])
record(TurnPlayed(0, (), state, winner))
record(GameEnded(winner, state))
"""


def test_nothing_is_compiled_while_clients_wait(tmp_path: Path) -> None:
    """Nor loaded, which every kernel that is needed for the first time would be, or compiled."""
    command = [sys.executable, "-c", WHOLE_GAME, str(tmp_path / "records")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout == ""
    (file,) = (tmp_path / "records").iterdir()
    assert read_record(file).replay().is_over
