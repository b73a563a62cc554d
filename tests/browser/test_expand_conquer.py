"""Expand and Conquer on the page: point at a group, see what it would fill, press it."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.table import Table, Visitors

GAME = "expand-conquer"
BOARD = "O*X*|*O**|**X*|O**X L"


def filled(table: Table) -> set[str]:
    """The squares that are marked as what the group would fill."""
    return set(table.page.locator("#board [data-pick]:has(> .mark-effect)").evaluate_all("all => all.map(e => e.dataset.pick)"))


def begins(table: Table) -> set[str]:
    """What is marked as pressable, after something else was pressed."""
    return set(table.page.locator("#board [data-pick]:has(> .mark-around)").evaluate_all("all => all.map(e => e.dataset.pick)"))


def press_cell(table: Table, row: int, column: int) -> None:
    """Press the middle of a square, whatever is drawn there."""
    box = table.page.locator("#board svg").evaluate(
        """(svg, [row, column]) => {
            const layer = svg.querySelector(':scope > g').getScreenCTM();
            const point = new DOMPoint(20 * column + 10, 20 * row + 10).matrixTransform(layer);
            return [point.x, point.y];
        }""",
        [row, column],
    )
    table.page.mouse.click(*box)


def test_the_focus_stays_where_one_played_and_whose_turn_it_is_is_told(table: Table) -> None:
    table.sit(table.make(game=GAME, seed=1)["seats"][0]["link"])
    table.expect_status("Your turn")
    table.square("(2,2)").focus()
    table.keys("Enter")
    table.expect_moves(2)
    assert table.focused() == "(2,2)"
    expect(table.page.locator("#board [data-pick='(1,2)'] [data-cell='(2,2)']")).to_be_focused()  # in the group that has grown
    expect(table.page.locator("#said")).to_have_text(re.compile("Right: .*Your turn$"))


def ask_always(table: Table) -> None:
    """Set that every move is to be confirmed."""
    table.button("Settings").click()
    table.page.get_by_role("radio", name="Always").check()
    table.button("Close").click()


def test_a_group_is_pressed_anywhere_previewed_and_confirmed_if_one_likes(table: Table):
    table.sit(table.make(game=GAME, position="OO*X|*O**|***X L")["seats"][0]["link"])
    ask_always(table)
    press_cell(table, 1, 1)
    table.expect_status("(0,0) reaches (0,2) (1,0) (1,2) (2,1)")
    assert filled(table) == {"(0,2)", "(1,0)", "(1,2)", "(2,1)"}
    table.expect_moves(0)
    table.button("Cancel").click()
    assert filled(table) == set()
    press_cell(table, 0, 1)
    table.button("Confirm (0,0)").click()
    expect(table.page.locator("#moves li").nth(1)).to_contain_text("(0,0)")
    grown = "(0,0), Left, group of 7 stones: (0,0) (0,1) (0,2) (1,0) (1,1) (1,2) (2,1), fills 1 square"
    expect(table.square("(0,0)")).to_have_attribute("aria-label", grown)


def test_enter_confirms_after_a_press_by_mouse(table: Table):
    table.sit(table.make(game=GAME, position=BOARD)["seats"][0]["link"])
    ask_always(table)
    press_cell(table, 1, 1)
    table.expect_status("(1,1) reaches")
    table.keys("Enter")
    expect(table.page.locator("#moves li").nth(1)).to_contain_text("(1,1)")


def test_pointing_at_a_group_shows_what_it_would_fill(table: Table):
    table.sit(table.make(game=GAME, position=BOARD)["seats"][0]["link"])
    preview = table.square("(0,0)").locator(".xc-v")
    expect(preview).to_be_hidden()
    table.square("(0,0)").hover()
    expect(preview).to_have_css("display", "inline")
    assert preview.get_attribute("d") == "M30 10h0M10 30h0"


def test_the_opponents_groups_and_empty_squares_do_nothing(table: Table):
    table.sit(table.make(game=GAME, position=BOARD)["seats"][0]["link"])
    for row, column in ((0, 2), (1, 0), (3, 2)):
        press_cell(table, row, column)
        table.expect_status(f"Nothing begins at ({row},{column}): press (0,0), (1,1) or (3,0)")
        assert begins(table) == {"(0,0)", "(1,1)", "(3,0)"}
        assert filled(table) == set()
    table.expect_moves(0)
    press_cell(table, 1, 1)  # which plays at once: each move is one press here
    table.expect_moves(2)
    table.expect_status("Your turn")
    assert begins(table) == set()
    table.tab("Moves").page.get_by_text("What do (2,3), Left and Right mean?").click()
    expect(table.page.locator("#course").get_by_text("both counted from 0 at the top left")).to_be_visible()


def test_a_stone_is_placed_with_one_press_in_the_all_small_variant(table: Table):
    made = table.make(("human", "random"), game=GAME, position="XO*|***|*XO L", options={"variant": "all-small"})
    table.sit(made["seats"][0]["link"])
    expect(table.square("(1,0)")).to_have_attribute("aria-label", "(1,0), empty, Left may place a stone")
    press_cell(table, 1, 0)
    expect(table.page.locator("#moves li").nth(1)).to_contain_text("+(1,0)")
    table.expect_moves(2)
    table.expect_status("Your turn")


def test_a_whole_game_by_keyboard(table: Table):
    table.sit(table.make(game=GAME, position="O***X L")["seats"][0]["link"])
    for _ in range(20):
        table.keys("Tab")
        if table.focused():
            break
    while table.focused() != "(0,0)":
        table.keys("ArrowLeft")
    table.keys("Enter")
    table.expect_moves(2)
    table.expect_status("Your turn")
    assert table.focused() == "(0,0)"
    table.keys("Enter")
    table.expect_status("You won: Right cannot move, for the board is full")


def test_a_game_is_made_from_the_lobby_with_a_board_and_options(visitors: Visitors):
    table = visitors.come()
    table.page.goto(table.server)
    expect(table.page.locator('.card:has-text("Expand and Conquer") .picture svg [data-pick]')).not_to_have_count(0)
    table.page.get_by_role("button", name="Choose opponent for Expand and Conquer").click()
    dialog = table.page.locator(f"#new-{GAME}")
    dialog.get_by_text("Position and rules").click()
    dialog.get_by_label("Rows").fill("3")
    dialog.get_by_role("button", name="Start the game").click()
    expect(dialog.locator("form > .problem")).to_contain_text("rows=3, but start=lattice has 8")
    assert visitors.errors.pop().endswith("400 (Bad Request)")  # which Chromium logs by itself
    dialog.get_by_label("Rows").fill("")
    dialog.get_by_label("Variant").select_option("all-small")
    dialog.locator(f"#option-{GAME}-start").fill("***|***|***")
    dialog.get_by_role("button", name="Start the game").click()
    table.expect_status("Your turn")
    expect(table.page.locator("#board [data-pick]")).to_have_count(9)


def test_a_board_that_looks_the_same_from_both_sides_is_not_flipped(table: Table):
    table.sit(table.make(game=GAME, position=BOARD)["seats"][0]["link"])
    table.expect_status("Your turn")
    expect(table.button("Flip board")).to_have_count(0)
    table.keys("f")
    table.expect_status("Your turn")
