"""Whether the line to a page is alive, as the server knows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from ludarium.web.pulse import GRACE, Pulse
from ludarium.web.sessions import Limits
from ludarium.web.table.messages import Ping
from tests.web.live import Live, Socket
from tests.web.silent_proxy import SilentProxy
from tests.web.table.sitting import Listening, Time

QUICK = Limits(pace=0.0, silence=0.2)


def is_here(watcher: Socket, seat: int) -> bool:
    return watcher.receive("players")["players"][seat]["connected"]


def test_a_player_behind_a_proxy_that_goes_silent_is_away(tmp_path: Path) -> None:
    with Live(tmp_path, QUICK) as live, SilentProxy(live.address) as proxy:
        made = live.make("human", "human")
        white, black = made["seats"]
        with live.join(made["id"], white["token"]) as here:
            direct, live.address = live.address, proxy.address
            with live.join(made["id"], black["token"]) as behind:
                live.address = direct
                assert is_here(here, 1)
                proxy.fall_silent(after=b'{"type":"pong"}')
                behind.send(type="ping")
                assert behind.receive("pong") == {"type": "pong"}
                assert not is_here(here, 1)
                here.act("a2-a3")
                here.until(lambda position: position["ply"] == 1)
                proxy.speak()
                with pytest.raises(ConnectionClosed):
                    behind.receive("nothing more")


def test_pings_are_answered_and_count_as_nothing_else(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        made = live.make("human", "human")
        with live.join(made["id"], made["seats"][0]["token"]) as white:
            last_used = live.sessions._games[made["id"]].session.last_used
            for _ in range(1_000):
                white.send(type="ping", hidden=False)
            for _ in range(1_000):
                white.receive("pong")
            assert live.sessions._games[made["id"]].session.last_used == last_used, "a page that is only open keeps no game in memory"
            white.act("a2-a3")
            white.until(lambda position: position["ply"] == 1)
            assert white.code(type="ping", hidden="no") == "bad_message"
        with live.socket(made["id"]) as socket:
            assert socket.code(type="ping") == "not_joined"


class Dropped(Listening):
    is_dropped = False

    def drop(self) -> None:
        self.is_dropped = True


def test_who_has_never_pinged_may_be_silent() -> None:
    time, client = Time(), Dropped()
    line = Pulse(client, 10.0, time)
    line.hear()
    time.advance(1e6)
    time.advance(1e6)
    assert not client.is_dropped


def test_who_pings_is_known_to_be_gone_within_twelve_seconds() -> None:
    time, client = Time(), Dropped()
    line = Pulse(client, Limits().silence, time)
    for _ in range(100):
        line.answer(Ping())
        time.advance(5.0)
    line.hear()  # anything that it says will do
    time.advance(Limits().silence - 0.1)
    time.advance(GRACE)
    assert not client.is_dropped
    time.advance(0.1)
    time.advance(GRACE)
    assert client.is_dropped
    assert Limits().silence + GRACE < 12.0
    assert client.got == [{"type": "pong"}] * 100


def test_a_hidden_page_is_waited_for_until_it_is_seen_again() -> None:
    time, client = Time(), Dropped()
    line = Pulse(client, 10.0, time)
    line.answer(Ping())
    line.answer(Ping(hidden=True))
    time.advance(3600.0)
    time.advance(GRACE)
    assert not client.is_dropped
    line.answer(Ping())
    time.advance(10.0)
    time.advance(GRACE)
    assert client.is_dropped


def test_what_came_while_the_server_was_busy_counts() -> None:
    time, client = Time(), Dropped()
    line = Pulse(client, 10.0, time)
    line.answer(Ping())
    time.advance(60.0)  # in which nothing was read
    line.hear()
    time.advance(GRACE)
    assert not client.is_dropped
