"""hexabomb on the page: several orders a turn, by mouse, by keys and on a phone; clocks, charts, replay, the lobby's form."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import expect

import ludarium
from tests.browser.table import Table, Visitors

GAME = "hexabomb"
NEARLY_OVER: dict[str, Any] = {"turns": 4}


def sit(table: Table, *players: str, seat: int = 0, **request: Any) -> Table:
    made = table.make(players or ("human", "painter"), game=GAME, **request)
    return table.sit(made["seats"][seat]["link"])


def orders(table: Table) -> list[str]:
    return table.page.locator("#orders li").evaluate_all("all => all.map(e => e.firstChild.innerText.trim())")


def reach(table: Table) -> set[str]:
    """The cells that are marked as what bombs will reach."""
    found = table.page.locator("#board [data-pick]:has(> .mark-reach)")
    return set(found.evaluate_all("all => all.map(e => e.dataset.pick)"))


def lines(cell: str, range_: int) -> set[str]:
    """The cells that a bomb on the default map reaches."""
    tables = ludarium.game(GAME).tables
    names = [f"{q},{r}" for q, r in zip(tables.q, tables.r, strict=True)]
    found = {cell}
    for direction in range(6):
        at = names.index(cell)
        for _ in range(range_):
            at = int(tables.neighbour[at, direction])
            if at < 0:
                break
            found.add(names[at])
    return found


def number(table: Table, value: str) -> None:
    table.page.locator(f'#chooser button[value="{value}"]').click()


def test_a_turn_by_mouse_with_orders_that_are_changed_and_dropped(visitors: Visitors):
    table, watcher = visitors.come(), visitors.come()
    sit(table)
    watcher.page.goto(table.page.url)
    table.expect_status("Your turn: 0 of 3 have orders")
    table.press("#0")
    table.expect_status("#0: where to?")
    assert table.targets == {"-3,1", "-3,0", "-4,0", "-4,2"}
    table.page.locator("#choices").get_by_text("bomb").click()
    number(table, "delay 3")
    assert reach(table) == lines("-4,1", 2)  # until the range is chosen
    number(table, "range 4")
    assert reach(table) == lines("-4,1", 4)
    table.listen().press("#1", "-3,2", "#2", "-4,4")
    table.expect_told("#2: -4,4. Your turn: 3 of 3 have orders")
    table.press("#1", "-1,-1")
    table.expect_told("#1 can do nothing at -1,-1. Your turn: 3 of 3 have orders")
    assert orders(table) == ["#0 bomb delay 3 range 4", "#1 -3,2", "#2 -4,4"]
    expect(table.page.locator(".order-arrow")).to_have_count(2)
    expect(table.page.locator(".order-label")).to_have_text("bomb 3/4")

    table.page.get_by_role("button", name="#2: -4,4; change").click()
    table.press("-3,3")
    table.page.get_by_role("button", name="Drop the order of #1").click()
    assert orders(table) == ["#0 bomb delay 3 range 4", "#1 –", "#2 -3,3"]
    expect(table.page.locator(".order-arrow")).to_have_count(1)
    assert watcher.page.locator(".order-arrow, .order-label").count() == 0
    expect(watcher.page.locator("#players li").nth(0)).not_to_contain_text("has chosen")
    table.button("Send").click()
    for each in (table, watcher):
        each.expect_moves(2)
        assert each.moves[1].startswith("Turn 1: Blue's #0 dropped a bomb at -4,1, delay 3, range 4; Blue painted 1 cell")
        expect(each.square("-4,1")).to_have_attribute("aria-label", "-4,1, Blue, #0 of Blue, bomb of Blue, delay 3, range 4")
        expect(each.square("-3,3").locator('[data-pick="#2"]')).to_have_count(1)
        expect(each.page.locator("#log li").first).to_have_text("Blue's #0 dropped a bomb at -4,1, delay 3, range 4")
    expect(table.page.locator("#orders li.given")).to_have_count(0)
    table.expect_status("0 of 3 have orders")
    table.press("#1", "-3,2")
    table.keys("ArrowLeft")
    table.expect_status("After 1,")  # orders are for the latest position
    expect(table.page.locator("#board .order-arrow")).to_have_count(0)
    expect(table.page.locator("#orders")).to_be_hidden()
    table.keys("End")
    expect(table.page.locator("#board .order-arrow")).to_have_count(1)
    assert table.tab("Facts").page.get_by_role("img", name="Score: Blue 4, Orange").count() == 1


def test_a_turn_by_keys(table: Table):
    sit(table)
    table.expect_status("Your turn: 0 of 3 have orders")
    table.keys("1")
    table.expect_status("#1: where to?")
    assert table.focused() == "#1"
    table.keys("b", "2", "3")
    assert orders(table)[1] == "#1 bomb delay 2 range 3"
    table.keys("0", "ArrowRight", "Enter")
    assert orders(table)[0] == "#0 -3,1"
    assert table.focused() == "#0"
    table.keys("2", "Escape")
    assert table.targets == set()
    table.keys("2", "b", "ArrowLeft", "Enter", "2")
    assert orders(table)[2] == "#2 bomb delay 3 range 2"
    table.keys("s")
    table.expect_moves(2)
    expect(table.square("-4,2")).to_have_attribute("aria-label", "-4,2, Blue, #1 of Blue, bomb of Blue, delay 2, range 3")
    table.expect_status("0 of 3 have orders")
    table.page.evaluate("document.activeElement.blur()")
    table.keys("Enter")  # nobody does anything
    table.expect_moves(4)
    assert table.moves[3].startswith("Turn 2: ")


def test_orders_of_several_turns(table: Table):
    sit(table, options=NEARLY_OVER)
    table.expect_status("Your turn: 0 of 3 have orders")
    middles = [table.square(cell).bounding_box() for cell in ("-4,1", "-3,1", "-3,0", "-2,-1")]
    ways = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in middles if box]
    told = table.page.locator(".hb-controls p")
    for is_cancelled in (True, False):  # as by a gesture of the system
        table.page.mouse.move(*ways[0])
        table.page.mouse.down()
        for way in ways[1:]:
            table.page.mouse.move(*way)
        expect(told).to_have_text("#0 path of 3")
        if is_cancelled:
            table.page.evaluate("dispatchEvent(new PointerEvent('pointercancel', { pointerId: 1 }))")
        table.page.mouse.up()
        expect(told).to_have_text("" if is_cancelled else "#0 path of 3")
    expect(table.page.locator("#board .hb-rim")).to_have_count(1)
    table.keys("2", "h", "p", "s")
    table.expect_moves(2)
    expect(told).to_have_text("#0 path of 2 · #2 holds · #1 paints on")
    table.page.reload()
    expect(told).to_have_text("#0 path of 2 · #2 holds · #1 paints on")
    expect(table.page.locator("#orders li.given")).to_have_count(3)
    assert orders(table)[0] == "#0 -3,0"
    assert orders(table)[2] == "#2 none"
    table.keys("0", "n")  # which ends the path
    table.keys("s")
    table.expect_moves(4)
    expect(told).to_have_text("#2 holds · #1 paints on")
    table.keys("1", "ArrowRight", "ArrowRight", "e")
    expect(told).to_contain_text("#1 path of 2")
    table.keys("1", "p")
    table.button("Go by itself").click()
    table.keys("0", "p", "s")
    table.expect_moves(8)


def test_orders_go_by_themselves_with_the_last_one(table: Table) -> None:
    """Not only when they follow from standing ones; while another order is being chosen they stay."""
    sit(table)
    table.expect_status("Your turn: 0 of 3")
    table.button("Go by itself").click()
    table.keys("0", "n", "1", "n")
    table.expect_status("Your turn: 2 of 3")
    table.keys("2", "n")
    table.expect_moves(2)
    table.expect_status("Your turn: 0 of 3")
    table.button("Go by itself").click()
    table.keys("0", "n", "1", "n", "2", "n")
    table.expect_status("Your turn: 3 of 3")
    table.button("Go by itself").click()
    table.expect_moves(4)


def test_who_finds_nothing_to_paint_holds_and_paints_on_later(table: Table) -> None:
    """Blue's own board stops nobody: the turns go on, and what others paint is painted over."""
    state = json.loads(ludarium.game(GAME, players=2).start().text)
    for cell in state["cells"]:
        cell["color"] = 1
    state["cell_count"] = {"0": len(state["cells"]), "1": 0}
    sit(table, position=json.dumps(state), options={"players": 2})
    table.expect_status("Your turn: 0 of 3")
    table.button("Go by itself").click()
    table.keys("p")
    expect(table.page.locator("#moves li").nth(2)).to_be_attached()
    assert "Blue painted" not in table.moves[1], "all of Blue's characters hold"
    expect(table.page.locator(".hb-controls p")).to_have_text("#0 paints on · #1 paints on · #2 paints on")


