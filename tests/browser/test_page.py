"""The page around the board: people, history, buttons, looks."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Request, expect

import ludarium
from ludarium.players import opponents_of
from ludarium.web.visitors.limits import Limits
from tests.browser.table import NO_STORAGE, Browser, Table, Visitors
from tests.disks import room_for
from tests.web.live import Live

STACKS = "......../B..BB(4).B./...W(2)..../..B(2)...../...W(4)..B./W(3)......./......../W.W..B(2).W w 0"
START = "BB.BB.BB/BB.BB.BB/......../......../......../......../WW.WW.WW/WW.WW.WW w 0"


def test_two_people_and_a_watcher(visitors: Visitors):
    white, black, watcher = visitors.come(), visitors.come(), visitors.come()
    white.page.goto(visitors.server)
    white.page.locator("[data-open=new-expendibots]").click()
    white.page.get_by_role("radio", name="With a friend").check()
    white.button("Start the game").click()
    white.expect_status("Waiting for Black: share the link. You can move already. Choose a highlighted piece")
    expect(white.page.locator("#players li").nth(1)).to_contain_text("away")
    links = white.page.locator("#invitations input").evaluate_all("all => all.map(field => field.value)")
    assert len(links) == 2
    expect(white.page.get_by_role("img", name="Link for Black")).to_be_visible()
    white.tab("Moves").button("Show the link").click()
    expect(white.page.locator("#invitations input").first).to_be_focused()
    black.sit(links[0].removeprefix(visitors.server))
    watcher.sit(links[1].removeprefix(visitors.server))
    assert {each.page.url for each in (white, black, watcher)} == {links[1]}
    expect(white.page.locator("#invitations input")).to_have_count(1)  # Black's is used up
    white.expect_status("Your turn. Choose a highlighted piece")
    expect(white.page.locator("#players li").nth(1)).to_contain_text("here")
    black.expect_status("White to move")
    assert black.square("h8").bounding_box()["y"] > black.square("a1").bounding_box()["y"]
    for keep in (False, True):  # Black chooses while White thinks
        black.press("a7", "a6")
        black.expect_status("White to move. Then you play a7-a6")
        expect(black.page.locator("#board [data-pick]:has(> .mark-ahead)")).to_have_count(2)
        if not keep:
            black.keys("Escape")
            expect(black.page.locator(".mark-ahead")).to_have_count(0)
    white.drag("a2", "c3")
    assert white.targets == set()  # it goes nowhere from there
    white.drag("a2", "a3")
    white.expect_that("window.sound?.state === 'running'")
    white.expect_that("sound.state === 'suspended'")  # until the next one
    for each in (white, black, watcher):
        each.expect_moves(2)
        expect(each.square("a3")).to_have_attribute("aria-label", "a3, one white token")
        assert each.moves == ["a2-a3", "a7-a6"]
    assert watcher.targets == set()
    watcher.press("a3")
    assert watcher.targets == set()
    assert not watcher.button("Resign").is_visible()
    white.button("Take back").click()
    asked = black.page.locator("#offers")
    expect(asked).to_contain_text("White asks to take back the last turn")
    black.expect_status("White to move")
    asked.get_by_role("button", name="Accept").click()
    for each in (white, black, watcher):
        each.expect_moves(0)
    white.expect_status("Your turn")
    white.page.get_by_role("tab", name="Chat").click()
    white.page.get_by_label("Say something").fill("<i>b7</i>, really?")
    white.page.get_by_label("Say something").press("Enter")
    said = black.page.get_by_role("log", name="What was said")
    expect(black.page.get_by_role("tab", name="Chat")).to_have_class("unread")
    black.page.get_by_role("tab", name="Chat").click()
    expect(said).to_have_text("White <i>b7</i>, really?")
    for each in (white, black):  # who said it, and who has read it
        each.page.reload()
        expect(each.page.get_by_role("log", name="What was said", include_hidden=True)).to_have_text("White <i>b7</i>, really?")
        expect(each.page.get_by_role("tab", name="Chat")).not_to_have_class("unread")
    black.page.get_by_role("tab", name="Chat").click()
    black.page.get_by_label("Show the chat").uncheck()
    expect(said).to_be_hidden()
    expect(watcher.page.get_by_label("Say something")).to_be_hidden()
    black.page.context.close()
    expect(white.page.locator("#players li").nth(1)).to_contain_text("away")


def test_an_offer_never_stands_in_the_way(visitors: Visitors):
    """Both windows are phones that are held sideways, where the board fills the window."""
    white, black = visitors.come(740, 360), visitors.come(740, 360)
    one, two = white.make(("human", "human"), clock="5m+3s")["seats"]
    white.sit(one["link"]).press("a2", "a3")
    black.sit(two["link"]).press("b7")
    white.button("Take back").click()
    offered, asked = (table.page.locator("#offers") for table in (white, black))
    expect(offered).to_have_text("You ask to take back your last turn; Black can acceptWithdraw")
    expect(asked).to_have_text("White asks to take back the last turnAcceptDecline")
    expect(asked).to_be_in_viewport(ratio=1)
    boxes = "(selector) => [...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect().toJSON())"

    def expect_the_board_uncovered() -> None:
        for width, height in ((740, 360), (360, 740), (1280, 800), (1920, 1080)):
            for table in (white, black):
                table.page.set_viewport_size({"width": width, "height": height})
                lines, others = table.page.evaluate(boxes, "#offers li"), table.page.evaluate(boxes, "#board > svg, #players")
                assert lines
                assert max(line["bottom"] for line in lines) <= min(other["top"] for other in others), "over the head alone"

    expect_the_board_uncovered()
    for table in (white, black):
        table.page.set_viewport_size({"width": 740, "height": 360})
    expect(white.button("Take back")).to_be_disabled()
    black.expect_status("b7: where to?")
    expect(black.button("Cancel")).to_be_visible()
    black.page.evaluate("document.querySelector('#offers').lastChild.dataset.heard = ''")
    white.button("Offer a draw").click()
    expect(asked.locator("li")).to_have_count(2)
    expect(asked.locator("[data-heard]")).to_contain_text("take back")  # what stays is not put there, and read aloud, anew
    expect_the_board_uncovered()
    asked.get_by_role("button", name="Decline").last.click()
    expect(asked.locator("li")).to_have_count(1)
    asked.get_by_role("button", name="Decline").click()
    expect(asked).to_be_empty()
    expect(offered).to_have_text("Taking back was declined")
    white.button("Take back").click()
    black.button("boom").click()
    expect(asked.get_by_role("button", name="Accept")).to_be_visible()
    black.button("Confirm boom").click()
    white.expect_moves(2)
    expect(offered).to_be_empty()
    expect(asked).to_be_empty()
    white.button("Pause").click()
    asked.get_by_role("button", name="Accept").click()
    expect(offered).to_contain_text("The clocks stand by agreement")
    expect(white.button("Pause")).to_be_disabled()  # where it was: nobody resigns who presses there again


def test_a_rematch_leads_everybody_to_the_next_game(visitors: Visitors):
    white, black, watcher = visitors.come(), visitors.come(), visitors.come()
    made = white.make(("human", "human"))
    before = [made["seats"][0]["link"], made["seats"][1]["link"], made["watch"]]
    for table, link in zip((white, black, watcher), before, strict=True):
        table.sit(link)
    white.button("Resign").click()
    white.page.locator("#resigning").get_by_role("button", name="Resign").click()
    watcher.expect_status("Black wins: White resigned")
    expect(watcher.page.locator("#choices button")).to_have_count(0)
    white.button("Offer a rematch").click()
    expect(watcher.page.locator("#offers")).to_have_text("White offers a rematch")
    black.page.locator("#offers").get_by_role("button", name="Accept").click()
    black.expect_status("Your turn")
    white.expect_status("White to move")
    watcher.expect_status("White to move")
    expect(black.page.locator("#players li").nth(0)).to_have_text("Whiteyou1 point")
    expect(white.page.locator("#players li").nth(1)).to_have_text("Blackyou0 points")
    (address,) = {table.page.url.partition("#")[0] for table in (white, black, watcher)}
    assert not address.endswith(made["watch"])
    white.page.go_back()  # to the game that is over, which one may look at
    white.expect_status("You lost: you resigned")
    white.button("To the rematch").click()
    white.expect_status("White to move")


def test_reloading_continues_the_game(table: Table):
    table.play_from(STACKS).press("d4", "e4", "e4")
    table.expect_moves(2)
    table.expect_status("Your turn")
    moves = table.moves
    table.page.reload()
    table.expect_moves(2)
    assert table.moves == moves
    assert "#" not in table.page.url
    table.expect_status("Your turn")
    table.press("e4", "f4", "f4")
    table.expect_moves(4)


BACK = "The connection is back."
WATCHED_SOCKETS = (
    "window.sockets = []; window.WebSocket = class extends WebSocket { constructor(...a) { super(...a); sockets.push(this); } }"
)


def test_a_lost_connection_is_said_and_comes_back(table: Table):
    made = table.make(position=STACKS)
    table.prepare(  # what is shown for 300 milliseconds may be missed, so the pause ends when the test says so
        WATCHED_SOCKETS
        + """; const later = setTimeout;
        window.setTimeout = (f, ms) => (ms === 300 ? (window.comeBack = f) : ms === 8000 ? (window.fade = f) : later(f, ms));"""
    )
    table.sit(made["seats"][0]["link"])
    table.page.evaluate("sockets.at(-1).close()")
    expect(table.page.locator("#line")).to_have_text("Reconnecting…")
    table.button("Resign").click()
    table.page.locator("#resigning").get_by_role("button", name="Resign").click()
    expect(table.page.locator("#notice")).to_have_text("Not connected: nothing was done.")
    table.page.evaluate("comeBack()")
    expect(table.page.locator("#line")).to_have_text(BACK)
    table.page.evaluate("fade()")
    expect(table.page.locator("#line")).to_be_hidden()
    table.press("d4", "e4", "e4")
    table.expect_moves(2)


def test_without_javascript_the_position_is_seen(visitors: Visitors):
    page = visitors.come(is_new=True, java_script_enabled=False).page
    watch = visitors.come().make(position=STACKS)["watch"]
    for address in (watch, watch.replace("/game/", "/embed/")):
        page.goto(visitors.server + address)
        expect(page.locator("#board svg")).to_be_visible()
        expect(page.locator("#board svg")).to_contain_text("4")
    page.goto(visitors.server + watch)
    expect(page.locator("noscript p")).to_be_visible()
    assert "This is the position as it stands." in page.locator("noscript p").inner_text()


def test_a_page_that_has_not_come_as_a_whole_says_so(visitors: Visitors):
    table = visitors.come()
    table.page.route("**/bundle/**", lambda route: route.fulfill(status=429, headers={"Retry-After": "10"}))
    table.page.goto(visitors.server + table.make()["seats"][0]["link"])
    expect(table.page.get_by_role("alert")).to_contain_text("Not all of this page has come from the server.")
    table.page.unroute_all()
    table.button("Load it again").click()
    table.expect_status("Your turn")
    assert {error.rpartition(": ")[2] for error in visitors.errors} == {"the server responded with a status of 429 (Too Many Requests)"}
    visitors.errors.clear()  # Chromium logs them by itself


def close_as_idle(table: Table) -> None:
    """As the server does hours later. The page must have watched its sockets from the start."""
    table.page.evaluate(
        """() => {
            const data = JSON.stringify({ type: "closed", reason: "nobody has played for long", come_back: false });
            sockets.at(-1).dispatchEvent(new MessageEvent("message", { data }));
            sockets.at(-1).close();
        }"""
    )
    expect(table.page.locator("#line")).to_contain_text("The server closed this game: nobody has played for long.")


def test_a_game_that_the_server_closed_is_opened_again_when_asked(table: Table):
    table.prepare(WATCHED_SOCKETS)
    table.play_from(STACKS)
    close_as_idle(table)
    with table.page.expect_navigation():
        table.button("Open it again").click()
    expect(table.page.locator("#line")).to_be_hidden()
    table.expect_status("Your turn")


def test_pages_wait_for_a_server_that_stops_in_order(browser: Browser, tmp_path: Path):
    with Live(tmp_path) as live:
        visitors = Visitors(browser, f"http://{live.address}")
        page = visitors.come().sit(live.make("human", "human")["seats"][0]["link"]).page
        other = visitors.come().sit(live.make("human", "human")["seats"][0]["link"]).page
        other.evaluate("document.body.dataset.same = 'yes'")
    for one in (page, other):
        expect(one.locator("#line")).to_have_text("Reconnecting…")
    with Live(tmp_path, port=int(live.address.split(":")[1])):
        for one in (page, other):
            expect(one.locator("#line")).to_have_text(BACK)
        assert other.locator("body").get_attribute("data-same") == "yes"
        page.locator("[data-pick=a2]").click()
        page.locator("[data-pick=a3]").click()
        expect(page.locator("#moves li")).to_have_count(2)
    visitors.close()


def test_opening_a_game_again_does_not_leave_the_page_while_there_is_no_server(browser: Browser, tmp_path: Path):
    with Live(tmp_path) as live:
        visitors = Visitors(browser, f"http://{live.address}")
        table = visitors.come()
        table.prepare(WATCHED_SOCKETS)
        table.sit(live.make("human", "human")["seats"][0]["link"])
        close_as_idle(table)
    table.button("Open it again").click()
    expect(table.page.locator("#line")).to_have_text("Reconnecting…")
    with Live(tmp_path, port=int(live.address.split(":")[1])):
        expect(table.page.locator("#line")).to_have_text(BACK)
        table.expect_status("Your turn")
    visitors.close()


def test_a_game_that_is_not_kept_goes_on_and_people_are_told(browser: Browser, tmp_path: Path):
    with Live(tmp_path) as live:
        visitors = Visitors(browser, f"http://{live.address}")
        made = live.make("human", "human")
        pages = [visitors.come(740, 360).sit(link).page for link in (made["seats"][0]["link"], made["watch"])]
        for page in pages:
            expect(page.get_by_role("alert").filter(has_text="keep")).to_have_count(0)
        with room_for(next(tmp_path.glob("games/*.jsonl")).stat().st_size):
            pages[1].locator("#status").scroll_into_view_if_needed()
            pages[0].locator("[data-pick=a2]").click()
            pages[0].locator("[data-pick=a3]").click()
            pages.append(visitors.come().sit(made["seats"][1]["link"]).page)
            for page in pages:
                expect(
                    page.get_by_role("alert").filter(has_text="cannot keep this game at the moment (File too large)")
                ).to_be_in_viewport()
                expect(page.locator("#moves li")).to_have_count(2)
        pages[2].locator("[data-pick=a7]").click()
        pages[2].locator("[data-pick=a6]").click()
        for page in pages:
            expect(page.get_by_role("alert").filter(has_text="keeps this game again, with all that was missing")).to_be_visible()
        visitors.close()
        assert visitors.errors == []


def test_a_browser_has_its_seats_and_its_address_is_the_watchers(visitors: Visitors):
    here, there = visitors.come(), visitors.come()
    made = here.make(("human", "human"))
    white, black = (seat["link"] for seat in made["seats"])
    here.sit(black).expect_status("White to move")
    here.sit(white).expect_status("Your turn")
    here.page.go_back()
    here.expect_status("White to move")  # as Black
    offered = here.page.locator("#seats")
    expect(offered).to_be_hidden()
    here.page.goto(f"{visitors.server}/continue")
    here.sit(made["watch"]).expect_status("White to move")
    expect(offered).to_have_text("You are watching. Take your seat: WhiteTake your seat: Black")
    here.button("Take your seat: White").click()
    here.expect_status("Your turn")
    expect(offered).to_be_hidden()
    here.sit(white).expect_status("Your turn")  # which goes on in the browser that used it
    assert here.page.url == visitors.server + made["watch"]
    there.page.goto(visitors.server + white)
    expect(there.page.locator("#used")).to_contain_text("This link was used already or is not complete, so you are watching.")
    expect(there.button("Ask for the seat")).to_be_hidden()  # there is no host
    there.expect_status("White to move")
    expect(there.page.locator("#seats")).to_be_hidden()
    expect(there.button("Continue on another device")).to_be_hidden()
    here.tab("Share")
    here.button("Continue on another device").click()
    dialog = here.page.locator("#handover")
    expect(dialog).to_have_accessible_description(re.compile("and type the code"))
    expect(dialog).to_contain_text(re.compile(r"It is good once, for [12]:\d\d more"))
    expect(dialog.locator("figure svg path")).to_have_count(2)
    for width, height in ((320, 568), (740, 360), (1280, 800)):
        here.page.set_viewport_size({"width": width, "height": height})
        for part in ("h2", "figure", "output", "button.primary"):
            expect(dialog.locator(part)).to_be_in_viewport(ratio=1)
    code = dialog.locator("output").inner_text()
    there.page.goto(f"{visitors.server}/continue#{code}")
    expect(there.page.get_by_label("Code")).to_have_value(code)
    assert there.page.url == f"{visitors.server}/continue"
    there.button("Continue").click()
    there.expect_status("Your turn")
    assert there.page.url == visitors.server + made["watch"]
    expect(dialog).to_contain_text("It was used")
    assert code not in here.page.content()
    there.page.reload()
    there.press("a2", "a3")
    here.expect_moves(1)


def test_a_friend_is_invited_from_the_strip_of_players(visitors: Visitors):
    phone, friend = visitors.come(360, 640, has_touch=True, is_mobile=True), visitors.come()
    phone.prepare("window.shared = []; navigator.share = async (what) => shared.push(what)")
    for table in (phone, visitors.come()):
        table.page.goto(f"{table.server}/?game=expendibots")
        table.page.get_by_role("radio", name="With a friend").check()
        table.button("Start the game").click()
        expect(table.button("Invite")).to_be_in_viewport(ratio=1)
        table.button("Invite").click()
    assert table.page.evaluate("navigator.clipboard.readText()") == table.page.get_by_role("textbox", name="Link for Black").input_value()
    expect(table.button("Copied")).to_be_focused()
    (what,) = phone.page.evaluate("shared")
    assert what["title"] == "Expendibots: Black"
    friend.page.goto(what["url"])
    friend.expect_status("White to move")
    expect(phone.button("Invite")).to_have_count(0)


def test_a_link_is_drawn_for_a_camera_once_the_server_can_be_reached(table: Table, visitors: Visitors):
    table.sit(table.make(("human", "human"))["seats"][0]["link"]).tab("Share")
    table.page.route("**/api/qr", lambda route: route.abort())
    camera = table.page.locator("#invitations details").first  # folded: another browser gave out the seats
    camera.locator("summary").click()
    expect(camera).to_contain_text("the server cannot be reached")
    visitors.errors.clear()
    table.page.unroute("**/api/qr")
    camera.locator("summary").click(click_count=2)
    expect(camera.get_by_role("img")).to_be_visible()
    expect(camera).not_to_contain_text("the server")


def test_clocks_count_down_on_the_strip(table: Table):
    table.page.goto(f"{table.server}/?game=expendibots")
    dialog = table.page.locator("dialog[open]")
    dialog.get_by_label("Time", exact=True).select_option("10 minutes + 5 seconds")
    table.button("Start the game").click()
    white, black = (table.page.locator("#players li time").nth(seat) for seat in (0, 1))
    expect(white).to_have_text(re.compile("^9:5"))
    expect(white).to_have_class("running")
    table.press("a2", "a3")
    table.expect_moves(2)
    expect(white).to_have_text(re.compile("^(10:0|9:5)"))
    expect(black).to_have_text(re.compile("^10:0"))
    table.sit(table.make(("human", "random"), clock="9+1")["seats"][0]["link"])
    expect(black).to_have_text("0:09.0")
    expect(white).to_have_text(re.compile(r"^0:0\d\.\d$"))


def test_a_wrong_token_is_said(table: Table):
    table.page.goto(table.server + table.make()["watch"] + "#nonsense")
    expect(table.page.locator("#used")).to_contain_text("This link was used already or is not complete, so you are watching.")
    table.expect_status("White to move")
    assert not table.button("Resign").is_visible()


def test_who_is_not_let_in_is_told_what_to_do(browser: Browser, tmp_path: Path):
    with Live(tmp_path, Limits(clients=1, games=1)) as live:
        visitors = Visitors(browser, f"http://{live.address}")
        other, made = live.make("human", "human"), live.make("human", "human")  # the second takes the place of the first
        one, late = visitors.come().sit(made["seats"][0]["link"]), visitors.come()
        late.page.goto(visitors.server + other["watch"])
        expect(late.page.get_by_role("heading", name="Not now")).to_be_visible()
        expect(late.page.get_by_role("link", name="Try again")).to_be_visible()
        assert visitors.errors.pop().endswith("503 (Service Unavailable)")  # which Chromium logs by itself
        late.page.goto(visitors.server + made["seats"][1]["link"])
        expect(late.page.locator("#line")).to_contain_text("The server did not let you in: 1 clients are connected")
        expect(late.button("Try again")).to_be_focused()
        one.page.context.close()
        late.button("Try again").click()
        late.expect_status("White to move")
    for file in tmp_path.glob("games/*"):
        file.unlink()
    with Live(tmp_path, port=int(live.address.split(":")[1])):
        expect(late.page.locator("#line")).to_contain_text("there is no game")
        late.page.get_by_role("link", name="To the games").press("Enter")
        expect(late.page.get_by_role("button", name="Play Expendibots")).to_be_visible()
        expect(late.page.locator("#unfinished")).to_be_hidden()
    visitors.close()


def test_a_browser_back_in_the_net_does_not_wait(table: Table):
    made = table.make(position=STACKS)
    table.prepare(WATCHED_SOCKETS + "; const later = setTimeout; window.setTimeout = (f, ms) => later(f, ms === 300 ? 1e8 : ms);")
    table.sit(made["seats"][0]["link"])
    before = table.box("a1")
    table.page.evaluate("dispatchEvent(new Event('offline'))")
    expect(table.page.locator("#line")).to_have_text("Reconnecting…")
    table.press("d4", "e4", "e4")
    expect(table.page.locator("#notice")).to_have_text("Not connected: nothing was done.")
    assert table.box("a1") == before, "nothing moves under a finger"
    table.page.evaluate("dispatchEvent(new Event('online'))")
    expect(table.page.locator("#line")).to_have_text(BACK)
    expect(table.page.locator("#notice")).to_be_empty()


def test_what_was_picked_outlives_a_lost_connection(table: Table):
    made = table.make(position=STACKS)
    table.prepare(WATCHED_SOCKETS)
    table.sit(made["seats"][0]["link"]).press("d4", "e4")
    table.page.evaluate("sockets.at(-1).close()")
    expect(table.page.locator("#line")).to_have_text(BACK)
    table.page.locator('#chooser button[value="3"]').click()
    table.expect_moves(2)
    assert table.moves[0] == "3d4-e4"


def test_a_piece_slides_to_where_it_goes_and_back(visitors: Visitors):
    """Unless motion is not wanted."""
    note = """new MutationObserver((all) => all.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
        if (node.classList?.contains("moving")) (window.slides ??= []).push(node.getAttribute("transform"));
    }))).observe(document, { childList: true, subtree: true });"""
    for motion, expected in (("no-preference", 3), ("reduce", 0)):
        table = visitors.come(reduced_motion=motion)
        table.prepare(note)
        table.play_from(START).press("a2", "a3")
        table.expect_moves(2)
        table.expect_status("Your turn")
        table.keys("ArrowLeft")
        table.expect_status("After 1.")
        expect(table.page.locator(".moving")).to_have_count(0)
        slides = table.page.evaluate("window.slides ?? []")
        assert len(slides) == expected
        assert not slides or round(float(slides[0].rstrip(")").split()[-1])) == 100  # a3
        assert table.page.locator("[data-piece][style*=hidden]").count() == 0


def test_walking_through_the_game(table: Table):
    table.play_from(STACKS).press("a3", "a4", "a4")
    table.expect_moves(2)
    table.expect_status("Your turn")
    table.press("a4", "a5", "a5")
    table.expect_moves(4)
    table.expect_status("Your turn")
    table.keys("ArrowLeft", "ArrowLeft", "ArrowLeft")
    table.expect_status("After 1.")
    assert table.label("a4") == "a4, white stack of 3"
    table.press("a4")
    assert table.targets == set()
    table.keys("Home")
    table.expect_status("The start of the game")
    assert table.label("a3") == "a3, white stack of 3"
    table.keys("ArrowRight")
    table.expect_status("After 1.")
    table.keys("End")
    table.expect_status("Your turn")
    table.tab("Moves").page.locator('#moves button[value="2"]').click()
    table.expect_status("After 2.")
    (_, *lines) = table.page.locator("#moves button").evaluate_all("all => all.map((button) => button.getBoundingClientRect().toJSON())")
    one, two, three, four = ((line["x"], line["y"]) for line in lines)
    assert (one[0], two[0], one[1], three[1]) == (three[0], four[0], two[1], four[1]), "a column for each player"
    table.button("Previous position").click()
    table.expect_status("After 1.")
    table.button("First position").click()
    expect(table.button("Previous position")).to_be_disabled()
    table.button("Back to the game").click()
    table.expect_status("Your turn")
    table.press("a5")
    assert table.targets


def test_taking_back_and_resigning_against_a_bot(table: Table):
    table.play_from(STACKS)
    expect(table.button("Take back")).to_be_disabled()
    table.press("a3", "a4", "a4")
    table.expect_moves(2)
    table.button("Take back").click()
    table.expect_moves(0)
    assert table.label("a3") == "a3, white stack of 3"
    table.button("Resign").click()
    table.button("Play on").click()
    table.expect_status("Your turn")
    table.button("Resign").click()
    table.page.locator("#resigning").get_by_role("button", name="Resign").click()
    table.expect_status("You lost: you resigned")


def test_flipping_the_board(table: Table):
    table.play_from(STACKS)
    before = table.square("a1").bounding_box()
    table.button("Flip board").click()
    expect(table.square("h8")).to_have_attribute("transform", "translate(0 140)")
    assert table.square("h8").bounding_box() == before
    table.keys("f")
    expect(table.square("a1")).to_have_attribute("transform", "translate(0 140)")
    table.press("a3", "a4", "a4")
    table.expect_moves(2)
    table.keys("Home", "f")
    expect(table.square("h8")).to_have_attribute("transform", "translate(0 140)")
    table.expect_status("The start of the game")


def test_copying_the_position_and_downloading_the_record(table: Table, tmp_path: Path):
    table.play_from(STACKS).tab("Share")
    table.button("Copy position").click()
    expect(table.button("Copied")).to_be_visible()
    assert table.page.evaluate("navigator.clipboard.readText()") == STACKS
    table.press("d4", "e4", "e4")
    table.expect_moves(2)
    with table.page.expect_download() as download:
        table.page.get_by_role("link", name="Download record").click()
    download.value.save_as(tmp_path / "game.jsonl")
    header, *events = [json.loads(line) for line in (tmp_path / "game.jsonl").read_text().splitlines()]
    assert header["game"] == "expendibots"
    assert [event["event"] for event in events] == ["start", "action", "action"]
    assert events[1]["actions"] == {"0": "4d4-e4"}


def test_a_new_game_from_a_pasted_position_with_options(visitors: Visitors):
    table = visitors.come()
    table.play_from(START)
    table.page.get_by_role("link", name="New game").click()
    dialog = table.page.locator("#new-expendibots")
    expect(dialog).to_be_visible()
    dialog.get_by_text("Position and rules").click()
    dialog.get_by_label("Start from a position").fill("nonsense")
    table.button("Start the game").click()
    expect(dialog.get_by_role("alert")).to_contain_text("'nonsense' is no Expendibots position")
    assert visitors.errors.pop().endswith("400 (Bad Request)")  # which Chromium logs by itself
    dialog.get_by_label("Start from a position").fill(STACKS.replace(" w 0", " b 1"))
    dialog.get_by_label("Turn limit").fill("77")
    dialog.get_by_role("radio", name="Black").check()
    table.button("Start the game").click()
    table.expect_status("Your turn")
    expect(table.page.locator("#facts")).to_contain_text("Turn 2 of 77")
    assert table.label("d4") == "d4, white stack of 4"
    table.tab("Share").page.get_by_role("link", name="Play from here").click()
    expect(dialog.get_by_label("Start from a position")).to_have_value(STACKS.replace(" w 0", " b 1"))
    expect(dialog.get_by_label("Turn limit")).to_have_value("77")


def test_playing_on_with_a_map_that_is_long(table: Table):
    own = '{"cells":[{"q":0,"r":0},{"q":1,"r":0}],"initial_positions":{"0":[{"q":0,"r":0}],"1":[{"q":1,"r":0}]}}'
    table.sit(table.make(game="hexabomb", options={"map": own.replace(",", "," + 3000 * "\n")})["seats"][0]["link"])
    table.tab("Share").page.get_by_role("link", name="Play from here").click()
    table.button("Start the game").click()
    table.expect_status("Your turn")


def test_watching_two_bots(table: Table):
    table.sit(table.make(("random", "random"), options={"turn_limit": 6})["watch"])
    table.expect_moves(6)
    table.expect_status("6 turns were played without a winner")


def test_one_press_starts_a_game_and_the_lobby_leads_back_to_it(table: Table):
    table.page.goto(table.server)
    expect(table.page.locator("#unfinished")).to_be_hidden()
    expect(table.page.get_by_text("You play White against Lead.")).to_be_visible()
    table.button("Play Expendibots").click()
    table.expect_status("Your turn")
    expect(table.page.locator("#players li").nth(1)).to_contain_text("Lead")
    assert table.page.title() == "● Expendibots · Ludarium"
    here = table.page.url
    table.page.goto(table.server)
    expect(table.page.locator("#unfinished")).to_contain_text("White against Lead. Your turn")
    table.page.locator("#unfinished").get_by_role("link", name="White against Lead").click()
    table.expect_status("Your turn")
    assert table.page.url == here
    table.button("Resign").click()
    table.page.locator("#resigning").get_by_role("button", name="Resign").click()
    table.expect_status("You lost to Lead: you resigned")
    table.page.goto(table.server)
    expect(table.page.locator("#unfinished")).to_be_hidden()


@pytest.mark.parametrize(
    "storage",
    [
        NO_STORAGE,
        "for (const key of ['theme', 'unfinished', 'choices-expendibots']) localStorage.setItem(`ludarium-${key}`, '{')",
    ],
)
def test_the_pages_work_where_nothing_can_be_remembered(table: Table, storage: str):
    table.prepare(storage)
    table.page.goto(table.server)
    table.button("Play Expendibots").click()
    table.expect_status("Your turn")
    table.press("a2", "a3")
    table.expect_moves(2)
    table.button("Settings").click()
    table.page.get_by_role("radio", name="Light").check()
    assert table.page.evaluate("document.documentElement.dataset.theme") == "light"
    table.button("Close").click()
    table.keys("Home")
    table.expect_status("The start of the game")
    table.page.reload()
    table.expect_status("Your turn")
    table.button("Resign").click()
    table.page.locator("#resigning").get_by_role("button", name="Resign").click()
    table.button("Play again").click()
    table.expect_moves(1)
    table.expect_status("Your turn")
    assert "#" not in table.page.url


def test_a_newcomer_is_told_how_to_play(table: Table):
    goal = table.page.locator("#help").get_by_text("Destroy every token of your opponent")
    table.play_from(STACKS)
    expect(goal).to_be_visible()
    table.play_from(START)
    expect(goal).to_be_hidden()
    table.tab("Help")
    expect(goal).to_be_visible()


def test_every_game_plays_on_the_same_page(table: Table):
    for id in sorted({*ludarium.list_games()} - {"roboderby"}):  # whose program takes more presses than these: test_roboderby.py
        game = ludarium.game(id)
        table.page.goto(table.server)
        table.page.locator(f"[data-open=new-{id}]").click()
        table.button("Start the game").click()
        table.expect_status("Your turn")
        before = len(table.moves)
        for _ in range(4):  # picks lead to an action
            offered = table.page.locator(
                "#board [data-pick]:has(> .mark-target, > .mark-answer), #choices button:not(:text-matches('^(Cancel|Send)'))"
            )
            start = table.page.locator("#board .startable")
            (offered if offered.count() else start).first.click()
            if game.orders and game.orders.idle is not None and table.page.locator("#orders li.given").count():
                table.button("Send").click()
            if len(table.moves) > before:
                break
        expect(table.page.locator("#moves li")).not_to_have_count(before + 1)


def test_the_lobby_shows_all_cards_with_their_buttons(table: Table):
    table.page.goto(table.server)
    cards = table.page.locator(".card")
    pictures = cards.locator(".picture")
    assert len({pictures.nth(place).bounding_box()["height"] for place in range(cards.count())}) == 1
    first = cards.first.bounding_box()["y"]
    beside = [card for card in cards.all() if card.bounding_box()["y"] == first]
    assert len(beside) == 4
    for card in beside:
        button = card.locator("[data-open]").bounding_box()
        assert button["y"] + button["height"] <= 800


def test_the_board_is_chosen_beside_its_picture(table: Table):
    table.page.goto(table.server)
    table.page.locator("[data-open=new-roboderby]").click()
    dialog = table.page.locator("#new-roboderby")
    choice = dialog.get_by_role("combobox", name="Board")
    expect(choice.locator("option:checked")).to_have_text("Shuffled: another one each time")
    own = dialog.locator("#option-roboderby-board")
    expect(own).to_be_hidden()
    choice.select_option("First shift: the assembly line's tiles as they are drawn, with belts that run along with the lap")
    expect(dialog.locator(".dealt .rd-belt").first).to_be_visible()
    choice.select_option("Another one, by its name, file or text …")
    expect(own).to_be_visible()
    own.fill("start pits cross walls @ 0 0 0 0")
    with table.page.expect_response("**/deal"):
        own.blur()
    table.button("Start the game").click()
    table.expect_status("Your turn")
    table.tab("Share").page.get_by_role("link", name="Play from here").click()
    expect(choice.locator("option:checked")).to_have_text("Another one, by its name, file or text …")
    expect(own).to_have_value("start pits cross walls @ 0 0 0 0")
    expect(dialog.locator(".dealt")).to_be_hidden()  # the position is another
    choice.select_option("first-lap")
    expect(own).to_be_hidden()


def test_the_seats_and_the_picture_follow_the_map_that_is_chosen(table: Table):
    table.page.goto(table.server)
    table.page.locator("[data-open=new-hexabomb]").click()
    dialog = table.page.locator("#new-hexabomb")
    expect(dialog.locator(".preview svg")).to_be_visible()
    before = dialog.locator(".preview").inner_html()
    dialog.get_by_role("combobox", name="Map").select_option("garden3")
    expect(dialog.get_by_role("radio", name="Green")).to_be_attached()
    assert dialog.locator(".preview").inner_html() != before


@pytest.mark.parametrize(("game", "option", "file"), [("roboderby", "tiles", "bad.tiles"), ("hexabomb", "map", "bad.json")])
def test_what_is_wrong_with_a_file_is_said_in_the_place_of_the_board(table: Table, tmp_path: Path, game: str, option: str, file: str):
    (tmp_path / file).write_text("{nonsense")
    table.page.goto(table.server)
    table.page.locator(f"[data-open=new-{game}]").click()
    dialog = table.page.locator(f"#new-{game}")
    picture = dialog.locator(".dealt, .preview")
    expect(picture.locator("svg")).to_be_visible()
    dialog.locator(".settings summary").click()
    if option == "map":
        dialog.get_by_role("combobox", name="Map").select_option("Another one, by its name, file or text …")
    dialog.evaluate("dialog => (dialog.scrollTop = 0)")
    place = picture.bounding_box()
    field = dialog.locator(f"#option-{game}-{option}")
    field.locator("xpath=..").get_by_label("From a file").set_input_files(tmp_path / file)
    expect(field).to_have_value("{nonsense")
    said = dialog.get_by_role("alert")
    expect(said).to_contain_text(re.compile("line 1,? column [12]"))
    at_the_field = dialog.locator("#misfit-hexabomb" if option == "map" else "#option-roboderby-tiles-problem")
    expect(at_the_field).to_be_in_viewport(ratio=1)
    expect(picture).to_be_hidden()
    dialog.evaluate("dialog => (dialog.scrollTop = 0)")
    assert abs(said.bounding_box()["y"] - place["y"]) < 10
    expect(at_the_field).to_have_text(said.inner_text())
    expect(field).to_have_attribute("aria-invalid", "true")
    assert at_the_field.get_attribute("id") in field.get_attribute("aria-describedby")
    dialog.locator("[data-option=turn_limit], [data-option=turns]").fill("9")  # which is not to blame
    with table.page.expect_response(f"**/lobby/{game}/seats"):
        dialog.locator("[data-option=turn_limit], [data-option=turns]").blur()
    expect(at_the_field).to_have_text(said.inner_text())
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill({"tiles": "foundry", "map": "tiny2"}[option])
    field.blur()
    expect(picture.locator("svg")).to_be_visible()
    expect(dialog.get_by_role("alert")).to_have_count(0)
    expect(field).to_have_attribute("aria-invalid", "false")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("# Zoë\n".encode("utf-16"), "my.tiles is UTF-16 text; save it as UTF-8"),
        ("# Zoë\n".encode("latin-1"), "my.tiles is not UTF-8 text; save it as UTF-8"),
    ],
)
def test_a_file_in_another_encoding_is_refused(table: Table, tmp_path: Path, data: bytes, said: str):
    (tmp_path / "my.tiles").write_bytes(data)
    table.page.goto(table.server)
    table.page.locator("[data-open=new-roboderby]").click()
    dialog = table.page.locator("#new-roboderby")
    dialog.locator(".settings summary").click()
    field = dialog.locator("#option-roboderby-tiles")
    before = field.input_value()
    field.locator("xpath=..").get_by_label("From a file").set_input_files(tmp_path / "my.tiles")
    expect(dialog.get_by_role("alert")).to_contain_text(said)
    expect(field).to_have_value(before)


def test_whoever_comes_back_to_the_lobby_can_play_again(table: Table):
    table.page.goto(table.server)
    table.page.route(
        "**/api/games", lambda route: route.fulfill(status=201, json={"id": "x", "watch": "#", "seats": []})
    )  # leaves the page open
    table.button("Play Expendibots").click()
    expect(table.button("Play Expendibots")).to_be_disabled()
    table.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")  # as browsers that kept the page say
    expect(table.button("Play Expendibots")).to_be_enabled()


def test_who_plays_alone_is_offered_nobody_else(table: Table):
    table.page.goto(table.server)
    table.page.locator("[data-open=new-roboderby]").click()
    dialog = table.page.locator("#new-roboderby")
    dialog.get_by_role("radio", name="With a friend").check()
    dialog.locator(".settings summary").click()
    dialog.get_by_label("Players").fill("1")
    dialog.get_by_label("Players").blur()
    expect(dialog.get_by_role("radio", name="You alone")).to_be_checked()
    expect(dialog.get_by_text("With a friend")).to_have_count(0)
    expect(dialog.get_by_text("Against the computer")).to_have_count(0)
    expect(dialog.get_by_text("You get a link")).to_be_hidden()
    dialog.get_by_label("Players").fill("2")
    dialog.get_by_label("Players").blur()
    expect(dialog.get_by_role("radio", name="With a friend")).to_be_visible()


def test_the_lobby_lives(visitors: Visitors):
    maker, guest = visitors.come(), visitors.come()
    maker.page.goto(maker.server)
    maker.page.locator("[data-open=new-expendibots]").click()
    dialog = maker.page.locator("#new-expendibots")
    expect(dialog.get_by_role("checkbox", name="Others may watch")).to_be_checked()
    dialog.get_by_role("radio", name="With a friend").check()
    expect(dialog.get_by_role("radio", name="Who has the link")).to_be_checked()
    dialog.get_by_role("radio", name="Anybody may play").check()
    maker.button("Start the game").click()
    maker.expect_status("Waiting for Black: share the link")
    guest.page.goto(guest.server)
    guest.page.get_by_role("link", name="Play Expendibots as Black").click()
    guest.expect_status("White to move")
    visitor = visitors.come()
    visitor.page.goto(visitor.server)
    board = visitor.page.locator(f'#now a[href="{urlsplit(maker.page.url).path}"]')
    expect(board).to_contain_text("position 0")
    visitor.page.set_viewport_size({"width": 1920, "height": 1080})
    expect(board).to_be_in_viewport(ratio=1)  # beside what can be played
    expect(visitor.page.get_by_role("link", name="Play Expendibots as Black")).to_have_count(0)
    maker.press("a2", "a3")
    expect(board).to_contain_text("position 1")
    guest.button("Resign").click()
    guest.page.locator("#resigning").get_by_role("button", name="Resign").click()
    guest.expect_status("You lost: you resigned")
    visitor.page.reload()
    expect(visitor.page.locator("#ended")).to_contain_text("White won: Black resigned")
    guest.page.goto(guest.server)
    expect(guest.page.locator("#own")).to_contain_text("Black against a person. White won: Black resigned")


def test_a_game_is_watched_in_a_frame(visitors: Visitors):
    player, reader = visitors.come(), visitors.come()
    made = player.make(("human", "human"))
    player.sit(made["seats"][0]["link"]).press("a2", "a3")
    player.page.get_by_role("tab", name="Share").click()
    player.button("Copy frame").click()
    (address,) = re.findall('src="(.*?)"', player.page.evaluate("navigator.clipboard.readText()"))
    reader.page.goto(address)
    status = reader.page.locator("#status")
    expect(status).to_have_text("1. a2-a3")
    reader.button("Previous position").click()
    expect(status).to_have_text("Start")
    expect(reader.square("a2").locator("[data-piece]")).to_have_count(1)
    player.button("Resign").click()
    player.page.locator("#resigning").get_by_role("button", name="Resign").click()
    player.expect_status("You lost")
    expect(status).to_have_text("Start")  # where the reader is
    reader.button("Next position").click()
    expect(status).to_have_text("Black won: White resigned")
    assert reader.page.evaluate("[document.cookie, localStorage.length, sessionStorage.length]") == ["", 0, 0]


def test_records_and_positions_are_opened_in_the_lobby(visitors: Visitors):
    table = visitors.come()
    page = table.page
    made = table.make(("human", "human"))
    table.sit(made["seats"][0]["link"]).press("a2", "a3")
    table.expect_moves(1)
    record = httpx.get(f"{table.server}/api/games/{made['id']}/record").text
    page.goto(table.server)
    drop = """(text) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], "game.jsonl"));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }"""
    page.evaluate(drop, record.replace("a2-a3", "a2-a9"))
    expect(page.locator("#open-problem")).to_have_text(re.compile("^the record, line 3: 'a2-a9' is "))
    assert [error for error in visitors.errors if "400" not in error] == []
    visitors.errors.clear()
    page.evaluate("document.body.dispatchEvent(new DragEvent('dragover', { bubbles: true, cancelable: true }))")
    assert page.evaluate("getComputedStyle(document.body, '::after').content") == '"Drop a record or a position here"'
    page.evaluate(drop, record)
    table.expect_status("Black to move")
    assert table.moves == ["a2-a3"]
    address = page.url
    page.evaluate(drop, "nothing")
    expect(page.locator("#notice")).to_contain_text("neither")
    visitors.errors.clear()
    page.evaluate(drop, record)  # the page of a game takes them, too
    page.wait_for_url(lambda url: url != address)
    table.expect_status("Black to move")
    table.keys("Home")
    table.expect_status("The start of the game")
    page.get_by_role("link", name="Play from here").click()
    expect(page.locator("#new-expendibots [name=position]")).to_have_value(re.compile("w 0$"))
    page.goto(table.server)
    page.get_by_label("Paste it here").fill("BB.BB.BB/BB.BB.BB/......../......../......../......../WW.WW.WW/WW.WW.WW b 1")
    table.button("Open").click()
    table.expect_status("Black to move")
    expect(table.square("a2").locator("[data-piece]")).to_have_count(1)


def test_the_lobby_is_light(visitors: Visitors):
    table = visitors.come(is_new=True)  # where nothing of it has been loaded before
    found: list[Request] = []
    table.page.on("requestfinished", lambda request: found.append(request))
    table.page.goto(visitors.server, wait_until="networkidle")
    sizes = {request.url: request.sizes()["responseBodySize"] for request in found}
    assert len(sizes) >= 4
    typeface = sum(size for url, size in sizes.items() if url.endswith(".woff2"))
    assert 0 < typeface < 20_000
    assert sum(sizes.values()) - typeface < 60_000, sizes


def test_why_a_new_game_is_refused_is_said(browser: Browser, tmp_path: Path):
    with Live(tmp_path, Limits(people=3, pace=0.0)) as live:
        *_, made = (live.make("human", "random") for _ in range(15))
        visitors = Visitors(browser, f"http://{live.address}")
        page = visitors.come().page
        page.goto(f"http://{live.address}/")
        page.get_by_role("button", name="Play Expendibots").click()
        said = page.locator("#new-expendibots form > .problem")
        expect(said).to_have_text(re.compile(r"^many games have been started from here in a short time; the next one can be in \d+ s$"))
        page.goto(f"http://{live.address}{made['seats'][0]['link']}")
        page.get_by_role("button", name="Resign").click()
        page.locator("#resigning").get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Play again").click()
        expect(page.get_by_text("many games have been started from here")).to_be_visible()
        visitors.close()


def test_what_goes_wrong_in_the_lobby_is_in_sight_and_the_form_stays(visitors: Visitors):
    """On a phone that is held sideways, on a bad line, with a keyboard."""
    table = visitors.come(740, 360, has_touch=True, is_mobile=True)
    table.page.goto(visitors.server)
    table.page.route("**/api/games", lambda route: route.abort())
    for game in ("hexabomb", "RoboDerby"):
        table.button(f"Play {game}").press("Enter")
        dialog = table.page.locator("dialog[open]")
        start, said = dialog.get_by_role("button", name="Start the game"), dialog.locator("form > .problem")
        expect(said).to_have_text("the server cannot be reached; try again when you are connected")
        expect(dialog.locator(".preview svg, .dealt svg")).to_be_visible()
        expect(said).to_be_in_viewport(ratio=1)
        expect(start).to_be_focused()
        expect(start).to_have_accessible_description("the server cannot be reached; try again when you are connected")
        table.keys("Escape")
        expect(table.button(f"Play {game}")).to_be_focused()

    table.page.locator("[data-open=new-hexabomb]").click()
    table.page.route("**/api/lobby/hexabomb/seats", lambda route: route.fulfill(status=429, headers={"Retry-After": "10"}))
    choice = dialog.get_by_role("combobox", name="Map")
    choice.select_option("garden3")
    expect(dialog.get_by_role("alert")).to_have_text("the server answered with status 429; try again in 10 s")
    expect(dialog.get_by_role("radio", name="Soot")).to_be_attached()
    expect(dialog.locator("[aria-invalid=true]")).to_have_count(0)
    table.page.unroute_all()
    start.click()  # asks for the rules again
    table.expect_status("Your turn")
    expect(table.page.locator("#players li")).to_have_count(3)
    assert len(visitors.errors) == 3  # which Chromium logs by itself
    visitors.errors.clear()


def test_a_number_out_of_bounds_is_shown_where_it_stands(table: Table):
    table.page.goto(table.server)
    table.page.locator("[data-open=new-expendibots]").click()
    dialog = table.page.locator("#new-expendibots")
    rules, number = dialog.locator(".settings summary"), dialog.get_by_label("Another time")
    rules.click()
    dialog.get_by_label("Time", exact=True).select_option("Another time …")
    number.fill("soon")
    rules.click()
    table.button("Start the game").click()
    expect(number).to_be_focused()
    rules.click()
    dialog.get_by_role("button", name="Close").click()
    table.button("Play Expendibots").click()
    expect(number).to_be_focused()


def test_a_file_is_chosen_again_after_it_was_edited(table: Table, tmp_path: Path):
    table.page.goto(table.server)
    table.page.locator("[data-open=new-hexabomb]").click()
    dialog = table.page.locator("#new-hexabomb")
    dialog.get_by_role("combobox", name="Map").select_option("Another one, by its name, file or text …")
    own = '{"cells":[{"q":0,"r":0},{"q":1,"r":0}],"initial_positions":{"0":[{"q":0,"r":0}],"1":[{"q":1,"r":0}]}}'
    for text, told in (
        (60_001 * " ", "own.json is too long: 60,001 bytes, and 60,000 are taken"),
        ("{", "Invalid JSON"),
        (own.replace(",", "," + 3000 * "\n"), ""),  # for which an address has no room
    ):
        (tmp_path / "own.json").write_text(text)
        with table.page.expect_file_chooser() as asked:
            dialog.get_by_label("Map: from a file").click()
        asked.value.set_files(tmp_path / "own.json")
        expect(dialog.locator("#misfit-hexabomb")).to_contain_text(told)
    expect(dialog.locator("#misfit-hexabomb")).to_be_empty()
    expect(dialog.locator(".preview [data-pick]")).to_have_count(4)  # two cells, and who stands there


def test_who_waits_for_a_bot_is_told_that_others_think_too(browser: Browser, tmp_path: Path):
    with Live(tmp_path) as live, ExitStack() as held:
        visitors = Visitors(browser, f"http://{live.address}")
        table = visitors.come(740, 360)
        table.prepare("const later = setTimeout; window.setTimeout = (f, ms) => later(f, ms === 3000 ? 0 : ms);")  # patience
        table.sit(live.make("human", "alphabeta:time=10s")["seats"][0]["link"]).press("a2", "a3")
        expect(table.page.locator("#players em.thinking")).to_be_visible()
        for _ in range(2):
            held.enter_context(live.join(live.make("alphabeta:time=10s", "human")["id"]))
        said = table.page.locator("#crowd")
        expect(said).to_be_empty()
        table.page.reload()
        expect(said).to_have_text("3 programs think on this server at the moment, 2 at a time, so this takes longer.")
        table.button("Take back").click()
        expect(said).to_be_empty()
        visitors.close()


def test_a_missing_game_is_said_kindly(table: Table):
    assert httpx.get(f"{table.server}/game/nothing").status_code == 404
    table.page.route("**/game/nothing", lambda route: route.fulfill(response=route.fetch(), status=200))  # Chromium logs a 404 as an error
    table.page.goto(table.server)
    expired = [{"id": "nothing", "title": "An expired game", "seats": "", "link": "/game/nothing#token"}]
    table.page.evaluate("games => localStorage.setItem('ludarium-unfinished', JSON.stringify(games))", expired)
    table.page.reload()
    table.page.get_by_role("link", name="An expired game").click()
    table.page.wait_for_load_state()  # its module has run
    table.page.get_by_role("link", name="To the games").click()
    expect(table.page).to_have_title("Ludarium")
    expect(table.page.locator("#unfinished")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone(visitors: Visitors, scheme: str):
    table = visitors.come(390, 844, color_scheme=scheme, has_touch=True, is_mobile=True)
    table.page.goto(visitors.server)
    table.page.locator("[data-open=new-expendibots]").tap()
    assert table.page.evaluate("document.documentElement.scrollWidth") <= 390
    typed = "[...document.querySelectorAll('input:not([type=file]), select, textarea')].map((field) => parseFloat(getComputedStyle(field).fontSize))"
    assert min(table.page.evaluate(typed)) >= 16, "or Safari enlarges the page"
    table.page.locator("dialog[open] .settings summary").tap()
    expect(table.page.locator("dialog[open]").get_by_label("Turn limit")).to_be_in_viewport()  # and not below the last button
    table.page.keyboard.press("Escape")
    table.play_from(STACKS)
    assert table.page.evaluate("document.documentElement.scrollWidth") <= 390
    board = table.page.locator("#board svg").bounding_box()
    assert board["width"] > 360
    if scheme == "light":
        table.square("d4").tap()
        table.square("f4").tap()
    else:
        table.drag_by_finger("d4", "d1")  # where the page would scroll
        assert table.page.evaluate("scrollY") == 0
    for button in table.page.locator("#chooser button, #choices button, .buttons > :visible, nav button").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    table.page.locator('#chooser button[value="4"]').tap()
    table.expect_moves(2)
    assert table.page.evaluate("document.querySelector('#board .xb-k text').getBoundingClientRect().height") > 11
    assert table.page.evaluate("getComputedStyle(document.body).touchAction") == "manipulation"  # a double tap enlarges nothing
    table.tab("Share")
    expect(table.page.locator("#continue")).to_be_in_viewport()
    ground = table.page.evaluate("getComputedStyle(document.body).backgroundColor")
    square = table.page.evaluate("getComputedStyle(document.querySelector('[data-pick=b3] > rect')).fill")
    assert (ground, square) == {
        "light": ("rgb(241, 237, 226)", "rgb(235, 231, 216)"),
        "dark": ("rgb(17, 24, 21)", "rgb(86, 106, 96)"),
    }[scheme]


def test_a_finger_drags_from_the_first_touch_on(visitors: Visitors):
    """Upwards, where the page would scroll if nobody said at once that it shall not."""
    table = visitors.come(360, 640, has_touch=True, is_mobile=True)
    table.sit(table.make(("human", "human"))["seats"][0]["link"]).expect_status("Choose a highlighted piece")
    table.drag_by_finger("a2", "a3").expect_status("a2-a3 was played")
    table.sit(table.make(("human", "human"), game="hexabomb")["seats"][0]["link"]).expect_status("Choose a highlighted character")
    table.drag_by_finger("#1", "-3,1").expect_status("Your turn: 1 of 3 have orders")
    assert table.page.evaluate("scrollY") == 0


def test_the_colours_can_be_chosen(visitors: Visitors):
    table = visitors.come(color_scheme="dark").play_from(STACKS)
    colour = "getComputedStyle(document.querySelector('[data-pick=b3] > rect')).fill"
    assert table.page.evaluate(colour) == "rgb(86, 106, 96)"
    table.button("Settings").click()
    expect(table.page.get_by_role("radio", name="As the system")).to_be_checked()
    table.page.get_by_role("radio", name="Light").check()
    assert table.page.evaluate(colour) == "rgb(235, 231, 216)"
    table.page.reload()
    table.button("Settings").click()
    expect(table.page.get_by_role("radio", name="Light")).to_be_checked()
    table.page.get_by_role("radio", name="Dark").check()
    assert table.page.evaluate(colour) == "rgb(86, 106, 96)"
    with table.page.expect_response("**/themes.css"):
        table.page.get_by_role("radio", name="Wood").check()
    expect(table.page.locator("[data-pick=b3] > rect").first).to_have_css("fill", "rgb(122, 95, 66)")
    table.page.get_by_role("radio", name="Usual").check()
    assert table.page.evaluate(colour) == "rgb(86, 106, 96)"
    table.page.get_by_role("radio", name="Wood").check()
    table.button("Close").click()
    expect(table.page.locator("#settings")).to_be_hidden()
    table.page.goto(table.server)
    expect(table.page.locator(".picture [data-pick=b3] > rect").first).to_have_css("fill", "rgb(122, 95, 66)")
    table.button("Settings").click()
    expect(table.page.get_by_role("radio", name="Wood")).to_be_checked()


def test_the_lobby_offers_opponents_by_strength_and_remembers_the_choice(table: Table):
    table.page.goto(table.server)
    table.page.locator("[data-open=new-expendibots]").click()
    opponents = table.page.locator("dialog[open] [name=opponent]")
    names = [opponent.name for opponent in opponents_of(ludarium.game("expendibots"))]
    assert opponents.evaluate_all("all => all.map((field) => field.ariaLabel)") == names
    expect(table.page.get_by_role("radio", name=names[1])).to_be_checked()
    expect(opponents.nth(8)).to_have_accessible_description(re.compile("twenty-seven thousand positions .* Strength 9 of 12"))
    assert table.page.locator("dialog[open] .face").first.evaluate("async (face) => (await face.decode(), face.naturalWidth)") == 64
    table.page.get_by_role("radio", name="Iron").check()
    table.button("Start the game").click()
    expect(table.page.locator("#players li").nth(1)).to_contain_text("Iron")
    table.page.get_by_role("link", name="New game").click()
    expect(table.page.get_by_role("radio", name="Iron")).to_be_checked()
