"""A player's first turn: the line under the board says what to do, and what can act is framed until something was played."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.table import Table, Visitors

TWO_STONES = "......../......../......../......../......../......../.B....../W......W w 0"

GAMES: dict[str, tuple[dict[str, Any], str, set[str]]] = {
    "expendibots": ({"position": TWO_STONES}, "Your turn. Choose a highlighted piece", {"a1", "h1"}),
    "expand-conquer": ({"position": "OO*X|*O**|***X L"}, "Your turn. Choose a highlighted group", {"(0,0)"}),
    "hexabomb": ({}, "Your turn: 0 of 3 have orders. Choose a highlighted character", {"#0", "#1", "#2"}),
    "tic-tac-toe": ({}, "Your turn. Choose a highlighted place", {f"{file}{rank}" for file in "abc" for rank in "123"}),
}


def framed(table: Table) -> set[str]:
    return set(table.page.locator("#board [data-pick]:has(> .mark-around)").evaluate_all("all => all.map(e => e.dataset.pick)"))


@pytest.mark.parametrize("game", GAMES)
def test_the_first_turn_says_what_to_do_and_marks_what_can_act(table: Table, game: str) -> None:
    request, prompt, able = GAMES[game]
    table.sit(table.make(game=game, **request)["seats"][0]["link"])
    expect(table.page.locator("#status")).to_have_text(prompt)
    assert framed(table) == able
    for _ in range(20):
        table.keys("Tab")
        if table.focused():
            break
    assert table.page.evaluate("document.activeElement.closest('[data-pick]').dataset.pick") in able


def test_what_can_act_is_marked_until_something_was_played(table: Table) -> None:
    table.sit(table.make(game="expand-conquer", position="O*X*|*O**|**X*|O**X L")["seats"][0]["link"])
    table.expect_status("Choose a highlighted group")
    table.press("(0,0)")
    table.expect_moves(2)
    expect(table.page.locator("#status")).to_have_text(re.compile("Your turn$"))
    assert framed(table) == set()


def test_those_who_watch_or_wait_are_told_nothing_to_do(visitors: Visitors) -> None:
    white, black, watcher = visitors.come(), visitors.come(), visitors.come()
    made = white.make(("human", "human"))
    for table, link in ((black, made["seats"][1]["link"]), (watcher, made["watch"])):
        expect(table.sit(link).page.locator("#status")).to_have_text("White to move")
        assert framed(table) == set()
