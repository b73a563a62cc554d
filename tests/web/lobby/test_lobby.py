"""What the lobby's form shows: who can play by which rules."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludarium
from ludarium.web.lobby.pages import lobby_games
from ludarium.web.table.messages import LIMIT
from tests.web.live import Live


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with Live(tmp_path) as live:
        yield live


def test_the_seats_follow_the_rules_that_are_chosen(live: Live) -> None:
    shown = live.http.post("/api/lobby/hexabomb/seats", json={"map": "garden3", "mode": "sudden-death"}).json()
    assert shown["players"] == ["Special", "Orange", "Green", "Red"]
    assert len(re.findall(r'<select id="sits-hexabomb-\d"', shown["seats"])) == 4
    assert '<option value="flint">Flint</option>' in shown["seats"]
    assert shown["picture"].startswith("<svg ")
    assert '"mode":"sudden-death"' in shown["start"]


def test_one_who_plays_alone_is_offered_no_opponent(live: Live) -> None:
    alone, two = (live.http.post("/api/lobby/roboderby/seats", json={"players": players}).json()["seats"] for players in "12")
    kinds = [re.findall(r'name="with" value="([a-z]+)"', seats) for seats in (alone, two)]
    assert kinds == [["bot", "bots"], ["bot", "friend", "bots", "seats"]]
    assert "You alone" in alone
    assert "Against the computer" in two


def test_boards_have_a_title_each() -> None:
    boards = {game["id"]: [option for option in game["options"] if option["is_board"]] for game in lobby_games()}
    assert [option["name"] for option in boards["roboderby"] + boards["hexabomb"]] == ["board", "map"]
    (board,) = boards["roboderby"]
    titles = dict(zip(board["choices"], board["titles"], strict=True))
    assert titles["random"] == "Shuffled: another one each time"
    assert titles["carousel"].startswith("Carousel: ")


@pytest.mark.parametrize(
    ("game", "options", "problem"),
    [
        ("hexabomb", {"map": "tiny2", "players": "3"}, "hexabomb: map tiny2: Too many players (3) for this map (max=2)."),
        ("hexabomb", {"colour": "red"}, "hexabomb: option 'colour' is not one of: map"),
        ("nothing", {}, "game 'nothing' is not one of"),
    ],
)
def test_rules_that_do_not_fit_together_are_said(live: Live, game: str, options: dict[str, str], problem: str) -> None:
    answer = live.http.post(f"/api/lobby/{game}/seats", json=options)
    assert answer.status_code == 200
    assert answer.json()["problem"].startswith(problem)


def test_a_clock_says_what_becomes_of_the_late() -> None:
    late = {game["id"]: game["late"] for game in lobby_games()}
    assert "orders given so far" in late["hexabomb"]
    assert late["roboderby"] == "When the time is up, the lowest dice fill the open registers, as NO-OPs."
    assert "loses" in late["expendibots"]


@pytest.mark.parametrize(
    ("game", "option", "path"), [("hexabomb", "map", "map.json"), ("roboderby", "dice", "dice.toml"), ("roboderby", "tiles", "x.tiles")]
)
def test_over_the_wire_nobody_names_a_file(live: Live, tmp_path: Path, game: str, option: str, path: str) -> None:
    """What is said of a file that exists and of one that does not is the same."""
    (tmp_path / path).write_text("secret")
    said = set()
    for named in (tmp_path / path, tmp_path / "missing", tmp_path, "/proc/self/environ", "{/../etc/passwd"):
        options = {option: str(named)}
        answers = [live.http.post(f"/api/lobby/{game}{part}", json=options).json()["problem"] for part in ("/seats", "/deal")]
        answers.append(live.http.post("/api/games", json={"game": game, "players": ["random"] * 2, "options": options}).json()["message"])
        said.update(answer.replace(str(named), "PATH") for answer in answers)
    assert not any("secret" in answer or "exist" in answer for answer in said)
    assert len([answer for answer in said if "a server reads no files, but takes what stands in one" in answer]) == 1
    assert len(said) <= 2  # a name with a brace is no name, but a text that is no map, no dice and no tiles


def test_a_position_names_no_file_either(live: Live, tmp_path: Path) -> None:
    (tmp_path / "x.tiles").write_text("secret")
    said = set()
    for named in (tmp_path / "x.tiles", tmp_path / "missing"):
        for option in ("tiles", "dice"):
            told = ludarium.game("roboderby").start(seed=1).text.replace('"rules":{}', json.dumps({"rules": {option: str(named)}})[1:-1])
            answer = live.http.post("/api/games", json={"game": "roboderby", "players": ["random"] * 2, "position": told})
            assert answer.status_code == 400
            said.add(answer.json()["message"].replace(str(named), "PATH").replace(option, "OPTION"))
    assert len(said) == 2  # the shipped names of each
    assert all(answer.endswith("a server reads no files, but takes what stands in one") for answer in said)


def test_a_position_tells_its_options_itself(live: Live) -> None:
    told = ludarium.game("roboderby", players=1, reroll="any", board="chimneys").start(seed=1).text
    made = live.make("greedy", game="roboderby", position=told)
    with live.join(made["id"]) as watcher:
        assert watcher.until(lambda position: position["ply"] == 0)["text"] == told
    wish = {"game": "roboderby", "players": ["greedy"], "position": told, "options": {"reroll": "all"}}
    assert "both have to be the same" in live.http.post("/api/games", json=wish).json()["message"]


def test_the_text_of_a_file_is_taken_from_anybody(live: Live) -> None:
    text = '{"cells":[{"q":0,"r":0},{"q":1,"r":0}],"initial_positions":{"0":[{"q":0,"r":0}],"1":[{"q":1,"r":0}]}}'
    for long in (text, text.replace(",", "," + 3000 * "\n")):  # a request's head has less room than its body
        assert live.http.post("/api/lobby/hexabomb/seats", json={"map": long}).json()["players"] == ["Blue", "Orange"]
    for place in ("/seats", "/deal"):
        answer = live.http.post(f"/api/lobby/hexabomb{place}", json={"map": LIMIT * " "})
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_board_is_dealt_anew_each_time_and_a_game_starts_from_it(live: Live) -> None:
    """Its tiles, edge and letters; no dice, which would be known to who made the game."""
    deals = [live.http.post("/api/lobby/roboderby/deal", json={"players": "3"}).json() for _ in range(4)]
    assert len({deal["position"] for deal in deals}) > 1
    for deal in deals:
        told = json.loads(deal["position"])
        assert told["phase"] == "shutdown"
        assert told["dice"] == [[0] * 5] * 3
        assert deal["picture"].startswith("<svg ")
    made = live.make("human", "greedy", "greedy", game="roboderby", options={"players": 3}, position=deals[0]["position"])
    with live.join(made["id"]) as watcher:
        watcher.send(type="look", ply=0)
        assert watcher.until(lambda position: position["ply"] == 0)["text"] == deals[0]["position"]


def test_the_deal_of_a_fixed_board_is_that_board(live: Live) -> None:
    dealt = live.http.post("/api/lobby/roboderby/deal", json={"board": "first-lap", "marks": "fixed"}).json()
    assert json.loads(dealt["position"])["deal"] == "start pits cross walls @ 0 0 0 0"
    assert "option 'colour'" in live.http.post("/api/lobby/roboderby/deal", json={"colour": "red"}).json()["problem"]


def test_what_is_hidden_is_not_laid(live: Live) -> None:
    hidden, seen = (live.http.post(f"/api/lobby/{game}/deal", json={}).json() for game in ("liars-dice", "roboderby"))
    assert [hidden["laid"], hidden["position"]] == [False, "3= 3= - N"]
    assert seen["laid"]


def test_only_games_that_chance_begins_have_something_to_deal() -> None:
    assert {game["id"] for game in lobby_games() if game["deals"]} == {"liars-dice", "roboderby"}
