"""Seats are not lost: what the host of a table can do about them, who can ask for one, and codes that lead back to one's own."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.errors import ProtocolError
from ludarium.players.programs import Conditions
from ludarium.web.table.messages import Accept, Act, Invite, Offer, Resign, Resume, Substitute
from ludarium.web.table.offers import read_offers
from ludarium.web.table.session import Session
from tests.players.programs.bots import write_bot
from tests.web.live import Live, Socket
from tests.web.table.sitting import Listening, Time, come

KEYS = [character * 32 for character in "abcd"]
RACE: dict[str, Any] = {"game": "hexabomb", "options": {"map": "lair4", "players": 3}, "host": 0}
NOTHING = (None,) * 8


def table(live: Live, people: int = 3, **more: Any) -> tuple[str, list[str]]:
    """The id of a game that Blue hosts, and the invitations."""
    made = live.make(*["human"] * people, **{**RACE, **more})
    return made["id"], [seat["token"] for seat in made["seats"]]


def send_nothing(socket: Socket) -> None:
    socket.send(type="act", ply=socket.position["ply"], orders=[None] * socket.welcome["game"]["slots"])


def refused(live: Live, id: str, token: str, **more: str) -> bool:
    with live.socket(id) as socket:
        return socket.code(type="join", version=1, token=token, **more) == "bad_token"


def player(socket: Socket, seat: int, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """What is told of a seat, once it is as wanted."""
    while not wanted(found := socket.receive("players")["players"][seat]):
        pass
    return found


def token_of(invitation: dict[str, Any]) -> str:
    return invitation["link"].partition("#")[2]


def test_a_new_link_ends_the_old_one_and_outlasts_the_server(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        id, invitations = table(live)
        with live.join(id, invitations[0], new_token=KEYS[0]) as blue, live.join(id, invitations[1]) as wrong:
            assert [one.get("host", False) for one in wrong.welcome["players"]] == [True, False, False]
            assert wrong.code(type="invite", seat=2) == "not_host"
            assert wrong.code(type="substitute", seat=2, player="random") == "not_host"
            assert wrong.code(type="answer", ask=1, accept=True) == "not_host"
            wrong.send(type="code")
            handover = wrong.receive("code")["code"]
            returning = wrong.welcome["return_code"]
            blue.send(type="invite", seat=1)
            fresh = token_of(blue.receive("invitation"))
            assert wrong.receive("closed") == {"type": "closed", "reason": "the host has made a new link for Orange", "come_back": False}
            assert wrong.status() == 1001
            assert refused(live, id, invitations[1])
            assert refused(live, id, invitations[1], new_token=KEYS[3])
            for body in ({"code": handover}, {"code": returning, "table": id}):
                assert live.http.post("/api/codes", json=body).json()["code"] == "bad_token"
            with live.join(id, fresh, new_token=KEYS[1]) as orange:
                assert orange.welcome["you"] == 1
            for seat, code in ((0, "bad_message"), (3, "bad_message"), (-1, "bad_message"), ("1", "bad_message")):
                assert blue.code(type="invite", seat=seat) == code
    with Live(tmp_path) as live:
        assert refused(live, id, invitations[1])
        assert refused(live, id, fresh)
        with live.join(id, KEYS[1]) as orange, live.join(id, KEYS[0]) as blue:
            assert orange.welcome["you"] == 1
            blue.send(type="invite", seat=2)  # still the host
            assert token_of(blue.receive("invitation")) != invitations[2]


def test_a_player_who_has_played_and_is_here_keeps_the_seat(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        id, (first, second, _) = table(live)
        with live.join(id, first) as blue:
            with live.join(id, second, new_token=KEYS[1]) as orange:
                assert blue.code(type="substitute", seat=1, player="random") == "here"
                send_nothing(orange)
                blue.until(lambda position: position["chosen"] == [1])
                assert blue.code(type="invite", seat=1) == "here"
                returning = orange.welcome["return_code"]
                assert live.http.post("/api/codes", json={"code": returning, "table": id}).json()["code"] == "here"
            assert not player(blue, 1, lambda one: not one["connected"])["connected"]
            blue.send(type="invite", seat=1)
            blue.receive("invitation")
            assert refused(live, id, KEYS[1])


def test_a_bot_plays_until_the_player_is_back(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        id, tokens = table(live)
        with live.join(id, tokens[0]) as blue, live.join(id, tokens[2]) as green:
            with live.join(id, tokens[1], new_token=KEYS[1]) as orange:
                for each in (blue, orange, green):
                    send_nothing(each)
                blue.until(lambda position: position["ply"] >= 1)
            player(blue, 1, lambda one: not one["connected"])
            for wrong, code in (("human", "bad_option"), ("no such", "bad_option"), ("cmd:true", "bad_option"), (7, "bad_message")):
                assert blue.code(type="substitute", seat=1, player=wrong) == code
            assert blue.code(type="substitute", seat=1, player=None) == "no_such_offer"
            blue.send(type="substitute", seat=1, player="random")
            found = player(green, 1, lambda one: "substitute" in one)
            assert (found["substitute"], found["kind"], found["connected"]) == ({"name": "random", "spec": "random"}, "human", False)
            ply = blue.until(lambda position: 1 not in position["to_move"])["ply"]
            for each in (blue, green):
                send_nothing(each)
            blue.until(lambda position: position["ply"] > ply)
            with live.join(id, KEYS[1]) as orange:
                assert "substitute" not in orange.welcome["players"][1]
                assert "substitute" not in player(blue, 1, lambda one: one["connected"])
            player(blue, 1, lambda one: not one["connected"])
            blue.send(type="substitute", seat=1, player="random")
            player(blue, 1, lambda one: "substitute" in one)
            blue.send(type="substitute", seat=1, player=None)  # let the clock decide
            player(blue, 1, lambda one: "substitute" not in one)
            blue.send(type="substitute", seat=1, player="soot")
            player(blue, 1, lambda one: "substitute" in one)
    with Live(tmp_path) as live:
        with live.join(id, tokens[0]) as blue:
            assert blue.welcome["players"][1]["substitute"] == {"name": "Soot", "spec": "bomber:slip=38"}
            blue.until(lambda position: 1 not in position["to_move"])
            (held,) = live.sessions.in_memory
            assert not held.is_played_apart  # it counts for no rating
        with live.join(id, KEYS[1]) as orange:
            assert "substitute" not in orange.welcome["players"][1]
    assert "bomber" not in (tmp_path / "games" / f"{id}.jsonl").read_text()


def test_a_bot_that_fails_costs_its_player_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "bot").mkdir()
    offers = read_offers([f"mayfly={write_bot(tmp_path / 'bot', 'next(turns()); sys.exit()')}"], Conditions(sandbox="off"), 1)
    with Live(tmp_path, offers=offers) as live, caplog.at_level(logging.WARNING, "ludarium.web"):
        id, tokens = table(live)
        with live.join(id, tokens[0]) as blue:
            blue.send(type="substitute", seat=1, player="mayfly")
            player(blue, 1, lambda one: "substitute" in one)
            player(blue, 1, lambda one: "substitute" not in one)
            assert blue.until(lambda position: 1 in position["to_move"] and not position["thinking"])["out"] == []
    assert "the bot mayfly, which played for a person, failed" in caplog.text
    offers.close()


def test_a_host_sees_nothing_of_a_hidden_hand_that_a_bot_plays(tmp_path: Path, cups: str) -> None:
    with Live(tmp_path) as live:
        made = live.make("human", "human", game="test-cups", seed=11, options={"rounds": 4}, host=0)
        hidden = re.compile("S[1-6]")
        with live.join(made["id"], made["seats"][0]["token"]) as north:
            north.send(type="substitute", seat=1, player="random")
            seen = [north.welcome, north.position]
            opened: list[Any] = []
            while not opened:
                message = json.loads(north.connection.recv(30))
                opened += [message] if message.get("opened") or message.get("outcome") else []
                seen += [message] if not opened else []
                if message["type"] == "position" and message["actions"]:
                    north.send(type="act", ply=message["ply"], action=message["actions"][-1]["text"])
            assert any("substitute" in str(message) for message in seen)
            assert not [message for message in seen if hidden.search(json.dumps(message))]


def test_who_comes_with_a_used_link_asks_the_host(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        id, tokens = table(live)
        with live.join(id, tokens[1], new_token=KEYS[1]):
            pass
        with live.join(id, tokens[0]) as blue, live.join(id) as late, live.join(id) as other:
            assert blue.code(type="ask", token=tokens[1]) == "bad_message"
            assert other.code(type="ask", token="guess") == "bad_token"
            late.send(type="ask", token=tokens[1])
            (ask,) = blue.receive("asks")["asks"]
            assert ask == {"ask": 1, "seat": 1, "name": ""}
            assert late.receive("asked")["seat"] == 1
            assert other.code(type="answer", ask=1, accept=True) == "not_host"
            blue.send(type="answer", ask=1, accept=False)
            assert late.receive("error")["code"] == "refused"
            assert blue.receive("asks")["asks"] == []
            assert blue.code(type="answer", ask=1, accept=True) == "no_such_offer"
            late.send(type="ask", token=tokens[1])
            (ask,) = blue.receive("asks")["asks"]
            blue.send(type="answer", ask=ask["ask"], accept=True)
            fresh = token_of(late.receive("invitation"))
            with live.join(id, fresh, new_token=KEYS[2]) as orange:
                assert orange.welcome["you"] == 1
            assert refused(live, id, KEYS[1])
            assert other.code(type="ask", token=KEYS[1]) == "too_many"  # three from one address, for all who come from there


def test_a_request_ends_with_its_client_and_nobody_asks_for_a_seat_that_is_played(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        id, tokens = table(live)
        with live.join(id, tokens[0]) as blue:
            with live.join(id, tokens[1], new_token=KEYS[1]) as orange:
                with live.join(id) as late:
                    late.send(type="ask", token=tokens[1])
                    assert len(blue.receive("asks")["asks"]) == 1
                    with live.join(id, tokens[0]) as again:
                        assert len(again.receive("asks")["asks"]) == 1
                    send_nothing(orange)
                    blue.until(lambda position: position["chosen"] == [1])
                    assert blue.code(type="answer", ask=1, accept=True) == "here"
                assert blue.receive("asks")["asks"] == []
                with live.join(id) as late:
                    assert late.code(type="ask", token=tokens[1]) == "here"
                orange.send(type="resign")
            with live.join(id) as late:
                assert late.code(type="ask", token=tokens[1]) == "out"
        hostless = live.make("human", "human")
        with live.join(hostless["id"], hostless["seats"][0]["token"], new_token=KEYS[0]) as white:
            assert white.code(type="invite", seat=1) == "not_host"


def test_a_code_leads_back_to_a_seat_and_is_not_guessed(tmp_path: Path) -> None:
    def use(live: Live, id: str, code: str) -> tuple[int, dict[str, Any]]:
        answer = live.http.post("/api/codes", json={"code": code, "table": id})
        return answer.status_code, answer.json()

    with Live(tmp_path) as live:
        id, tokens = table(live)
        with live.join(id, tokens[1], new_token=KEYS[1]) as orange, live.join(id) as watcher:
            code = orange.welcome["return_code"]
            assert re.fullmatch(r"[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}", code)
            assert watcher.welcome["return_code"] is None
            assert code not in json.dumps(watcher.welcome)
            assert code not in live.http.get(f"/game/{id}").text
            assert code not in live.http.get(f"/api/games/{id}/record").text
    with Live(tmp_path) as live:
        opened = {"game": id, "player": 1, "name": "Orange", "token": KEYS[1]}
        assert use(live, id, code.lower().replace("-", " ")) == (200, opened)
        assert use(live, id, code) == (200, opened)  # a window may forget again
        other, _ = table(live)
        assert use(live, other, code)[1]["code"] == "bad_token"
        for wrong in ("ü", "", "AAAA-AAAA", "B" * 60_000, code[:-1]):
            assert use(live, id, wrong)[1]["code"] == "bad_token"
        status, told = use(live, id, code)
        assert (status, told["code"]) == (429, "too_many")
        assert use(live, other, "ABCD-EFGH")[1]["code"] == "bad_token"  # at another table it goes on
        assert use(live, "no-such-game", code)[0] == 404


def test_a_rematch_takes_host_codes_and_bots_along(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        id, tokens = table(live)
        with live.join(id, tokens[0]) as blue, live.join(id, tokens[2]) as green:
            code = blue.welcome["return_code"]
            blue.send(type="substitute", seat=1, player="random")
            player(blue, 1, lambda one: "substitute" in one)
            green.send(type="resign")
            blue.until(lambda position: position["out"] == [2])
            blue.send(type="resign")
            blue.until(lambda position: position["outcome"])
            blue.send(type="offer", kind="rematch")
            green.until(lambda position: position["offers"])
            green.send(type="accept", kind="rematch")  # the bot in Orange's place is not asked
            following = blue.until(lambda position: position["next"])["next"]
        with live.join(following, tokens[0]) as blue:
            assert (blue.welcome["you"], blue.welcome["return_code"]) == (1, code)
            assert blue.welcome["players"][1]["host"]
            assert blue.welcome["players"][2]["substitute"]["spec"] == "random"
            blue.send(type="invite", seat=0)
            blue.receive("invitation")


def test_wrong_hosts_are_refused(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        for host, code in ((1, "bad_message"), (9, "bad_message"), (-1, "bad_message"), ("0", "bad_message")):
            answer = live.http.post("/api/games", json={"game": "expendibots", "players": ["human", "random"], "host": host})
            assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_a_pause_during_which_a_player_leaves_outlasts_the_server(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        id, tokens = table(live, clock="60+0")
        with live.join(id, tokens[0]) as blue, live.join(id, tokens[1]) as orange, live.join(id, tokens[2]) as green:
            blue.send(type="offer", kind="pause")
            for each in (orange, green):
                each.until(lambda position: position["offers"])
                each.send(type="accept", kind="pause")
            blue.until(lambda position: position["paused"])
            orange.send(type="resign")
            blue.until(lambda position: position["out"] == [1])
    with Live(tmp_path) as live, live.join(id, tokens[0]) as blue, live.join(id, tokens[2]) as green:
        assert blue.position["paused"]
        green.send(type="resume")
        blue.until(lambda position: not position["paused"])
        blue.send(type="offer", kind="pause")
        green.until(lambda position: position["offers"])
        green.send(type="accept", kind="pause")  # Orange is not asked
        blue.until(lambda position: position["paused"])


# Without sockets: what a host does and what players do meanwhile.


@pytest.fixture
def race(sit: Callable[..., Session]) -> Session:
    return sit(ludarium.game("hexabomb", map="lair4", players=3), "60+0", host=0)


def orders(client: Listening) -> tuple[None, ...]:
    return (None,) * client.got[0]["game"]["slots"]


def code_of(session: Session, client: Listening, message: Any) -> str:
    with pytest.raises(ProtocolError) as refused:
        session.handle(client, message)
    return refused.value.code


def test_a_host_who_is_out_still_hosts(race: Session) -> None:
    blue, orange, _ = come(race, 0, 1, 2)
    race.handle(blue, Resign())
    assert [code_of(race, blue, message) for message in (Resign(), Act(blue.position["ply"], None, orders(blue)))] == ["out", "out"]
    race.handle(blue, Invite(1))
    assert blue.got[-1]["link"].startswith("/game/x#")
    assert orange.closing is not None
    assert code_of(race, blue, Invite(0)) == "bad_message"


def test_seats_of_players_who_left_are_not_given_away(race: Session) -> None:
    blue, orange, green = come(race, 0, 1, 2)
    race.handle(orange, Resign())
    assert code_of(race, blue, Invite(1)) == "out"
    assert code_of(race, blue, Substitute(1, "random")) == "out"
    race.handle(green, Resign())
    assert code_of(race, blue, Substitute(2, "random")) == "game_over"


def test_a_player_leaves_during_a_pause_and_an_offer(race: Session) -> None:
    blue, orange, green = come(race, 0, 1, 2)
    for client in (blue, orange, green):
        race.handle(client, Offer("pause"))
    assert green.position["paused"]
    race.handle(orange, Resign())
    assert green.position["paused"]
    race.handle(green, Resume())
    assert not green.position["paused"]
    race.handle(blue, Offer("pause"))
    race.handle(green, Accept("pause"))  # Orange is not asked
    assert green.position["paused"]


def test_a_host_does_not_flood_the_table(race: Session, time: Time) -> None:
    (blue,) = come(race, 0)
    for _ in range(20):
        race.handle(blue, Invite(1))
    assert code_of(race, blue, Invite(1)) == "too_many"
    time.advance(5)
    race.handle(blue, Invite(1))
    assert len(race.play.seats[1].dead) == 8
