"""The line between a page and its server: a proxy in between that goes silent, and speaks again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.table import Browser, Table, Visitors
from tests.web.live import Live, Socket
from tests.web.silent_proxy import SilentProxy

BEATS_BY_HAND = """
    const usually = setInterval;
    window.setInterval = (f, ms) => (ms === 5000 ? ((window.beat = f), 0) : usually(f, ms));
    window.sockets = [];
    window.WebSocket = class extends WebSocket {
        constructor(...a) {
            super(...a);
            sockets.push(this);
            this.addEventListener("message", ({ data }) => (window.pongs = (window.pongs ?? 0) + (JSON.parse(data).type === "pong")));
        }
    };
"""
"""Pings are due when the test says so."""

HIDE = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""

PONG = b'{"type":"pong"}'
LINE = "Reconnecting…"
BACK = "The connection is back."


@contextmanager
def white_behind_proxy(browser: Browser, folder: Path) -> Iterator[tuple[Table, Socket, SilentProxy]]:
    """White's page behind a proxy, and Black straight at the server. White has played a2-a3, and Black a7-a6."""
    with Live(folder) as live, SilentProxy(live.address) as proxy:
        made = live.make("human", "human")
        visitors = Visitors(browser, f"http://{proxy.address}")
        white = visitors.come()
        white.prepare(BEATS_BY_HAND)
        white.sit(made["seats"][0]["link"])
        with live.join(made["id"], made["seats"][1]["token"]) as black:
            white.press("a2", "a3")
            black.until(lambda position: position["ply"] == 1)
            black.act("a7-a6")
            white.expect_moves(2)
            black.until(lambda position: position["ply"] == 2)
            yield white, black, proxy
        visitors.close()
        assert visitors.errors == []


def beat(white: Table, proxy: SilentProxy, *, dies: bool) -> None:
    """One ping and its answer; afterwards the proxy may be silent."""
    if dies:
        proxy.fall_silent(after=PONG)
    before = white.page.evaluate("window.pongs ?? 0")
    white.page.evaluate("beat()")
    white.expect_that(f"pongs > {before}")
    assert proxy.is_silent.is_set() == dies


def expect_lost(white: Table) -> None:
    white.page.evaluate("beat()")
    expect(white.page.locator("#line")).to_be_hidden()
    white.page.evaluate("beat()")
    expect(white.page.locator("#line")).to_have_text(LINE)


def expect_to_go_on(white: Table, black: Socket) -> None:
    """Each move was played once, and White can play the next one."""
    white.expect_moves(4)
    white.expect_status("Your turn")
    white.press("d2", "d3")
    black.until(lambda position: position["ply"] == 5)
    white.expect_moves(5)
    assert white.moves == ["a2-a3", "a7-a6", "b2-b3", "b7-b6", "d2-d3"]


def test_moves_made_while_the_line_is_silent_come_once_it_speaks(browser: Browser, tmp_path: Path):
    with white_behind_proxy(browser, tmp_path) as (white, black, proxy):
        white.press("b2", "b3")
        for _ in range(3):
            beat(white, proxy, dies=False)
        beat(white, proxy, dies=True)
        black.until(lambda position: position["ply"] == 3)
        black.act("b7-b6")
        black.until(lambda position: position["ply"] == 4)
        expect_lost(white)
        white.expect_moves(3)
        proxy.speak()
        expect(white.page.locator("#line")).to_have_text(BACK)
        expect_to_go_on(white, black)


@pytest.mark.parametrize("arrives_late", [True, False])
def test_a_move_into_the_silence_is_played_once(browser: Browser, tmp_path: Path, arrives_late: bool):
    with white_behind_proxy(browser, tmp_path) as (white, black, proxy):
        beat(white, proxy, dies=True)
        white.press("b2", "b3")
        expect_lost(white)
        assert black.position["ply"] == 2
        proxy.speak(forgets=not arrives_late)
        expect(white.page.locator("#line")).to_have_text(BACK)
        black.until(lambda position: position["ply"] == 3)
        black.act("b7-b6")
        expect_to_go_on(white, black)
        expect(white.page.locator("#notice")).to_be_empty()


def test_a_move_whose_answer_is_lost_is_not_played_again(browser: Browser, tmp_path: Path):
    with white_behind_proxy(browser, tmp_path) as (white, black, _):
        white.page.evaluate("sockets.at(-1).addEventListener('message', (event) => event.stopImmediatePropagation(), true)")
        white.press("b2", "b3")
        black.until(lambda position: position["ply"] == 3)
        white.page.evaluate("beat(), beat()")
        black.act("b7-b6")
        expect(white.page.locator("#line")).to_have_text(BACK)
        expect_to_go_on(white, black)
        expect(white.page.locator("#notice")).to_be_empty()


def test_a_page_that_is_shown_again_asks_at_once(browser: Browser, tmp_path: Path):
    with white_behind_proxy(browser, tmp_path) as (white, _, proxy):
        white.page.evaluate("""() => {
            window.sent = [];
            const { send } = sockets.at(-1);
            sockets.at(-1).send = function (text) { sent.push(text); send.call(this, text); };
        }""")
        white.page.evaluate(HIDE, True)
        white.page.evaluate(HIDE, False)
        assert white.page.evaluate("sent") == ['{"type":"ping","hidden":true}', '{"type":"ping","hidden":false}']
        white.expect_that("pongs === 2")
        proxy.fall_silent()
        white.page.evaluate(HIDE, True)
        white.page.evaluate("beat()")
        expect(white.page.locator("#line")).to_have_text(LINE)
        proxy.speak()
        white.page.evaluate(HIDE, False)
        expect(white.page.locator("#line")).to_have_text(BACK)
