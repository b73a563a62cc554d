"""Playing on the page: by mouse, by keyboard, to the end."""

from __future__ import annotations

import random
import re

from playwright.sync_api import expect

import ludarium
from tests.browser.table import Table, Visitors

STACKS = "......../B..BB(4).B./...W(2)..../..B(2)...../...W(4)..B./W(3)......./......../W.W..B(2).W w 0"
FEWER = ".B(2)....../...B(3)..../.B(2)...B.B/B..B..../.W(3)....../.....W(3).W/......../....W... w 0"
"""From here both have a dozen moves until one has no tokens left, with stacks, parts of them and explosions."""


def play_by_mouse(table: Table, state: ludarium.State, action: ludarium.Action) -> None:
    """Press what a person presses for an action."""
    origin, *rest = state.game.picks(state, action)
    single = table.label(origin).endswith("one white token")
    table.press(origin)
    if rest == ["boom"]:
        table.button("boom").click()
        table.button("Confirm boom").click()
        return
    target, count = rest
    table.press(target)
    if not single:
        table.page.locator(f'#chooser button[value="{count}"]').click()


def sensible(state: ludarium.State, choice: random.Random) -> ludarium.Action:
    """The action after which White has most tokens more than Black; otherwise something forward."""

    def worth(action: ludarium.Action) -> float:
        board = state.play(action).record.board
        return sum(int(height) for height in board) + (int(action.text[-1:]) / 20 if "-" in action.text else 0) + choice.random() / 10

    return max(state.actions(), key=worth)


def test_a_whole_game_by_mouse(table: Table, scale: int):
    """From a position with fewer tokens, or from the first one."""
    game = ludarium.game("expendibots", turn_limit=120)
    start = {"position": FEWER} if scale == 1 else {}
    table.sit(table.make(("human", "alphabeta:level=1"), options={"turn_limit": 120}, **start)["seats"][0]["link"])
    state = game.parse(FEWER) if scale == 1 else game.start()
    choice = random.Random(7)
    while not state.is_over:
        table.expect_moves(int(state.record.ply))
        expect(table.page.locator("#prompt[data-tone=turn]")).to_be_visible()
        action = sensible(state, choice)
        play_by_mouse(table, state, action)
        state = state.play(action)
        if not state.is_over:
            expect(table.page.locator("#moves li")).to_have_count(int(state.record.ply) + 2)
            state = state.play(table.moves[-1])
    table.expect_status(state.outcome.reason)
    table.button("Play again").click()
    table.expect_moves(1)  # Black's: the seats are exchanged
    table.expect_status("Your turn")
    expect(table.page.locator("#players li").nth(1)).to_contain_text("you")


def test_targets_are_marked_and_the_number_is_chosen_beside_them(table: Table):
    table.play_from(STACKS).press("d4")
    expect(table.square("d4")).to_have_attribute("aria-pressed", "true")
    assert table.targets == {"d1", "d2", "d3", "d5", "d6", "d8", "a4", "b4", "c4", "e4", "f4", "h4"}
    table.press("f4")
    buttons = table.page.locator("#chooser button")
    expect(buttons).to_have_count(4)
    target, chooser = table.square("f4").bounding_box(), table.page.locator("#chooser").bounding_box()
    assert abs(chooser["y"] + chooser["height"] - target["y"]) < 12
    table.page.locator('#chooser button[value="3"]').click()
    expect(table.square("f4")).to_have_attribute("aria-label", "f4, white stack of 3")
    assert table.moves[0] == "3d4-f4"


def test_pressing_the_target_again_moves_all_and_digits_choose(table: Table):
    table.play_from(STACKS).press("d4", "f4", "f4")
    table.expect_moves(2)
    assert table.moves[0] == "4d4-f4"
    table.play_from(STACKS).press("d4", "f4").keys("2")
    table.expect_moves(2)
    assert table.moves[0] == "2d4-f4"
    table.play_from(STACKS).press("d4").keys("3").press("e4")
    table.expect_moves(2)
    assert table.moves[0] == "3d4-e4"


def test_ten_and_more_are_typed_in_two_digits(table: Table):
    table.play_from("B......./......../......../......../......../......../......../W(12)....... w 0").press("a1", "a3")
    table.keys("1", "1")
    table.expect_moves(2)
    assert table.moves[0] == "11a1-a3"


def test_a_boom_is_previewed_and_confirmed(table: Table):
    table.play_from(STACKS).press("d4")
    table.button("boom").click()
    table.expect_status("d4! reaches d4, then c5, then d6, then d7 e7")
    assert table.waves() == {"d4": "1", "c5": "2", "d6": "3", "d7": "4", "e7": "4"}
    table.expect_moves(0)
    table.button("Cancel").click()
    assert table.waves() == {}
    assert table.targets
    table.button("boom").click()
    table.button("Confirm boom").click()
    table.expect_moves(2)
    assert table.moves[0] == "d4!"
    table.expect_status("Your turn")
    assert [table.label(name) for name in ("d4", "c5", "d6", "d7", "e7")] == [f"{n}, empty" for n in ("d4", "c5", "d6", "d7", "e7")]


