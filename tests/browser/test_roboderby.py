"""RoboDerby on the page: programs by mouse, by keys and on a phone; turns that are carried out; clocks, a race against par, the deal."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import httpx
from playwright.sync_api import WebSocketRoute, expect

from ludarium.games.roboderby.game import RoboDerby
from ludarium.games.roboderby.sheets.faces import COMMANDS, DIRECTIONS, WAYS
from ludarium.games.roboderby.turn_line import WORDS
from tests.browser.table import Table, Visitors
from tests.games.roboderby.belt_tiles import BELT_TILES
from tests.games.roboderby.play import phase_of, step_at_random

BOARD = {"board": "first-lap", "marks": "fixed"}

ENDS = """() => {
    window.ends = [];
    const robots = (drawing) => [...drawing.querySelectorAll("[data-robot]")]
        .filter((robot) => robot.style.opacity !== "0")
        .map((robot) => {
            const turned = Number(/rotate\\((-?[\\d.]+)/.exec(robot.querySelector("[data-heading]").getAttribute("transform"))[1]);
            const lamps = robot.querySelectorAll(".rd-on, .rd-low").length;
            return [robot.dataset.robot, robot.getAttribute("transform"), ((turned % 360) + 360) % 360, lamps].join(" ");
        })
        .sort();
    document.querySelector("#board").getAnimations = function (options) {  // they are asked for when the board is about to be drawn anew
        if (this.querySelector(".rp-layer")) {
            const last = robots(this.firstElementChild);
            queueMicrotask(() => window.ends.push([last, robots(this.firstElementChild)]));
        }
        return Element.prototype.getAnimations.call(this, options);
    };
}"""
"""Notes, for every turn that was shown, where its last picture has the robots, and where the drawing of the position after it has them."""

SAID = """addEventListener("DOMContentLoaded", () => {
    window.said = new Set();
    const status = document.querySelector("#status");
    new MutationObserver(() => said.add(status.textContent)).observe(status, { childList: true });
})"""
"""Notes all that the line above the board says."""


TREMBLING = """() => {
    window.places = new Set();
    const note = () => document.querySelectorAll("#board [data-robot]").forEach((robot) => places.add(robot.getAttribute("transform")));
    new MutationObserver(note).observe(document.querySelector("#board"), { attributes: true, childList: true, subtree: true });
}"""
"""Notes all places where robots are drawn."""


def hurry(table: Table, times: float = 64) -> None:
    """Turns are shown many times as fast as anybody can choose, until the next load: nobody watches, and every picture is drawn as otherwise."""
    speed = table.page.locator(".rp-controls select")
    speed.evaluate("(select, times) => select.append(new Option(`${times} times`, times))", times)
    speed.select_option(f"{times:g} times")


def sit(table: Table, *players: str, seat: int = 0, options: dict[str, Any] = BOARD, **request: Any) -> dict[str, Any]:
    made = table.make(players or ("human", "human"), game="roboderby", options=options, **{"seed": 3, **request})
    table.sit(made["seats"][seat]["link"])
    hurry(table)
    return made


def expect_dice(table: Table) -> None:
    """Wait until dice may be put down: they are seen a moment before, while others' fall."""
    expect(table.square("d5")).to_be_visible()
    table.expect_status("the die for register")


def two(visitors: Visitors, **request: Any) -> tuple[Table, Table]:
    """Blue's and Orange's pages of one game, at their dice."""
    blue, orange = visitors.come(), visitors.come()
    made = sit(blue, **request)
    orange.sit(made["seats"][1]["link"])
    hurry(orange)
    for each in (blue, orange):
        expect_dice(each)
    return blue, orange


def hand(table: Table) -> list[str]:
    """What the five dice show, such as ``F2``."""
    labels = [table.label(f"d{die}") for die in range(1, 6)]
    return [re.match(r"die \d: ([^,]+)", label)[1] for label in labels]  # type: ignore[index]


def words(*faces: str) -> list[str]:
    """What lines of turns call faces."""
    return [WORDS[COMMANDS.index(face)] for face in faces]


def put_down(table: Table) -> list[str]:
    """What stands in the registers and is not final: ``r1 F2``, ``r2 NO-OP of F2``."""
    labels = table.page.locator("#board [data-pick^=r]:has(> .rp-draft)").evaluate_all("all => all.map(e => e.getAttribute('aria-label'))")
    found = [re.match(r"register (r\d): (?:NO-OP, .*\((\w+)\)|(\w+), priority .*), not final$", label) for label in labels]
    return [f"{one[1]} NO-OP of {one[2]}" if one[2] else f"{one[1]} {one[3]}" for one in found]  # type: ignore[index]


def drag(table: Table, start: str, x: float, y: float) -> None:
    box = table.box(start)
    mouse = table.page.mouse
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.down()
    mouse.move(box["x"] - 20, box["y"] - 10, steps=3)
    mouse.move(x, y, steps=4)
    mouse.up()


def drag_to(table: Table, start: str, end: str) -> None:
    box = table.box(end)
    drag(table, start, box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.6)


def log(table: Table) -> list[str]:
    return table.page.locator("#log li:not([hidden])").all_text_contents()


def expect_turn_over(table: Table, turn: int) -> None:
    """A busy computer draws slowly."""
    expect(table.page.locator("#log li:not([hidden])").last).to_have_text(f"Turn {turn} is over", timeout=60_000)


def lock_in(table: Table, *keys: str) -> None:
    table.keys(*keys, "Enter")


def test_a_turn_by_dragging(visitors: Visitors) -> None:
    blue, orange = two(visitors)
    faces = hand(blue)
    blue.expect_status("Your turn: press, drag or type")
    drag_to(blue, "d2", "r1")
    drag_to(blue, "d5", "r3")  # which is not reached yet: the next one
    assert put_down(blue) == [f"r1 {faces[1]}", f"r2 {faces[4]}"]
    drag_to(blue, "d1", "r1")  # between them
    drag_to(blue, "r3", "r1")
    assert put_down(blue) == [f"r1 {faces[4]}", f"r2 {faces[0]}", f"r3 {faces[1]}"]
    drag(blue, "r2", 30, 300)  # away
    blue.press("r2")
    assert put_down(blue) == [f"r1 {faces[4]}", f"r2 NO-OP of {faces[1]}"]
    assert blue.page.locator("#board .rp-placed").count() == 2
    before = len(orange.moves)
    blue.press("d3", "d4")
    assert len(orange.moves) == before  # nobody has been told of anything
    assert (
        orange.page.locator("#board [data-mat='0'] [data-die]").evaluate_all("all => all.filter(e => !e.querySelector('.rd-back')).length")
        == 0
    )
    blue.page.evaluate(ENDS)
    blue.button("Lock in").click()
    blue.expect_status("Orange is programming")
    lock_in(orange, "1", "n", "2", "n", "3", "n", "4", "n")
    expect_turn_over(blue, 1)
    blue.expect_status("Your turn")
    program = f"Blue (A) has programmed {faces[4]} NOOP({faces[1]}) {faces[2]} {faces[3]}"
    assert log(blue)[0] == program
    assert [line for line in log(blue) if line.startswith("Register")] == [f"Register {number}" for number in (1, 2, 3, 4)]
    orange.expect_status("Your turn")
    assert log(orange) == log(blue)
    ((last, after),) = blue.page.evaluate("window.ends")
    assert last == after
    assert not blue.page.locator("#board .rp-draft").count()


def test_a_turn_by_keys(visitors: Visitors) -> None:
    blue, orange = two(visitors)
    faces = hand(blue)
    blue.keys("4", "2", "n", "Backspace", "2")
    assert put_down(blue) == [f"r1 {faces[3]}", f"r2 {faces[1]}"]
    blue.keys("4", "4", "n")  # taken back, and put down again behind the other
    assert put_down(blue) == [f"r1 {faces[1]}", f"r2 NO-OP of {faces[3]}"]
    blue.keys("Enter")
    assert blue.page.locator("#board .rp-draft").count() == 2  # two registers are open
    ghost = blue.page.locator("#board .rp-foreseen")
    expect(ghost).to_have_attribute("aria-label", re.compile("^Alone, this (leads|ends where)"))
    assert ghost.get_attribute("role") == "img"
    assert ghost.get_attribute("aria-label") == blue.page.locator(".rp-spoken").inner_text()
    blue.page.locator("#board [tabindex='0']").focus()
    while blue.focused() != "d5":
        blue.keys("ArrowRight" if (blue.focused() or "").startswith("d") else "ArrowDown")
    blue.keys("Enter", "1")
    first, third, fourth = words(faces[1], faces[4], faces[0])
    blue.expect_status(f"{first}, no-op, {third}, {fourth}: lock it in?")
    blue.page.evaluate("document.activeElement.blur()")
    blue.keys("Enter")
    lock_in(orange, "1", "2", "3", "4")
    expect_turn_over(blue, 1)
    assert not ghost.count()
    assert blue.page.locator(".rp-spoken").inner_text() == ""
    assert log(blue)[0] == f"Blue (A) has programmed {faces[1]} NOOP({faces[3]}) {faces[4]} {faces[0]}"


def test_the_other_dice_are_rolled_again_once_what_was_put_down_is_final(visitors: Visitors) -> None:
    blue, orange = two(visitors)
    faces = hand(blue)
    blue.listen().keys("r")
    heard = len(orange.moves)
    assert len(blue.moves) == heard  # nothing has been placed yet
    blue.keys("3", "1", "n", "r")
    expect(blue.square("r2")).to_have_attribute("aria-label", re.compile("^register r2: NO-OP, "))
    expect(blue.square("r1")).to_have_attribute("aria-label", re.compile(f"^register r1: {faces[2]},"))
    blue.expect_status("Your turn: press, drag or type (1–5) the die for register 3")
    blue.keys("Escape", "1")
    assert put_down(blue) == []  # what is final stays
    blue.expect_status("Your turn: press")
    orange.expect_moves(heard + 2)  # that Blue wants to roll, and that dice fall
    assert not any(orange.moves + blue.moves)  # nothing of which the turn's line will tell
    blue.keys("2", "5")
    assert len(put_down(blue)) == 2
    told = " / ".join(blue.told())
    assert f"Which die for register 3? 2: {re.search(r'priority [0-9]+, (.+)', blue.label('d2'))[1]}" in told  # type: ignore[index]
    assert told.count("Orange") == 0  # what others do behind screens is not heard


def test_a_program_waits_to_be_locked_in_again_where_the_line_broke_meanwhile(visitors: Visitors) -> None:
    blue, _ = two(visitors)
    blue.kind = ""  # what listens to its socket is not taken back
    lost: list[str | bytes] = []

    def carry(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if '"act"' not in str(message) or lost:
                server.send(message)
            else:
                lost.append(message)
                line.close()

        line.on_message(pass_on)

    blue.page.route_web_socket(re.compile("/socket$"), carry)
    blue.page.reload()
    expect_dice(blue)
    faces = hand(blue)
    lock_in(blue, "1", "2", "3", "4")
    expect(blue.page.locator("#line")).to_have_text("The connection is back.")
    expect(blue.page.locator("#board [data-pick^=r]:has(> .rp-draft)")).to_have_count(3)  # what was lost on its way was sent again
    blue.expect_status("lock it in?")
    assert put_down(blue) == [f"r{register} {faces[register - 1]}" for register in range(2, 5)]


def test_a_die_stays_in_the_hand_when_somebody_else_is_ready(visitors: Visitors) -> None:
    blue, orange = two(visitors)
    (faces, mouse) = (hand(blue), blue.page.mouse)
    box, end = blue.box("d2"), blue.box("r1")
    mouse.move(box["x"] + 9, box["y"] + 9)
    mouse.down()
    mouse.move(box["x"] - 40, box["y"] - 40, steps=4)
    heard = len(blue.moves)
    lock_in(orange, "1", "2", "3", "4")
    blue.expect_moves(heard + 1)
    mouse.move(end["x"] + 9, end["y"] + 9, steps=4)
    mouse.up()
    assert put_down(blue) == [f"r1 {faces[1]}"]


def test_dice_that_stay_are_chosen_where_the_rules_let_one(table: Table) -> None:
    sit(table, "human", options={**BOARD, "players": 1, "reroll": "any"})
    expect_dice(table)
    faces = hand(table)
    table.keys("2", "r")
    table.expect_status("Press the dice that are to stay, then roll")
    table.press("d1", "d4")
    table.button(f"Roll {', '.join(words(faces[2], faces[4]))}").click()
    expect(table.square("r1")).to_have_attribute("aria-label", re.compile(f"^register r1: {faces[1]},"))
    expect(table.square("d1")).to_have_attribute("aria-label", re.compile(f"^die 1: {faces[0]},"))
    expect(table.square("d4")).to_have_attribute("aria-label", re.compile(f"^die 4: {faces[3]},"))
    table.expect_status("register 2")


def test_turns_of_four_programs_end_in_the_true_position(table: Table, scale: int) -> None:
    turns = 2 if scale == 1 else 5
    made = table.make(("greedy", "random", "greedy", "random"), game="roboderby", seed=5, options={"players": 4, "turn_limit": turns})
    table.page.goto(table.server + made["watch"])
    table.page.evaluate(ENDS)
    hurry(table)
    expect_turn_over(table, turns)
    table.expect_status(f"{turns} turns were played and nobody has finished")
    ends = table.page.evaluate("ends")
    assert len(ends) >= turns  # declarations are shown too
    for last, after in ends:
        assert last == after
    assert {line for line in log(table) if line.startswith("Turn")} == {f"Turn {turn} is over" for turn in range(1, turns + 1)}


def test_dice_in_two_windows_of_a_player(visitors: Visitors) -> None:
    blue, _ = two(visitors)
    other = Table(blue.page.context.new_page(), blue.server, "")
    other.sit(blue.page.url.removeprefix(blue.server) + "#seat=0")
    expect_dice(other)
    blue.keys("1", "2")
    expect(blue.page.locator(".rp-foreseen")).to_be_visible()
    lock_in(other, "3", "4", "5", "1")
    for each in (blue, other):
        each.expect_status("Orange is programming")
        expect(each.page.locator(".rp-foreseen")).to_be_visible()  # where the whole program leads
        expect(each.page.locator("#notice")).to_be_empty()
    other.page.close()


def test_a_turn_is_stopped_skipped_and_shown_again(table: Table) -> None:
    sit(table, "human", options={**BOARD, "players": 1})
    table.page.locator(".rp-controls select").select_option("slow")
    expect_dice(table)
    lock_in(table, "1", "2", "3", "4")
    expect(table.button("Pause")).to_be_visible()
    table.keys("p")
    shown = table.status
    assert log(table)[-1] == shown or shown == "All programs are open"
    picture = table.page.locator("#board > svg").inner_html()
    table.page.evaluate("() => new Promise((done) => setTimeout(done, 900))")  # longer than anything at its beginning lasts
    assert (table.status, table.page.locator("#board > svg").inner_html()) == (shown, picture)
    table.button("Go on").click()
    table.button("Skip").click()
    table.expect_status("Your turn")
    assert log(table)[-1] == "Turn 1 is over"
    table.button("Show turn 1 again").click()
    table.expect_status("Turn 1, again:")
    expect(table.page.locator("#board .rp-register")).to_have_count(1)
    table.keys("x")
    table.expect_status("Your turn")
    expect(table.page.locator("#board .rp-layer, #board .rp-register")).to_have_count(0)
    expect_dice(table)
    table.keys("ArrowLeft")
    table.expect_status("After ")
    table.keys("1")
    assert put_down(table) == []  # dice are put down in the latest position
    table.keys("End")
    table.expect_status("Your turn")
    table.keys("a")
    table.expect_status("Turn 1, again:")
    table.keys("Home")
    table.expect_status("The start of the game")  # nobody waits for the turn
    table.keys("End")
    expect_dice(table)
    lock_in(table, "1", "2", "3", "4")
    table.expect_status("All programs are open")
    table.keys("p", "Home")
    table.expect_status("The start of the game")  # and what it leads to comes in nobody's way


def last_turn(table: Table) -> list[str]:
    """What the log tells of the last turn in it."""
    told = log(table)
    first = max(index for index, line in enumerate(told) if line == "Register 1")
    return told[first:]


def test_after_a_load_the_last_turn_is_told_and_can_be_shown(visitors: Visitors) -> None:
    table = visitors.come()
    sit(table, "human", options={**BOARD, "players": 1})
    told = []
    for turn in (1, 2):
        table.expect_status("Your turn: press")
        lock_in(table, "1", "2", "3", "4")
        expect_turn_over(table, turn)
        told.append(last_turn(table))
    table.expect_status("Your turn: press")
    table.keys("1", "Enter", "2", "Enter")
    table.page.reload()
    table.expect_status(", …")
    expect_turn_over(table, 2)
    assert last_turn(table) == told[1]
    table.button("Show turn 2 again").click()
    table.expect_status("Turn 2, again:")
    table.keys("x")
    table.expect_status(", …")
    expect(table.page.locator("#board .rp-layer")).to_have_count(0)
    while "Turn 2" in "".join(log(table)):
        table.keys("ArrowLeft")
        table.expect_status("After" if table.page.locator("#slider").input_value() != "0" else "The start")
    expect_turn_over(table, 1)
    assert last_turn(table) == told[0]
    table.button("Show turn 1 again").click()
    table.expect_status("Turn 1, again:")
    table.keys("x")
    table.keys("Home")
    table.expect_status("The start of the game")
    assert log(table) == []
    expect(table.button("Show the turn again")).to_be_disabled()


def test_who_comes_after_the_race_can_see_its_last_turn(visitors: Visitors) -> None:
    table = visitors.come()
    made = table.make(("greedy", "random"), game="roboderby", seed=5, options={"turn_limit": 2})
    table.page.goto(table.server + made["watch"])
    hurry(table)
    expect_turn_over(table, 2)
    table.expect_status("2 turns were played")
    late = visitors.come()
    late.page.goto(table.server + made["watch"])
    expect_turn_over(late, 2)
    late.expect_status("2 turns were played")
    assert last_turn(late) == last_turn(table)
    late.keys("Home", "End")
    late.expect_status("2 turns were played")
    late.page.locator(".rp-controls select").select_option("slow")
    late.button("Show turn 2 again").click()
    late.expect_status("Turn 2, again: All programs are open")
    late.keys("x")
    late.expect_status("2 turns were played")
    expect(late.page.locator("#board .rd-new")).to_have_count(0)  # nothing is being put down any more


def test_a_turn_in_parts_is_shown_again_as_a_whole(visitors: Visitors) -> None:
    """Two robots that move to the same square with the same priority: dice decide between them."""
    blue, orange = visitors.come(), visitors.come()
    robots = [
        {"heading": "E", "health": 6, "lap": 0, "letter": "A", "square": [5, 1], "status": "active"},
        {"heading": "W", "health": 6, "lap": 0, "letter": "B", "square": [7, 1], "status": "active"},
    ]
    alike = {"deal": "start pits cross walls @ 0 0 0 0", "phase": "program", "robots": robots, "rules": BOARD, "start_edge": "N", "turn": 2}
    dice = {"dice": [[3, 1, 1, 1, 1]] * 2, "programming": ["", ""], "registers": [[""] * 4] * 2}
    made = sit(blue, position=json.dumps(alike | dice))
    orange.sit(made["seats"][1]["link"])
    hurry(orange)
    for each in (blue, orange):
        expect_dice(each)
        lock_in(each, "1", "2", "n", "3", "n", "4", "n")
    expect(blue.tab("Moves").page.locator("#log li:not([hidden])", has_text="Turn 2 is over")).to_have_count(1, timeout=60_000)
    assert [line[:25] for line in blue.moves if line] == ["Turn 2: Blue 3, no-op, no", "Turn 2, further: Blue sho"]
    blue.prepare(SAID)
    blue.page.reload()
    blue.page.locator(".rp-controls select").select_option("slow")
    blue.expect_status("Your turn: program, or")
    expect(blue.button("Show turn 2 again")).to_be_enabled()
    told = log(blue)
    assert sum("roll-off" in line for line in told) >= 2
    blue.button("Show turn 2 again").click()
    blue.expect_status("Turn 2, again: All programs are open")
    hurry(blue)
    expect(blue.page.locator("#status")).to_contain_text("Your turn: program, or", timeout=60_000)
    said = " · ".join(blue.page.evaluate("[...said]"))
    assert [line for line in told if ("roll-off" in line or line.startswith("Register")) and line not in said] == []


def test_turns_are_read_a_line_each(visitors: Visitors) -> None:
    blue, orange = two(visitors, options={**BOARD, "turn_limit": 2})
    faces = words(*hand(blue))
    heard = len(orange.moves)
    lock_in(blue, "1", "2", "n", "3", "4")
    orange.expect_moves(heard + 1)
    expect(orange.page.locator("#moves li:not([hidden])")).to_have_text(["Start"])
    lock_in(orange, "1", "2", "3", "4")
    expect_turn_over(blue, 1)
    for table in (blue, orange):
        lines = table.tab("Moves").page.locator("#moves li:not([hidden]) button")
        expect(lines.nth(1)).to_have_attribute(
            "title", re.compile(f"^Turn 1: Blue {faces[0]}, no-op, {faces[2]}, {faces[3]}(?: — [^·]+)? · Orange ")
        )
        assert lines.evaluate_all("all => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)") == []
        expect(lines).to_have_count(2)  # of the next turn there is nothing yet
        expect(lines.nth(1)).to_have_attribute("aria-current", "step")
    details = blue.page.locator("#happened")
    expect(details.locator("li").first).to_be_hidden()
    details.locator("summary").click()
    expect(details.locator("li:not([hidden])").last).to_be_in_viewport()
    blue.page.locator("#moves button", has_text="Turn 1").click()
    blue.expect_status(re.compile(r"After \d+\. Turn 1: Blue"))


def test_a_game_says_for_whom_it_waits(visitors: Visitors) -> None:
    blue, orange = two(visitors)
    lock_in(blue, "1", "2", "3", "4")
    blue.expect_status("Orange is programming")
    orange.page.locator(".rp-controls select").select_option("slow")
    lock_in(orange, "1", "2", "3", "4")
    blue.keys("x")
    blue.expect_status("The game waits for Orange: run or shut down")  # who still watches the turn
    orange.page.get_by_label("Run without asking while undamaged").evaluate("(box) => box.click()")
    orange.page.goto("about:blank")
    blue.expect_status("The game waits for Orange, who is away")
    orange.page.go_back()
    orange.page.locator("#choices").get_by_text("Run").click()
    blue.expect_status("Your turn")


def test_what_was_put_down_outlives_a_reload(visitors: Visitors) -> None:
    blue, orange = two(visitors)
    faces = hand(blue)
    blue.keys("4", "2", "n")
    blue.page.reload()
    blue.expect_status(f"{words(faces[3])[0]}, no-op, …")
    hurry(blue)
    assert put_down(blue) == [f"r1 {faces[3]}", f"r2 NO-OP of {faces[1]}"]
    lock_in(blue, "1", "3")
    lock_in(orange, "1", "2", "3", "4")
    expect_turn_over(blue, 1)
    assert log(blue)[0] == f"Blue (A) has programmed {faces[3]} NOOP({faces[1]}) {faces[0]} {faces[2]}"
    blue.expect_status("Your turn")
    blue.page.reload()
    blue.expect_status("Your turn: press")
    assert put_down(blue) == []  # another turn, other dice


def test_what_a_mouse_rests_upon_says_what_it_is(table: Table) -> None:
    sit(table, "human", options={**BOARD, "players": 1})
    table.square("d5").hover()
    assert table.page.locator("#board").get_attribute("title") == f"{table.label('d5')}: can be chosen"
    table.keys("5")
    table.square("r1").hover()
    assert table.page.locator("#board").get_attribute("title").startswith(f"register r1: {hand(table)[4]}, priority")


def test_the_keys_are_those_of_the_game(table: Table) -> None:
    sit(table, "human", options={**BOARD, "players": 1})
    table.tab("Help")
    expect(table.page.get_by_text("makes the die placed last a NO-OP")).to_be_visible()
    expect(table.page.get_by_text("Press a piece of yours")).to_have_count(0)


def test_the_edge_to_start_from_is_chosen(visitors: Visitors) -> None:
    blue, orange = visitors.come(), visitors.come()
    made = sit(blue, options={"start_edge": "choose"})
    orange.sit(made["seats"][1]["link"])
    orange.expect_status("Blue chooses the edge to start from")
    blue.expect_status("Your turn: from which edge does the race start?")
    edges = [label[-1] for label in blue.page.locator("#choices button").all_inner_texts()]
    assert len(edges) == 2
    blue.keys(edges[1])
    expect_dice(blue)
    assert f"Blue starts from the {WAYS[DIRECTIONS.index(edges[1].upper())]}" in blue.moves


def test_a_hacker_is_asked_for_the_target(table: Table) -> None:
    options = {"players": 3, "hack_targets": "chosen-one"}
    choice = random.Random(3)
    game = RoboDerby(**options)
    state = game.start(seed=3)
    while phase_of(state) != "hack" or state.to_move != (0,):
        state = state.play({player: state.action(each, player) for player, each in step_at_random(state, choice).items()})
    letters = [robot["letter"] for robot in json.loads(state.text)["robots"]]
    sit(table, "human", "random", "random", options=options, position=state.text)
    table.expect_status("Your turn: whose die does your hack hit?")
    expect(table.page.locator("#choices button")).to_have_count(2)
    table.page.locator("#choices").get_by_text(f"Green ({letters[2]})").click()
    expect(table.page.locator("#log")).to_contain_text(f"the command of Green ({letters[2]})")


def test_one_reads_who_pushes_whom_while_it_is_shown(table: Table) -> None:
    robots = [
        {"heading": "E", "health": 6, "lap": 0, "letter": "A", "square": [5, 1], "status": "active"},
        {"heading": "N", "health": 6, "lap": 0, "letter": "B", "square": [6, 1], "status": "active"},
    ]
    side_by_side = {
        "deal": "start pits cross walls @ 0 0 0 0",
        "phase": "program",
        "robots": robots,
        "rules": BOARD,
        "start_edge": "N",
        "turn": 2,
    }
    dice = {"dice": [[3, 1, 1, 1, 1], [1, 1, 1, 1, 1]], "programming": ["", ""], "registers": [[""] * 4] * 2}
    made = table.make(("human", "human"), game="roboderby", options=BOARD, position=json.dumps(side_by_side | dice))
    table.prepare(SAID)
    table.sit(made["seats"][0]["link"])
    lock_in(table, "1", "2", "n", "3", "n", "4", "n")
    table.expect_status("The game waits for Orange, who is away")
    table.sit(made["seats"][1]["link"])
    hurry(table)
    expect_dice(table)
    lock_in(table, "1", "n", "2", "n", "3", "n", "4", "n")
    expect_turn_over(table, 2)
    said = set(table.page.evaluate("[...said]"))
    assert {"All programs are open", "Register 1", "Blue (A) pushes Orange (B) east", "Lasers at the end of the turn"} <= said
    assert "Blue (A) moves east" not in said


def test_belts_carry_and_lasers_of_the_board_hit_while_a_turn_is_shown(table: Table) -> None:
    rules = {"board": "start rollers chutes sorter @ 0 0 0 0 N", "marks": "fixed", "tiles": BELT_TILES}
    robots = [
        {"heading": "W", "health": 6, "lap": 1, "letter": "A", "square": [6, 1], "status": "active"},
        {"heading": "W", "health": 6, "lap": 3, "letter": "B", "square": [1, 6], "status": "active"},
    ]
    on_belts = {
        "deal": "start rollers chutes sorter @ 0 0 0 0",
        "phase": "program",
        "robots": robots,
        "rules": rules,
        "start_edge": "N",
        "turn": 2,
    }
    dice = {"dice": [[1] * 5] * 2, "programming": ["", ""], "registers": [[""] * 4] * 2}
    made = table.make(("human", "human"), game="roboderby", options=rules, position=json.dumps(on_belts | dice))
    table.prepare(SAID)
    table.sit(made["seats"][0]["link"])
    lock_in(table, "1", "n", "2", "n", "3", "n", "4", "n")
    table.expect_status("The game waits for Orange, who is away")
    table.sit(made["seats"][1]["link"])
    hurry(table)
    table.page.evaluate(ENDS)
    table.page.evaluate(
        """() => {
            window.beams = [];
            new MutationObserver((changes) => {
                const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
                window.beams.push(...added.filter((node) => node.matches?.(".rp-beam")).map((beam) => beam.getAttribute("d")));
            }).observe(document.querySelector("#board"), { childList: true, subtree: true });
        }"""
    )
    expect_dice(table)
    lock_in(table, "1", "n", "2", "n", "3", "n", "4", "n")
    table.expect_status("The game waits for Blue, who is away")
    told = log(table)
    assert told[-2:] == ["Turn 2 is over", "Orange (B) starts again, heading S"]
    assert [line for line in told if "belt" in line.lower() or "laser" in line.lower()] == [
        "Belts",
        "A belt carries Blue (A) north",  # into the corner of a ring of belts, where a laser stands
        "A belt carries Orange (B) south",
        "Lasers",
        "A laser of the board hits Blue (A)",
        "Belts",
        "A belt carries Blue (A) east",
        "A belt carries Orange (B) into a pit",
        "Belts",
        "A belt carries Blue (A) east",
        "Belts",
        "A belt carries Blue (A) east",  # before a laser seven squares away
        "Lasers",
        "A laser of the board hits Blue (A)",
        "Lasers at the end of the turn",
    ]
    said = set(table.page.evaluate("[...said]"))
    assert "A belt carries Blue (A) north · A belt carries Orange (B) south" in said  # at the same time
    assert "A belt carries Blue (A) east · A belt carries Orange (B) into a pit" in said
    assert table.page.evaluate("beams")[:2] == ["M130 2L130 6", "M190 158L190 14"]
    last, after = table.page.evaluate("ends")[0]
    assert last == after
    assert any("translate(190 10)" in robot and robot.endswith(" 4") for robot in after)
    expect(table.page.locator("#board .rd-ray")).to_have_count(1)


def test_who_wins_is_not_told_before_it_has_been_shown(table: Table) -> None:
    robots = [
        {"heading": "E", "health": 6, "lap": 4, "letter": "A", "square": [0, 4], "status": "active"},
        {"heading": "E", "health": 6, "lap": 0, "letter": "B", "square": [7, 7], "status": "active"},
    ]
    at_home = {
        "deal": "start pits cross walls @ 0 0 0 0",
        "phase": "shutdown",
        "robots": robots,
        "rules": BOARD,
        "start_edge": "N",
        "turn": 5,
    }
    empty = {"dice": [[0] * 5] * 2, "programming": [""] * 2, "registers": [[""] * 4] * 2}
    sit(table, "human", "random", position=json.dumps(at_home | empty))
    expect_dice(table)
    table.page.locator(".rp-controls select").select_option("slow")
    lock_in(table, "1", "n", "2", "n", "3", "n", "4", "n")
    expect(table.button("Pause")).to_be_visible()
    table.keys("p")
    expect(table.page.locator("#players")).not_to_contain_text("wins")
    lines = table.tab("Moves").page.locator("#moves li:not([hidden])")
    expect(lines.filter(has_text="finishes")).to_have_count(0)
    table.keys("x")
    expect(lines.filter(has_text="finishes first")).to_have_count(1)
    table.expect_status("You won")
    expect(table.page.locator("#players")).to_contain_text("wins")


def test_without_motion_a_turn_is_read(visitors: Visitors) -> None:
    table = visitors.come(reduced_motion="reduce")
    sit(table, "human", options={**BOARD, "players": 1})
    expect_dice(table)
    lock_in(table, "1", "2", "3", "4")
    expect_turn_over(table, 1)
    assert log(table)[0].startswith("Blue (A) has programmed")
    hurry(table, 0.1)  # which is slow
    table.page.evaluate(TREMBLING)
    table.button("Show turn 1 again").click()
    table.expect_status("Register 1")
    table.expect_status("Blue (A), priority")
    hurry(table)
    table.expect_status("Your turn")
    assert table.page.evaluate("places.size") > 1
    assert table.page.evaluate("[...places].every((place) => /^translate\\(-?\\d*0 -?\\d*0\\)$/.test(place))"), table.page.evaluate(
        "[...places]"
    )


def test_a_robot_shuts_down_when_its_player_says_so(table: Table) -> None:
    sit(table, "human", options={**BOARD, "players": 1})
    expect_dice(table)  # undamaged, it runs without asking
    table.page.get_by_label("Run without asking while undamaged").click()
    lock_in(table, "1", "2", "3", "4")
    table.expect_status("Your turn: program, or shut down for repair?")
    table.keys("s")
    expect_turn_over(table, 2)
    assert "Blue (A) shuts down" in log(table)
    table.expect_status("Your turn: program, or shut down for repair?")
    table.page.locator("#choices").get_by_text("Run").click()
    table.expect_status("Your turn: press")


def test_what_was_put_down_is_sent_before_the_time_is_up(table: Table) -> None:
    sit(table, "human", options={**BOARD, "players": 1}, clock=4)
    expect_dice(table)
    faces = hand(table)
    table.keys("5", "2")
    expect(table.page.locator("#clock")).to_be_visible()
    expect_turn_over(table, 1)
    assert log(table)[0] == f"Blue (A) has programmed {faces[4]} {faces[1]} NOOP({faces[0]}) NOOP({faces[2]})"


def test_a_race_against_par(table: Table) -> None:
    """The par of a demonstration board is known at once or computed beside the game."""
    robot = {"heading": "E", "health": 6, "lap": 4, "letter": "A", "square": [0, 4], "status": "active"}
    rules = {"board": "first-lap", "marks": "fixed", "players": 1}
    at_home = {
        "deal": "start pits cross walls @ 0 0 0 0",
        "phase": "shutdown",
        "robots": [robot],
        "rules": rules,
        "start_edge": "N",
        "turn": 5,
    }
    empty = {"dice": [[0] * 5], "programming": [""], "registers": [[""] * 4]}
    sit(table, "human", options=rules, position=json.dumps(at_home | empty))
    facts = table.page.locator("#facts")
    expect(facts).to_contain_text("Turn 5")
    expect(facts).to_contain_text("par 5.9", timeout=60_000)
    expect_dice(table)
    lock_in(table, "1", "n", "2", "n", "3", "n", "4", "n")
    table.expect_status("Blue (A) arrived at the finish in 5 turns; par 5.9")


def test_the_board_is_seen_before_the_game(table: Table) -> None:
    table.page.goto(table.server)
    table.page.get_by_role("button", name="Choose opponent for RoboDerby").click()
    dialog = table.page.locator("#new-roboderby")
    expect(dialog.locator(".dealt svg")).to_be_visible()
    deals = set()
    for _ in range(3):
        with table.page.expect_response(re.compile("/deal")) as answer:
            dialog.get_by_role("button", name="Deal again").click()
        deals.add(answer.value.json()["position"])
    assert len(deals) > 1
    expect(dialog.locator(".dealt svg [data-robot]")).to_have_count(2)
    dialog.locator(".settings summary").click()
    with table.page.expect_response(re.compile("/deal")) as answer:
        dialog.get_by_label("Players").fill("1")
        dialog.get_by_label("Players").blur()
    expect(dialog.locator(".dealt svg [data-robot]")).to_have_count(1)
    position = answer.value.json()["position"]
    table.button("Start the game").click()
    table.expect_status("Your turn")
    id = table.page.url.split("/")[-1]
    start = json.loads(httpx.get(f"{table.server}/api/games/{id}/record").text.splitlines()[1])
    assert start["event"] == "start"
    assert position in start.values()


def test_a_phone(visitors: Visitors) -> None:
    table = visitors.come(390, 844, has_touch=True, is_mobile=True)
    sit(table, "human", "greedy")
    expect_dice(table)
    table.drag_by_finger("d3", "r1")
    assert len(put_down(table)) == 1
    assert table.page.evaluate("scrollY") == 0
    table.square("d3").tap()
    assert len(put_down(table)) == 0
    for die in ("d1", "d2", "d3"):
        table.square(die).tap()
    table.square("r1").tap()
    assert len(put_down(table)) == 3
    for pick in ("d5", "r1"):
        box = table.box(pick)
        assert min(box["width"], box["height"]) >= 40
    expect(table.page.locator("#choices button")).to_have_count(3)
    boxes = "[...document.querySelectorAll('#choices button')].map((button) => button.getBoundingClientRect().toJSON())"
    for width, height in ((320, 568), (360, 640), (667, 375), (390, 844)):
        table.page.set_viewport_size({"width": width, "height": height})
        for box in table.page.evaluate(boxes):  # at once: the buttons are made anew when the other one is ready
            assert min(box["width"], box["height"]) >= 43.5
            assert box["x"] + box["width"] <= width
            assert box["y"] + box["height"] <= height  # beside the dice, without scrolling
        assert table.page.evaluate("document.documentElement.scrollWidth") <= width
    table.square("d4").tap()
    table.button("Lock in").tap()
    expect_turn_over(table, 1)


def test_three_of_four_leave_one_after_another(table: Table, visitors: Visitors) -> None:
    """The race goes on until one is left. Each page says who has left, and none says "draw"."""
    made = sit(table, "human", "human", "human", "human", options={**BOARD, "players": 4})
    others = [visitors.come(is_new=True).sit(seat["link"]) for seat in made["seats"][1:]]
    expect_dice(table)
    for leaver in others:
        leaver.button("Resign").first.click()
        leaver.page.locator("#resigning").get_by_role("button", name="Resign").click()
        if leaver is not others[-1]:
            leaver.expect_status(re.compile("^You have left. "))
            expect(leaver.page.locator("#resign")).to_be_hidden()
            expect(table.page.locator("#board [data-robot]")).to_have_count(3 - others.index(leaver))
            table.expect_status("the die for register")
    table.expect_status("You won: Blue is the last player")
    for leaver in others:
        leaver.expect_status("You lost: Blue is the last player")
