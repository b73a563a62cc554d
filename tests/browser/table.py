"""The pages as a person uses them: what can be pressed, typed and read."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import httpx
from playwright import sync_api as playwright
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.accessibility import wrong_on

PACE = 16
"""How many times as fast as for people pieces slide and blasts fade: every picture between is drawn, and costs."""

SOUND = """window.AudioContext = class extends AudioContext {
    constructor() {
        super({ latencyHint: "playback", sampleRate: 8000 });
        window.sound = this;
    }
}"""
"""Nobody listens, and sound that comes late and dull costs a tenth."""

FORGET = """() => {
    window.sound?.suspend();
    document.documentElement.style.display = "none";
    for (let timer = setTimeout(() => {}); timer > 0; timer--) clearTimeout(timer);
    window.setTimeout = window.setInterval = () => 0;
    window.requestAnimationFrame = () => 0;
    Storage.prototype.setItem = () => {};
    localStorage.clear();
    sessionStorage.clear();
}"""
"""Nothing is remembered, and nothing goes on. The page itself stays: from one page to the next Chromium keeps what both have loaded."""


NO_STORAGE = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
"""A browser that may remember nothing, as some are set."""


class Browser:
    """Chromium, and windows of visitors who have left, by the settings that they were made with."""

    def __init__(self, chromium: playwright.Browser) -> None:
        self.chromium = chromium
        self.free: defaultdict[str, list[Page]] = defaultdict(list)


class Visitors:
    """Browsers that share nothing but the server.

    A new window has to load and compile everything anew. So windows are used again, and remember nothing of who was there before.
    """

    def __init__(self, browser: Browser, server: str) -> None:
        self.browser = browser
        self.server = server
        self.errors: list[str] = []
        self.elsewhere: list[str] = []
        self._tables: list[Table] = []
        self._listeners: dict[str, Callable[[Any], None]] = {
            "console": lambda message: self.errors.append(message.text) if message.type in ("error", "warning") else None,
            "pageerror": lambda error: self.errors.append(str(error)),
            "request": lambda request: self._note(request.url),
            "websocket": lambda socket: self._note(socket.url),
        }

    def come(self, width: int = 1280, height: int = 800, is_new: bool = False, **settings: Any) -> Table:
        """In a new window if they say so."""
        size: ViewportSize = {"width": width, "height": height}
        kind = "" if is_new else repr(settings)
        if self.browser.free[kind]:
            page = self.browser.free[kind].pop()
            page.set_viewport_size(size)
        else:
            page = self.browser.chromium.new_context(viewport=size, accept_downloads=True, **settings).new_page()
            page.set_default_timeout(60_000)
            page.add_init_script(SOUND)
            animations = page.context.new_cdp_session(page)
            animations.send("Animation.enable")  # or the next page has its own pace
            animations.send("Animation.setPlaybackRate", {"playbackRate": PACE})
        page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=self.server)
        for event, listener in self._listeners.items():
            page.on(event, listener)  # type: ignore[call-overload]
        self._tables.append(Table(page, self.server, kind))
        return self._tables[-1]

    def _note(self, url: str) -> None:
        host = self.server.removeprefix("http://")
        if url.split("://")[1].split("/")[0] != host and not url.startswith(("data:", "blob:")):
            self.elsewhere.append(url)

    def wrong(self) -> list[str]:
        """What axe finds on all pages that are open, by day and by night."""
        found: list[str] = []
        for table in self._tables:
            if not table.page.is_closed() and table.page.url.startswith(self.server):
                table.kind = ""  # it has another scheme than it was made with
                for scheme in ("light", "dark"):
                    table.page.emulate_media(color_scheme=scheme)
                    found += wrong_on(table.page)
        return found

    def close(self) -> None:
        for table in self._tables:
            if table.kind and not table.page.is_closed() and table.page.url.startswith(self.server):
                self._forget(table)
            else:
                table.page.context.close()

    def _forget(self, table: Table) -> None:
        """Make a window as one where nobody was."""
        page = table.page
        for event, listener in self._listeners.items():
            page.remove_listener(event, listener)
        page.unroute_all()
        page.wait_for_load_state()  # where a test ends with a link, there may be no page yet
        page.evaluate(FORGET)
        page.mouse.move(0, 0)
        page.context.clear_cookies()
        page.context.clear_permissions()
        self.browser.free[table.kind].append(page)


class Table:
    """One browser's page."""

    def __init__(self, page: Page, server: str, kind: str) -> None:
        self.page = page
        self.server = server
        self.kind = kind
        """Who else gets the window: whoever asks for the same kind, or nobody."""

    def prepare(self, script: str) -> None:
        """From now on run a script before those of every page; nothing takes it back, so nobody else gets the window."""
        self.page.add_init_script(script)
        self.kind = ""

    def make(self, players: tuple[str, ...] = ("human", "random"), **request: Any) -> dict[str, Any]:
        """A new game, made without the lobby."""
        answer = httpx.post(f"{self.server}/api/games", json={"game": "expendibots", "players": list(players), "seed": 1, **request})
        assert answer.status_code == 201, answer.text
        return answer.json()

    def sit(self, link: str) -> Table:
        self.page.goto(self.server + link)
        expect(self.page.locator("#status")).not_to_be_empty()
        return self

    def play_from(self, position: str, players: tuple[str, ...] = ("human", "random"), **request: Any) -> Table:
        return self.sit(self.make(players, position=position, **request)["seats"][0]["link"])

    def square(self, name: str) -> Any:
        return self.page.locator(f'#board [data-pick="{name}"]')

    def box(self, name: str) -> dict[str, float]:
        """Where a square is on the screen. Asked at one moment, since the board is drawn anew whenever others act."""
        return self.page.evaluate("(pick) => document.querySelector(`#board [data-pick='${pick}']`).getBoundingClientRect().toJSON()", name)

    def press(self, *names: str) -> Table:
        for name in names:
            self.square(name).click()
        return self

    def drag(self, name: str, target: str) -> Table:
        """Drag what stands on a square to another one by mouse."""
        for box, press in ((self.box(name), self.page.mouse.down), (self.box(target), self.page.mouse.up)):
            self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=3)
            press()
        return self

    def drag_by_finger(self, name: str, target: str) -> Table:
        """The same by finger, in a window that has touch."""
        fingers = self.page.context.new_cdp_session(self.page)
        start, end = ([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2] for box in (self.box(name), self.box(target)))
        for step in range(6):
            x, y = (there + (wanted - there) * step / 5 for there, wanted in zip(start, end, strict=True))
            kind = "touchMove" if step else "touchStart"
            fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        return self

    def button(self, name: str) -> Any:
        return self.page.get_by_role("button", name=name)

    def listen(self) -> Table:
        """From now on remember what screen readers are told of the game."""
        self.page.evaluate("""() => {
            window.told = [];
            const said = document.querySelector("#said");
            new MutationObserver(() => told.push(said.textContent)).observe(said, {childList: true});
        }""")
        return self

    def told(self) -> list[str]:
        return self.page.evaluate("told.splice(0)")

    def expect_told(self, text: str) -> None:
        """Wait until they are told this."""
        self.expect_that(f"told.includes({json.dumps(text)})", "told")

    def expect_that(self, condition: str, otherwise: str = "null") -> None:
        """Wait until this is true on the page. (Playwright's ``wait_for_function`` evaluates text in it, which its Content Security Policy forbids.)"""
        for _ in range(500):
            if self.page.evaluate(condition):
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"{condition} was never true: {self.page.evaluate(otherwise)}")

    def tab(self, name: str) -> Table:
        """Show the panel beside the board that has this name."""
        self.page.get_by_role("tab", name=name).click()
        return self

    def keys(self, *keys: str) -> Table:
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def focused(self) -> str | None:
        return self.page.evaluate("document.activeElement?.dataset?.cell ?? document.activeElement?.dataset?.pick ?? null")

    def label(self, name: str) -> str:
        return self.square(name).get_attribute("aria-label")

    @property
    def status(self) -> str:
        return self.page.locator("#status").inner_text()

    def expect_status(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.locator("#status")).to_contain_text(text)

    def expect_moves(self, count: int) -> None:
        expect(self.page.locator("#moves li")).to_have_count(count + 1)

    @property
    def moves(self) -> list[str]:
        return self.page.locator("#moves button").evaluate_all("all => all.slice(1).map(button => button.lastChild.textContent)")

    @property
    def targets(self) -> set[str]:
        return set(self.page.locator("#board [data-pick]:has(.mark-target)").evaluate_all("all => all.map(e => e.dataset.pick)"))

    def waves(self) -> dict[str, str]:
        """The number of the wave by square, while an explosion is previewed."""
        found = self.page.locator("#board [data-pick]:has(.mark-effect)")
        return dict(found.evaluate_all("all => all.map(e => [e.dataset.pick, e.querySelector('.mark-effect').dataset.wave])"))
