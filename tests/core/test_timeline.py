"""The course of one game: every change is checked, told and repeatable."""

from __future__ import annotations

import json
from typing import Any

import pytest

import ludarium
from ludarium.core.game import Outcome
from ludarium.core.timeline import Timeline
from ludarium.errors import BadNotation, IllegalAction
from tests.tiny_games.heap import Heap
from tests.tiny_games.matrix import Matrix


@pytest.fixture
def timeline() -> Timeline:
    return Timeline(ludarium.game("tic-tac-toe").start())


def played(timeline: Timeline, *actions: str) -> Timeline:
    for action in actions:
        timeline.act({timeline.state.to_move[0]: action})
    return timeline


def test_a_listener_gets_everything_in_order_however_late_it_comes(timeline: Timeline) -> None:
    early: list[dict[str, Any]] = []
    late: list[dict[str, Any]] = []
    knowing: list[dict[str, Any]] = []
    timeline.listen(early.append)
    played(timeline, "a1")
    timeline.act({1: "b2"}, seconds={1: 1.23456})
    timeline.take_back(1)
    timeline.listen(late.append)
    timeline.listen(knowing.append, known=2)
    timeline.resign(1)
    assert early == late == timeline.events
    assert knowing == timeline.events[2:]
    assert early == [
        {"event": "start", "position": ".../.../..."},
        {"event": "action", "actions": {"0": "a1"}},
        {"event": "action", "actions": {"1": "b2"}, "seconds": {"1": 1.235}},
        {"event": "takeback", "plies": 1},
        {"event": "resign", "player": 1},
        {"event": "end", "returns": [1.0, -1.0], "reason": "O resigned"},
    ]


def test_what_is_refused_changes_nothing(timeline: Timeline) -> None:
    played(timeline, "a1", "b2")
    events, state = list(timeline.events), timeline.state
    for attempt, error in (
        (lambda: timeline.act({0: "a1"}), IllegalAction),
        (lambda: timeline.act({1: "c3"}), IllegalAction),
        (lambda: timeline.act({0: "c3", 1: "c2"}), IllegalAction),
        (lambda: timeline.act({}), IllegalAction),
        (lambda: timeline.adjudicate((0.0, 0.0, 0.0), "over"), IllegalAction),
        (lambda: timeline.adjudicate((1.0, 1.0), "over"), IllegalAction),
        (lambda: timeline.apply({"event": "adjudication", "returns": [2, -2], "reason": "over"}), IllegalAction),
        (lambda: timeline.apply({"event": "adjudication", "returns": "00", "reason": "over"}), IllegalAction),
        (lambda: timeline.act({0: "z9"}), BadNotation),
        (lambda: timeline.take_back(0), IllegalAction),
        (lambda: timeline.take_back(3), IllegalAction),
        (lambda: timeline.resign(2), IllegalAction),
        (lambda: timeline.forfeit(-1, "crash: it stopped"), IllegalAction),
    ):
        with pytest.raises(error):
            attempt()
        assert timeline.events == events
        assert timeline.state is state


def test_a_game_ends_once(timeline: Timeline) -> None:
    played(timeline, "a1", "b1", "a2", "b2", "a3")
    assert timeline.outcome == Outcome((1.0, -1.0), 0, "X has three in a row")
    assert [event["event"] for event in timeline.events].count("end") == 1
    for attempt in (
        lambda: timeline.act({1: "c3"}),
        lambda: timeline.take_back(1),
        lambda: timeline.resign(0),
        lambda: timeline.forfeit(0, "timeout"),
    ):
        with pytest.raises(IllegalAction, match="the game is over: X has three in a row"):
            attempt()


def test_a_position_that_is_over_ends_at_once() -> None:
    timeline = Timeline(ludarium.game("tic-tac-toe").parse("XXX/OO./..."))
    assert timeline.is_over
    assert [event["event"] for event in timeline.events] == ["start", "end"]


@pytest.mark.parametrize(("returns", "winner"), [((-1, 1), 1), ((0, 0), None), ((0, 1, 0.5), 1), ((0.5, 0.5, -1), None)])
def test_who_has_most_of_what_is_adjudicated_alone_has_won(timeline: Timeline, returns: tuple[float, ...], winner: int | None) -> None:
    timeline = timeline if len(returns) == 2 else Timeline(Heap().start())
    timeline.adjudicate(returns, "over")
    assert timeline.outcome == Outcome(returns, winner, "adjudicated: over")


def test_a_forfeit_is_a_loss_with_its_reason(timeline: Timeline) -> None:
    timeline.forfeit(0, "timeout: 5.2 s of 5 s")
    assert timeline.outcome == Outcome((-1.0, 1.0), 1, "X forfeited (timeout: 5.2 s of 5 s)")


def test_steps_know_what_led_to_them(timeline: Timeline) -> None:
    played(timeline, "a1", "b2", "c3")
    assert [step.action and step.action.text for step in timeline.steps] == [None, "a1", "b2", "c3"]
    assert timeline.take_back(2).text == ".../.../X.."
    assert timeline.ply == 1
    played(timeline, "c3")
    assert timeline.state.text == "..O/.../X.."


def test_who_chooses_together_is_told_in_the_order_of_the_seats() -> None:
    one, other = Timeline(Matrix().start()), Timeline(Matrix().start())
    one.act({0: 0, 1: 1})
    other.act({1: 1, 0: 0})
    assert json.dumps(one.events) == json.dumps(other.events)
    assert list(other.steps[-1].actions) == [0, 1]


def test_repeating_the_events_gives_the_same_game(timeline: Timeline) -> None:
    played(timeline, "a1", "b2", "c3")
    timeline.take_back(2)
    played(timeline, "a2")
    timeline.forfeit(0, "crash: exit status 1")
    again = Timeline(ludarium.game("tic-tac-toe").start())
    for event in timeline.events[1:]:
        again.apply(event)
    assert again.events == timeline.events
    assert again.outcome == timeline.outcome
    assert again.state == timeline.state
