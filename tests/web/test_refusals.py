"""Bad requests: every one gets its documented code and changes nothing."""

from __future__ import annotations

import json
import re
import socket as sockets
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import InvalidStatus

from ludarium.web.page_files import import_map_digest
from ludarium.web.sessions import Limits
from ludarium.web.table.messages import LIMIT
from tests.web.live import PATIENCE, Live
from tests.web.table.test_messages import documented_codes, texts

WISH = {"game": "expendibots", "players": ["human", "random"]}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with Live(tmp_path_factory.mktemp("data")) as live:
        yield live


@pytest.fixture(scope="module")
def game(live: Live) -> dict:
    return live.make("human", "human")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "chess"}, "bad_option"),
        ({"game": 7}, "bad_message"),
        ({"game": None}, "bad_message"),
        ({"players": ["human"]}, "bad_message"),
        ({"players": "human"}, "bad_message"),
        ({"players": ["human", None]}, "bad_message"),
        ({"players": ["human", "deep-blue"]}, "bad_option"),
        ({"players": ["human", "random:depth=3"]}, "bad_option"),
        ({"players": ["human", "random:"]}, "bad_notation"),
        ({"players": ["human", ""]}, "bad_notation"),
        ({"options": []}, "bad_message"),
        ({"options": 5}, "bad_message"),
        ({"options": {"turns": 5}}, "bad_option"),
        ({"options": {"turn_limit": -1}}, "bad_option"),
        ({"options": {"turn_limit": 10**4000}}, "bad_option"),
        ({"options": {"turn_limit": {"a": 1}}}, "bad_option"),
        ({"options": {"repetition": ["board"]}}, "bad_option"),
        ({"options": {"id": "chess"}}, "bad_option"),
        ({"options": {"self": 1}}, "bad_option"),
        ({"position": "nonsense"}, "bad_notation"),
        ({"position": "W" * 50_000}, "bad_notation"),
        ({"position": 3}, "bad_message"),
        ({"seed": -1}, "bad_message"),
        ({"clock": 0}, "bad_message"),
        ({"clock": 86_401}, "bad_message"),
        ({"clock": "20/turn"}, "bad_option"),
        ({"clock": "0.5+1"}, "bad_option"),
        ({"clock": "31d/action"}, "bad_option"),
        ({"clock": [20]}, "bad_message"),
        ({"clock": True}, "bad_message"),
        ({"seed": 2**64}, "bad_message"),
        ({"seed": 1.5}, "bad_message"),
        ({"seed": True}, "bad_message"),
        ({"colour": "white"}, "bad_message"),
    ],
)
def test_wrong_wishes(live: Live, change: dict, code: str) -> None:
    before = len(live.sessions)
    answer = live.http.post("/api/games", json={**WISH, **change})
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert "\n" not in answer.json()["message"]
    assert len(answer.json()["message"]) < 500
    assert len(live.sessions) == before


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "bad_message"),
        (b"[]", 400, "bad_message"),
        (b"\xff\xfe", 400, "bad_message"),
        (b'{"game":"expendibots","players":["human","random"],"seed":NaN}', 400, "bad_message"),
        (b'{"game":"\\ud800","players":[]}', 400, "bad_message"),
        (b"[" * 60_000, 400, "bad_message"),
        (b'{"game":"' + b"x" * LIMIT + b'"}', 413, "too_large"),
    ],
)
def test_wrong_bodies(live: Live, body: bytes, status: int, code: str) -> None:
    answer = live.http.post("/api/games", content=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_body_without_end_is_not_read_to_its_end(live: Live) -> None:
    host, _, port = live.address.rpartition(":")
    with sockets.create_connection((host, int(port)), PATIENCE) as raw:
        raw.sendall(f"POST /api/games HTTP/1.1\r\nHost: {live.address}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        for _ in range(5):
            raw.sendall(b"4000\r\n" + b" " * 0x4000 + b"\r\n")  # 80 KiB, and no end
        assert raw.recv(100).startswith(b"HTTP/1.1 413")


def test_games_that_are_not_there(live: Live) -> None:
    for id in ("AAAAAAAAAAAA", "x", "..%2F..%2Fetc", "%00", "é", "A" * 5000):
        answer = live.http.get(f"/api/games/{id}/record")
        assert (answer.status_code, answer.headers["content-type"]) == (404, "application/json")
    assert live.http.get("/api/games/AAAAAAAAAAAA/record").json()["code"] == "no_such_game"
    page = live.http.get("/game/AAAAAAAAAAAA")
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert live.http.get("/nothing").status_code == 404
    assert live.http.get("/games/chess/page.js").status_code == 404
    assert live.http.get("/games/expendibots/page.js").status_code == 404
    assert live.http.get("/static/../app.py").status_code == 404
    assert live.http.get("/static/%2e%2e/app.py").status_code == 404
    with live.socket("AAAAAAAAAAAA") as socket:
        assert socket.receive("error")["code"] == "no_such_game"
        assert socket.status() == 1008


@pytest.mark.parametrize(
    ("message", "code", "status"),
    [
        ('{"type":"join","version":2}', "bad_version", 1008),
        ('{"type":"join"}', "bad_message", 1008),
        ('{"type":"join","version":1,"token":"guess"}', "bad_token", 1008),
        ('{"type":"join","version":1,"token":""}', "bad_token", 1008),
        ('{"type":"join","version":1,"token":"é"}', "bad_token", 1008),
        ('{"type":"resign"}', "not_joined", 1008),
        ("hello", "bad_message", 1008),
        (b'{"type":"join","version":1}', "bad_message", 1008),
        ("x" * (LIMIT + 1), "too_large", 1009),
    ],
)
def test_first_messages_that_close_the_socket(live: Live, game: dict, message: str | bytes, code: str, status: int) -> None:
    with live.socket(game["id"]) as socket:
        socket.connection.send(message)
        assert socket.receive("error")["code"] == code
        assert socket.status() == status


def test_a_socket_that_says_nothing_is_closed(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Live(tmp_path_factory.mktemp("data"), Limits(join=0.2)) as live, live.socket(live.make("human", "human")["id"]) as socket:
        assert socket.receive("error")["code"] == "not_joined"
        assert socket.status() == 1008


def test_the_token_of_another_game_opens_nothing(live: Live, game: dict) -> None:
    other = live.make("human", "human")
    with live.socket(game["id"]) as socket:
        assert socket.code(type="join", version=1, token=other["seats"][0]["token"]) == "bad_token"


def test_large_and_strange_frames(live: Live, game: dict) -> None:
    token = game["seats"][0]["token"]
    with live.join(game["id"], token) as other:
        with live.join(game["id"], token) as socket:
            socket.connection.send(b"\x00\xff")
            assert socket.receive("error")["code"] == "bad_message"
            socket.connection.send(" " * (LIMIT + 1))
            assert socket.receive("error")["code"] == "too_large"
            assert socket.status() == 1009
        with live.join(game["id"], token) as socket:
            socket.connection.send(" " * (2 * LIMIT + 1))
            assert socket.status() == 1009
        with live.join(game["id"], token) as socket:
            socket.connection.send(b"\xff\xfe", text=True)
            assert socket.status() == 1007
        with live.join(game["id"], token) as socket:
            socket.connection.send(iter(["[" * 100] * 200))  # fragments of one message
            assert socket.receive("error")["code"] == "bad_message"
        assert other.code(type="act", ply=9, action="a2-a3") == "stale"


@given(text=texts | st.binary(max_size=50))
def test_rubbish_is_answered_and_changes_nothing(live: Live, game: dict, text: str | bytes) -> None:
    record = live.http.get(f"/api/games/{game['id']}/record").text
    with live.join(game["id"], game["seats"][0]["token"]) as socket:
        try:
            kind = json.loads(text).get("type")
        except (ValueError, AttributeError):
            kind = None
        if kind in ("resign", "offer", "view", "look", "code", "say"):
            return  # these may be right
        socket.connection.send(text)
        assert socket.receive("error")["code"] in documented_codes()
        assert socket.code(type="act", ply=5, action="a2-a3") == "stale"
    assert live.http.get(f"/api/games/{game['id']}/record").text == record


def test_pages_from_elsewhere_are_refused(live: Live, game: dict) -> None:
    for origin in (
        "http://evil.example",
        f"http://{live.address}.evil.example",
        f"evil://{live.address}",
        "null",
        "http://127.0.0.1:1",
        "",
        "http://[",
    ):
        answer = live.http.post("/api/games", json=WISH, headers={"Origin": origin})
        assert (answer.status_code, answer.json()["code"]) == (403, "bad_origin")
        with pytest.raises(InvalidStatus) as refused, live.socket(game["id"], additional_headers={"Origin": origin}):
            pass
        assert refused.value.response.status_code == 403
    own = f"http://{live.address}"
    for page in (own, f"https://{live.address}"):  # a proxy may have taken off the TLS
        assert live.http.post("/api/games", json=WISH, headers={"Origin": page}).status_code == 201
    with live.socket(game["id"], additional_headers={"Origin": own}) as socket:
        socket.send(type="join", version=1)
        assert socket.receive("welcome")["you"] is None


def test_names_that_are_not_loopback_are_refused(live: Live, game: dict) -> None:
    port = live.address.rpartition(":")[2]
    for host in ("evil.example", f"evil.example:{port}", "192.168.1.5", "localhost.evil.example", "127.0.0.1.evil.example", "", "["):
        answer = live.http.get("/api/games/nothing", headers={"Host": host})
        assert (answer.status_code, answer.json()["code"]) == (403, "bad_host")
        page = live.http.get("/", headers={"Host": host})
        assert (page.status_code, "This server does not answer to the name" in page.text) == (403, True)
    for host in ("localhost", f"localhost:{port}", f"127.0.0.1:{port}", f"[::1]:{port}"):
        assert live.http.get("/openapi.json", headers={"Host": host}).status_code == 200
    head = f"GET /api/games/{game['id']}/socket HTTP/1.1\r\nHost: evil.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    with sockets.create_connection(("127.0.0.1", int(port)), PATIENCE) as raw:
        raw.sendall(f"{head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode())
        assert raw.recv(100).startswith(b"HTTP/1.1 403")


def test_names_given_at_the_start_are_answered_to(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Live(tmp_path_factory.mktemp("data"), names=["Games.Example"]) as live:
        for headers in (
            {"Host": "games.example"},
            {"Host": "games.example", "Origin": "https://games.example"},
            {"Origin": "https://games.example"},
        ):
            assert live.http.post("/api/games", json=WISH, headers=headers).status_code == 201
        for origin in ("https://evil.example", "evil://games.example"):
            answer = live.http.post("/api/games", json=WISH, headers={"Host": "games.example", "Origin": origin})
            assert answer.json()["code"] == "bad_origin"


def test_pages_without_tls_are_others_where_a_proxy_tells_of_it(tmp_path: Path) -> None:
    with Live(tmp_path, proxies=["127.0.0.1"]) as live:
        for origin, code in ((f"https://{live.address}", 201), (f"http://{live.address}", 403)):
            headers = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https", "Origin": origin}
            assert live.http.post("/api/games", json=WISH, headers=headers).status_code == code


def test_every_answer_has_the_headers_that_keep_browsers_honest(live: Live, game: dict) -> None:
    for path in ("/", f"/game/{game['id']}", "/nothing", "/openapi.json", "/static/table/game.js", "/game/AAAAAAAAAAAA"):
        headers = live.http.get(path).headers
        assert headers["content-security-policy"].startswith(
            f"default-src 'self'; script-src 'self' 'sha256-{import_map_digest()}'; style-src"
        )
        assert "unsafe" not in headers["content-security-policy"].partition("style-src")[0]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-cache"
        head = live.http.head(path)
        assert (head.status_code, head.content) == (live.http.get(path).status_code, b"")
        assert head.headers["content-type"] == headers["content-type"]


def test_browsers_keep_what_a_page_names_by_its_version(live: Live, game: dict) -> None:
    """All modules of a page as one; and ask each time for what has no version, or an old one."""
    page = live.http.get(f"/game/{game['id']}").text
    (version,) = re.findall(r'src="/kept/(\w+)/bundle/settings.js\+table/game.js"', page)
    bundle = live.http.get(f"/kept/{version}/bundle/settings.js+table/game.js")
    assert bundle.headers["content-type"].startswith("text/javascript")
    assert live.http.head(f"/kept/{version}/bundle/table/game.js").status_code == 200
    assert not re.search("^(import|export) ", bundle.text, re.MULTILINE)
    modules = re.findall(r"^\{ // (\S+)$", bundle.text, re.MULTILINE)
    assert len(modules) == len(set(modules)) > 40
    assert modules.index("storage.js") < modules.index("preferences.js") < modules.index("settings.js") < modules.index("table/game.js")
    for name in ("bundle/settings.js+table/game.js", "table/board.js"):
        assert live.http.get(f"/kept/{version}/{name}").headers["cache-control"] == "public, max-age=31536000, immutable"
        assert live.http.get(f"/kept/000000000000/{name}").headers["cache-control"] == "no-cache"
    assert live.http.get("/static/table/board.js").headers["cache-control"] == "no-cache"
    assert live.http.get("/favicon.ico").headers["content-type"] == "image/svg+xml"
    assert live.http.post("/api/qr", content="x" * 300).json()["qr"].startswith("<svg")
    assert [live.http.post("/api/qr", content="x" * many).status_code for many in (0, 301)] == [400, 413]
    for name in ("nothing.js", "bundle/", "bundle/nothing.js", "bundle/settings.js+", "bundle/../modules.py", "bundle/%2e%2e/modules.py"):
        assert live.http.get(f"/kept/{version}/{name}").status_code == 404, name


def test_the_module_of_a_game_is_loaded_with_its_page(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        made = live.http.post("/api/games", json={"game": "roboderby", "players": ["human", "human"], "options": {"players": 2}}).json()
        page = live.http.get(f"/game/{made['id']}").text
        (own,) = re.findall(r'data-module="(/games/roboderby/\w+/page.js)"', page)
        assert f'<link rel="modulepreload" href="{own}" />' in page
        bundle = live.http.get(own)
        assert bundle.headers["cache-control"].endswith("immutable")
        assert re.findall("^(?:import|export) .*$", bundle.text, re.MULTILINE) == ["export default function sit(table) {"]
        assert live.http.get(own.replace("page.js", "page_program.js")).headers["cache-control"].endswith("immutable")
        assert live.http.get("/games/roboderby/000000000000/page.js").headers["cache-control"] == "no-cache"
        assert live.http.get("/games/roboderby/page_nothing.js").status_code == 404


def test_the_api_is_described_without_a_page_from_elsewhere(live: Live) -> None:
    described = live.http.get("/openapi.json").json()
    pictures = {"/api/games/{id}/picture.{kind}", "/api/positions/{id}.{kind}"}
    people = {"/api/people", "/api/people/{name}", "/api/people/code"}
    others = {"/api/games", "/api/games/{id}/record", "/api/codes", "/api/lobby/now", "/api/opened"}
    order = {f"/api/organiser{part}" for part in ("", "/ban", "/close", "/remove-name", "/remove-line")}
    assert set(described["paths"]) == others | pictures | people | order
    wish = described["paths"]["/api/games"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert set(wish["properties"]) == {"game", "players", "options", "position", "seed", "clock", "lobby", "host"}
    assert live.http.get("/docs").status_code == 404
    assert live.http.get("/redoc").status_code == 404
