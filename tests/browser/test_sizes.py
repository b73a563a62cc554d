"""The page of a game in windows of every size: the whole board and what is to be pressed next, without scrolling."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.table import Visitors

SIZES = ((320, 568), (360, 640), (390, 844), (667, 375), (740, 360), (640, 400), (768, 1024), (1280, 800), (1920, 1080), (2560, 1440))

LAID_OUT = """() => {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const box = (element) => element.getBoundingClientRect().toJSON();
    const seen = [...document.querySelectorAll("#board > svg, #prompt, #choices button, #players li, #board .tray svg")];
    const small = [...document.querySelectorAll("button, a.button, select, [role=tab]")].filter((each) => each.checkVisibility() && each.offsetHeight < 24);
    const strip = [...document.querySelectorAll("#players :is(strong, time, b, em)")].filter((each) => each.checkVisibility());
    const cut = strip.filter((each) => {
        const [own, all, side] = [each, each.closest("li"), each.closest(".side")].map(box);
        return own.right > all.right || own.bottom > all.bottom || each.scrollWidth > each.clientWidth + 1 || (side.height && all.bottom > side.bottom);
    });
    const [tops, ends] = [".tray:not(:empty)", ".legend:not(:empty)"].map((part) => box(document.querySelector(part) ?? document.querySelector(".side")));
    return {
        cut: cut.map(({ outerHTML }) => outerHTML),
        page: [document.documentElement.scrollWidth, scrollY],
        column: [tops.y, Math.round(ends.bottom + 0.75 * rem)],
        panel: box(document.querySelector("[role=tabpanel]:not([hidden])")).height,
        hidden: Math.max(...[".walk", "aside > .buttons"].map((it) => box(document.querySelector(it)).bottom)) - box(document.querySelector(".side")).bottom,
        seen: seen.map((element) => [element.id || element.localName, box(element)]),
        small: small.map(({ outerHTML }) => outerHTML),
        strips: Math.max(...[...document.querySelectorAll("#players li")].map((each) => each.offsetHeight)) / rem,
        targets: [...document.querySelectorAll("#board [data-pick]")].map(box).map(({ width, height }) => Math.min(width, height)),
    };
}"""

GAMES: dict[str, dict[str, Any]] = {
    "expendibots": {"players": ("human", "alphabeta:level=1"), "clock": "10m+5s"},
    "expand-conquer": {},
    "hexabomb": {"players": ("human", "painter", "painter", "painter"), "options": {"map": "lair4"}, "clock": "2h+5s"},
    "roboderby": {"players": ("human", "greedy", "greedy", "greedy"), "options": {"players": 4}, "clock": "5m+3s"},
}
PRESSED = {"hexabomb": ("p", "0"), "roboderby": ("1", "2", "3", "4")}
"""Keys that bring up all that there is to press, and to read."""


@pytest.mark.parametrize("game", GAMES)
def test_the_board_and_what_is_next_are_seen_at_every_size(visitors: Visitors, game: str) -> None:
    table = visitors.come()
    made = table.make(game=game, **GAMES[game])
    table.sit(made["seats"][0]["link"])
    table.expect_status("Your turn")
    areas, tops = [], []
    for width, height in SIZES:
        table.page.set_viewport_size({"width": width, "height": height})
        found = table.page.evaluate(LAID_OUT)
        assert found["page"] == [width, 0]
        assert found["small"] == []
        assert (width, found["cut"]) == (width, [])
        for name, box in found["seen"]:
            inside = box["x"] >= 0 and box["y"] >= 0 and box["right"] <= width + 0.5 and box["bottom"] <= height + 0.5
            assert inside, (width, height, name, box)
        board = found["seen"][0][1]
        tops.append([box["y"] for name, box in found["seen"] if name in ("svg", "prompt")])
        areas.append(board["width"] * board["height"])
        if width >= 1280:
            assert found["column"] == [board["y"], height], "the column beside the board is as high as it can be"
            assert found["strips"] < 3, "two lines for each player"
            assert found["hidden"] <= 0.5, "one may look back and resign without scrolling"
            assert board["height"] > 0.9 * height or board["width"] > 0.6 * width
            assert min(found["targets"]) >= 24
    wide = areas[-3:]
    assert wide == sorted(set(wide))
    table.keys(*PRESSED.get(game, ()))
    for width, height in (*SIZES, (1280, 720), (1366, 768)):
        table.page.set_viewport_size({"width": width, "height": height})
        found = table.page.evaluate(LAID_OUT)
        assert (width, found["cut"]) == (width, [])
        assert height > 375 or dict(found["seen"])["prompt"]["height"] < 112, "two rows"
        if width >= 1280:
            assert found["hidden"] <= 0.5
            assert found["panel"] > height * (0.09 if game == "roboderby" else 0.16)
    table.keys("Escape")
    expect(table.page.locator("#prompt")).to_be_in_viewport(ratio=1)
    visitors.come().sit(made["watch"])
    expect(table.page.locator("#players")).to_contain_text("1 watching")
    table.page.add_style_tag(content="#players em { display: none }")  # neither who comes nor what others do moves the board
    for (width, height), before in zip(SIZES, tops, strict=True):
        table.page.set_viewport_size({"width": width, "height": height})
        found = table.page.evaluate(LAID_OUT)
        assert found["page"] == [width, 0]
        assert [box["y"] for name, box in found["seen"] if name in ("svg", "prompt")] == pytest.approx(before, abs=3)
    table.page.set_viewport_size({"width": 320, "height": 256})  # 1280×1024 enlarged four times: there one scrolls, but only down
    found = table.page.evaluate(LAID_OUT)
    assert found["page"] == [320, 0]
    assert found["seen"][0][1]["width"] > 190


def test_a_game_can_be_begun_at_every_size(visitors: Visitors) -> None:
    table = visitors.come()
    table.page.goto(table.server)
    for width, height in SIZES:
        table.page.set_viewport_size({"width": width, "height": height})
        expect(table.page.locator("[data-play]").first).to_be_in_viewport(ratio=1)
        table.page.locator("[data-open=new-expendibots]").click()
        expect(table.button("Start the game")).to_be_in_viewport(ratio=1)
        table.keys("Escape")
        table.page.evaluate("scrollTo(0, 0)")
        assert table.page.evaluate("document.documentElement.scrollWidth") == width


def test_names_and_codes_are_typed_and_sent_at_every_size(visitors: Visitors) -> None:
    table = visitors.come()
    for path, button in (("people", "Take this name"), ("continue", "Continue"), ("organiser", "Enter")):
        table.page.goto(f"{table.server}/{path}")
        for width, height in SIZES:
            table.page.set_viewport_size({"width": width, "height": height})
            expect(table.button(button)).to_be_in_viewport(ratio=1)
            assert table.page.evaluate("document.documentElement.scrollWidth") == width


def test_places_that_are_too_small_are_enlarged(visitors: Visitors) -> None:
    table = visitors.come(360, 740)
    table.sit(table.make(game="hexabomb", players=("human", "random"), options={"map": "star6", "players": 2})["seats"][0]["link"])
    assert table.box("0,0")["width"] < 24
    table.button("Enlarge the board").click()
    before = table.box("#0")
    assert min(before["width"], before["height"]) >= 24
    expect(table.square("#0")).to_be_in_viewport()  # what one plays with is in the middle
    table.page.mouse.move(before["x"] + 10, before["y"] + 10)
    table.page.mouse.down()
    table.page.mouse.move(before["x"] - 30, before["y"] - 10, steps=3)
    table.page.mouse.up()
    after = table.box("#0")
    assert (round(after["x"] - before["x"]), round(after["y"] - before["y"])) == (-40, -20)
    table.expect_status("Choose a highlighted character")
    table.button("Enlarge the board").click()
    assert table.box("0,0")["width"] < 24


def test_a_frame_shows_the_whole_board_and_the_way_through_the_game(visitors: Visitors) -> None:
    table = visitors.come()
    made = table.make(("random", "random"), position="......../......../......../......../......../......../.B....../W....... w 0")
    table.page.goto(f"{table.server}/embed/{made['id']}")
    expect(table.page.locator("#status")).to_contain_text("tokens left")
    for width, height in ((400, 480), (320, 400), (250, 300), (700, 300)):
        table.page.set_viewport_size({"width": width, "height": height})
        assert table.page.evaluate("document.documentElement.scrollWidth") == width
        for part in ("#players", "#board > svg", "#status", "#previous", "#next", "footer a"):
            expect(table.page.locator(part)).to_be_in_viewport(ratio=1)
        assert table.page.evaluate("document.querySelector('#board').offsetHeight") > 0.6 * height
