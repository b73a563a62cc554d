"""The page of ``ludarium hexabomb serve``: who watches, and people who play among programs."""

from __future__ import annotations

import json
import multiprocessing.context
import random
import signal
import socket
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludarium.core.game import State
from ludarium.core.record import read_record
from ludarium.core.timeline import Timeline
from ludarium.errors import ProtocolError
from ludarium.games.hexabomb.maps import load_map
from ludarium.games.hexabomb.simulation import Simulation
from ludarium.labs.hexabomb.serving.board_game import game_on
from ludarium.labs.hexabomb.serving.logic import HexabombLogic
from ludarium.labs.hexabomb.serving.page import feed
from ludarium.labs.hexabomb.serving.page.course import BETWEEN, ServedCourse
from ludarium.labs.hexabomb.serving.page.play import GRACE
from ludarium.labs.hexabomb.serving.page.process import Page, PageProcess
from ludarium.labs.hexabomb.serving.page.room import Room
from ludarium.labs.hexabomb.serving.record import GameRecord
from ludarium.netorcai.inside import InsideClient
from ludarium.netorcai.orchestrator import Orchestrator
from ludarium.netorcai.settings import Settings
from ludarium.web.table.client import Client
from ludarium.web.table.messages import Act, Join, Look, Offer, Plan, Resign, parse_object
from ludarium.web.table.telling import LONGEST_COURSE
from tests.disks import room_for

PATIENCE = 60.0
DIRECTIONS = ("x+", "y+", "z+", "x-", "y-", "z-")


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0
        self._waiting: list[tuple[float, int, Callable[..., object], tuple[Any, ...]]] = []
        self._number = 0

    def time(self) -> float:
        return self.now

    def call_soon(self, callback: Callable[..., object], *args: Any) -> Any:
        return self.call_later(0.0, callback, *args)

    def call_later(self, delay: float, callback: Callable[..., object], *args: Any) -> Any:
        self._number += 1
        entry = (self.now + delay, self._number, callback, args)
        self._waiting.append(entry)
        clock = self

        class Timer:
            def cancel(self) -> None:
                if entry in clock._waiting:
                    clock._waiting.remove(entry)

        return Timer()

    def advance(self, seconds: float = 0.0) -> None:
        end = self.now + seconds
        while due := [entry for entry in self._waiting if entry[0] <= end + 1e-9]:
            entry = min(due, key=lambda entry: entry[:2])
            self._waiting.remove(entry)
            self.now = entry[0]
            entry[2](*entry[3])
        self.now = end