def test_keys_that_are_typed_too_early_are_used_on_the_next_turn(table: Table) -> None:
    sit(table)
    table.expect_status("Your turn: 0 of 3")
    table.keys("0", "n", "s", "1", "p")
    table.expect_status("For the next turn: 1 p")
    table.expect_moves(2)
    expect(table.page.locator(".hb-controls p")).to_have_text("#1 paints on")
    expect(table.page.locator("#orders li.given")).to_have_count(1)
    table.keys("s", "s", "Enter", "2", "h", "Escape")
    table.expect_moves(4)
    table.expect_status("Your turn: 1 of 3")  # neither a key that was pressed twice nor what was dropped does anything
    table.keys("p", "s", "l", "s", "l", "s")
    table.expect_moves(10)


def test_keys_that_come_when_the_game_is_over_are_said_to_be_of_no_use(table: Table) -> None:
    sit(table, options={"turns": 1})
    table.expect_status("Your turn: 0 of")
    table.keys("p", "s", "0", "h")
    table.expect_status(re.compile("Not used: 0 h$"))


def test_enter_does_what_the_button_says(table: Table):
    sit(table)
    send = table.page.locator("#choices button.primary")
    expect(send).to_have_text("Send none Enter")
    table.keys("0", "b", "4", "2")
    expect(send).to_have_text("Send Enter")
    assert table.focused() == "#0"
    table.keys("1", "Escape")
    expect(send).to_have_text("Send Enter")
    assert table.focused() == "#1"
    table.keys("Enter")
    table.expect_moves(2)
    expect(table.square("-4,1")).to_have_attribute("aria-label", "-4,1, Blue, #0 of Blue, bomb of Blue, delay 4, range 2")


