"""People with names: whose a name is, what counts for ratings, and that both outlast the server."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.core.leaving import played_for
from ludarium.core.timeline import Timeline
from ludarium.errors import ProtocolError
from ludarium.players import HUMAN, opponents_of
from ludarium.web.people import played
from ludarium.web.people.people import NAMES, WRONG, People
from ludarium.web.people.played import Played, PlayedGames, pool_of
from ludarium.web.people.routes import reserved_names
from ludarium.web.visitors.visitor import Visitor
from tests.web.live import Live

Name = dict[str, str]


BROWSER = {"Cookie": f"visitor={'b' * 22}"}


def named(live: Live, name: str) -> Name:
    answer = live.http.post("/api/people", json={"name": name})
    assert answer.status_code == 200, answer.text
    return answer.json()


def of(live: Live, name: str) -> dict[str, Any]:
    return live.http.get(f"/api/people/{name}").json()


def play(
    live: Live, white: Name | None, black: Name | None, *, takes_back: bool = False, browser: dict[str, str] = BROWSER, **wish: Any
) -> str:
    """A game that White resigns after a turn of each. ``browser`` is Black's, White has none."""
    made = live.make("human", "human", **wish)
    tokens = [seat["token"] for seat in made["seats"]]
    with (
        live.join(made["id"], tokens[0], name=white) as one,
        live.join(made["id"], tokens[1], name=black, additional_headers=browser) as other,
    ):
        one.act("a2-a3")
        other.until(lambda position: position["ply"] == 1)
        other.act("a7-a6")
        one.until(lambda position: position["ply"] == 2)
        if takes_back:
            one.send(type="offer", kind="takeback")
            other.until(lambda position: position["offers"])
            other.send(type="accept", kind="takeback")
            one.until(lambda position: position["ply"] == 0)
            one.act("a2-a3")
            other.until(lambda position: position["ply"] == 1)
            other.act("a7-a6")
            one.until(lambda position: position["ply"] == 2)
        one.send(type="resign")
        other.until(lambda position: position["outcome"])
    return made["id"]


