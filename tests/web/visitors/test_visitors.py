"""Who asks, and how much of it: cookies, addresses, rates and quotas, what is deleted by itself."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus

import ludarium
from ludarium.errors import BadOption, StoreError
from ludarium.players import parse_player
from ludarium.web.disk.folder import Folder
from ludarium.web.server import ANYWHERE, address_for_others, serve
from ludarium.web.visitors.limits import NEW_GAME_SECONDS, Limits
from ludarium.web.visitors.log import AT_ONCE, SECONDS, Moderation
from ludarium.web.visitors.rate import MOST_KEPT, Rate
from ludarium.web.visitors.visitor import network_of
from tests.web.live import PATIENCE, Live
from tests.web.test_life import Clock

WISH = {"game": "expendibots", "players": ["human", "human"]}
COOKIE = "A" * 22


@contextmanager
def visitor(live: Live, address: str = "127.0.0.1", cookie: str = "", **headers: str) -> Iterator[httpx.Client]:
    """Somebody at an address of this computer."""
    cookies = {"visitor": cookie} if cookie else None
    transport = httpx.HTTPTransport(local_address=address, verify=False)  # no certificates to read
    with httpx.Client(base_url=f"http://{live.address}", transport=transport, headers=headers, cookies=cookies, timeout=PATIENCE) as client:
        yield client


def made(client: httpx.Client, **more: object) -> int:
    """The status of an answer to the wish for a game."""
    return client.post("/api/games", json=WISH | more).status_code


def test_rates() -> None:
    clock = Clock()
    rate = Rate(3, 10.0, clock.time)
    for wait in (0.0, 0.0, 0.0, 10.0):
        assert rate.wait("a") == wait
        rate.count("a") if wait == 0 else None
    assert rate.wait("b") == 0.0
    clock.now = 4.0
    assert rate.wait("a") == 6.0
    clock.now = 10.0
    rate.count("a")
    assert rate.wait("a") == 10.0
    clock.now = 1000.0
    for _ in range(3):
        assert rate.wait("a") == 0.0
        rate.count("a")
    assert rate.wait("a") == 10.0
    clock.now = 2000.0
    for key in range(MOST_KEPT + 1):
        rate.count(key)
    assert len(rate._all_again) <= MOST_KEPT + 1
    assert "a" not in rate._all_again


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
    ],
)
def test_addresses(host: str, network: str) -> None:
    assert network_of(host) == network


def test_pages_give_a_cookie_to_who_has_none(tmp_path: Path) -> None:
    with Live(tmp_path, proxies=["127.0.0.2"]) as live:
        with visitor(live) as client:
            (header,) = client.get("/nothing").headers.get_list("set-cookie")
            assert header == f"visitor={client.cookies['visitor']}; Path=/; HttpOnly; SameSite=Lax"
            assert "set-cookie" not in client.get("/nothing").headers
        with visitor(live, cookie="guess; Path=/evil") as client:
            assert "set-cookie" in client.get("/nothing").headers
            assert "set-cookie" not in client.get("/static/table/game.js").headers
        for address, is_secure in (("127.0.0.2", True), ("127.0.0.1", False)):
            with visitor(live, address, **{"X-Forwarded-Proto": "https"}) as client:
                assert client.get("/nothing").headers["set-cookie"].endswith("; Secure") == is_secure


def test_new_games_are_made_at_a_rate(tmp_path: Path) -> None:
    clock = Clock()
    with Live(tmp_path, Limits(pace=0.0, people=8), clock) as live:
        with visitor(live, cookie=COOKIE) as one, visitor(live, cookie="B" * 22) as other, visitor(live) as program:
            assert [made(one) for _ in range(20)] == [201] * 20
            refused = one.post("/api/games", json=WISH)
            assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (429, "too_many", "50")
            assert "the next one can be in 50 s" in refused.json()["message"]
            assert [made(other), made(program)] == [201, 201]
            clock.now = 50.0
            assert [made(one), made(one)] == [201, 429]
        statuses = []
        for number in range(40):  # a new cookie for every game
            with visitor(live, cookie=f"{number:022}") as client:
                statuses.append(made(client))
        assert statuses.count(429) == 40 - (40 + 50 // (NEW_GAME_SECONDS / 8) - 23)
        with visitor(live, "127.0.0.3") as elsewhere:
            assert made(elsewhere) == 201


def test_a_class_starts_its_games_at_once(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        for number in range(40):
            with visitor(live, cookie=f"{number:022}") as client:
                assert made(client) == 201


def test_wrong_wishes_do_not_count(tmp_path: Path) -> None:
    with Live(tmp_path, Limits(pace=0.0, people=1)) as live, visitor(live) as client:
        assert [made(client, players=["human"]) for _ in range(10)] == [400] * 10
        assert [made(client) for _ in range(6)] == [201] * 5 + [429]


@pytest.mark.parametrize(("proxies", "statuses"), [([], [201] * 5 + [429]), (["127.0.0.1"], [201] * 6)])
def test_only_a_trusted_proxy_says_who_asks(tmp_path: Path, proxies: list[str], statuses: list[int]) -> None:
    with Live(tmp_path, Limits(pace=0.0, people=1), proxies=proxies) as live:
        found = []
        for number in range(6):
            with visitor(live, **{"X-Forwarded-For": f"198.51.100.9, 198.51.100.{number}"}) as client:
                found.append(made(client))
        assert found == statuses


def test_behind_a_proxy_an_address_has_so_many_sockets(tmp_path: Path) -> None:
    with Live(tmp_path, Limits(people=1), proxies=["127.0.0.1"]) as live, ExitStack() as held:
        one, other = ({"X-Forwarded-For": address} for address in ("198.51.100.1", "198.51.100.2"))
        id = live.make("human", "human")["id"]
        for _ in range(10):
            held.enter_context(live.socket(id, additional_headers=one))
        with pytest.raises(InvalidStatus), live.socket(id, additional_headers=one):
            pass
        refused = live.http.get("/api/lobby/now", headers=one)
        assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (429, "too_many", "10")
        with live.socket(id, additional_headers=other) as socket:
            socket.send(type="join", version=1)
            assert socket.receive("welcome")["you"] is None


def test_games_that_one_visitor_is_at_leave_room_for_others(tmp_path: Path) -> None:
    with Live(tmp_path, Limits(pace=0.0, games=8)) as live, visitor(live, cookie=COOKIE) as one, visitor(live) as other:
        ids = [one.post("/api/games", json=WISH).json()["id"] for _ in range(3)]
        assert len(live.sessions) == 2  # the first has gone to the disk
        with live.join(ids[1]), live.join(ids[2]):
            refused = one.post("/api/games", json=WISH)
            assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (429, "too_many", "60")
            assert "2 games that you have started are being played" in refused.json()["message"]
            assert [made(other) for _ in range(5)] == [201] * 5
            assert len(live.sessions) == 6  # what one address may have, of whose games those that nobody is at give way
            with visitor(live, "127.0.0.3") as elsewhere:
                assert [made(elsewhere) for _ in range(2)] == [201] * 2
                assert len(live.sessions) == 8
                assert made(elsewhere) == 201
                assert sum(game.visitor.address == "127.0.0.1" for game in live.sessions._games.values()) == 5


@pytest.mark.parametrize(
    ("player", "accepted"),
    [
        ("alphabeta:time=10.1s", "at most 10.0s"),
        ("alphabeta:nodes=10000001", "at most 10,000,000"),
        ("alphabeta:depth=21", "at most 20"),
        ("mcts:time=100000s", "at most 10.0s"),
        ("mcts:sims=1000000000000", "at most 1,000,000"),
        ("mcts:memory=17", "at most 16"),
    ],
)
def test_thoughts_have_bounds_that_are_told(tmp_path: Path, player: str, accepted: str) -> None:
    with Live(tmp_path) as live:
        answer = live.http.post("/api/games", json=WISH | {"players": ["human", player]})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_option")
        assert answer.json()["message"].endswith(accepted)


def test_what_is_not_said_has_bounds_too() -> None:
    game = ludarium.game("expendibots")
    assert [parse_player("mcts", game, longest=longest).options["memory"] for longest in (None, 10.0)] == [128, 16]


def test_only_games_in_which_nobody_did_anything_are_deleted(tmp_path: Path) -> None:
    def expire(live: Live, now: float) -> None:
        asyncio.run_coroutine_threadsafe(live.sessions.expire(now), live.loop()).result(PATIENCE)

    with Live(tmp_path) as live:
        untouched, played, resigned, young, damaged = (live.make("human", "human") for _ in range(5))
        dice = live.make("human", "human", game="liars-dice")  # chance has acted
        with live.join(played["id"], played["seats"][0]["token"]) as white:
            white.act("a2-a3")
            white.receive("position")
        with live.join(resigned["id"], resigned["seats"][0]["token"]) as white:
            white.send(type="resign")
            white.receive("position")
        expire(live, time.time() + 90_000.0)  # all of them are in memory
    games = tmp_path / "games"
    with (games / f"{damaged['id']}.jsonl").open("ab") as file:
        file.write(b'{"event":"acti')
    (games / "mine.jsonl").write_bytes((games / f"{untouched['id']}.jsonl").read_bytes())
    now = time.time() + 86_400.0
    os.utime(games / f"{young['id']}.jsonl", (now, now))
    with Live(tmp_path) as live:
        for _ in range(2):
            expire(live, now + 600.0)
            left = {path.name.partition(".")[0] for path in games.iterdir()}
            assert left == {"mine", *(game["id"] for game in (played, resigned, young, damaged))}
        for gone in (untouched, dice):
            assert live.http.get(f"/api/games/{gone['id']}/record").json()["code"] == "no_such_game"
        assert live.http.get(f"/api/games/{played['id']}/record").status_code == 200


def test_servers_look_for_unplayed_games_by_themselves(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        id = live.make("human", "human")["id"]
    os.utime(tmp_path / "games" / f"{id}.jsonl", (1.0, 1.0))
    with Live(tmp_path) as live:

        async def sweep() -> None:
            live.sessions.sweep()
            await live.sessions._expiring

        asyncio.run_coroutine_threadsafe(sweep(), live.loop()).result(PATIENCE)
    assert list((tmp_path / "games").iterdir()) == []


def test_the_log_is_not_flooded(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    moderation = Moderation(clock.time)
    log = logging.getLogger("ludarium.web")

    def tell(times: int) -> list[str]:
        caplog.clear()
        for number in range(times):
            log.error("problem %d", number)
        return [record.getMessage() for record in caplog.records]

    moderation.begin()
    try:
        assert len(tell(1000)) == AT_ONCE
        log.error("another")
        assert caplog.messages[-1] == "another"
        clock.now = SECONDS
        assert tell(2) == ["problem 0 (and 995 more like this)"]
    finally:
        moderation.end()
    assert len(tell(10)) == 10


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"names": ["https://play.example.org"]}, "is not a host's name such as play.example.org, which"),
        ({"names": ["play.example.org:8443"]}, "nor a port"),
        ({"names": [""]}, "name= is not"),
        ({"proxies": ["nginx"]}, "trusted-proxy=nginx is not an address such as 127.0.0.1"),
    ],
)
def test_wrong_starts(tmp_path: Path, more: dict, problem: str) -> None:
    with pytest.raises(BadOption, match=problem):
        serve(data=tmp_path, **more)


def test_a_data_folder_has_one_server(tmp_path: Path) -> None:
    with Folder(tmp_path).claimed(), pytest.raises(StoreError, match=r"another server keeps its games in .* --data"):
        serve(port=0, data=tmp_path)
    with Folder(tmp_path).claimed():
        pass


def test_the_log_says_what_a_proxy_does_wrong(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Live(tmp_path, proxies=["127.0.0.1"]) as live:
        path = f"/api/games/{live.make('human', 'human')['id']}/socket"
        for address in ("203.0.113.7", "198.51.100.1, 203.0.113.7", "2001:db8::7", "::ffff:203.0.113.7", "2001:0DB8:0::7"):
            live.http.get("/", headers={"X-Forwarded-For": address})
        assert live.http.get(path).status_code == 426
        assert caplog.messages == []
        assert live.http.get(path, headers={"Sec-WebSocket-Key": "x"}).json()["message"] == "this is the address of a WebSocket"
        assert "Upgrade" in caplog.messages[-1]
    with Live(tmp_path, proxies=["127.0.0.2"]) as live:
        live.http.get("/", headers={"X-Forwarded-For": "203.0.113.7"})
        assert "X-Forwarded-For from 127.0.0.1 is not believed" in caplog.messages[-1]


class Elsewhere(socket.socket):
    """Of a computer with an address of its own in some network, or in none."""

    address = "192.168.1.17"

    def connect(self, address: object) -> None:
        if not self.address:
            raise OSError(errno.ENETUNREACH, "Network is unreachable")

    def getsockname(self) -> tuple[str, int]:
        return self.address, 9


@pytest.mark.parametrize(
    ("host", "names", "is_behind_proxy", "there"),
    [
        ("127.0.0.1", [], False, "http://127.0.0.1:8000"),
        ("::1", [], False, "http://[::1]:8000"),
        ("0.0.0.0", [], False, "http://192.168.1.17:8000"),
        ("0.0.0.0", ["arena", "b"], False, "http://arena:8000"),
        ("127.0.0.1", ["play.example.org"], True, "https://play.example.org"),
        ("127.0.0.1", [], True, "http://127.0.0.1:8000"),
    ],
)
def test_others_are_told_an_address_that_leads_here(
    monkeypatch: pytest.MonkeyPatch, host: str, names: list[str], is_behind_proxy: bool, there: str
) -> None:
    monkeypatch.setattr("socket.socket", Elsewhere)
    at = "[::1]" if host == "::1" else "127.0.0.1"
    assert address_for_others(f"http://{at}:8000", host, names, is_behind_proxy=is_behind_proxy) == there
    if host in ANYWHERE and not names:
        monkeypatch.setattr(Elsewhere, "address", "")
        assert address_for_others("http://127.0.0.1:8000", host, [], is_behind_proxy=False) == f"http://{socket.gethostname()}:8000"
