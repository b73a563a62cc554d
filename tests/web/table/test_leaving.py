"""On pages, too, games for three and more go on when a player leaves."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import ludarium
from ludarium.errors import ProtocolError
from ludarium.web.table.agreements import Agreements
from ludarium.web.table.messages import Accept, Act, Offer, Resign
from ludarium.web.table.session import Session
from tests.web.table.sitting import Listening, Time, come

RACE: dict[str, Any] = {"players": 4}


def everything(client: Listening) -> list[tuple[str, list[int]]]:
    return [(message["move"], message["out"]) for message in client.got if message["type"] == "position" and message["latest"]]


def test_a_race_goes_on_after_a_resignation(sit: Callable[..., Session]) -> None:
    session = sit(ludarium.game("roboderby", **RACE))
    blue, orange, green, pink, watcher = come(session, 0, 1, 2, 3, None)
    session.handle(orange, Resign())
    for client in (blue, orange, green, pink, watcher):
        assert client.position["outcome"] is None
        assert client.position["out"] == [1]
        assert client.position["move"] == "Orange resigned"
        assert client.position["to_move"] == [0, 2, 3]
    assert '"status":"left"' in watcher.position["text"]
    assert not orange.position["actions"]
    for message in (Resign(), Act(orange.position["ply"], "run"), Offer("takeback")):
        with pytest.raises(ProtocolError) as refused:
            session.handle(orange, message)
        assert refused.value.code == "out"
    for client in (blue, green):
        session.handle(client, Resign())
    outcome = pink.position["outcome"]
    assert (outcome["winner"], outcome["reason"]) == (3, "Pink is the last player")
    assert [round(one, 2) for one in outcome["returns"]] == [-0.33, -1.0, 0.33, 1.0]
    assert pink.position["summary"] is None or pink.position["summary"]["lines"] is not None


def test_choices_of_the_others_count(sit: Callable[..., Session]) -> None:
    """The one for whom they wait leaves: the turn is played."""
    session = sit(ludarium.game("hexabomb", map="lair4", players=3))
    blue, orange, green = come(session, 0, 1, 2)
    slots = blue.got[0]["game"]["slots"]
    nothing = (None,) * slots
    session.handle(blue, Act(0, None, nothing))
    session.handle(green, Act(0, None, nothing))
    assert blue.position["chosen"] == [0, 2]
    session.handle(orange, Resign())
    assert (blue.position["out"], blue.position["to_move"], blue.position["chosen"]) == ([1], [0, 2], [])
    moves = [move for move, _ in everything(blue)]
    assert "Orange resigned" in moves
    ply = blue.position["ply"]
    session.handle(blue, Act(ply, None, nothing))
    session.handle(green, Act(ply, None, nothing))
    assert blue.position["ply"] > ply


def test_a_clock_that_runs_out_takes_one_player_only(sit: Callable[..., Session], time: Time) -> None:
    session = sit(ludarium.game("hexabomb", map="lair4", players=3), "60+0")
    blue, _, green = come(session, 0, 1, 2)
    nothing = (None,) * blue.got[0]["game"]["slots"]
    session.handle(blue, Act(0, None, nothing))
    time.advance(10)
    session.handle(green, Act(0, None, nothing))
    time.advance(60)
    assert blue.position["outcome"] is None
    assert blue.position["out"] == [1]
    assert any(re.fullmatch(r"Orange is out \(timeout: no time left\)", move or "") for move, _ in everything(blue))
    assert blue.position["to_move"] == [0, 2]


def test_nothing_stays_on_offer_and_who_left_is_not_asked(sit: Callable[..., Session]) -> None:
    session = sit(ludarium.game("hexabomb", map="lair4", players=3))
    blue, orange, green = come(session, 0, 1, 2)
    nothing = (None,) * blue.got[0]["game"]["slots"]
    for client in (blue, orange, green):
        session.handle(client, Act(0, None, nothing))
    session.handle(blue, Offer("takeback"))
    assert blue.position["offers"]
    session.handle(orange, Resign())
    assert blue.position["offers"] == []
    with pytest.raises(ProtocolError, match="takeback"):
        session.handle(green, Accept("takeback"))


def test_a_turn_has_its_time_once_whoever_leaves_in_it(sit: Callable[..., Session], time: Time) -> None:
    session = sit(ludarium.game("hexabomb", map="lair4", players=3), "30/action")
    blue, orange, _ = come(session, 0, 1, 2)
    time.advance(20)
    session.handle(orange, Resign())
    assert blue.position["clock"] == {"seconds": 30.0, "left": 10.0}
    nothing = (None,) * blue.got[0]["game"]["slots"]
    ply = blue.position["ply"]
    session.handle(blue, Act(ply, None, nothing))
    time.advance(12)  # and a moment for the line
    assert blue.position["ply"] > ply
    assert blue.position["out"] == [1]
    assert blue.position["clock"]["left"] == 30.0


def test_a_turn_from_before_a_player_left_is_not_offered_back(sit: Callable[..., Session]) -> None:
    session = sit(ludarium.game("hexabomb", map="lair4", players=3))
    blue, orange, green = clients = come(session, 0, 1, 2)
    nothing = (None,) * blue.got[0]["game"]["slots"]
    for client in clients:
        session.handle(client, Act(0, None, nothing))
    session.handle(orange, Resign())
    with pytest.raises(ProtocolError, match="before a player left") as refused:
        session.handle(blue, Offer("takeback"))
    assert refused.value.code == "nothing_to_take_back"
    for client in (blue, green):
        session.handle(client, Act(client.position["ply"], None, nothing))
    session.handle(blue, Offer("takeback"))
    session.handle(green, Accept("takeback"))
    assert blue.position["out"] == [1]


def test_an_agreed_draw_is_one_of_those_who_stayed(sit: Callable[..., Session]) -> None:
    session = sit(ludarium.game("hexabomb", map="lair4", players=3))
    blue, orange, green = come(session, 0, 1, 2)
    session.handle(orange, Resign())
    session.handle(blue, Offer("draw"))
    session.handle(green, Accept("draw"))
    assert blue.position["outcome"]["returns"] == [0.5, -1.0, 0.5]


def test_all_people_are_asked_for_a_rematch() -> None:
    """Also those who left: they would be seated in it."""
    agreements = Agreements([0, 1, 2])
    agreements.leave(1)
    assert agreements.offer("draw", 0) is None
    assert agreements.accept("draw", 2) is not None
    assert agreements.offer("rematch", 0) is None
    assert agreements.accept("rematch", 2) is None
    assert agreements.accept("rematch", 1) is not None
