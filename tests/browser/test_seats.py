"""A table that survives its people: seats that players lose, leave or lend to a bot, as people see and use them."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.table import Table, Visitors

RACE: dict[str, Any] = {"game": "roboderby", "seed": 3, "host": 0, "options": {"board": "first-lap", "marks": "fixed", "players": 4}}


class Line:
    """A page's connection to the server, which a test can cut."""

    def __init__(self, table: Table) -> None:
        table.kind = ""  # what listens to its socket is not taken back
        self.is_cut = False
        self.open: list[WebSocketRoute] = []
        table.page.route_web_socket(re.compile("/socket$"), self._carry)

    def _carry(self, line: WebSocketRoute) -> None:
        if self.is_cut:
            line.close()
            return
        self.open.append(line)
        line.connect_to_server()

    def cut(self) -> None:
        self.is_cut = True
        for line in self.open:
            line.close()
        self.open.clear()


def hurry(table: Table) -> None:
    speed = table.page.locator(".rp-controls select")
    speed.evaluate("select => select.append(new Option('64 times', 64))")
    speed.select_option("64 times")


ASKED = "the die for register|program, or shut down"
"""What the status of a player who is to act says; others read "The game waits for Green: run or shut down"."""


def expect_turn(table: Table) -> None:
    table.expect_status(re.compile(ASKED))


def program(*tables: Table, until: Table | None = None) -> None:
    """Let each of these players lock four dice in, in the order in which they are asked; damaged robots run.

    With ``until``, they go on turn after turn until this player has done so.
    """
    waiting = list(tables)
    for _ in range(3000):
        for table in list(waiting):
            asked = re.search(ASKED, table.status)
            if not asked:
                continue
            table.page.evaluate("document.activeElement.blur()")
            if asked[0].endswith("or shut down"):
                table.keys("r")
                expect(table.page.locator("#status")).not_to_contain_text("program, or shut down")
                continue
            table.keys("1", "2", "3", "4")
            table.expect_status("lock it in?")
            table.keys("Enter")
            if until is None or table is until:
                waiting.remove(table)
        if not waiting or (until is not None and until not in waiting):
            return
        waiting[0].page.wait_for_timeout(20)
    raise AssertionError([table.status for table in waiting])


def resign(table: Table) -> None:
    table.page.locator("#resign").click()
    table.page.locator("#resigning button[value=resign]").click()


def seat(table: Table, name: str) -> Any:
    """What the host reads of a seat."""
    return table.page.locator("#hosting li", has_text=name)


def strip(table: Table, number: int) -> Any:
    return table.page.locator("#players li").nth(number)