def test_enter_presses_what_was_walked_to_and_the_button_says_another_key(table: Table):
    sit(table)
    send = table.page.locator("#choices button.primary")
    table.press("#0").keys("Escape")  # by mouse, which says what Tab reaches
    for _ in range(20):
        table.keys("Tab")
        if table.focused():
            break
    assert table.focused() == "#0"
    expect(send).to_have_text("Send none s")
    table.keys("Enter")
    table.expect_status("#0: where to?")
    table.keys("Escape")
    expect(send).to_have_text("Send none s")
    table.keys("Enter", "ArrowRight", "Enter")
    assert orders(table)[0] == "#0 -3,1"
    expect(send).to_have_text("Send Enter")  # the focus went back to the character by itself
    table.keys("ArrowRight")
    expect(send).to_have_text("Send s")
    table.page.locator("#orders button").first.focus()
    expect(send).to_have_text("Send s")
    send.focus()
    expect(send).to_have_text("Send Enter")
    table.keys("Enter")
    table.expect_moves(2)


def test_enter_held_down_sends_nothing(table: Table):
    sit(table)
    table.keys("0", "ArrowRight")
    for _ in range(3):
        table.page.keyboard.down("Enter")
    table.page.keyboard.up("Enter")
    assert orders(table)[0] == "#0 -3,1"
    table.expect_moves(0)


def test_a_character_may_move_where_another_one_stands(table: Table):
    """A press of the other one chooses it; its cell, beside the disc or by keyboard, is where to go."""
    sit(table)
    table.press("#0", "#1")
    table.expect_status("#1: where to?")
    table.keys("Escape", "0", "ArrowDown")
    assert table.focused() in ("-4,2", "-5,2", "-4,1")
    while table.focused() != "-4,2":
        table.keys("ArrowLeft" if table.focused() == "-3,1" else "ArrowRight")
    table.keys("Enter")
    assert orders(table)[0] == "#0 -4,2"


def test_a_press_where_nothing_begins_says_what_can_be_pressed(table: Table):
    sit(table)
    table.press("0,0")
    table.expect_status("Nothing begins at 0,0: press #0, #1 or #2")
    expect(table.page.locator("#board [data-piece] > .mark-around")).to_have_count(3)
    table.press("#1")
    table.expect_status("#1: where to?")
    table.press("0,0")  # which cancels
    table.expect_status("Your turn: 0 of 3 have orders")


def test_two_people_see_who_has_chosen_and_not_what(visitors: Visitors):
    blue, orange = visitors.come(), visitors.come()
    made = blue.make(("human", "human"), game=GAME)
    blue.sit(made["seats"][0]["link"])
    orange.sit(made["seats"][1]["link"])
    blue.press("#0", "-3,1")
    orange.press("#3")
    blue.button("Send").click()
    blue.expect_status("Your orders are sent. Orange still to choose")
    expect(blue.page.locator("#players li").nth(0)).to_contain_text("has chosen")
    assert orders(blue) == ["#0 -3,1", "#1 –", "#2 –"]
    expect(blue.page.locator(".order-arrow")).to_have_count(1)
    assert blue.page.locator("#orders .drop").count() == 0
    expect(orange.page.locator("#players li").nth(0)).to_contain_text("has chosen")
    orange.expect_status("#3: where to?")  # what was begun goes on
    assert orange.page.locator(".order-arrow").count() == 0
    orange.keys("Escape")
    orange.button("Send none").click()
    for each in (blue, orange):
        each.expect_moves(2)
        expect(each.square("-3,1").locator('[data-pick="#0"]')).to_have_count(1)


