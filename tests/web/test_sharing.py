"""What other pages may show: frames to watch in, and pictures."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from matplotlib.image import imread

import ludarium
from ludarium.core.png import png
from tests.web.live import Live


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with Live(tmp_path_factory.mktemp("data")) as live:
        yield live


def pixels(picture: bytes) -> Any:
    """Red, green, blue and opacity, from 0 to 1, by row and column."""
    return imread(BytesIO(picture), format="png")


def policy(live: Live, path: str) -> tuple[str, bool]:
    """Who may frame a page, and whether it sets a cookie."""
    answer = live.http.get(path, headers={"Cookie": ""}).raise_for_status()
    return answer.headers["Content-Security-Policy"].rpartition("frame-ancestors ")[2], "Set-Cookie" in answer.headers


def test_one_page_alone_may_be_framed(live: Live) -> None:
    live.http.cookies.clear()
    id = live.make("human", "human", game="tic-tac-toe")["id"]
    assert policy(live, f"/embed/{id}") == ("*", False)
    assert policy(live, f"/game/{id}") == ("'none'", True)
    assert live.http.get("/embed/nothing").status_code == 404


def test_pictures_of_a_game_are_the_watchers(live: Live) -> None:
    made = live.make("human", "human", game="liars-dice", seed=3)
    with live.join(made["id"]) as watcher:
        picture = f"/api/games/{made['id']}/picture.svg"
        answer = live.http.get(picture)
        assert answer.headers["Content-Type"] == "image/svg+xml"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        state = ludarium.game("liars-dice").start()
        assert live.http.get(picture, params={"ply": 0}).text == state.svg(size=480)
        length = watcher.position["length"]
        wrong = live.http.get(picture, params={"ply": length + 1})
        assert (wrong.status_code, wrong.json()) == (
            400,
            {"code": "no_such_ply", "message": f"the game has the positions 0 to {length}, not {length + 1}"},
        )
        assert live.http.get(picture, params={"seat": 9}).json()["message"] == "seat: the seats are 0 to 1, not 9"
        page = live.http.get(f"/game/{made['id']}").text
        (image,) = re.findall(r'property="og:image" content="(.*?)"', page)
        assert pixels(live.http.get(image).content).shape == (240, 480, 4)  # a board alone
        assert answer.text.replace(" data-pick=", " data-place=") in page  # which shows it until its modules are there
        assert " data-pick=" not in page
        assert 'property="og:title" content="Liar&#39;s Dice: North – East"' in page


def test_pictures_of_any_position(live: Live) -> None:
    state = ludarium.game("tic-tac-toe").start().play("b2")
    picture = live.http.get("/api/positions/tic-tac-toe.svg", params={"position": state.text, "size": 200})
    assert picture.text == state.svg(size=200)
    drawn = live.http.get("/api/positions/tic-tac-toe.png", params={"position": state.text, "size": 200})
    assert (drawn.headers["Content-Type"], drawn.headers["Cross-Origin-Resource-Policy"]) == ("image/png", "cross-origin")
    empty = live.http.get("/api/positions/tic-tac-toe.png", params={"position": ludarium.game("tic-tac-toe").start().text, "size": 200})
    differing = np.argwhere((pixels(drawn.content) != pixels(empty.content)).any(axis=2))
    assert 60 < differing.min() < differing.max() < 140  # in the middle square, whose cross is painted
    wrong = live.http.get("/api/positions/tic-tac-toe.svg", params={"position": "<script>"})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "bad_notation")
    wrong = live.http.get("/api/positions/tic-tac-toe.svg", params={"position": state.text, "size": 2001})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "bad_message")
    assert wrong.json()["message"] == "'size': Input should be less than or equal to 2000; given: '2001'"
    assert live.http.get("/api/positions/tic-tac-toe.svg").json()["message"] == "'position': Field required"
    assert live.http.get("/api/positions/nothing.svg", params={"position": "x"}).json()["code"] == "bad_option"
    file = {"position": "x", "map": "/proc/self/environ"}
    assert "a server reads no files" in live.http.get("/api/positions/hexabomb.svg", params=file).json()["message"]


def test_large_pictures_are_painted_elsewhere() -> None:
    """In a thread of the server they let nobody else run for half a second each."""
    drawing, before = ludarium.game("hexabomb").start().svg(), time.process_time()
    picture = png(drawing, 2000)
    assert time.process_time() - before < 0.1
    assert pixels(picture).shape[1] == 2000