def test_a_race_of_four_survives_its_people(visitors: Visitors) -> None:
    blue, orange, green, pink = (visitors.come(is_new=True) for _ in range(4))
    line = Line(green)
    green.page.clock.install()
    made = blue.make(("human",) * 4, **RACE)
    for table, one in zip((blue, orange, green, pink), made["seats"], strict=True):
        table.sit(one["link"])
        hurry(table)
    everybody = [blue, orange, green, pink]

    for _ in range(2):
        program(*everybody)

    blue.tab("Share")
    for name in ("Orange", "Green", "Pink"):
        expect(seat(blue, name).locator("em")).to_have_text("here")
    expect(orange.page.locator("#hosting")).to_be_hidden()

    # Orange resigns on turn 3.
    expect_turn(orange)
    resign(orange)
    orange.expect_status(re.compile("^You have left. "))
    expect(seat(blue, "Orange").locator("em")).to_have_text("has left the game")
    expect(seat(blue, "Orange").get_by_role("button")).to_have_count(0)
    expect(strip(pink, 1).locator("em")).to_have_text("out")

    # Green loses the line for a minute.
    line.cut()
    expect(seat(blue, "Green").locator("em")).to_have_text("away")
    program(blue, pink)
    asked = blue.page.locator("#offers li", has_text="Green is away")
    asked.get_by_role("button", name="Wait").click()
    expect(asked).to_have_count(0)
    green.page.clock.fast_forward(60_000)
    line.is_cut = False
    green.page.clock.fast_forward(10_000)
    expect(seat(blue, "Green").locator("em")).to_have_text("here")
    program(green)

    # Pink goes; a bot plays until Pink is back.
    expect_turn(blue)
    address = pink.page.url
    pink.page.goto(f"{visitors.server}/continue")
    expect(seat(blue, "Pink").locator("em")).to_have_text("away")
    seat(blue, "Pink").get_by_role("button", name="Let it play for Pink").click()
    expect(seat(blue, "Pink").locator("em")).to_have_text(re.compile("away; .* plays"))
    expect(strip(green, 3).locator("em")).to_have_text(re.compile(" plays$|has chosen"))
    program(blue, green)
    expect_turn(blue)  # the next turn: the bot has played Pink's
    pink.page.goto(address)
    pink.button("Take your seat: Pink").click()
    expect(pink.page.locator("#seats")).to_be_hidden()
    hurry(pink)
    expect(seat(blue, "Pink").locator("em")).to_have_text("here")
    program(blue, green, pink, until=pink)  # the bot may have played this turn already
    for leaver in (green, pink):
        resign(leaver)
    blue.expect_status("You won: Blue is the last player")
    for table in (orange, green, pink):
        table.expect_status("You lost: Blue is the last player")
    record = httpx.get(f"{visitors.server}/api/games/{made['id']}/record").text.splitlines()
    places = json.loads(record[-1])["returns"]
    assert sorted(range(4), key=lambda player: -places[player]) == [0, 3, 2, 1]  # the later one left, the better


def test_old_links_and_lost_windows_lead_back_to_the_table(visitors: Visitors) -> None:
    white, black, late, lost = (visitors.come() for _ in range(4))
    made = white.make(("human", "human"), host=0)
    link = made["seats"][1]["link"]
    white.sit(made["seats"][0]["link"])
    black.sit(link)
    told = black.page.locator("#way-back")
    code = told.locator("strong").inner_text()
    assert re.fullmatch(r"\w{4}-\w{4}", code)
    told.get_by_role("button", name="Got it").click()
    expect(told).to_be_hidden()

    late.page.goto(visitors.server + link)
    expect(late.page.locator("#used")).to_contain_text("so you are watching")
    late.expect_status("White to move")
    late.button("Ask for the seat").click()
    asked = white.page.locator("#offers li", has_text="A visitor with an old link asks for the seat of Black")
    asked.get_by_role("button", name="Refuse").click()
    expect(late.page.locator("#notice")).to_have_text("the host has not given you the seat of Black")
    expect(late.button("Ask again")).to_be_enabled()

    lost.sit(made["watch"]).tab("Share")
    lost.page.get_by_label("Code", exact=True).fill(code.lower())
    lost.button("Take my seat").click()
    expect(lost.page.locator("#return .problem")).to_contain_text("Black's player is here")
    assert "status of 400" in visitors.errors.pop()  # which the browser notes
    black.page.goto(f"{visitors.server}/continue")
    white.tab("Share")
    expect(white.page.locator("#hosting em")).to_have_text("away")
    lost.button("Take my seat").click()
    expect(lost.button("Resign")).to_be_visible()
    assert lost.page.url == visitors.server + made["watch"]
    expect(white.page.locator("#hosting em")).to_have_text("here")

    late.button("Ask again").click()
    asked.get_by_role("button", name="Give the seat").click()
    expect(late.button("Resign")).to_be_visible()
    expect(late.page.locator("#used")).to_be_hidden()
    expect(lost.page.locator("#line")).to_contain_text("the host has made a new link for Black")

    white.page.locator("#hosting").get_by_role("button", name="New link for Black").click()
    expect(late.page.locator("#line")).to_contain_text("the host has made a new link for Black")
    fresh = white.page.get_by_role("textbox", name="Link for Black").input_value()
    black.sit(fresh.removeprefix(visitors.server))
    expect(black.button("Resign")).to_be_visible()