class Guest(Client):
    """A client whose messages a test reads."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[dict[str, Any]] = []
        self.is_slow = False

    def send(self, text: str) -> None:
        self.read.append(json.loads(text))

    @property
    def lags(self) -> bool:
        return self.is_slow

    def take(self, kind: str) -> list[dict[str, Any]]:
        """The messages of a kind that came since the last time."""
        found = [message for message in self.read if message["type"] == kind]
        self.read.clear()
        return found


class Served:
    """A server and its page in one process, without sockets: what one tells goes to the other at once."""

    def __init__(self, *, map: str = "tiny2", wait: bool = False, **settings: Any) -> None:
        given = {"turns": 6, "players": 2, "visualizations": 0, "delay_first_turn": 50, "delay_turns": 1000, **settings}
        self.clock = Clock()
        board = load_map(map)
        self.logic = HexabombLogic(board)
        self.orchestrator = Orchestrator(Settings(**given), self.clock, logic=self.logic, seed=0)
        outgoing: Any = type("Outgoing", (), {"put": lambda _, batch: self.room.take(batch)})()
        self.room = Room(
            feed.Setup(board, "127.0.0.1", wait, Settings(**given)),
            lambda wish: self.clock.call_soon(self.page.people.take, wish),
            clock=self.clock,
        )
        self.rejected: list[str] = []
        self.page = Page(self.orchestrator, self.logic, self.clock, outgoing, wait=wait)
        self.logic.on_rejected = lambda player, reason: self.rejected.append(reason)
        self.orchestrator.observe(self.page)

    def enter(self) -> Guest:
        guest = Guest()
        self.room.enter(guest)
        return guest

    def sit(self, nickname: str = "ann", *, special: bool = False, port: int = 5000) -> tuple[Guest, str]:
        """Somebody in the waiting room with a seat, and its token."""
        guest = self.enter()
        self.room.handle(guest, {"type": "sit", "nickname": nickname, "special": special}, ("10.0.0.1", port))
        self.clock.advance(0.1)
        return guest, guest.take("seated")[0]["token"]

    def start(self) -> None:
        self.orchestrator.start()
        self.clock.advance(0.04)

    def first_turn(self) -> None:
        """Start, and play the turn that has no orders."""
        self.start()
        self.clock.advance(0.1)

    def at_board(self, token: str | None = None) -> Guest:
        assert self.room.session is not None
        guest = Guest()
        self.room.session.join(guest, Join(1, token))
        self.clock.advance(0.1)
        return guest

    @property
    def session(self) -> Any:
        assert self.room.session is not None
        return self.room.session

    @property
    def turn(self) -> int:
        assert self.logic.simulation is not None
        return self.logic.simulation.turn


# The waiting room.


def test_the_waiting_room_shows_who_comes_and_goes() -> None:
    served = Served(special_players=1)
    viewer = served.enter()
    served.clock.advance(0.1)
    news = viewer.take("room")[-1]
    assert (news["players"], news["limits"]["players"], news["started"]) == ([], 2, False)
    guest, _ = served.sit()
    assert viewer.take("room")[-1]["players"] == [{"nickname": "ann", "special": False, "person": True, "connected": True}]
    served.room.handle(guest, {"type": "stand"}, ("10.0.0.1", 1))
    served.clock.advance(0.1)
    assert viewer.take("room")[-1]["players"] == []
    guest, _ = served.sit("sue", special=True)
    assert viewer.take("room")[-1]["players"][0]["special"]
    served.room.leave(guest)
    served.clock.advance(0.1)
    assert viewer.take("room")[-1]["players"] == []


@pytest.mark.parametrize("nickname", ["", "two words", "eleven char"])
def test_a_nickname_that_netorcai_refuses(nickname: str) -> None:
    served = Served()
    guest = served.enter()
    served.room.handle(guest, {"type": "sit", "nickname": nickname}, ("10.0.0.1", 1))
    served.clock.advance(0.1)
    assert guest.take("error")[0]["message"] == "Invalid first message: Invalid nickname"
    assert served.sit()[1]  # it may try again


def test_no_seat_is_free() -> None:
    served = Served(players=1)
    served.sit()
    guest = served.enter()
    served.room.handle(guest, {"type": "sit", "nickname": "bob"}, ("10.0.0.1", 2))
    served.clock.advance(0.1)
    assert guest.take("error")[0]["message"] == "LOGIN denied: Maximum number of players reached"


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"type":"sit"}', '{"type":"sit","nickname":1}', '{"type":"sit","nickname":"a","special":1}']
)
def test_rubbish_in_the_waiting_room(text: str) -> None:
    served = Served()
    with pytest.raises(ProtocolError):
        served.room.handle(served.enter(), parse_object(text), ("10.0.0.1", 1))


def test_whoever_leaves_before_there_is_an_answer_has_no_seat() -> None:
    served = Served()
    guest = served.enter()
    served.room.handle(guest, {"type": "sit", "nickname": "ann"}, ("10.0.0.1", 1))
    served.room.leave(guest)
    served.clock.advance(0.2)
    assert served.room.table.players == ()


# At the board.


def test_people_are_told_while_the_record_cannot_be_written(tmp_path: Path) -> None:
    served = Served()
    record = GameRecord(served.logic, tmp_path)
    record.on_problem = served.page.tell_record
    served.orchestrator.observe(record)
    served.sit("ann")
    served.sit("bob", port=5001)
    served.start()
    viewer = served.at_board()
    file = next(tmp_path.iterdir())
    with room_for(file.stat().st_size):
        served.clock.advance(2.2)
        assert viewer.take("record") == [{"type": "record", "problem": "File too large"}]
        assert served.at_board().take("record") == [{"type": "record", "problem": "File too large"}]
    served.clock.advance(1)
    assert viewer.take("record") == [{"type": "record", "problem": None}]
    served.clock.advance(5)
    assert read_record(file).replay().is_over


def test_a_record_that_cannot_be_begun_is_told_at_the_board(tmp_path: Path) -> None:
    served = Served()
    record = GameRecord(served.logic, tmp_path / "games")
    record.on_problem = served.page.tell_record
    served.orchestrator.observe(record)
    (tmp_path / "games").rmdir()
    (tmp_path / "games").touch()
    served.sit("ann")
    served.start()
    assert served.at_board().take("record") == [{"type": "record", "problem": "its record has ended"}]


def test_a_person_gives_orders_and_they_are_carried_out() -> None:
    served = Served(players=1)
    _, token = served.sit()
    served.start()
    person, viewer = served.at_board(token), served.at_board()
    served.clock.advance(0.1)
    position = person.take("position")[-1]
    assert (position["ply"], position["to_move"]) == (1, [0])
    assert position["clock"]["left"] <= 1.0
    assert ["#0", "0,-1"] not in position["orders"][0]
    assert viewer.take("position")[-1]["orders"] == []
    served.session.handle(person, Act(1, orders=(("#0", "-1,1"),)))
    assert person.take("position")[-1]["chosen"] == [0]
    with pytest.raises(ProtocolError, match="not to move"):
        served.session.handle(person, Act(1, orders=(None,)))
    served.clock.advance(1.2)
    assert served.turn == 2
    position = viewer.take("position")[-1]
    assert (position["ply"], position["move"]) == (2, "Turn 2: Blue painted 1 cell")
    assert served.rejected == []


def test_orders_that_were_chosen_count_when_the_time_is_over() -> None:
    served = Served(players=1)
    _, token = served.sit()
    served.first_turn()
    person = served.at_board(token)
    served.session.handle(person, Plan(1, (("#0", "bomb", "delay 2", "range 3"),)))
    served.clock.advance(0.9)
    assert served.turn == 2
    assert served.logic.simulation is not None
    assert int(served.logic.simulation.states[0].bombs) == 1
    served.clock.advance(1.0)
    assert served.turn == 3  # and were for one turn only
    assert int(served.logic.simulation.states[0].bombs) == 1
    assert served.rejected == []


def test_a_slow_person_in_a_game_with_timers_answers_the_old_turn_and_the_new_one() -> None:
    served = Served(players=1, turns=20)
    _, token = served.sit()
    served.first_turn()
    person = served.at_board(token)
    served.clock.advance(3.0)
    assert served.turn == 4
    assert person.take("position")[-1]["to_move"] == [0]
    served.session.handle(person, Act(4, orders=(("#0", "-1,1"),)))
    served.clock.advance(0.1)
    assert person.take("position")[-1]["chosen"] == [0]
    served.clock.advance(1.0)
    assert person.take("position")[-1]["move"] == "Turn 5: Blue painted 1 cell"
    served.clock.advance(1.0)
    assert person.take("position")[-1]["move"] == "Turn 6: nothing happened"


def test_turns_wait_for_people_while_they_are_there() -> None:
    served = Served(players=1, wait=True, turns=30)
    _, token = served.sit()
    served.first_turn()
    person = served.at_board(token)
    assert person.take("position")[-1]["clock"] is None
    served.clock.advance(100.0)
    assert served.turn == 1
    served.session.handle(person, Act(1, orders=(None,)))
    served.clock.advance(0.1)
    assert served.turn == 2
    served.session.leave(person)
    served.clock.advance(GRACE - 1)
    assert served.turn == 2
    person = served.at_board(token)  # a page that was loaded anew
    served.clock.advance(50.0)
    assert served.turn == 2
    served.session.leave(person)
    served.clock.advance(GRACE + 3)
    assert served.turn > 3  # without a person turns go on
    before = served.turn
    person = served.at_board(token)
    served.clock.advance(50.0)
    assert served.turn <= before + 1
    assert person.take("position")[-1]["to_move"] == [0]


def test_a_person_who_never_comes_to_the_board_holds_up_nobody() -> None:
    served = Served(players=1, wait=True, fast=True, turns=5)
    served.sit()
    served.first_turn()
    served.clock.advance(GRACE + 1)
    assert served.turn == 5


def test_fast_mode_has_a_clock_for_people() -> None:
    served = Served(players=1, fast=True, turn_timeout=8.0, turns=30)
    _, token = served.sit()
    served.first_turn()
    person = served.at_board(token)
    clock = person.take("position")[-1]["clock"]
    assert clock["seconds"] == pytest.approx(8.0)
    assert 7.0 < clock["left"] < 8.0
    served.clock.advance(8.0)
    assert served.turn == 2


class Program:
    """A client that is no person at the page, and answers when a test says so."""

    def __init__(self, served: Served) -> None:
        self.client = InsideClient(served.orchestrator, served.clock, self, nickname="bob")
        served.clock.advance(0.1)

    def logged_in(self) -> None: ...

    def started(self, player_id: int) -> None: ...

    def turn(self, number: int) -> None: ...

    def kicked(self, reason: str) -> None: ...


def test_the_page_shows_who_is_a_program_and_has_answered() -> None:
    served = Served(players=1, delay_turns=5000)
    bob = Program(served)
    served.first_turn()
    viewer = served.at_board()
    welcome = viewer.read[0]
    assert [(one["nickname"], one["kind"], one["connected"]) for one in welcome["players"]] == [("bob", "program", True)]
    assert viewer.take("position")[-1]["to_move"] == [0]
    bob.client.answer([])
    served.clock.advance(0.5)
    position = viewer.take("position")[-1]
    assert (position["to_move"], position["chosen"]) == ([], [0])
    served.clock.advance(5.0)
    assert viewer.take("position")[-1]["to_move"] == [0]
    bob.client.leave()
    served.clock.advance(0.5)
    assert viewer.read[-1]["type"] == "position"
    assert not viewer.take("players")[-1]["players"][0]["connected"]


def test_who_resigns_leaves_and_the_game_goes_on() -> None:
    served = Served(players=2, turns=30)
    _, token = served.sit()
    served.sit("bob", port=6000)
    served.first_turn()
    person = served.at_board(token)
    with pytest.raises(ProtocolError, match="not taken back"):
        served.session.handle(person, Offer("takeback"))
    served.session.handle(person, Resign())
    served.clock.advance(2.0)
    assert [one.is_connected for one in served.room.table.players].count(False) == 1
    assert served.turn >= 2
    assert person.take("position")[-1]["orders"] == []


def test_the_end_is_shown_and_the_course_can_be_looked_at() -> None:
    served = Served(players=1, turns=4)
    served.sit()
    served.first_turn()
    viewer = served.at_board()
    served.clock.advance(30.0)
    last = viewer.take("position")[-1]
    assert last["ply"] == 4
    assert last["outcome"]["winner"] == 0
    late = served.at_board()
    welcome = late.take("welcome")[0]
    assert welcome["moves"] == [f"Turn {turn}: nothing happened" for turn in range(1, 5)]
    assert welcome["measures"]["Score"] == [[0], [1], [2], [3], [4]]
    served.session.handle(late, Look(2))
    assert late.take("position")[0]["ply"] == 2
    with pytest.raises(ProtocolError, match="0 to 4"):
        served.session.handle(late, Look(5))


def test_the_record_of_a_served_game_is_one_that_the_rules_repeat() -> None:
    served = Served(players=1, turns=4)
    served.sit()
    served.first_turn()
    header, start, *events = served.session.play.record()
    assert header["players"] == ["ann"]
    assert [event["event"] for event in events] == ["action"]
    served.clock.advance(30.0)
    header, start, *events = served.session.play.record()
    timeline = Timeline(served.session.course.game.parse(start["position"]))
    for event in events:
        timeline.apply(event)
    assert [event["event"] for event in events] == ["action"] * 4 + ["end"]
    assert timeline.state == served.session.course.state


def test_an_abort_closes_the_page() -> None:
    served = Served(players=1)
    served.sit()
    served.first_turn()
    viewer = served.at_board()
    served.orchestrator.quit()
    assert viewer.take("closed")[0]["reason"] == "the game was ended: the operator quits"


def test_a_viewer_that_is_slow_is_spared_old_positions() -> None:
    served = Served(players=0, fast=True, turns=200)
    assert served.room.session is None
    served = Served(players=1, turns=50)
    served.sit()
    served.first_turn()
    slow = served.at_board()
    slow.take("position")
    slow.is_slow = True
    served.clock.advance(10.0)
    assert slow.take("position") == []
    slow.is_slow = False
    served.clock.advance(0.5)
    assert slow.take("position")[-1]["ply"] == served.turn


def test_a_fast_game_is_shown_now_and_then() -> None:
    served = Served(players=1, fast=True, turns=1000)
    served.sit()
    served.start()
    viewer = served.at_board()
    served.page.people.all_leave()
    known = max(position["ply"] for position in viewer.take("position"))
    served.clock.advance(1.0)
    shown = viewer.take("position")
    assert 1 <= len(shown) <= 7
    assert shown[-1]["ply"] == 1000
    course = served.at_board().take("welcome")[0]["moves"]
    told = [""] * 1000
    for position in shown:
        opened = position["opened"] or {"from": position["ply"], "moves": [position["move"]]}
        told[opened["from"] - 1 : position["ply"]] = opened["moves"]
    assert told[known:] == course[known:]


def test_a_game_without_a_place_at_the_page() -> None:
    served = Served(players=0, fast=True)
    guest = served.enter()
    served.first_turn()
    assert guest.take("room")[-1]["hidden"]
    assert served.room.session is None


def test_a_person_the_server_does_not_know_any_more() -> None:
    served = Served()
    served.page.people.take(feed.Leave("nobody"))
    served.page.people.take(feed.Present("nobody", True))


def test_when_the_page_fails_its_people_leave() -> None:
    served = Served(players=2, wait=True, turns=30)
    served.sit()
    served.first_turn()
    served.page.gone()
    served.clock.advance(5.0)
    assert served.turn > 3


# The course of the game.


def random_message(simulation: Simulation, player: int, choice: random.Random) -> dict[str, Any]:
    tables = simulation.tables
    orders: list[dict[str, Any]] = []
    for character in range(int(tables.first[player]), int(tables.first[player + 1])):
        orders.append(
            choice.choice(
                [
                    {"id": character, "movement": "move", "direction": choice.choice(DIRECTIONS)},
                    {"id": character, "movement": "bomb", "bomb_delay": choice.randint(2, 4), "bomb_range": choice.randint(2, 4)},
                    {"id": character, "movement": "revive"},
                ]
            )
        )
    return {"player_id": player, "actions": orders}


def without_order_of_bombs(text: str) -> dict[str, Any]:
    state = json.loads(text)
    return state | {"bombs": sorted(state["bombs"], key=lambda bomb: (bomb["q"], bomb["r"]))}


@pytest.mark.parametrize(("map", "players", "special"), [("glade2", 2, 0), ("lair4", 3, 1), ("meadow4", 4, 0)])
def test_every_state_of_a_long_game_can_be_computed_again(map: str, players: int, special: int) -> None:
    board, choice = load_map(map), random.Random(map)
    turns = 3 * BETWEEN + 5
    game = game_on(board, players, special, turns)
    assert game is not None
    simulation, course = Simulation(board, players, special), ServedCourse(game)
    texts = [State(game, simulation.states.copy()).text]
    for _ in range(turns):
        simulation.play([random_message(simulation, player, choice) for player in range(players + special)])
        course.advance(np.array(list(simulation.carried_out.values()), np.int16).tobytes())
        texts.append(State(game, simulation.states.copy()).text)
    for ply in {0, 1, BETWEEN - 1, BETWEEN, BETWEEN + 1, turns - 1, turns, *choice.sample(range(turns), 20)}:
        assert without_order_of_bombs(course.steps[ply].state.text) == without_order_of_bombs(texts[ply])
    assert len(course.steps) - 1 == turns == course.ply
    assert course.is_over
    assert [step.actions for step in course.steps[:1]] == [{}]
    for before, after in pairwise(course.steps):
        assert before.state.play({player: action.text for player, action in after.actions.items()}) == after.state
    assert [step.state for step in course.steps[1:3]] == [course.steps[1].state, course.steps[2].state]
    with pytest.raises(IndexError):
        course.steps[turns + 1]


def test_the_welcome_to_a_very_long_game_is_short() -> None:
    served = Served(players=1, turns=LONGEST_COURSE + 10, fast=True)
    served.sit()
    served.start()
    served.page.people.all_leave()
    served.clock.advance(1.0)
    welcome = served.at_board().take("welcome")[0]
    assert len(welcome["moves"]) == LONGEST_COURSE + 10
    assert len(json.dumps(welcome)) < 100_000


def test_ctrl_c_while_the_page_starts_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multiprocessing.context.SpawnProcess, "start", lambda process: signal.raise_signal(signal.SIGINT))
    with socket.create_server(("127.0.0.1", 0)) as listener, pytest.raises(KeyboardInterrupt):
        PageProcess(listener, feed.Setup(load_map("tiny2"), "127.0.0.1", waits_for_people=False, settings=Settings()))