def test_orders_outlive_a_reload_and_are_the_same_in_a_second_window(visitors: Visitors):
    table, other = visitors.come(), visitors.come()
    sit(table)
    other.page.goto(f"{table.page.url}#own={table.page.evaluate('history.state.held.token')}")
    expect(other.page.locator("#orders li")).to_have_count(3)
    table.press("#0", "-3,1")
    expect(other.page.locator("#orders li.given")).to_have_text("#0 -3,1✕")
    table.page.reload()
    expect(table.page.locator("#orders li.given")).to_have_text("#0 -3,1✕")
    other.button("Send").click()
    table.expect_moves(2)


def test_when_the_clock_runs_out_the_orders_so_far_are_sent(table: Table):
    sit(table, clock=3)
    expect(table.page.get_by_role("timer")).to_be_visible()
    table.press("#0", "-3,1")
    table.expect_moves(2)
    assert table.moves[1].startswith("Turn 1: Blue painted 1 cell")
    expect(table.page.get_by_role("timer")).to_have_text(re.compile("^0:0[23]"), timeout=3000)
    table.button("Resign").click()
    table.page.locator("#resigning").get_by_role("button", name="Resign").click()
    expect(table.page.get_by_role("timer")).to_be_hidden()


def test_the_special_player_types_long_delays(table: Table):
    sit(table, "human", "random", "random", options={"map": "tiny2", "mode": "sudden-death"})
    table.keys("0", "b")
    field = table.page.locator("#chooser input")
    expect(field).to_have_attribute("aria-label", "delay, 2 to 100")
    field.fill("99")
    field.press("Enter")
    expect(field).to_have_attribute("aria-label", "range, 2 to 100")
    field.fill("101")
    table.page.locator("#chooser").get_by_role("button", name="OK").click()
    assert orders(table) == ["#0 –"]  # the browser says that this is too much
    field.fill("17")
    table.page.locator("#chooser").get_by_role("button", name="OK").click()
    assert orders(table) == ["#0 bomb delay 99 range 17"]


def test_the_slider_and_the_replay(table: Table):
    table.sit(table.make(("painter", "painter"), game=GAME, options=NEARLY_OVER)["watch"])
    table.expect_moves(8)
    table.expect_status("4 turns were played")
    slider = table.page.get_by_role("slider", name="Position of the game")
    expect(slider).to_have_value("8")
    slider.fill("3")
    table.expect_status("After 3, of 8")
    assert table.page.locator("#moves li:not([hidden])").count() == 5  # a line a turn
    expect(slider).to_have_attribute("aria-valuetext", f"3 of 8: {table.moves[2]}")
    expect(table.page.locator("#board > svg")).to_have_attribute("aria-label", "Turn 2 of 4, orders given")
    line = table.tab("Facts").page.locator("#charts path.player-0").first
    assert line.get_attribute("d").count("L") == 4  # a step a turn
    assert "1st · Score: " in table.page.locator("#players").inner_text()
    slider.press("ArrowRight")
    table.expect_status("After 4. ")
    table.page.locator("#speed").select_option("10")
    table.button("Play the game from here").click()
    table.expect_status("4 turns were played")
    expect(table.button("Play the game from here")).to_be_visible()  # it has stopped by itself
    table.page.evaluate("document.activeElement.blur()")
    table.page.locator("#speed").select_option("0.5")
    table.page.evaluate("document.activeElement.blur()")
    table.keys(" ")
    table.expect_status("The start of the game")
    expect(table.button("Pause")).to_be_visible()
    table.keys(" ")
    expect(table.button("Play the game from here")).to_be_visible()


def test_explosions_are_drawn_and_charts_grow(table: Table):
    sit(table, "human", "random", options={"map": "tiny2"}, seed=5)
    table.keys("0", "b", "2", "2", "s")
    for move in (2, 4, 6):
        table.expect_moves(move)
        table.expect_status("Your turn")
        if move < 6:
            table.page.evaluate("document.activeElement.blur()")
            table.keys("Enter")
    exploded = table.page.locator('#board [aria-label$=", exploded"]')
    expect(exploded).not_to_have_count(0)
    lines = table.page.locator("#charts figure").nth(1).locator(".chart-line")
    expect(lines).to_have_count(4)  # two players, each with a line and its sample
    dashes = lines.evaluate_all("all => all.map(line => getComputedStyle(line).strokeDasharray)")
    assert len(set(dashes)) == 2
    assert table.tab("Facts").page.get_by_role("img", name="Cells: Blue").count() == 1


