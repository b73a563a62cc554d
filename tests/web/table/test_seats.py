"""What opens seats: invitations that are good once, tokens of those who took them, codes for another device."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludarium.errors import ProtocolError
from ludarium.web.visitors.codes import ALPHABET, SECONDS, Codes, OneSeat
from ludarium.web.visitors.visitor import Visitor
from tests.web.live import Live, Socket

OWN, OTHER = "a" * 32, "b" * 32


def taken(socket: Socket) -> list[bool]:
    return [player["taken"] for player in socket.receive("players")["players"]]


def test_an_invitation_is_good_once(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        made = live.make("human", "human")
        invitation, second = (seat["token"] for seat in made["seats"])

        def refused(token: str, **more: str) -> bool:
            with live.socket(made["id"]) as socket:
                return socket.code(type="join", version=1, token=token, **more) == "bad_token"

        with live.join(made["id"]) as watcher, live.join(made["id"], invitation):
            assert taken(watcher) == [False, False]  # a program may come and go with it
            with live.join(made["id"], invitation, new_token=OWN) as white:
                assert white.welcome["you"] == 0
                assert taken(watcher) == [True, False]
        assert refused(invitation)
        assert refused(invitation, new_token=OTHER)  # two tabs at once, or somebody with an old link
        assert refused("guess", new_token=OTHER)
        with live.join(made["id"], invitation, new_token=OWN) as white:  # whoever was not answered asks again
            assert white.welcome["you"] == 0
        with live.join(made["id"], OWN, new_token=OTHER) as white:
            assert white.welcome["you"] == 0
        assert refused(OTHER)  # nobody shuts out whoever took the seat
        assert OWN not in live.http.get(f"/api/games/{made['id']}/record").text
        for wrong in ("short", "ü" * 32, "c" * 65, f"{OWN}\n", ""):
            with live.socket(made["id"]) as socket:
                assert socket.code(type="join", version=1, token=second, new_token=wrong) == "bad_message"
        with live.join(made["id"], OWN) as white, live.join(made["id"], second) as black:
            white.send(type="resign")
            black.until(lambda position: position["outcome"])
            black.send(type="offer", kind="rematch")
            white.until(lambda position: position["offers"])
            white.send(type="accept", kind="rematch")
            following = white.until(lambda position: position["next"])["next"]
    with Live(tmp_path) as live:
        for id, seat in ((made["id"], 0), (following, 1)):
            with live.socket(id) as socket:
                assert socket.code(type="join", version=1, token=invitation, new_token=OTHER) == "bad_token"
            with live.join(id, OWN) as again:
                assert again.welcome["you"] == seat
                assert again.welcome["players"][seat]["taken"]
        with live.join(following, second, new_token=OTHER) as black:
            assert black.welcome["you"] == 0


def test_a_code_opens_a_seat_on_another_device(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        made = live.make("human", "human")

        def use(code: object) -> tuple[int, dict]:
            answer = live.http.post("/api/codes", json={"code": code})
            return answer.status_code, answer.json()

        with live.join(made["id"]) as watcher:
            assert watcher.code(type="code") == "not_your_turn"
        with live.join(made["id"], made["seats"][1]["token"], new_token=OWN, origin=f"http://{live.address}") as black:
            codes = []
            for _ in range(2):
                black.send(type="code")
                codes.append(black.receive("code"))
            assert codes[1] == codes[1] | {"seconds": SECONDS, "link": f"/continue#{codes[1]['code']}"}
            assert codes[1]["qr"].startswith("<svg")
            assert use(codes[0]["code"])[1]["code"] == "bad_token"  # the second took its place
            typed = codes[1]["code"].lower().replace("-", "")
            assert use(typed) == (200, {"game": made["id"], "player": 1, "name": "Black", "token": OWN})
            assert black.receive("code")["code"] is None
            assert use(typed)[1]["code"] == "bad_token"
            assert [use(wrong)[1]["code"] for wrong in (7, None)] == ["bad_message"] * 2
        assert "/continue" in live.http.get("/").text
        assert live.http.get("/continue").headers["referrer-policy"] == "no-referrer"


def test_codes_run_out_and_are_not_guessed() -> None:
    now = 0.0
    codes = Codes(1, lambda: now)
    one, used = Visitor("10.0.0.1"), list[int]()
    code = codes.make(OneSeat("game", 0, "token"), one, lambda: used.append(0))
    assert set(code) <= {*ALPHABET, "-"}
    now = SECONDS - 0.1
    assert codes.use(code, one) == OneSeat("game", 0, "token")
    late = codes.make(OneSeat("game", 0, "token"), one, lambda: used.append(1))
    now += SECONDS
    for _ in range(5):
        with pytest.raises(ProtocolError, match="this code is not good"):
            codes.use(late, one)
    right = codes.make(OneSeat("game", 0, "token"), one, lambda: used.append(2))
    with pytest.raises(ProtocolError, match="in 200 s") as told:
        codes.use(right, Visitor("10.0.0.1", "another cookie"))
    assert told.value.code == "too_many"
    assert codes.use(right, Visitor("10.0.0.2")) == OneSeat("game", 0, "token")
    assert used == [0, 2]
    for _ in range(3):
        codes.make(OneSeat("game", 0, "token"), one, lambda: None)
    with pytest.raises(ProtocolError, match="many codes have been made"):
        codes.make(OneSeat("game", 0, "token"), one, lambda: None)
