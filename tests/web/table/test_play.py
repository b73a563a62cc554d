"""Games over the socket: people, bots, watchers; taking back, resigning, looking around."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludarium
from ludarium.core.record import read_record
from tests.web.live import Live


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def live(folder: Path) -> Iterator[Live]:
    with Live(folder) as live:
        yield live


def tokens(made: dict) -> list[str]:
    return [seat["token"] for seat in made["seats"]]


def test_making_a_game(live: Live) -> None:
    made = live.make("human", "human")
    assert made["watch"] == f"/game/{made['id']}"
    assert [(seat["player"], seat["name"]) for seat in made["seats"]] == [(0, "White"), (1, "Black")]
    assert all(seat["link"] == f"{made['watch']}#{seat['token']}" for seat in made["seats"])
    assert len(set(tokens(made))) == 2
    assert [seat["player"] for seat in live.make("random", "human")["seats"]] == [1]
    assert live.make("random", "random")["seats"] == []


def test_a_whole_game_against_a_bot(live: Live, folder: Path) -> None:
    made = live.make("human", "random", seed=5)
    choices = random.Random(2)
    with live.join(made["id"], tokens(made)[0]) as socket:
        assert socket.welcome == {
            "type": "welcome",
            "version": 1,
            "game": {
                "id": "expendibots",
                "title": "Expendibots",
                "options": {"turn_limit": 500, "repetition": "board"},
                "slots": 1,
                "orders": False,
                "idle": False,
                "hidden": False,
                "draws": True,
                "independent": False,
                "ranked_by": None,
                "prompt": "",
            },
            "players": [
                {"name": "White", "kind": "human", "spec": "human", "connected": True, "taken": False},
                {
                    "name": "Black",
                    "kind": "bot",
                    "spec": "random",
                    "connected": True,
                    "opponent": {"name": "", "face": "/faces/expendibots/random.svg"},
                },
            ],
            "watching": 0,
            "you": 0,
            "return_code": socket.welcome["return_code"],
            "seat": 0,
            "clock": None,
            "time_control": None,
            "moves": [],
            "measures": {},
        }
        state = ludarium.game("expendibots").start()
        while True:
            position = socket.until(lambda position: position["outcome"] or position["to_move"] == [0])
            while state.text != position["text"]:  # the bot's move, which came with the position
                state = state.play(position["move"])
            if position["outcome"]:
                break
            assert [action["text"] for action in position["actions"]] == [action.text for action in state.actions()]
            action = choices.choice(position["actions"])
            socket.act(action["text"])
            state = state.play(action["text"])
            position = socket.receive("position")
            assert (position["occasion"], position["text"], position["move"]) == ("action", state.text, action["text"])
            assert position["effects"] == action["effects"]
            assert position["picks"] == action["picks"]
            assert position["latest"]
            assert position["length"] == position["ply"] == state.record.ply
            assert position["actions"] == []
            assert position["thinking"] == ([] if state.is_over else [1])
    assert state.outcome is not None
    assert position["outcome"] == {
        "returns": list(state.outcome.returns),
        "winner": state.outcome.winner,
        "reason": state.outcome.reason,
    }
    replayed = read_record(folder / "games" / f"{made['id']}.jsonl").replay()
    assert replayed.state == state
    assert replayed.is_over


def test_two_people_and_a_watcher(live: Live) -> None:
    made = live.make("human", "human")
    first, second = tokens(made)
    with live.join(made["id"]) as watcher, live.join(made["id"], first) as white, live.join(made["id"], second) as black:
        assert (watcher.welcome["you"], white.welcome["you"], black.welcome["you"]) == (None, 0, 1)
        assert (watcher.welcome["seat"], white.welcome["seat"], black.welcome["seat"]) == (0, 0, 1)
        assert [player["connected"] for player in watcher.welcome["players"]] == [False, False]
        assert [player["connected"] for player in watcher.receive("players")["players"]] == [True, False]
        assert [player["connected"] for player in watcher.receive("players")["players"]] == [True, True]
        assert watcher.position["actions"] == black.position["actions"] == []
        assert len(white.position["actions"]) == 50
        assert watcher.position["svg"] == white.position["svg"] != black.position["svg"]
        for socket, count in ((white, 0), (black, 50)):
            socket.send(type="ahead")
            ahead = socket.receive("ahead")
            assert (ahead["ply"], len(ahead["actions"])) == (0, count)
        assert {"text": "a7-a6", "picks": ["a7", "a6", "1"], "effects": []} in ahead["actions"]
        assert watcher.code(type="ahead") == "not_your_turn"
        assert black.code(type="act", ply=0, action="a7-a6") == "not_your_turn"

        white.act("a2-a3")
        for socket in (watcher, white, black):
            assert socket.receive("position")["move"] == "a2-a3"
        assert watcher.position["actions"] == white.position["actions"] == []
        assert len(black.position["actions"]) > 0
        black.act("h7-h6")
        assert [watcher.receive("position")["move"], white.receive("position")["move"]] == ["h7-h6", "h7-h6"]

        for message in ({"type": "act", "ply": 2, "action": "a3-a4"}, {"type": "resign"}, {"type": "offer", "kind": "takeback"}):
            assert watcher.code(**message) == "not_your_turn"
        assert black.receive("position")["ply"] == 2
        black.send(type="resign")
        for socket in (watcher, white, black):
            ended = socket.receive("position")
            assert ended["occasion"] == "end"
            assert ended["outcome"] == {"returns": [1.0, -1.0], "winner": 0, "reason": "Black resigned"}
        for message in ({"type": "act", "ply": 2, "action": "a3-a4"}, {"type": "resign"}, {"type": "offer", "kind": "takeback"}):
            assert white.code(**message) == "game_over"
    with live.join(made["id"]) as later:
        assert later.position["outcome"]["winner"] == 0
        assert later.welcome["moves"] == ["a2-a3", "h7-h6"]


def test_coming_back_continues_the_game(live: Live) -> None:
    made = live.make("human", "human")
    first, second = tokens(made)
    with live.join(made["id"], second) as black:
        with live.join(made["id"], first) as white:
            assert black.receive("players")["players"][0]["connected"]
            white.act("a2-a3")
            white.receive("position")
        assert not black.receive("players")["players"][0]["connected"]
        black.until(lambda position: position["ply"] == 1)
        black.act("a7-a6")
        black.until(lambda position: position["ply"] == 2)
        with live.join(made["id"], first) as white, live.join(made["id"], first) as other_window:
            assert white.welcome["moves"] == ["a2-a3", "a7-a6"]
            assert (white.position["occasion"], white.position["move"]) == ("now", "a7-a6")
            other_window.act("b2-b3")
            assert white.receive("position")["move"] == "b2-b3"


def test_act_is_refused_unless_everything_fits(live: Live) -> None:
    made = live.make("human", "human")
    first, second = tokens(made)
    with live.join(made["id"], first) as white, live.join(made["id"], second) as black:
        assert black.code(type="act", ply=0, action="a7-a6") == "not_your_turn"
        assert white.code(type="act", ply=1, action="a2-a3") == "stale"
        assert white.code(type="act", ply=-1, action="a2-a3") == "stale"
        assert white.code(type="act", ply=10**300, action="a2-a3") == "stale"
        assert white.code(type="act", ply=0, action="a7-a6") == "illegal_action"
        assert white.code(type="act", ply=0, action="c1-c2") == "illegal_action"
        assert white.code(type="act", ply=0, action="a9!") == "bad_notation"
        assert white.code(type="act", ply=0, action="x" * 60_000) == "bad_notation"
        assert white.code(type="join", version=1) == "bad_message"
        white.act("a2-a3")
        assert white.receive("position")["length"] == 1


def test_taking_back_against_a_bot(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludarium.web.table.local_play.MOST_TAKEBACKS", 2)
    made = live.make("human", "random", seed=1)
    with live.join(made["id"], tokens(made)[0]) as socket:
        assert socket.code(type="offer", kind="takeback") == "nothing_to_take_back"
        for action in ("a2-a3", "b2-b3"):
            socket.until(lambda position: position["to_move"] == [0])
            socket.act(action)
            socket.receive("position")
        socket.until(lambda position: position["ply"] == 4)
        before = socket.position
        socket.send(type="offer", kind="takeback")
        back = socket.receive("position")
        assert (back["occasion"], back["ply"], back["length"], back["to_move"]) == ("takeback", 2, 2, [0])
        socket.send(type="offer", kind="takeback")
        assert socket.receive("position")["ply"] == 0
        assert socket.code(type="offer", kind="takeback") == "nothing_to_take_back"
        assert socket.position["text"] == ludarium.game("expendibots").start().text != before["text"]
        socket.act("h2-h3")
        assert socket.receive("position")["move"] == "h2-h3"
        assert socket.until(lambda position: position["ply"] == 2)["to_move"] == [0]
        assert socket.code(type="offer", kind="takeback") == "too_many"


def test_a_bot_that_begins_is_not_taken_back_to(live: Live) -> None:
    made = live.make("random", "human")
    with live.join(made["id"], tokens(made)[0]) as socket:
        socket.until(lambda position: position["to_move"] == [1])
        assert socket.code(type="offer", kind="takeback") == "nothing_to_take_back"
        socket.act(socket.position["actions"][0]["text"])
        socket.receive("position")
        socket.until(lambda position: position["ply"] == 3)
        socket.send(type="offer", kind="takeback")
        assert socket.receive("position")["ply"] == 1


def test_taking_back_between_people_takes_both(live: Live) -> None:
    made = live.make("human", "human")
    first, second = tokens(made)
    with live.join(made["id"], first) as white, live.join(made["id"], second) as black, live.join(made["id"]) as watcher:
        assert white.code(type="offer", kind="takeback") == "nothing_to_take_back"
        for mover, action in ((white, "a2-a3"), (black, "a7-a6"), (white, "b2-b3")):
            mover.act(action)
            white.receive("position"), black.receive("position"), watcher.receive("position")
        assert black.code(type="act", ply=3, action="a2-a3") == "illegal_action"

        for answer in ("accept", "decline"):
            assert black.code(type=answer, kind="takeback") == "no_such_offer"
        asks = {"kind": "takeback", "by": 0, "accepted": [0]}
        for _ in range(2):  # offering twice does not answer the offer
            white.send(type="offer", kind="takeback")
            asked = [socket.receive("position") for socket in (white, black, watcher)]
            assert [(one["occasion"], one["ply"], one["offers"]) for one in asked] == 3 * [("notice", 3, [asks])]
        assert len(black.position["actions"]) > 0
        assert watcher.code(type="accept", kind="takeback") == "not_your_turn"
        black.act("b7-b6")  # nobody has to answer, and a step ends the offer
        assert white.receive("position")["offers"] == black.receive("position")["offers"] == []

        for answers, occasion in ((black, "decline"), (white, "notice")):
            white.send(type="offer", kind="takeback")
            assert white.receive("position")["offers"] == black.receive("position")["offers"] == [asks]
            answers.send(type="decline", kind="takeback")
            for socket in (white, black):
                ended = socket.receive("position")
                assert (ended["occasion"], ended["ply"], ended["offers"]) == (occasion, 4, [])

        white.send(type="offer", kind="takeback")
        white.receive("position"), black.receive("position")
        assert white.code(type="accept", kind="takeback") == "too_many"  # or everybody would be told of it without end
        white.send(type="decline", kind="takeback")
        white.receive("position"), black.receive("position")
        assert white.code(type="offer", kind="takeback") == "too_many"

        black.send(type="offer", kind="takeback")
        white.receive("position"), black.receive("position")
        white.send(type="accept", kind="takeback")
        back = white.receive("position")
        assert (back["occasion"], back["ply"], back["to_move"], back["offers"]) == ("takeback", 3, [1], [])
        black.receive("position")
        white.send(type="offer", kind="takeback")
        white.receive("position"), black.receive("position")
        black.send(type="offer", kind="takeback")  # of what is on offer already: that is for it
        assert black.receive("position")["ply"] == 2
    lines = [json.loads(line) for line in live.http.get(f"/api/games/{made['id']}/record").text.splitlines()]
    assert [line["event"] for line in lines[1:]] == ["start", *["action"] * 4, "takeback", "takeback"]


def test_a_bot_accepts_a_rematch_at_once(live: Live) -> None:
    made = live.make("human", "random", "painter", game="hexabomb", options={"map": "garden3"}, clock=60)
    with live.join(made["id"], tokens(made)[0]) as socket:
        assert socket.code(type="offer", kind="rematch") == "no_such_offer"
        socket.send(type="resign")
        socket.send(type="offer", kind="rematch")
        following = socket.until(lambda position: position["next"] is not None)["next"]
    with live.join(following, tokens(made)[0]) as socket:
        assert [player["spec"] for player in socket.welcome["players"]] == ["painter", "human", "random"]
        assert (socket.welcome["you"], socket.welcome["clock"]) == (1, 60)
        assert socket.position["series"] == {"game": 2, "points": [0.75, 0.0, 0.75]}


def test_looking_and_turning_the_board(live: Live) -> None:
    made = live.make("human", "human")
    first, _ = tokens(made)
    with live.join(made["id"], first) as white, live.join(made["id"]) as watcher:
        start = watcher.position
        white.act("a2-a3")
        now = watcher.receive("position")
        watcher.send(type="look", ply=0)
        earlier = watcher.receive("position")
        assert (earlier["occasion"], earlier["ply"], earlier["latest"], earlier["length"]) == ("look", 0, False, 1)
        assert (earlier["svg"], earlier["move"], earlier["outcome"], earlier["actions"], earlier["to_move"]) == (
            start["svg"],
            None,
            None,
            [],
            [],
        )
        watcher.send(type="look", ply=1)
        assert watcher.receive("position")["svg"] == now["svg"]
        for ply in (-1, 2, 10**400):
            assert watcher.code(type="look", ply=ply) == "no_such_ply"
        watcher.send(type="view", seat=1)
        turned = watcher.receive("position")
        assert (turned["occasion"], turned["ply"]) == ("now", 1)
        assert turned["svg"] != now["svg"]
        assert watcher.code(type="view", seat=2) == watcher.code(type="view", seat=-1) == "bad_message"
        white.receive("position")
        white.send(type="look", ply=1)
        assert white.receive("position")["svg"] == now["svg"]  # what others look at is their own affair


def test_the_record_of_a_running_game_has_no_seed(live: Live, folder: Path, tmp_path: Path) -> None:
    made = live.make("human", "random", seed=123_456_789)
    path = f"/api/games/{made['id']}/record"
    with live.join(made["id"], tokens(made)[0]) as socket:
        socket.act("a2-a3")
        socket.until(lambda position: position["ply"] == 2)
        running = live.http.get(path)
        assert "123456789" not in running.text
        assert json.loads(running.text.splitlines()[0])["seed"] is None
        assert re.fullmatch(r'attachment; filename="expendibots-.{12}\.jsonl"', running.headers["content-disposition"])
        assert tokens(made)[0] not in running.text
        (tmp_path / "record.jsonl").write_text(running.text, "utf-8")
        assert read_record(tmp_path / "record.jsonl").replay().state.text == socket.position["text"]
        socket.send(type="resign")
        socket.receive("position")
        finished = live.http.get(path).text
    assert json.loads(finished.splitlines()[0])["seed"] == 123_456_789
    on_disk = (folder / "games" / f"{made['id']}.jsonl").read_text("utf-8")
    assert [json.loads(line) for line in on_disk.splitlines()] == [json.loads(line) for line in finished.splitlines()]
    assert tokens(made)[0] not in on_disk


def test_a_seed_repeats_the_bots_choices(live: Live) -> None:
    def course(seed: int) -> list[str]:
        made = live.make("random", "random", seed=seed, options={"turn_limit": 20})
        with live.join(made["id"]) as watcher:
            watcher.until(lambda position: position["outcome"])
        with live.join(made["id"]) as watcher:
            return watcher.welcome["moves"]

    assert course(3) == course(3) != course(4)


def test_options_and_positions(live: Live) -> None:
    text = "......../......../......../......../......../......../.B....../W....... w 8"
    made = live.make("human", "human", options={"turn_limit": "9", "repetition": "board and side"}, position=text)
    with live.join(made["id"], tokens(made)[0]) as socket:
        assert socket.welcome["game"]["options"] == {"turn_limit": 9, "repetition": "board and side"}
        assert socket.position["text"] == text
        boom = next(action for action in socket.position["actions"] if action["text"] == "a1!")
        assert boom == {"text": "a1!", "picks": ["a1", "boom"], "effects": [["a1"], ["b2"]]}
        socket.act("a1-a2")
        assert socket.receive("position")["outcome"]["reason"] == "9 turns were played without a winner"
        assert socket.position["occasion"] == "action"


def test_another_game_plays_the_same_way(live: Live) -> None:
    made = live.make("human", "human", game="tic-tac-toe")
    with live.join(made["id"], tokens(made)[0]) as x, live.join(made["id"], tokens(made)[1]) as o:
        for number, cell in enumerate(("a1", "a2", "b1", "b2", "c1")):
            (x, o)[number % 2].act(cell)
            x.receive("position"), o.receive("position")
        assert x.position["outcome"]["winner"] == 0
        assert x.position["to_move"] == []
