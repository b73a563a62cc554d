"""The page of ``ludarium hexabomb serve``: the waiting room, a turn by hand beside a program, and who watches."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import expect

from ludarium.errors import ProtocolError
from ludarium.netorcai.client import GameEnds, GameStarts, Turn, join
from tests.browser.table import NO_STORAGE, Browser, Visitors
from tests.labs.hexabomb.server import PATIENCE, serving


def join_bot(port: int) -> threading.Thread:
    """A program that takes part until the game ends, however it does."""

    def play() -> None:
        with suppress(ProtocolError):
            join(Sleeper(), "127.0.0.1", port, nickname="bob")

    bot = threading.Thread(target=play)
    bot.start()
    return bot


class Sleeper:
    """A program that does nothing."""

    def start(self, start: GameStarts) -> None: ...

    def turn(self, turn: Turn) -> list[object]:
        return []

    def end(self, end: GameEnds) -> None: ...


def test_a_person_takes_a_seat_and_plays_while_another_watches(browser: Browser, tmp_path: Path) -> None:
    arguments = ("--map", "tiny2", "--turns", "3", "--fast", "--autostart", "--wait-for-people", "--stay", "--delay-first-turn", "50")
    with serving(tmp_path, *arguments) as (_, port, address):
        page = f"http://{address}"
        visitors = Visitors(browser, page)
        watching = visitors.come(width=390, color_scheme="dark")
        watching.prepare(NO_STORAGE)
        person, viewer = visitors.come().page, watching.page
        for one in (person, viewer):
            one.goto(page)
            expect(one.locator("#news")).to_have_text("It begins by itself when everybody is here: 2 players are missing.")
        person.get_by_label("Your nickname").fill("ann")
        person.keyboard.press("Enter")
        expect(person.locator("#seated")).to_contain_text("You play as ann.")
        expect(viewer.locator("#who")).to_contain_text("ann a person")
        person.get_by_role("button", name="Give it up").click()
        expect(viewer.locator("#who")).to_contain_text("2 free seats")
        person.get_by_role("button", name="Take a seat").click()
        expect(person.locator("#seated")).to_contain_text("You play as ann.")

        bot = join_bot(port)
        status = person.locator("#status")
        expect(status).to_have_text("Your turn: choose a piece and what it does", timeout=60_000)
        expect(person.locator("#players")).to_contain_text("bob, a program")
        expect(viewer.locator("#players")).to_contain_text("ann, a person")
        expect(person.locator("#takeback")).to_be_hidden()
        mine = person.locator("#orders li").first.inner_text().split()[0]
        person.locator(f'[data-pick="{mine}"]').click()
        person.locator("#choices").get_by_role("button", name="bomb").click()
        person.keyboard.press("2")
        person.keyboard.press("3")
        expect(person.locator("#orders li").first).to_contain_text("bomb delay 2 range 3")
        person.get_by_role("button", name="Send").click()
        expect(viewer.locator("#moves li")).to_have_count(3, timeout=60_000)
        expect(viewer.locator("#status")).to_contain_text("to move")
        person.get_by_role("button", name="Send none").click()
        bot.join(PATIENCE)
        expect(status).to_contain_text("3 turns were played")
        expect(person.get_by_role("button", name="Play again")).to_have_count(0)
        viewer.locator("#slider").fill("0")
        expect(viewer.locator("#status")).to_have_text("The start of the game")
        visitors.close()
        assert visitors.errors == []
        assert visitors.elsewhere == []


def test_whoever_resigns_and_a_server_that_stops(browser: Browser, tmp_path: Path) -> None:
    visitors = Visitors(browser, "")
    with serving(tmp_path, "--map", "tiny2", "--autostart", "--delay-first-turn", "50", "--delay-turns", "10000") as (_, port, address):
        visitors.server = page = f"http://{address}"
        person = visitors.come().page
        person.goto(page)
        person.get_by_label("Your nickname").fill("ann")
        person.keyboard.press("Enter")
        expect(person.locator("#seated")).to_contain_text("You play as ann.")
        bot = join_bot(port)
        expect(person.locator("#status")).to_contain_text("Your turn", timeout=60_000)
        person.get_by_role("button", name="Resign").click()
        person.locator("#resigning").get_by_role("button", name="Resign").click()
        expect(person.locator("#players")).to_contain_text("left")
        expect(person.locator("#resign")).to_be_hidden()
    bot.join(PATIENCE)
    expect(person.locator("#line")).to_contain_text("The server closed this game")
    expect(person.get_by_role("button", name="Open it again")).to_have_count(0)
    visitors.close()
    assert visitors.errors == []