def test_a_game_between_people_with_names_is_rated_and_outlasts_the_server(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        ada, bob = named(live, "Ada"), named(live, "Bob")
        made = live.make("human", "human", lobby="watched")
        tokens = [seat["token"] for seat in made["seats"]]
        with (
            live.join(made["id"], tokens[0], name=ada) as white,
            live.join(made["id"], tokens[1], name=bob, additional_headers=BROWSER) as black,
        ):
            assert [player.get("nickname") for player in black.welcome["players"]] == ["Ada", "Bob"]
            assert black.welcome["players"][0]["page"] == "/people/Ada"
            assert ada["key"] not in str(black.welcome)
            white.act("a2-a3")
            black.until(lambda position: position["ply"] == 1)
            black.act("a7-a6")
            white.until(lambda position: position["ply"] == 2)
        twice = live.make("human", "human")
        with live.join(twice["id"], twice["seats"][0]["token"], name=ada) as white:
            white.act("a2-a3")
            with live.join(twice["id"], twice["seats"][1]["token"], name=bob) as black:
                black.act("a7-a6")
                black.until(lambda position: position["ply"] == 2)
    with Live(tmp_path) as live:  # who sits where has been kept
        with live.join(made["id"], tokens[0]) as white, live.join(made["id"], tokens[1]) as black:
            assert [player.get("nickname") for player in black.welcome["players"]] == ["Ada", "Bob"]
            white.send(type="resign")
            black.until(lambda position: position["outcome"])
        with live.join(twice["id"], twice["seats"][1]["token"]) as black:  # what one browser has played for both is remembered
            black.send(type="resign")
            black.until(lambda position: position["outcome"])
            assert [game["pool"] for game in of(live, "Ada")["games"]] == [None, "people"]
        ratings = {name: of(live, name)["ratings"] for name in ("Ada", "bob")}
        page = live.http.get("/people/Bob").text
        assert "/people/Ada" in page
        assert "1 of 2" in page
        assert "Bob" in live.http.get("/people").text
    assert [(row["pool"], row["wins"], row["losses"], row["streak"]) for row in ratings["Ada"]] == [("people", 0, 1, 0)]
    (row,) = ratings["bob"]
    assert (row["wins"], row["streak"], row["rank"]) == (1, 1, 1)
    assert row["rating"] == -ratings["Ada"][0]["rating"] > 0
    with Live(tmp_path) as live:
        assert of(live, "bob")["ratings"] == ratings["bob"]
        with live.join(made["id"]):  # a game that is over is noted once
            assert len(of(live, "Bob")["games"]) == 2
        with live.join(made["id"], tokens[0], name=bob) as white:
            assert white.welcome["players"][0]["nickname"] == "Ada"  # who has played stays who played


def test_only_games_count_in_which_everybody_had_the_same_chances(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        ada, bob = named(live, "Ada"), named(live, "Bob")
        play(live, ada, None)
        play(live, ada, ada)
        play(live, ada, bob, takes_back=True)
        play(live, ada, bob, browser={})  # both from what is one visitor
        play(live, ada, bob, seed=1)
        position = live.http.get(f"/api/games/{play(live, ada, bob)}/record").text.split('"position":"')[1].split('"')[0]
        play(live, ada, bob, position=position)
        shown = of(live, "Ada")
        assert [game["pool"] for game in shown["games"]] == ["people", "people", None, None, None, None, None]
        assert shown["ratings"][0]["games"] == 2
        made = live.make("human", "human")
        with live.join(made["id"], made["seats"][0]["token"], name=ada) as white:
            white.send(type="resign")  # before anybody has played
            white.until(lambda position: position["outcome"])
        assert of(live, "Ada")["games"][0]["pool"] is None
        for spec, pool in ((opponents_of(ludarium.game("expendibots"))[0].spec, "bots"), ("alphabeta:time=10ms", None)):
            made = live.make("human", spec)
            with live.join(made["id"], made["seats"][0]["token"], name=ada) as white:
                white.act("a2-a3")
                white.until(lambda position: position["ply"] == 2)
                white.send(type="resign")
                white.until(lambda position: position["outcome"])
            assert of(live, "Ada")["games"][0]["pool"] == pool
        assert pool_of(("Ada", None), (False, True), ("White", "random")) == "bots"
        twins = pool_of(("Ada", None, None), (False, True, True), ("", "random", "random"))
        assert twins is None  # nobody knows which of them was met
        assert pool_of((None, None), (True, True), ("random", "greedy")) is None


def test_a_game_counts_once_all_seats_have_acted(tmp_path: Path) -> None:
    people = People(tmp_path, people=1)
    table = [("X", HUMAN, "Ada"), ("O", HUMAN, "Bob")]
    for id, actions in (("neither", ()), ("one", ("b2",)), ("both", ("b2", "a1"))):
        timeline = Timeline(ludarium.game("tic-tac-toe").start())
        for seat, action in enumerate(actions):
            timeline.act({seat: action})
        timeline.resign(1)
        people.note(id, timeline, table, True)
    assert [(game.id, game.pool) for game in people.played.latest("Bob")] == [("both", "people"), ("one", None), ("neither", None)]
    (record,) = people.played.records("Ada").values()
    assert (record.games, record.win) == (1, 1)
    people.close()


@pytest.mark.parametrize("acts", [False, True])
def test_what_is_played_for_a_player_who_left_is_not_its_own(tmp_path: Path, acts: bool) -> None:
    people = People(tmp_path, people=1)
    timeline = Timeline(ludarium.game("hexabomb", map="lair4", players=3, turns=4, reception="fixed").start())
    for turn in range(4):
        if turn == int(acts):
            timeline.resign(1)
        timeline.act({player: played_for(timeline.state, player, turn) for player in timeline.to_move})
    assert timeline.is_over
    people.note("one", timeline, [(name, HUMAN, name) for name in ("Ada", "Bob", "Cem")], True)
    (game,) = people.played.latest("Bob")
    assert game.pool == ("people" if acts else None)
    people.close()


def test_a_streak_of_wins_ends_with_a_draw_or_a_loss(tmp_path: Path) -> None:
    games = PlayedGames(tmp_path / "games.jsonl")
    course = [1.0, 1.0, 1.0, 0.0, 1.0, 1.0, -1.0, 1.0, 0.0, 1.0, 1.0]
    streaks: list[tuple[int, int]] = []
    for number, own in enumerate(course):
        seats = [("Ada", own), ("Bob", -own)][:: 1 if number % 3 else -1]
        names, returns = zip(*seats, strict=True)
        games.add(Played(f"{number}", "g", "G", {}, names, ("", ""), returns, "so it is", 0.0, "people"))
        (record,) = games.records("Ada").values()
        streaks.append((record.streak, record.best_streak))
    assert [streak for streak, _ in streaks] == [1, 2, 3, 0, 1, 2, 0, 1, 0, 1, 2]
    assert streaks[-1] == (2, 3)
    (record,) = games.records("Bob").values()
    assert (record.win, record.draw, record.loss, record.streak, record.best_streak) == (1, 2, 8, 0, 1)
    games.close()


def test_a_name_is_its_owners(tmp_path: Path) -> None:
    assert {"organiser", "White", "Left"} <= reserved_names(["expendibots", "expand-conquer", "no-such-game"])
    with Live(tmp_path) as live:
        ada = named(live, "Ada")

        def refused(name: str, **more: str) -> str:
            return live.http.post("/api/people", json={"name": name, **more}).json()["code"]

        assert refused("ada") == "bad_key"
        assert refused("ＡＤＡ") == "bad_key"
        assert refused("Ada", key="guess") == "bad_key"
        assert named(live, "Zoë")["name"] == "Zoë"
        for bad in ("<b>x</b>", "a\u202eb", "a\u2066b", "a\u200bb", "Аda", " ada", "", "x" * 31, "Basalt", 'a"b', "a\nb"):
            assert refused(bad) == "bad_name", bad
        assert live.http.post("/api/people", json=ada).json() == ada  # another device, or another tab
        made = live.make("human", "human")
        with live.socket(made["id"]) as socket:  # whoever has lost the key plays without a name
            socket.send(type="join", version=1, token=made["seats"][0]["token"], name="Ada", key="guess")
            assert "nickname" not in socket.receive("welcome")["players"][0]
            assert socket.receive("error")["code"] == "bad_key"
        with live.join(made["id"], name=ada) as watcher:
            assert all("nickname" not in player for player in watcher.welcome["players"])
        code = live.http.post("/api/people/code", json=ada, headers={"Origin": f"http://{live.address}"}).json()
        assert code["qr"].startswith("<svg")
        assert live.http.post("/api/people/code", json={"name": "Ada", "key": "guess"}).json()["code"] == "bad_key"
        assert live.http.post("/api/codes", json={"code": code["code"]}).json() == ada
        assert live.http.post("/api/codes", json={"code": code["code"]}).json()["code"] == "bad_token"
        assert live.http.get("/people/nobody").status_code == 404
        assert (tmp_path / "people" / "names.jsonl").stat().st_mode & 0o077 == 0
        assert ada["key"] not in (tmp_path / "people" / "names.jsonl").read_text()


def test_names_and_guesses_of_one_address_are_bounded(tmp_path: Path) -> None:
    people = People(tmp_path, people=1)
    one, other = Visitor("10.0.0.1"), Visitor("10.0.0.2")
    keys = [people.take(f"name {number}", None, one)[1] for number in range(NAMES)]
    with pytest.raises(ProtocolError, match="try again in"):
        people.take("one more", None, one)
    people.take("one more", None, other)
    for _ in range(WRONG):
        with pytest.raises(ProtocolError, match="not the key"):
            people.check("name 0", "guess", other)
    with pytest.raises(ProtocolError, match="many wrong keys"):
        people.check("name 0", keys[0], other)
    assert people.check("name 0", keys[0], one) == "name 0"
    assert people.names.remove("NAME 0")
    with pytest.raises(ProtocolError, match="not the key"):
        people.check("name 0", keys[0], one)
    people.close()
    again = People(tmp_path, people=1)
    with pytest.raises(ProtocolError, match="is taken"):  # nobody becomes somebody who has been removed
        again.take("Name 0", None, one)
    assert again.check("name 1", keys[1], one) == "name 1"
    again.close()


def test_a_crowd_of_names_makes_nobody_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(played, "MOST_RATED", 4)
    games = PlayedGames(tmp_path / "games.jsonl")
    for number in range(4):
        names = f"one{number}", f"other{number}"
        games.add(Played(f"{number}", "g", "G", {}, names, ("", ""), (1.0, -1.0), "so it is", 0.0, "people"))
    (field,) = games.fields
    ratings = games.ratings(field)
    assert set(ratings) == {"one2", "other2", "one3", "other3"}
    assert ratings["one3"].rating > 0 > ratings["other3"].rating
    games.close()


def test_bots_of_older_games_are_called_what_they_meant(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    older = {
        "id": "1",
        "game": "expendibots",
        "title": "Expendibots",
        "options": {},
        "names": ["Ada", None],
        "players": ["", "alphabeta:level=2"],
    }
    path.write_text(json.dumps({**older, "returns": [1.0, -1.0], "reason": "so it is", "finished": 0.0, "pool": "bots"}) + "\n")
    games = PlayedGames(path)
    (before,) = games.latest("Ada")
    assert before.players == ("", "alphabeta:depth=2,lapse=30")
    games.add(replace(before, id="2", players=("", "alphabeta:level=9"), format=2))
    games.add(replace(before, id="3", players=("", "alphabeta:level=9")))
    games.close()
    games = PlayedGames(path)
    found = [played.players[1] for played in games.latest("Ada")]
    assert found == ["alphabeta:level=9", "alphabeta:nodes=50000", "alphabeta:depth=2,lapse=30"]
    games.close()