def test_one_press_never_explodes_anything(table: Table):
    table.play_from("B......./......../......../......../......../......../.B....../WB...... w 0")
    table.press("a1").keys("b")
    table.expect_status("reaches")
    table.press("a1")
    assert table.waves() == {}
    table.expect_moves(0)


def test_explosions_are_animated_wave_by_wave_unless_motion_is_unwelcome(visitors: Visitors):
    count = (
        "window.blasts = []; new MutationObserver(all => all.forEach(m => m.addedNodes.forEach(n => n.querySelector?.('.blast') && blasts.push(n)))) \
        .observe(document.querySelector('#board'), {childList: true, subtree: true})"
    )
    for motion, blasts in (("no-preference", 5), ("reduce", 0)):
        table = visitors.come(reduced_motion=motion).play_from(STACKS)
        table.page.evaluate(count)
        table.press("d4").keys("b", "Enter")
        table.expect_moves(2)
        table.expect_status("Your turn")
        assert table.page.evaluate("blasts.length") == blasts


def test_turns_by_keyboard_alone(table: Table):
    table.play_from(STACKS)
    for _ in range(20):
        table.keys("Tab")
        if table.focused():
            break
    assert table.focused() == "d6", "the first piece that can act"
    table.keys("ArrowDown", "ArrowDown")
    assert table.focused() == "d4"
    table.listen().keys("Enter")
    assert "d8" in table.targets
    table.keys("Escape")
    assert table.targets == set()
    table.keys(" ", "ArrowRight", "Enter", "2")
    table.expect_moves(2)
    assert table.moves[0] == "2d4-e4"
    table.expect_status("Your turn")
    assert table.focused() == "e4"
    table.keys("Enter", "ArrowDown", "Enter", "Enter")
    table.expect_moves(4)
    assert table.moves[2] == "2e4-e3"
    table.expect_status("Your turn")
    table.keys("Enter", "b", "Enter")
    table.expect_moves(6)
    assert table.moves[4] == "e3!"
    table.expect_status("Your turn")
    told = " / ".join(table.told())
    assert "d4: where to? " in told
    assert "e3: where to? " in told
    for move in table.moves:  # each is told once, with whose it is
        assert len(re.findall(rf"(White|Black): {re.escape(move)}(?![\w-])", told)) == table.moves.count(move), told
    table.keys("Home")
    table.expect_status("start of the game")


def test_a_game_ends_with_its_reason(table: Table):
    table.play_from("......../......../......../......../......../......../.B....../W......W w 0").press("a1")
    table.page.evaluate(
        "document.body.flowers = 0;"
        "new MutationObserver(all => all.forEach(m => m.addedNodes.forEach(n => document.body.flowers += n.className === 'celebration')))"
        ".observe(document.body, {childList: true})"
    )
    table.button("boom").click()
    table.button("Confirm boom").click()
    table.expect_status("You won: Black has no tokens left")
    expect(table.page.locator("body")).to_have_js_property("flowers", 1)
    summary = table.page.locator("#summary")
    expect(summary).to_contain_text("Longest chain: 2 stacks, with move 1")
    expect(table.button("Show the turning point")).to_be_hidden()  # White was winning from the start
    expect(table.page.locator("#players li").first).to_contain_text("wins")
    assert not table.button("Resign").is_visible()
    table.keys("ArrowLeft")
    table.expect_status("The start of the game")
    assert table.label("b2") == "b2, one black token"
    table.keys("ArrowRight")
    table.expect_status("You won")
    expect(table.page.locator(".celebration")).to_have_count(0)
    assert table.page.evaluate("document.body.flowers") == 1  # none for walking through


def test_where_a_game_turned_is_shown_on_the_board_of_a_phone(visitors: Visitors):
    white, black = visitors.come(360, 640), visitors.come()
    made = white.make(("human", "human"), position="......../......../......../......../......../B(2)......./......../W......W b 1")
    for table, seat in ((white, 0), (black, 1)):
        table.sit(made["seats"][seat]["link"])
    black.press("a3", "a2", "a2")
    white.expect_moves(1)
    white.press("a1")
    white.button("boom").click()
    white.button("Confirm boom").click()
    white.button("Show the turning point").click()
    white.expect_status("After 1. 2a3-a2, of 2")
    expect(white.page.locator("#board > svg")).to_be_in_viewport(ratio=1)
