"""Several orders a turn over the socket, and the clock of a turn."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludarium
from ludarium.core.rules import CHANCE
from ludarium.core.timeline import Timeline
from ludarium.errors import IllegalAction, ProtocolError
from ludarium.web.lobby.pages import lobby_games
from ludarium.web.table.local_play import LocalPlay
from ludarium.web.table.messages import Accept, Act, Decline, Look, Offer, Plan, Resume, View
from ludarium.web.table.seat_clocks import LAG, SeatClocks
from ludarium.web.table.session import Session
from tests.tiny_games.cups import Cups
from tests.web.live import Live
from tests.web.table.sitting import Listening, Time, come

NOBODY = (None, None, None)


def test_a_turn_of_several_orders(sit: Callable[..., Session]) -> None:
    session = sit(ludarium.game("hexabomb"))
    blue, orange, watcher = come(session, 0, 1, None)
    game = blue.got[0]["game"]
    assert (game["slots"], game["orders"], game["idle"]) == (3, True, True)
    offered = blue.position
    assert offered["actions"] == []
    assert [paths[0] for paths in offered["orders"]] == [["#0", "none"], ["#1", "none"], ["#2", "none"]]
    assert ["#0", "bomb", ["delay", 2, 4], ["range", 2, 4]] in offered["orders"][0]
    assert (offered["plan"], offered["chosen"], offered["to_move"]) == (None, [], [0, 1])
    assert watcher.position["orders"] == []

    session.handle(blue, Act(0, None, (("#0", "-3,1"), None, ("#2", "bomb", "delay 3", "range 4"))))
    for client in (blue, orange, watcher):
        assert (client.position["occasion"], client.position["chosen"], client.position["to_move"]) == ("notice", [0], [1])
    assert blue.position["orders"] == []
    assert [client.position["text"] for client in (orange, watcher)] == [offered["text"]] * 2
    assert json.loads(watcher.position["text"]).get("orders") is None
    session.handle(orange, Act(0, "[]"))
    after = watcher.position
    assert (after["ply"], after["to_move"], after["chosen"], after["measures"]["Score"]) == (2, [0, 1], [], [4, 3])
    state = json.loads(after["text"])
    assert [(bomb["delay"], bomb["range"]) for bomb in state["bombs"]] == [(3, 4)]
    assert (state["characters"][0]["q"], state["characters"][0]["r"]) == (-3, 1)
    moves = [message["move"] for message in watcher.got if message["type"] == "position" and message["occasion"] == "action"]
    assert moves[0] == ""
    assert moves[1] == "Turn 1: Blue's #2 dropped a bomb at -4,3, delay 3, range 4; Blue painted 1 cell"
    (late,) = come(session, None)
    assert late.got[0]["moves"] == moves
    assert late.got[0]["measures"]["Score"] == [[0, 0], [0, 0], [4, 3]]


@pytest.mark.parametrize(
    ("orders", "problem"),
    [
        ((), "an entry for each of 3 slots, not 0"),
        ((None, None), "an entry for each of 3 slots, not 2"),
        ((("#3", "none"), None, None), "'#3 none' is no order"),
        ((("#0", "3,3"), None, None), "'#0 3,3' is no order"),
        ((("#0",), None, None), "'#0' is no order"),
        (((), None, None), "'' is no order"),
        ((None, ("#1", "revive"), None), "'#1 revive' is no order"),
        ((None, None, ("#2", "bomb", "delay 5", "range 2")), "'#2 bomb delay 5 range 2' is no order"),
        ((None, None, ("#2", "bomb", "delay 2", "range 02")), "is no order"),
        ((None, None, ("#2", "bomb", "delay 2", "delay 2")), "is no order"),
    ],
)
def test_orders_that_cannot_be_given_change_nothing(sit: Callable[..., Session], orders: Any, problem: str) -> None:
    session = sit(ludarium.game("hexabomb"))
    blue, _ = come(session, 0, 1)
    for message in (Act(0, None, orders), Plan(0, orders)):
        with pytest.raises((IllegalAction, ProtocolError), match=problem):
            session.handle(blue, message)
    assert blue.position["chosen"] == []


def test_orders_are_for_games_that_take_them(sit: Callable[..., Session]) -> None:
    session = sit(ludarium.game("expendibots"))
    white, _ = come(session, 0, 1)
    assert white.position["orders"] == []
    for message in (Act(0, None, (("a2", "a3"),)), Plan(0, (None,))):
        with pytest.raises(ProtocolError, match="takes one action a turn") as refused:
            session.handle(white, message)
        assert refused.value.code == "bad_message"


def test_one_character_gives_orders_too(sit: Callable[..., Session]) -> None:
    session = sit(ludarium.game("hexabomb", map="tiny2", mode="sudden-death", turns=1))
    special, _, _ = come(session, 0, 1, 2)
    assert special.position["orders"][0][-1] == ["#0", "bomb", ["delay", 2, 100], ["range", 2, 100]]
    session.handle(special, Act(0, None, (("#0", "bomb", "delay 100", "range 57"),)))
    assert special.position["chosen"] == [0]


def test_a_plan_is_kept_for_its_player_alone(sit: Callable[..., Session]) -> None:
    session = sit(ludarium.game("hexabomb"))
    blue, window, orange = come(session, 0, 0, 1)
    orders = (("#0", "-3,1"), None, None)
    session.handle(blue, Plan(0, orders))
    told = {"type": "plan", "ply": 0, "orders": [["#0", "-3,1"], None, None]}
    assert told in window.got
    assert told not in blue.got + orange.got
    (again,) = come(session, 0)  # after a reload the orders are still there
    assert again.position["plan"] == told["orders"]
    assert "plan" not in come(session, None)[0].position
    session.handle(orange, Act(0, None, NOBODY))
    with pytest.raises(ProtocolError, match="not to move"):
        session.handle(orange, Plan(0, NOBODY))
    session.handle(blue, Act(0, None, NOBODY))
    with pytest.raises(ProtocolError, match="not the latest"):
        session.handle(blue, Plan(0, NOBODY))
    assert blue.position["plan"] is None


def test_when_the_clock_runs_out_the_orders_so_far_are_sent(sit: Callable[..., Session], time: Time) -> None:
    session = sit(ludarium.game("hexabomb", reception="fixed"), "20/action")
    (blue,) = come(session, 0)
    assert (blue.got[0]["clock"], blue.position["clock"]) == (20, None)  # not before all have come
    time.advance(100)
    (orange,) = come(session, 1)
    assert orange.position["clock"] == blue.position["clock"] == {"seconds": 20, "left": 20}
    time.advance(15)
    session.handle(blue, Plan(0, (None, ("#1", "-3,2"), None)))
    session.leave(orange)
    (watcher,) = come(session, None)
    assert watcher.position["clock"] == {"seconds": 20, "left": 5}
    time.advance(4.9 + LAG)
    assert watcher.position["ply"] == 0
    time.advance(0.1)
    assert (watcher.position["ply"], watcher.position["move"]) == (1, "Turn 1: Blue painted 1 cell")
    assert watcher.position["clock"] == {"seconds": 20, "left": 20}
    assert session.course.steps[1].actions[0].text == '[{"id":1,"movement":"move","direction":"x+"}]'
    assert session.play.record()[2]["seconds"] == {"0": 20.0, "1": 20.0}


def test_players_who_act_independently_share_one_clock_a_turn(sit: Callable[..., Session], time: Time) -> None:
    """When it runs out, the game chooses for the slow until they have nothing left to choose."""
    session = sit(Cups(), "20/action")
    north, south = come(session, 0, 1)
    time.advance(15)
    session.handle(north, Act(2, "keep"))
    assert (south.position["to_move"], south.position["clock"]["left"]) == ([1], 5)
    time.advance(5 + LAG)
    assert [str(session.course.steps[ply].action) for ply in (3, 4, 6)] == ["keep", "shake", "keep"]
    lifted = next(message for message in south.got if message["type"] == "position" and message["events"])
    assert lifted["events"][0]["kind"] == "lift"
    assert south.position["to_move"] == [0, 1]
    assert (south.position["clock"]["left"], south.position["outcome"]) == (20, None)


def test_a_program_that_is_not_ready_in_time_is_filled_with_no_ops(sit: Callable[..., Session], time: Time) -> None:
    session = sit(ludarium.game("roboderby"), "1m/action")
    come(session, 0, 1)
    time.advance(60 + LAG)  # both run
    assert session.course.state.to_move == (0, 1)
    assert len(session.course.state.actions(0)) == 10
    time.advance(60 + LAG)
    placed = [str(step.action) for step in session.course.steps if set(step.actions) <= {0, 1} and step.actions]
    assert placed == ["run", "run", *["1n", "2n", "3n", "4n"] * 2]
    assert session.course.state.record.turn == 2


def test_the_clock_stands_still_while_nobody_is_there(sit: Callable[..., Session], time: Time) -> None:
    session = sit(ludarium.game("hexabomb"), "20/action")
    clients = come(session, 0, 1)
    for client in clients:
        session.leave(client)
    time.advance(1000)
    (blue,) = come(session, 0)
    assert (blue.position["ply"], blue.position["clock"]) == (0, {"seconds": 20, "left": 20})


def test_nothing_goes_on_in_a_session_that_is_closed(sit: Callable[..., Session], time: Time) -> None:
    session = sit(ludarium.game("hexabomb"), "20/action")
    blue, orange = come(session, 0, 1)
    session.close("others needed the place")
    session.leave(blue)
    time.advance(100)
    assert session.course.ply == 0
    assert [orange.got[-1]["type"], orange.closing] == ["players", (1001, "closed")]


def test_of_what_a_player_does_behind_a_screen_nobody_else_is_told(sit: Callable[..., Session]) -> None:
    """Not even that there was something to tell: neither messages nor the numbers of positions count it."""
    session = sit(ludarium.game("roboderby"))
    clients = north, south, watcher = come(session, 0, 1, None)
    for client in (north, south):
        session.handle(client, Act(client.position["ply"], "run"))
    before, heard = south.position["ply"], [len(client.got) for client in clients]
    placed = next(action["text"] for action in north.position["actions"] if action["text"].startswith("1"))
    session.handle(north, Act(north.position["ply"], placed))
    assert [len(client.got) for client in clients] == [heard[0] + 1, *heard[1:]]
    assert (north.position["ply"], north.position["picks"]) == (before + 1, ["d1", "command"])
    session.handle(south, Look(before))
    session.handle(watcher, Look(before))
    with pytest.raises(ProtocolError, match=f"0 to {before}, not {before + 1}"):
        session.handle(south, Look(before + 1))
    (late,) = come(session, None)
    assert len(late.got[0]["moves"]) == before
    session.handle(south, Act(before, placed))
    assert south.position["ply"] == before + 1


def test_a_choice_in_time_starts_the_next_turn_anew(sit: Callable[..., Session], time: Time) -> None:
    session = sit(ludarium.game("hexabomb", reception="fixed"), "20/action")
    blue, orange = come(session, 0, 1)
    time.advance(12)
    session.handle(blue, Act(0, None, NOBODY))
    assert orange.position["clock"]["left"] == 8
    session.handle(orange, Act(0, None, NOBODY))
    assert (orange.position["ply"], orange.position["clock"]["left"]) == (1, 20)
    time.advance(8)  # the first turn's end
    assert orange.position["ply"] == 1


def test_who_must_act_and_does_not_forfeits(sit: Callable[..., Session], time: Time) -> None:
    session = sit(ludarium.game("expendibots"), "1.5/action")
    white, _ = come(session, 0, 1)
    session.handle(white, Act(0, "a2-a3"))
    time.advance(1.5 + LAG)
    assert white.position["outcome"]["reason"] == "Black forfeited (timeout: no action within 1.5 s)"
    assert (white.position["outcome"]["winner"], white.position["clock"]) == (0, None)
    time.advance(100)


def clocks(client: Listening) -> list[tuple[float, bool]]:
    return [(clock["left"], clock["running"]) for clock in client.position["clocks"]]


def test_who_has_used_up_the_time_of_the_game_has_lost(sit: Callable[..., Session], time: Time) -> None:
    session = sit(ludarium.game("expendibots"), "60+2")
    (white,) = come(session, 0)
    assert (white.got[0]["clock"], white.got[0]["time_control"]) == (None, "60+2")
    time.advance(100)
    assert clocks(white) == [(60, False), (60, False)]  # not before all have come
    (black,) = come(session, 1)
    time.advance(10)
    session.handle(white, Act(0, "a2-a3"))
    assert clocks(black) == [(52 + LAG, False), (60, True)]
    assert white.position["clock"] is None
    time.advance(1)
    session.handle(white, Offer("takeback"))
    session.handle(black, Accept("takeback"))
    assert clocks(white) == [(52 + LAG, True), (59, False)]  # what is used stays so
    session.leave(black)
    session.leave(white)
    time.advance(1000)
    white, black = come(session, 0, 1)
    assert clocks(white)[0] == (52 + LAG, True)
    time.advance(0.1)
    session.handle(white, Act(0, "a2-a3"))
    session.handle(black, Act(1, "a7-a6"))
    assert clocks(white)[0] == (54 + LAG, True)
    time.advance(54 + LAG)
    assert white.position["outcome"] is None
    time.advance(LAG)
    outcome = white.position["outcome"]
    assert (outcome["winner"], outcome["reason"]) == (1, "White forfeited (timeout: no time left)")
    again = SeatClocks(session.play.time_control, 2, [0, 1], lambda: None, time, session.course.events)
    assert [clock.left for clock in again.shown or ()] == [54 + LAG, 62]  # a server that stops charges nobody for the time when it was down


def test_people_pause_by_agreement_until_one_of_them_goes_on(sit: Callable[..., Session], time: Time) -> None:
    session = sit(ludarium.game("expendibots"), "60+2")
    white, black, watcher = come(session, 0, 1, None)
    time.advance(10)
    session.handle(black, Offer("pause"))
    assert (clocks(white)[0], white.position["paused"]) == ((50, True), False)
    time.advance(5)
    session.handle(white, Accept("pause"))
    assert (clocks(black)[0], black.position["paused"]) == ((45, False), True)
    time.advance(1000)
    with pytest.raises(ProtocolError, match="clocks that run"):
        session.handle(white, Offer("pause"))
    with pytest.raises(ProtocolError, match="watching"):
        session.handle(watcher, Resume())
    session.leave(black)
    (black,) = come(session, 1)
    assert clocks(black)[0] == (45, False)  # coming back resumes nothing
    session.handle(black, Resume())
    assert (clocks(white)[0], white.position["paused"]) == ((45, True), False)
    with pytest.raises(ProtocolError, match="no pause"):
        session.handle(black, Resume())
    session.handle(white, Offer("pause"))
    session.handle(black, Offer("pause"))
    session.handle(white, Act(0, "a2-a3"))  # who plays goes on
    assert (clocks(white)[1], white.position["paused"]) == ((60, True), False)


def test_what_the_server_does_with_a_choice_takes_nobodys_time(sit: Callable[..., Session], time: Time) -> None:
    session = sit(ludarium.game("expendibots"), "60")
    white, _ = come(session, 0, 1)
    assert isinstance(session.course, Timeline)
    session.course.listen(lambda event: time.advance(1), len(session.course.events))
    time.advance(2)
    session.handle(white, Act(0, "a2-a3"))
    assert clocks(white) == [(58 + LAG, False), (60, True)]


def test_draws_are_offered_where_the_rules_know_them_and_answered_by_playing_on(sit: Callable[..., Session], time: Time) -> None:
    session = sit(ludarium.game("expand-conquer"))
    (left,) = come(session, 0)
    with pytest.raises(ProtocolError, match="knows no draws"):
        session.handle(left, Offer("draw"))
    with pytest.raises(ProtocolError, match="clocks that run"):
        session.handle(left, Offer("pause"))
    session = sit(ludarium.game("expendibots"))
    white, black = come(session, 0, 1)
    session.handle(white, Offer("draw"))
    session.handle(white, Act(0, "a2-a3"))
    assert [offer["kind"] for offer in black.position["offers"]] == ["draw"]
    session.handle(black, Act(1, "a7-a6"))
    assert black.position["offers"] == []
    session.handle(white, Offer("draw"))
    session.handle(black, Decline("draw"))
    with pytest.raises(ProtocolError, match="have offered a draw in this position"):
        session.handle(white, Offer("draw"))
    session.handle(black, Offer("draw"))
    session.handle(white, Offer("takeback"))
    session.handle(white, Accept("draw"))
    outcome = black.position["outcome"]
    assert (outcome["winner"], outcome["reason"], black.position["offers"]) == (None, "adjudicated: agreed by the players", [])


@pytest.mark.parametrize(("game", "first"), [("expendibots", "a2-a3"), ("roboderby", "run")])
def test_nobodys_time_runs_before_all_have_come(sit: Callable[..., Session], time: Time, game: str, first: str) -> None:
    """Neither after dice that fall before the first choice, nor when the first to come has chosen."""
    session = sit(ludarium.game(game), "60+2")
    (one,) = come(session, 0)
    session.handle(one, Act(one.position["ply"], first))
    time.advance(100)
    assert one.position["outcome"] is None
    (other,) = come(session, 1)
    assert not any(running for _, running in clocks(one)[:1])
    assert clocks(other)[1] == (60, True)


def test_several_who_choose_at_once_have_clocks_of_their_own(sit: Callable[..., Session], time: Time) -> None:
    session = sit(ludarium.game("hexabomb", reception="fixed"), "30+1")
    blue, orange = come(session, 0, 1)
    time.advance(12)
    session.handle(blue, Act(0, None, NOBODY))
    assert clocks(blue) == [(19 + LAG, False), (18, True)]
    assert clocks(orange) == [(18, False), (18, True)]
    time.advance(8)
    session.handle(orange, Act(0, None, NOBODY))
    assert clocks(blue) == clocks(orange) == [(19 + LAG, True), (11 + LAG, True)]
    time.advance(11 + 2 * LAG)
    assert blue.position["outcome"]["winner"] == 0


def test_a_clock_tells_nothing_of_what_is_done_behind_a_screen(sit: Callable[..., Session], time: Time) -> None:
    session = sit(ludarium.game("roboderby"), "60+5")
    north, south, watcher = come(session, 0, 1, None)
    for client in (north, south):
        session.handle(client, Act(client.position["ply"], "run"))
    before = clocks(south)
    for _ in range(2):
        time.advance(3)
        session.handle(north, Act(north.position["ply"], next(a["text"] for a in north.position["actions"] if a["text"][0] in "1234")))
    assert clocks(north)[0] == (before[0][0] - 6 + 10 + LAG, True)
    for other in (south, watcher):
        session.handle(other, View(0))
        assert clocks(other) == [(left - 6, True) for left, _ in before]


def test_games_by_correspondence_go_on_while_nobody_is_there(sit: Callable[..., Session], time: Time) -> None:
    session = sit(ludarium.game("expendibots"), "1d/action")
    clients = white, _ = come(session, 0, 1)
    session.handle(white, Act(0, "a2-a3"))
    for client in clients:
        session.leave(client)
    time.advance(86_399)
    assert isinstance(session.play, LocalPlay)
    assert session.play.waits_for_time
    assert session.course.outcome is None
    time.advance(2)
    assert session.course.outcome.winner == 0
    assert not session.play.waits_for_time


def test_a_bot_is_asked_with_the_time_that_it_has(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        for bot, clock in (
            ("alphabeta:depth=1", None),
            ("alphabeta:time=10s", "10+1"),
        ):  # the first may have to be compiled, which takes longer
            made = live.make("human", bot, clock=clock)
            with live.join(made["id"], made["seats"][0]["token"]) as white:
                white.act("a2-a3")
                position = white.until(lambda position: position["ply"] == 2)
        event = json.loads(live.http.get(f"/api/games/{made['id']}/record").text.splitlines()[-1])
        assert 0 < event["seconds"]["1"] < 10
        assert position["clocks"][1] == {"left": pytest.approx(11 - event["seconds"]["1"], abs=0.006), "running": False}


def test_a_seat_beside_bots_survives_a_restart(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        made = live.make("human", "painter", "random", game="hexabomb", options={"map": "garden3"}, clock=3600, seed=1)
        with live.join(made["id"], made["seats"][0]["token"]) as blue:
            assert 3590 < blue.position["clock"]["left"] <= 3600
            blue.send(type="act", ply=0, orders=[["#0", *blue.position["orders"][0][1][1:]], None, None, None])
            blue.until(lambda position: position["ply"] == 2)
    with Live(tmp_path) as live, live.join(made["id"], made["seats"][0]["token"]) as blue:
        assert (blue.position["ply"], blue.position["clock"]["seconds"]) == (2, 3600)
        assert len(blue.welcome["measures"]["Cells"]) == 3
        assert blue.code(type="act", ply=2, orders=[["#0", "none"]]) == "bad_message"
        assert blue.code(type="act", ply=2, orders=[["#4", "none"], None, None, None]) == "illegal_action"


def test_the_lobby_offers_every_installed_game_that_hides_nothing() -> None:
    assert "hexabomb" in [game["id"] for game in lobby_games()]


def test_paths_and_orders_are_the_same_thing() -> None:
    """For every shipped map, in states with bombs and dead characters: what is offered is what is legal."""
    generator, choices = np.array([11], np.uint64), random.Random(3)
    for name in ("tiny2", "glade2", "lair4"):
        game = ludarium.game("hexabomb", map=name, turns=30)
        state, seen = game.start(), set[str]()
        while not state.is_over:
            if state.to_move == (CHANCE,):
                state = state.play(state.sample_chance(generator))
                continue
            chosen: dict[int, Any] = {}
            for player in state.to_move:
                orders = []
                for slot in range(game.dimensions.slots):
                    legal = state.actions(player, slot)
                    for action in legal:
                        picks = game.picks(state, action)
                        assert game.orders.picked(state, player, slot, picks) == action.index
                        seen.add(picks[1].split(" ")[0])
                    numbers = [3 * 3 if isinstance(path[-1], tuple) else 1 for path in game.orders.paths(state, player, slot)]
                    assert sum(numbers) == len(legal)
                    orders.append(choices.choice(legal).index)
                chosen[player] = tuple(orders) if game.dimensions.slots > 1 else orders[0]
            state = state.play(chosen)
        assert {"none", "bomb"} <= seen
