"""People with names: from taking one to a rating, with what they offer each other on the way."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.table import Table, Visitors


def take(table: Table, name: str) -> None:
    table.page.goto(f"{table.server}/people")
    table.page.get_by_label("Name", exact=True).fill(name)
    table.button("Take this name").click()
    expect(table.page.locator("#own-page")).to_have_text(name)


def test_two_people_with_names_play_and_are_rated(visitors: Visitors) -> None:
    white, black = visitors.come(), visitors.come(390, 844)
    take(white, "Ada L")
    take(black, "Bob")
    white.page.goto(visitors.server)
    expect(white.page.get_by_role("banner").get_by_role("link", name="Ada L")).to_have_attribute("href", "/people/Ada%20L")
    made = white.make(("human", "human"), seed=None, clock="5m+3s")
    for table, seat in ((white, 0), (black, 1)):
        table.sit(made["seats"][seat]["link"])
    expect(white.page.locator("#players li")).to_contain_text(["Ada L", "Bob"])

    white.button("Offer a draw").click()
    expect(black.page.locator("#offers")).to_contain_text(re.compile("Ada L.? offers a draw"))
    black.button("Decline").click()
    expect(white.page.locator("#offers")).to_contain_text("The draw was declined")
    black.button("Pause").click()
    white.button("Accept").click()
    expect(black.page.locator("#offers")).to_contain_text("The clocks stand by agreement")
    black.button("Resume").click()
    expect(white.page.locator("#offers")).not_to_contain_text("clocks")

    white.press("a2", "a3")
    black.expect_moves(1)
    black.press("a7", "a6")
    white.expect_moves(2)
    white.button("Offer a draw").click()
    black.button("Accept").click()
    white.expect_status("Draw: agreed by the players")
    expect(white.page.locator("#players a", has_text="Bob")).to_have_attribute("href", "/people/Bob")
    white.page.goto(f"{visitors.server}/people/Bob")
    expect(white.page.locator("h1")).to_have_text("Bob")
    expect(white.page.locator("tbody th").first).to_have_text("Expendibots, against people")
    expect(white.page.locator("tbody td").first).to_contain_text(re.compile(r"^0 .* to "))
    expect(white.page.get_by_role("link", name="Expendibots")).to_have_attribute("href", made["watch"])

    white.page.goto(f"{visitors.server}/people")
    white.button("To another device").click()
    code = white.page.locator("#handover output")
    expect(code).to_have_text(re.compile(r"^\w{4}-\w{4}$"))
    black.page.goto(f"{visitors.server}/continue#{code.inner_text()}")  # as on another device of hers
    black.page.locator("main button[type=submit]").click()
    black.page.wait_for_url("**/people**")
    black.page.goto(f"{visitors.server}/people")
    expect(black.page.locator("#own-page")).to_have_text("Ada L")
