"""Records and positions that visitors bring along."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import ludarium
from ludarium.web.opened import LONGEST, MOST_OF_ADDRESS
from tests.web.live import Live


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def live(folder: Path) -> Iterator[Live]:
    with Live(folder) as live:
        yield live


def opened(live: Live, text: str | bytes) -> httpx.Response:
    return live.http.post("/api/opened", content=text)


def record(*events: dict[str, Any], game: str = "tic-tac-toe", **header: Any) -> str:
    position = ludarium.game("tic-tac-toe").start().text
    usual: dict[str, Any] = {"game": game, "version": 1, "options": {}, "seed": None, "players": ["human", "random"]}
    lines = [{**usual, "time": "2026-01-31T18:30:00+00:00", "format": 1, **header}, {"event": "start", "position": position}, *events]
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def move(player: int, action: str) -> dict[str, Any]:
    return {"event": "action", "actions": {str(player): action}}


def test_a_record_is_shown_as_games_are_and_not_kept(live: Live, folder: Path) -> None:
    text = record(move(0, "b2"), move(1, "a1"))
    before = sorted(folder.rglob("*"))
    answer = opened(live, text)
    assert answer.status_code == 201
    id = answer.json()["id"]
    assert answer.json()["watch"] == f"/game/{id}"
    assert live.http.get(f"/game/{id}").status_code == 200
    with live.join(id) as reader:
        assert reader.welcome["moves"] == ["b2", "a1"]
        assert [(player["kind"], player["connected"]) for player in reader.welcome["players"]] == [("human", None), ("bot", None)]
        assert (reader.position["to_move"], reader.position["outcome"]) == ([0], None)
        reader.send(type="look", ply=1)
        assert reader.receive("position")["picks"] == ["b2"]
        assert reader.code(type="resign") == "not_your_turn"
    assert live.http.get(f"/api/games/{id}/record").text.count("\n") == text.count("\n")
    assert sorted(folder.rglob("*")) == before
    assert live.http.get("/api/lobby/now").json()["games"] == []


def test_a_position_is_that_of_the_game_that_can_read_it(live: Live) -> None:
    for game in ludarium.list_games():
        position = ludarium.game(game).start().text
        answer = opened(live, f"  {position}\n")
        assert answer.status_code == 201, answer.text
        with live.join(answer.json()["id"]) as reader:
            assert (reader.welcome["game"]["id"], reader.position["text"]) == (game, position)


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (record(move(0, "b2"), move(1, "b2")), "bad_record", "the record, line 4: "),
        (record(move(0, "b2"), {"event": "end", "returns": [1, -1], "reason": "won"}), "bad_record", "the record, line 4: "),
        (record(game="nothing"), "bad_record", "the record, line 1: game 'nothing' is not one of"),
        (record(version=9), "bad_record", "the record, line 1: played by version 9"),
        (record(players=["human"]), "bad_record", "the record, line 1: 1 players, but"),
        (record(game="hexabomb", options={"map": "/proc/self/environ"}), "bad_record", "the record, line 1: hexabomb: map="),
        ('{"format": 1}\n', "bad_record", "the record, line 1: a header has the keys"),
        ('{"game"\nrubbish\n', "bad_record", "the record, line 1: not a JSON object"),
        ("{" * 100_000 + '"format"', "bad_record", "the record, line 1: not a JSON object"),
        ("X" * 1000, "bad_notation", f"'{'X' * 60}…' is neither a record of a game nor a position of "),
        (b"\xff\xfe", "bad_notation", "the file is UTF-16 text; save it as UTF-8"),
        ("", "bad_notation", "this is empty; open a game record, or a position in one line"),
        (" \r\n\n", "bad_notation", "this is empty; open a game record, or a position in one line"),
        ("x" * (LONGEST + 1), "too_large", "that is too long: at most 1,048,576 bytes are taken"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(live: Live, text: str | bytes, code: str, said: str) -> None:
    answer = opened(live, text)
    assert (answer.status_code, answer.json()["code"]) == (413 if code == "too_large" else 400, code)
    assert answer.json()["message"].startswith(said)
    assert "\n" not in answer.json()["message"]


@pytest.mark.parametrize("text", [record(move(0, "b2"), players=["Zoë", "random"]), f"{ludarium.game('tic-tac-toe').start().text}\n"])
def test_what_editors_save_is_read(live: Live, text: str) -> None:
    for saved in (
        b"\xef\xbb\xbf" + text.encode(),
        text.replace("\n", "\r\n").encode(),
        text.replace("\n", "\r").encode(),
        f"{text}\n \n".encode(),
    ):
        answer = opened(live, saved)
        assert answer.status_code == 201, answer.text
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        answer = opened(live, text.encode(encoding))
        assert answer.status_code == 400
        assert answer.json()["message"] == f"the file is {encoding[:6].upper()} text; save it as UTF-8"


def test_the_line_that_is_not_utf_8_is_named(live: Live) -> None:
    text = record(move(0, "b2"))
    answer = opened(live, text.replace('"b2"', '"b2", "by": "Zoë"').encode("latin-1"))
    assert answer.json() == {"code": "bad_record", "message": "the record: line 3 is not UTF-8 text; save the file as UTF-8"}
    assert opened(live, "Zoë".encode("latin-1")).json()["message"] == "the file: line 1 is not UTF-8 text; save the file as UTF-8"


def test_the_oldest_give_way_unless_somebody_looks(live: Live) -> None:
    position = ludarium.game("tic-tac-toe").start().text
    first, second = (opened(live, position).json()["id"] for _ in range(2))
    with live.join(first):
        for _ in range(MOST_OF_ADDRESS - 1):
            assert opened(live, position).status_code == 201
        assert live.http.get(f"/game/{first}").status_code == 200
        assert live.http.get(f"/game/{second}").status_code == 404
