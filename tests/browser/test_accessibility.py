"""Nobody is kept out: axe finds nothing wrong. ``pytest --accessibility tests/browser`` looks at every page that a test leaves behind."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

import ludarium
from tests.browser.accessibility import wrong_on
from tests.browser.table import Table, Visitors


@pytest.mark.parametrize("path", ["/", "/competitions", "/continue", "/design", "/people", "/organiser"])
def test_pages(table: Table, javascript_tools: Path, path: str) -> None:
    table.page.goto(table.server + path)
    assert wrong_on(table.page) == []
    table.page.set_viewport_size({"width": 320, "height": 568})
    assert table.page.evaluate("document.documentElement.scrollWidth") == 320


def test_the_dialog_for_a_new_game(table: Table, javascript_tools: Path) -> None:
    table.page.goto(table.server)
    table.page.locator("[data-open=new-hexabomb]").click()
    assert wrong_on(table.page) == []
    table.page.emulate_media(forced_colors="active")
    chips = table.page.locator("dialog[open] [name=with] + span").evaluate_all(
        "all => all.map(chip => getComputedStyle(chip).backgroundColor)"
    )
    table.page.emulate_media(forced_colors="none")
    assert chips[0] not in chips[1:], "what is chosen is seen in high contrast"


@pytest.mark.parametrize("game", ludarium.list_games())
def test_the_page_of_a_game(table: Table, javascript_tools: Path, game: str) -> None:
    made = table.make(("human",) * ludarium.game(game).players, game=game)
    table.sit(made["seats"][0]["link"])
    expect(table.page.locator("#board [data-pick]").first).to_be_attached()
    assert wrong_on(table.page) == []


def test_robots_in_every_state(table: Table, javascript_tools: Path) -> None:
    made = table.make(("human",), game="roboderby", options={"players": 1, "start_edge": "choose"}, seed=3)
    table.sit(made["seats"][0]["link"])
    edges = table.page.locator("#board [data-pick^=edge]")
    expect(edges).to_have_count(2)
    assert wrong_on(table.page) == [], "where the start is chosen"
    edges.first.click()
    table.expect_status("the die for register")
    assert wrong_on(table.page) == [], "with dice in the hand"
    table.keys("1", "2", "n", "3")
    expect(table.page.locator("#board .rp-foreseen")).to_be_visible()
    assert wrong_on(table.page) == [], "with dice that are put down"
    table.keys("4", "Enter")
    expect(table.button("Pause")).to_be_visible()
    table.keys("p")
    assert wrong_on(table.page) == [], "in the middle of a turn"
    table.keys("x")
    table.page.locator("#resign").click()
    table.page.locator("#resigning [value=resign]").click()
    table.expect_status("resigned")
    assert wrong_on(table.page) == [], "at the end"


def test_the_focus_is_kept_when_what_had_it_goes(visitors: Visitors, javascript_tools: Path) -> None:
    """A game between two who have keys only, and hear what the other one does."""
    white, black = visitors.come(), visitors.come()
    one, two = white.make(("human", "human"))["seats"]
    white.sit(one["link"]).listen()
    black.sit(two["link"]).listen()
    white.expect_told("Black is here")
    while not white.page.evaluate("document.activeElement.closest('#board') !== null"):
        white.keys("Tab")
    white.keys("Enter", "b")
    white.expect_status("a2! reaches a2, then")
    assert wrong_on(white.page) == [], "where an explosion is shown before"
    white.keys("Escape", "Escape", "Enter", "ArrowUp", "Enter")
    assert white.focused() == "a3"
    black.expect_told("White: a2-a3. Your turn. Choose a highlighted piece")
    black.page.locator("#draw").focus()
    black.keys("Tab", "Shift+Tab", "Enter")
    expect(black.page.locator("#draw")).to_be_disabled()
    expect(black.page.locator("#board :focus")).to_have_count(1)
    decline = white.page.locator("#offers").get_by_role("button", name="Decline")
    decline.focus()
    white.keys("Tab", "Shift+Tab", "Enter")
    expect(decline).to_have_count(0)
    assert white.focused() == "a3"
    black.tab("Chat").page.get_by_label("Say something").focus()
    black.page.keyboard.type("hello")
    black.keys("Enter")
    white.expect_told("Black: hello")
    expect(white.page.get_by_role("tab", name="Chat, something new")).to_be_visible()
    white.page.locator("#resign").focus()
    white.keys("Tab", "Shift+Tab", "Enter", "Shift+Tab", "Enter")
    white.expect_status("You lost")
    assert white.focused() == "a3"
    expect(black.page.get_by_label("Say something")).to_be_focused()
    white.keys("Tab", "Enter")
    black.page.locator("#offers").get_by_role("button", name="Accept").click()
    white.expect_status("White to move")
    black.expect_status("Your turn")
    expect(white.page.locator("#players")).to_contain_text("0 points")
