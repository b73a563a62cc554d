"""The lobby while games are still being compiled."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from ludarium.web.compiling.warmup import Part
from tests.browser.table import Browser, Visitors
from tests.web.caches import Cache
from tests.web.live import Live


def test_the_lobby_says_what_it_waits_for_and_deals_when_it_can(browser: Browser, tmp_path: Path) -> None:
    cache = Cache()
    rules, bot = Part("roboderby"), Part("roboderby", "greedy")
    with Live(tmp_path, warming=cache.warming(rules, bot)) as live:
        visitors = Visitors(browser, f"http://{live.address}")
        page = visitors.come().page
        page.goto(f"http://{live.address}/")
        picture = page.locator("[data-undealt]")
        unknown = picture.inner_html()
        assert cache.next() == rules
        page.get_by_role("button", name="Play RoboDerby: Express").click()
        why = page.locator("li [data-wait=roboderby]")
        expect(why).to_contain_text("Compiling for this computer")
        cache.may.put(True)
        assert cache.next() == bot
        expect(picture.locator("svg")).to_be_visible()
        expect(picture).not_to_have_js_property("innerHTML", unknown, timeout=120_000)
        expect(why).to_contain_text("Compiling for this computer")
        cache.may.put(True)
        page.wait_for_url("**/game/**")
        visitors.close()
        assert visitors.errors == []
