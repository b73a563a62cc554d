"""Clients in the orchestrator's own process, and turns that wait for them."""

from __future__ import annotations

from typing import Any

import pytest

from ludarium.netorcai.events import PlayersChanged
from ludarium.netorcai.inside import InsideClient
from tests.netorcai.lab import Counter, Lab


class Person:
    """Remembers what it was told, and answers when a test says so."""

    def __init__(self, lab: Lab, nickname: str = "ann", role: str = "player") -> None:
        self.told: list[Any] = []
        self.client = InsideClient(lab.orchestrator, lab.clock, self, nickname=nickname, role=role, address=("10.0.0.9", 5000))
        lab.clock.advance()

    def logged_in(self) -> None:
        self.told.append("in")

    def started(self, player_id: int) -> None:
        self.told.append(("player", player_id))

    def turn(self, number: int) -> None:
        self.told.append(number)

    def kicked(self, reason: str) -> None:
        self.told.append(reason)


def lab_with(logic: Counter, **settings: Any) -> Lab:
    return Lab(logic=logic, seed=1, autostart=True, **settings)


def test_a_whole_game() -> None:
    logic = Counter()
    lab = lab_with(logic, players=1, turns=3, fast=True)
    person = Person(lab)
    lab.first_turn()
    assert person.told == ["in", ("player", 0), 0]
    person.client.answer([{"id": 1}])
    assert person.client.turn_number is None
    lab.clock.advance()
    assert person.told[3:] == [1]
    person.client.answer([])
    lab.clock.advance()
    assert person.told[4:] == ["Game is finished"]
    assert logic.seen() == [[], [(0, 0)], [(0, 1)]]
    assert logic.turns[1][0].actions == [{"id": 1}]
    assert lab.codes == [0]
    person.client.leave()  # it is over already


@pytest.mark.parametrize(
    ("nickname", "reason"),
    [
        ("a b", "Invalid first message: Invalid nickname"),
        ("", "Invalid first message: Invalid nickname"),
        ("x" * 2000, "Invalid first message: Received message size of first message is too big"),
        ("bob", "LOGIN denied: Maximum number of players reached"),
    ],
)
def test_it_is_refused_like_everybody(nickname: str, reason: str) -> None:
    lab = Lab(players=0)
    person = Person(lab, nickname)
    assert len(person.told) == 1
    assert person.told[0].startswith(reason)


def test_others_see_its_address_and_that_it_leaves() -> None:
    lab = Lab(players=2)
    person = Person(lab, role="player")
    (info,) = [event for event in lab.events if isinstance(event, PlayersChanged)][-1].players
    assert (info.nickname, info.remote_address, info.is_connected, info.is_special) == ("ann", "10.0.0.9:5000", True, False)
    person.client.leave()
    assert [event for event in lab.events if isinstance(event, PlayersChanged)][-1].players == ()
    assert person.told == ["in"]


def test_with_timers_a_turn_waits_for_who_is_waited_for() -> None:
    logic = Counter()
    lab = lab_with(logic, players=2)
    person, bob = Person(lab), lab.log_in()
    lab.orchestrator.wait_for(person.client.connection, True)
    lab.first_turn()
    assert lab.orchestrator.time_left(person.client.connection) is None
    assert lab.orchestrator.time_left(bob.connection) == pytest.approx(0.2)
    bob.ack(0)
    lab.clock.advance(100.0)
    assert len(logic.turns) == 1
    person.client.answer([])
    lab.clock.advance()
    assert logic.seen()[1] == [(bob_id := 1 - person.told[1][1], 0), (1 - bob_id, 0)]
    person.client.answer([])
    lab.clock.advance(0.1)
    assert len(logic.turns) == 2  # the others have their time all the same
    lab.clock.advance(0.1)
    assert len(logic.turns) == 3


@pytest.mark.parametrize("leaves", [False, True])
def test_with_timers_a_turn_goes_on_when_nobody_is_waited_for_any_more(leaves: bool) -> None:
    logic = Counter()
    lab = lab_with(logic, players=1)
    person = Person(lab)
    lab.orchestrator.wait_for(person.client.connection, True)
    lab.first_turn()
    lab.clock.advance(10.0)
    assert len(logic.turns) == 1
    if leaves:
        person.client.leave()
    else:
        lab.orchestrator.wait_for(person.client.connection, False)
    lab.clock.advance()
    assert len(logic.turns) == 2
    lab.next_turn()
    assert len(logic.turns) == 3


def test_fast_mode_has_no_timeout_for_who_is_waited_for() -> None:
    logic = Counter()
    lab = lab_with(logic, players=2, fast=True, turn_timeout=1.0)
    person, bob = Person(lab), lab.log_in()
    lab.orchestrator.wait_for(person.client.connection, True)
    lab.first_turn()
    lab.clock.advance(1.0)  # bob is skipped
    assert len(logic.turns) == 1
    lab.clock.advance(100.0)
    person.client.answer([])
    lab.clock.advance()
    assert logic.seen()[1] == [(person.told[1][1], 0)]
    bob.ack(0)
    bob.ack(1)
    lab.clock.advance(50.0)
    assert len(logic.turns) == 2
    lab.orchestrator.wait_for(person.client.connection, False)
    assert lab.orchestrator.time_left(person.client.connection) == pytest.approx(1.0)
    lab.clock.advance(0.9)
    assert len(logic.turns) == 2
    lab.clock.advance(0.1)
    assert len(logic.turns) == 3


def test_time_left_of_who_is_not_there() -> None:
    lab = lab_with(Counter(), players=1)
    person = Person(lab)
    assert lab.orchestrator.time_left(person.client.connection) is None
    person.client.leave()
    assert lab.orchestrator.time_left(person.client.connection) is None
    lab.orchestrator.wait_for(person.client.connection, True)  # is no mistake


def test_who_has_answered_the_present_turn() -> None:
    lab = lab_with(Counter(), players=2)
    ann, bob = lab.log_in(nickname="ann"), lab.log_in()
    assert lab.orchestrator.answered() == frozenset()
    lab.first_turn()
    ann_id = next(message["player_id"] for message in ann.read() if message["message_type"] == "GAME_STARTS")
    ann.ack(0)
    assert lab.orchestrator.answered() == {ann_id}
    lab.next_turn()
    assert lab.orchestrator.answered() == frozenset()
    bob.ack(0)  # late: it counts in this turn, but the present TURN is another one
    assert lab.orchestrator.answered() == frozenset()
    bob.ack(1)
    assert lab.orchestrator.answered() == {1 - ann_id}
