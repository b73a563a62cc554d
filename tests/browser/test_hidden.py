"""Two people at their own pages play a game that hides things, and a third one watches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.table import Browser, Table, Visitors
from tests.web.live import Live


@pytest.fixture
def pages(browser: Browser, tmp_path: Path, cups: str) -> Iterator[tuple[Table, Table, Table]]:
    """North's, South's and a watcher's page of one game; North holds a 2 and South a 5."""
    with Live(tmp_path) as live:
        visitors = Visitors(browser, f"http://{live.address}")
        made = live.make("human", "human", game=cups, position="0 0 N2 S5 0 0 0 0 0 0")
        north, south = (visitors.come().sit(seat["link"]) for seat in made["seats"])
        yield north, south, visitors.come().sit(made["watch"])
        visitors.close()
        assert visitors.errors == []


def test_each_page_shows_what_its_player_may_know(pages: tuple[Table, Table, Table]) -> None:
    north, south, watcher = pages
    for table, text in ((north, "0 0 N2 S?"), (south, "0 0 N? S5"), (watcher, "0 0 N? S?")):
        expect(table.page.locator("#board text")).to_contain_text(text)
    expect(north.page.locator("#takeback")).to_be_hidden()
    expect(north.page.locator("#resign")).to_be_visible()
    south.press("keep")  # without waiting for North
    for table, move in ((north, "South thinks"), (watcher, "South thinks"), (south, "keep")):
        table.expect_moves(1)
        assert table.moves == [move]
    north.press("shake")
    for table in pages:
        table.expect_moves(3)
    assert north.moves[1] == "shake"
    assert re.fullmatch("N[1-6]", north.moves[2])  # which North looks at
    assert [table.moves[1:] for table in (south, watcher)] == [["North thinks", "a cup is shaken"]] * 2
    for owner, others in (("N", (south, watcher)), ("S", (north, watcher))):  # a random id may have the letters, too
        assert not any(re.search(rf"(?<![\w-]){owner}[1-6](?![\w-])", table.page.content()) for table in others)
    assert re.search(r"(?<![\w-])N[1-6](?![\w-])", north.page.content())


def test_what_was_hidden_is_shown_when_it_is_known(pages: tuple[Table, Table, Table]) -> None:
    north, south, _ = pages
    south.press("keep")
    north.expect_moves(1)
    north.press("keep")
    for table in pages:
        table.expect_moves(4)  # and two new dice
        expect(table.page.locator("#moves")).not_to_contain_text("thinks")
        assert table.moves[:2] == ["keep", "keep"]
    for table in pages:
        table.tab("Moves").page.locator("#moves button").nth(1).click()
        expect(table.page.locator("#board text")).to_contain_text("0 0 N2 S5 0 0 0 1 0 0")
