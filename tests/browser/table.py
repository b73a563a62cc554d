"""The pages as a person uses them: what can be pressed, typed and read."""

from __future__ import annotations

from typing import Any

import httpx
from playwright.sync_api import Browser, Page, expect


class Visitors:
    """Browsers that share nothing but the server."""

    def __init__(self, browser: Browser, server: str) -> None:
        self.browser = browser
        self.server = server
        self.errors: list[str] = []
        self.elsewhere: list[str] = []
        self._contexts: list[Any] = []

    def come(self, width: int = 1280, height: int = 800, **settings: Any) -> Table:
        context = self.browser.new_context(viewport={"width": width, "height": height}, accept_downloads=True, **settings)
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=self.server)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda message: self.errors.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self._note(request.url))
        page.on("websocket", lambda socket: self._note(socket.url))
        self._contexts.append(context)
        return Table(page, self.server)

    def _note(self, url: str) -> None:
        host = self.server.removeprefix("http://")
        if url.split("://")[1].split("/")[0] != host and not url.startswith(("data:", "blob:")):
            self.elsewhere.append(url)

    def close(self) -> None:
        for context in self._contexts:
            context.close()


class Table:
    """One browser's page."""

    def __init__(self, page: Page, server: str) -> None:
        self.page = page
        self.server = server

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

    def button(self, name: str) -> Any:
        return self.page.get_by_role("button", name=name)

    def keys(self, *keys: str) -> Table:
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def focused(self) -> str | None:
        return self.page.evaluate("document.activeElement?.dataset?.pick ?? null")

    def label(self, name: str) -> str:
        return self.square(name).get_attribute("aria-label")

    @property
    def status(self) -> str:
        return self.page.locator("#status").inner_text()

    def expect_status(self, text: str) -> None:
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
        return dict(found.evaluate_all("all => all.map(e => [e.dataset.pick, e.querySelector('.mark-wave').textContent])"))
