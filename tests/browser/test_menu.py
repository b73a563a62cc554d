"""The menu of every page, and the lobby on a wide screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import wrong_on
from tests.browser.table import Browser, Table, Visitors
from tests.web.live import Live


@pytest.mark.parametrize("page", ["/", "/people", "game"])
def test_the_menu_works_on_a_phone_and_by_keys(table: Table, javascript_tools: Path, page: str) -> None:
    table.page.set_viewport_size({"width": 320, "height": 568})
    table.page.goto(table.server + (table.make()["watch"] if page == "game" else page))
    menu, links = table.page.locator("#menu summary"), table.page.locator("#menu a")
    menu.focus()
    table.keys("Enter")
    boxes = [link.bounding_box() for link in links.all()]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 320 and box["height"] >= 44 for box in boxes if box)
    assert [box["y"] for box in boxes if box] == sorted({box["y"] for box in boxes if box}), "one below the other"
    assert wrong_on(table.page) == []
    table.keys("Escape")
    expect(links.first).to_be_hidden()
    expect(menu).to_be_focused()
    menu.click()
    table.page.mouse.click(5, 300)
    expect(links.first).to_be_hidden()
    menu.click()
    links.last.click()
    expect(table.page.get_by_role("heading", name="Continue here")).to_be_visible()


def test_the_lobby_is_balanced_where_nothing_is_live(browser: Browser, tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        visitors = Visitors(browser, f"http://{live.address}")
        page = visitors.come(1920, 1080).page
        page.goto(visitors.server)
        for part in (".games", "#open", ".ways"):
            box = page.locator(part).bounding_box()
            assert box is not None
            assert abs(box["x"] + box["width"] / 2 - 960) <= 1, part
        visitors.close()