def test_the_lobby_knows_how_many_play_on_each_map(visitors: Visitors):
    table = visitors.come()
    table.page.goto(table.server)
    table.page.locator("[data-open=new-hexabomb]").click()
    dialog = table.page.locator("#new-hexabomb")
    dialog.get_by_text("Position and rules").click()
    dialog.get_by_role("combobox", name="Map").select_option("garden3")
    expect(dialog.locator(".preview svg")).to_have_count(1)
    dialog.get_by_role("radio", name="Seat by seat").check()
    sits = dialog.get_by_role("group", name="Who sits where")
    expect(sits.get_by_label("Blue")).to_have_value("human")
    sits.get_by_label("Orange").select_option("human")
    sits.get_by_label("Green").select_option("flint")
    dialog.get_by_label("Time", exact=True).select_option("Another time …")
    dialog.get_by_label("Another time").fill("90/action")
    dialog.get_by_label("Turns").fill("7")
    dialog.get_by_label("Players").fill("4")
    dialog.get_by_label("Players").blur()
    expect(dialog.locator("#option-hexabomb-players-problem")).to_contain_text("Too many players (4) for this map (max=3)")
    dialog.get_by_label("Players").fill("")
    dialog.get_by_label("Players").blur()
    expect(dialog.locator("#option-hexabomb-players-problem")).to_be_empty()
    table.button("Start the game").click()
    table.expect_status("Waiting for Orange: share the link. You can move already: 0 of 4 have orders")
    expect(table.page.locator("#facts")).to_contain_text("Turn 1 of 7")
    expect(table.page.locator("#players li").nth(2)).to_contain_text("Flint")
    assert table.page.locator("#invitations input").count() == 2
    expect(table.page.get_by_role("timer")).to_be_hidden()  # until Orange has come
    other = visitors.come()
    other.sit(table.page.locator("#invitations input").first.input_value().removeprefix(table.server))
    expect(table.page.get_by_role("timer")).to_contain_text("1:")
    table.expect_that("document.querySelector('#clock').textContent === document.querySelector('#players time.running').textContent")
    table.button("Pause").click()
    other.page.locator("#offers").get_by_role("button", name="Accept").click()
    expect(table.page.locator("#players li").first.locator("time:not(.running)")).to_have_text(re.compile("^1:"))


def test_a_turn_on_a_phone(visitors: Visitors):
    table = visitors.come(390, 844, has_touch=True, is_mobile=True)
    sit(table, "human", "painter", "painter", "painter", options={"map": "lair4"}, clock=600)
    table.expect_status("Choose a highlighted character")
    assert table.page.evaluate("document.documentElement.scrollWidth") <= 390
    top = table.page.locator("#own").bounding_box()["y"]
    table.square("#0").tap()
    assert table.page.locator("#own").bounding_box()["y"] == top, "nothing moves under a finger"
    table.page.locator("#choices").get_by_text("bomb").tap()
    table.page.locator('#chooser button[value="delay 2"]').tap()
    table.page.locator('#chooser button[value="range 2"]').tap()
    table.square("#1").tap()
    assert table.page.locator("#own").bounding_box()["y"] == top
    table.page.locator("#board [data-pick]:has(> .mark-target)").first.tap()
    expect(table.page.locator("#orders li.given")).to_have_count(2)
    assert table.page.locator("#own").bounding_box()["y"] == top
    for button in table.page.locator("#orders button, #choices button, .replay button, nav button").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 43.5
        assert box["x"] + box["width"] <= 390 or button.evaluate("each => each.closest('#orders')"), (
            "orders are a line that can be pushed along"
        )
    table.button("Send").tap()
    expect(table.button("Go by itself")).to_be_visible()  # also between two turns
    table.expect_moves(2)
    table.tab("Moves")
    seen, whole = table.page.locator("#moves").evaluate("list => [list.clientHeight, list.scrollHeight]")
    assert seen == whole, "two lines are not cut off"


def test_the_page_plays_on_when_a_games_own_module_fails(visitors: Visitors):
    table = visitors.come()
    table.page.route(
        "**/games/hexabomb/*/page.js", lambda route: route.fulfill(body="throw new Error('no')", content_type="text/javascript")
    )
    sit(table).press("#0", "-3,1")
    assert orders(table)[0] == "#0 -3,1"
    assert re.search(r"/games/hexabomb/\w+/page.js does not work", visitors.errors.pop())
