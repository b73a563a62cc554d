"""Whoever keeps order: bans, closed games, removed names and lines; what strangers cannot do, and what a restart does not undo."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from ludarium.errors import ProtocolError
from ludarium.web.organiser.organiser import WRONG, token_in
from ludarium.web.visitors.bans import Bans
from tests.disks import room_for
from tests.web.live import Live

ELSEWHERE = {"X-Forwarded-For": "198.51.100.7"}


def ask(live: Live, part: str = "", token: str | None = None, **wish: Any) -> httpx.Response:
    headers = {"Authorization": f"Bearer {live.token if token is None else token}"}
    return (
        live.http.post(f"/api/organiser/{part}", json=wish, headers=headers) if part else live.http.get("/api/organiser", headers=headers)
    )


def test_an_organiser_bans_and_bans_outlast_the_server(tmp_path: Path) -> None:
    with Live(tmp_path, proxies=["127.0.0.1"]) as live:
        made = live.make("human", "human")
        ada = live.http.post("/api/people", json={"name": "Ada"}).json()
        token = made["seats"][0]["token"]
        with live.join(made["id"], token, name=ada, additional_headers=ELSEWHERE) as white, live.join(made["id"]) as watcher:
            (game,) = ask(live).json()["games"]
            assert game["clients"][0] == {"player": 0, "name": "Ada", "address": "198.51.100.7"}
            (ban,) = ask(live, "ban", address="198.51.100.7", hours=2).json()["bans"]
            assert (ban["address"], ban["name"]) == ("198.51.100.7", None)
            assert white.receive("closed")["come_back"] is False
            with live.join(made["id"], name=ada) as tab:  # wherever it is looked on, and however the name is written
                ask(live, "ban", name="ＡＤＡ", hours=2)
                assert tab.receive("closed")["come_back"] is False
            with live.socket(made["id"]) as socket:
                assert socket.code(type="join", version=1, token=token, **ada) == "banned"
            watcher.send(type="look", ply=0)  # the others stay
            watcher.receive("position")
        with live.join(made["id"], additional_headers={"X-Forwarded-For": "198.51.100.8"}) as other:
            with room_for((tmp_path / "people" / "bans.jsonl").stat().st_size):
                refused = ask(live, "ban", address="198.51.100.8", hours=2).json()
            assert (refused["code"], refused["message"][:32]) == ("cannot_store", "this holds until the server stop")
            assert other.receive("closed")["come_back"] is False
    with Live(tmp_path, proxies=["127.0.0.1"]) as live:
        refusal = live.http.get("/", headers=ELSEWHERE)
        assert (refusal.status_code, refusal.headers["Content-Type"]) == (403, "text/html; charset=utf-8")
        assert "<h1>Not now</h1>" in refusal.text
        refusal = live.http.get("/api/lobby/now", headers=ELSEWHERE)
        assert (refusal.status_code, refusal.json()["code"]) == (403, "banned")
        assert live.http.get("/organiser", headers=ELSEWHERE).status_code == 200  # or who bans themselves would be out for good
        assert live.http.post("/api/people", json=ada).json()["code"] == "banned"
        assert ask(live, "ban", address="198.51.100.7", hours=0).json()["bans"][0]["name"] == "ＡＤＡ"
        assert ask(live, "ban", name="Ada", hours=0).json()["bans"] == []
        assert live.http.get("/", headers=ELSEWHERE).status_code == 200
        assert live.http.post("/api/people", json=ada).json() == ada
        for wrong in (
            {"address": "Ada", "hours": 1},
            {"address": "198.51.100.0/24", "hours": 1},
            {"hours": 1},
            {"name": "", "hours": 1},
            {"name": "a", "address": "127.0.0.1", "hours": 1},
            {"name": "a", "hours": -1},
        ):
            assert ask(live, "ban", **wrong).json()["code"] == "bad_message"


def test_an_organiser_closes_games_and_removes_names_and_lines(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        made = live.make("human", "human")
        ada = live.http.post("/api/people", json={"name": "Ada"}).json()
        tokens = [seat["token"] for seat in made["seats"]]
        with live.join(made["id"], tokens[0], name=ada) as white, live.join(made["id"], tokens[1]) as black:
            white.send(type="say", text="rude")
            white.send(type="say", text="kind")
            while black.receive("said")["lines"][-1]["text"] != "kind":
                pass
            ask(live, "remove-line", game=made["id"], by=0, text="rude")
            told = black.receive("said")
            assert (told["lines"], told["anew"]) == ([{"by": 0, "text": "kind"}], True)
            assert ask(live, "remove-name", name="ada").status_code == 200
            while "nickname" in black.receive("players")["players"][0]:
                pass
            assert ask(live, "remove-name", name="ada").json()["code"] == "no_such_page"
            white.act("a2-a3")  # the game goes on
            black.until(lambda position: position["ply"] == 1)
    with Live(tmp_path) as live:
        assert live.http.get("/people/Ada").status_code == 404
        assert {live.http.post("/api/people", json=wish).json()["code"] for wish in (ada, {"name": "Ada"})} == {"bad_key"}
        with live.join(made["id"], tokens[0]) as white:
            assert "nickname" not in white.welcome["players"][0]
            assert ask(live, "close", game=made["id"]).status_code == 200
            assert "organiser" in white.receive("closed")["reason"]
        assert live.http.get(f"/game/{made['id']}").status_code == 404
        assert ask(live, "close", game=made["id"]).json()["code"] == "no_such_game"
        assert ask(live, "close", game="../../../secret").json()["code"] == "no_such_game"


def test_strangers_are_no_organisers(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        id = live.make("human", "human")["id"]
        for attempt in range(WRONG):
            refusal = ask(live, "close", token=f"guess{attempt}", game=id)
            assert (refusal.status_code, refusal.json()["code"]) == (401, "not_organiser")
        assert ask(live).json()["code"] == "too_many"  # nobody learns by trying
        assert live.http.get(f"/game/{id}").status_code == 200
        assert live.token not in live.http.get("/organiser").text
    path = tmp_path / "people" / "organiser-token"
    assert path.stat().st_mode & 0o077 == 0
    path.write_text("")
    assert token_in(path) == token_in(path) != live.token


def test_bans_are_of_addresses_that_there_are(tmp_path: Path) -> None:
    bans = Bans(tmp_path / "bans.jsonl")
    bans.ban("2001:db8::7", None, 1)
    assert bans.refusal(address="2001:db8::/64")
    assert bans.refusal(address="2001:db9::/64") is None
    with pytest.raises(ProtocolError, match="hours"):
        bans.ban(None, "Ada", float("nan"))
    bans.close()
