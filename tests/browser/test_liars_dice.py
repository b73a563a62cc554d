"""Liar's Dice at two people's pages, and at that of a third one who watches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.table import Browser, Table, Visitors
from tests.web.live import Live

TIME_LIFTED = """() => {
  new MutationObserver(() => {
    if (document.querySelectorAll("#board rect.counts").length === 4) window.since ??= performance.now();
    else if (window.since) window.until ??= performance.now();
  }).observe(document.querySelector("#board"), { childList: true, subtree: true });
}"""
"""Notes when the four dice that count begin to be shown, and when they are gone."""


@pytest.fixture
def pages(browser: Browser, tmp_path: Path) -> Iterator[tuple[Table, Table, Table]]:
    """North's, East's and a watcher's page of one game, with South still to bid."""
    with Live(tmp_path) as live:
        visitors = Visitors(browser, f"http://{live.address}")
        made = live.make("human", "human", "random", game="liars-dice", options={"players": 3}, position="2:25 3:155 1:6 - N")
        north, east = (visitors.come().sit(seat["link"]) for seat in made["seats"])
        yield north, east, visitors.come().sit(made["watch"])
        visitors.close()
        assert visitors.errors == []


def test_bids_are_everybodys_at_once_and_dice_are_shown_with_the_challenge(pages: tuple[Table, Table, Table]) -> None:
    north, east, watcher = pages
    expect(north.page.get_by_role("img", name="North, 2 dice, showing 2 5, to move")).to_be_visible()
    expect(east.page.get_by_role("img", name="North, 2 dice, to move")).to_be_visible()
    north.press("2x")
    north.expect_status("2x: of which face?")
    expect(north.page.locator("#board .mark-answer")).to_have_count(6)
    north.press("x5")
    for table, hidden in ((north, 4), (east, 3), (watcher, 6)):
        table.expect_moves(1)
        assert table.moves == ["North: 2x5"]
        expect(table.page.locator("#board rect.hidden")).to_have_count(hidden)
        expect(table.page.locator("#happened")).to_be_hidden()
    for table in pages:
        table.page.evaluate(TIME_LIFTED)
    east.press("liar")
    for table in pages:
        table.expect_moves(5)
        expect(table.page.locator("#board rect.counts")).to_have_count(0)
        assert table.page.evaluate("until - since") > 1900
        assert table.moves[:2] == ["North: 2x5", "East: liar"]
        expect(table.page.locator("#happened")).to_contain_text("4 dice count for North's 2x5: East loses a die")
    expect(watcher.page.locator("#board rect.hidden")).to_have_count(5)
    assert watcher.moves[2:] == ["North rolls", "East rolls", "South rolls"]
    assert [north.moves[2].startswith("North: "), *north.moves[3:]] == [True, "East rolls", "South rolls"]


def test_the_last_person_who_leaves_opens_all_cups(pages: tuple[Table, Table, Table]) -> None:
    north, east, watcher = pages
    north.press("1x", "x6")
    east.expect_moves(1)
    east.page.locator("#resign").click()
    east.page.locator("#resigning button[value=resign]").click()
    east.expect_status("You have left. ")
    expect(north.page.locator("#moves")).to_contain_text("East resigned")
    expect(watcher.page.locator("#board rect.hidden")).not_to_have_count(0)
    north.page.locator("#resign").click()
    north.page.locator("#resigning button[value=resign]").click()
    for table in pages:
        table.expect_status("South wins: South is the last player" if table is watcher else "You lost: South is the last player")
        expect(table.page.locator("#board rect.hidden")).to_have_count(0)
