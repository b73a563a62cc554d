"""Nobody is kept out: axe finds nothing wrong. ``pytest --accessibility tests/browser`` looks at every page that a test leaves behind."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludarium
from tests.browser.accessibility import wrong_on
from tests.browser.table import Table


@pytest.mark.parametrize("path", ["/", "/competitions", "/design"])
def test_pages(table: Table, javascript_tools: Path, path: str) -> None:
    table.page.goto(table.server + path)
    assert wrong_on(table.page) == []


def test_the_dialog_for_a_new_game(table: Table, javascript_tools: Path) -> None:
    table.page.goto(table.server)
    table.page.locator("[data-open=new-hexabomb]").click()
    assert wrong_on(table.page) == []


OTHERS = [game for game in ludarium.list_games() if game != "roboderby"]
"""Those whose pieces are called what stands on them."""


@pytest.mark.parametrize("game", OTHERS)
def test_the_page_of_a_game(table: Table, javascript_tools: Path, game: str) -> None:
    made = table.make(("human",) * ludarium.game(game).players, game=game)
    table.sit(made["seats"][0]["link"])
    table.page.wait_for_function("document.querySelectorAll('#board [data-pick]').length > 0")
    assert wrong_on(table.page) == []
