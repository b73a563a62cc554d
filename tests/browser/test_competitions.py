"""Pages of competitions and reports, as a person reads them."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

import ludarium
from ludarium.arena import match
from ludarium.arena.reports import write_reports
from ludarium.arena.reports.replays import packed_games
from ludarium.arena.store import begin, entrants_of, open_database
from ludarium.arena.tournament import hold
from ludarium.arena.tournament_file import read_tournament
from ludarium.players import never
from tests.browser.table import Browser, Table

GAME = ludarium.game("expendibots")


def test_a_page_changes_under_its_readers_hands(table: Table, store: Path, tmp_path: Path) -> None:
    """What is focused and where the page is scrolled stay as they are."""
    players = ["random", "greedy"]
    played = match(GAME, players, games=12, seed=1, records=tmp_path).games
    page = table.page
    with open_database(store) as database:
        cup = begin(database, "evening", "match", GAME, entrants_of(players))
        cup.add(played[:2])
        page.goto(f"{table.server}/competitions/{cup.id}")
        rows = page.locator(".gamelist tbody tr")
        expect(rows).to_have_count(2)
        random = page.locator(".standings a", has_text="random")
        random.focus()
        page.evaluate("scrollTo(0, 90)")
        cup.add(played[2:])
    expect(rows).to_have_count(12)
    expect(random).to_be_focused()
    assert page.evaluate("scrollY") == 90
    page.locator(".gamelist a", has_text="12").click()
    expect(page.locator("#status")).to_contain_text("no tokens left")
    page.get_by_role("link", name="Competition").click()
    page.locator(".standings a", has_text="greedy").click()
    expect(page.get_by_role("heading", name="greedy")).to_be_visible()


def test_a_report_shows_its_games_offline(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "class.toml"
    players = "".join(f'[[players]]\nname = "{name}"\nspec = "random"\n' for name in ("Ann", "Bob"))
    path.write_text(f'game = "expendibots"\n{players}', encoding="utf-8")
    result = hold(read_tournament(path), store=tmp_path / "store.sqlite")
    report = write_reports(result, dict(packed_games(result, workers=1, interrupted=never)))
    (tmp_path / "mail").mkdir()
    alone = report.rename(tmp_path / "mail" / "report.html")
    page = browser.chromium.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(alone.as_uri())
    page.locator("summary").click()
    page.locator(".gamelist a", has_text="2").click()
    step, dialog = page.locator(".viewer .step"), page.get_by_role("dialog", name="Game 2: Bob – Ann")
    expect(step).to_have_text(f"The start; {result.games[1].plies} to come")
    page.keyboard.press("ArrowRight")
    expect(step).to_contain_text(f"1 of {result.games[1].plies}. ")
    page.keyboard.press("End")
    expect(page.get_by_role("button", name="Next position")).to_be_disabled()
    assert "<svg" in page.locator(".viewer .board").inner_html()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page).to_have_url(alone.as_uri())
    page.goto(f"{alone.as_uri()}#game-1")
    expect(page.get_by_role("dialog", name="Game 1: Ann – Bob")).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 640})
    column = page.get_by_role("columnheader", name="over the next").bounding_box()
    page.close()
    assert column is not None
    assert column["x"] + column["width"] <= 360
    assert problems == []
