"""Several orders a turn in the terminal: typed, shown before they are sent, and hidden from others who choose at the same time."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.cli.orders import OrderSheet, words_of
from ludarium.core.game import Dimensions
from ludarium.core.record import read_record
from ludarium.errors import BadNotation, IllegalAction, LudariumError
from tests.cli.pseudo_terminal import at_a_terminal, interrupt
from tests.command_line import run_program
from tests.tiny_games.matrix import Matrix

BOMB_OF_5 = '[{"id":5,"movement":"bomb","bomb_delay":3,"bomb_range":2}]'


@pytest.fixture
def sheet() -> OrderSheet:
    """Orange's, on a map where its characters are 3 to 5."""
    return OrderSheet(ludarium.game("hexabomb", map="glade2").start(), 1)


def play(
    *lines: str, players: tuple[str, ...] = ("human", "random"), options: tuple[str, ...] = ("map=glade2",), more: tuple[str, ...] = ()
) -> list[str]:
    given = [word for option in options for word in ("-o", option)]
    done = run_program("play", "hexabomb", *players, "--seed", "1", *given, *more, typed="\n".join([*lines, ""]))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    "line",
    [
        "#5 bomb delay 3 range 2",
        "5 bomb 3 2",
        "5 b 3 2",
        "#5  BOMB del 3 r 2 ;",
        "B2 bomb 3 2",
        "b2 bo 3 ra 2",
        BOMB_OF_5,
        "4 x-; 5 bomb 3 2; 4 none",
    ],
)
def test_one_order_in_many_ways(sheet: OrderSheet, line: str) -> None:
    sheet.read(line)
    assert sheet.action().text == BOMB_OF_5
    assert words_of(sheet.state, 1, sheet.action()) == "#5 bomb delay 3 range 2"


def test_later_orders_replace_earlier_ones(sheet: OrderSheet) -> None:
    sheet.read("3 x-; 4 b 2 2")
    sheet.read("#3 3,0")
    assert words_of(sheet.state, 1, sheet.action()) == "#3 y-; #4 bomb delay 2 range 2"
    sheet.read("[]")
    assert sheet.is_empty
    assert sheet.action().text == "[]"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("0 x-", "'0' gets no orders from you; these do: #3, #4, #5"),
        ("move", "'move' gets no orders from you; these do: #3, #4, #5"),
        ("3", "'3' is no order that can be given here; #3 may none | z+ | x- | y- | z- | bomb delay 2–4 range 2–4"),
        ("3 x+", "'3 x+' is no order that can be given here; #3 may none | z+ | x- | y- | z- | bomb delay 2–4 range 2–4"),
        ("3 x- x-", "'3 x- x-' is no order that can be given here; #3 may none"),
        ("3 revive", "'3 revive' is no order that can be given here; #3 may none"),
        ("3 bomb 5 2", "#3 may bomb delay 2–4 range 2–4"),
        ("3 bomb 2 1", "#3 may bomb delay 2–4 range 2–4"),
        ("3 bomb 2", "#3 may bomb delay 2–4 range 2–4"),
        ("3 bomb ² 2", "#3 may bomb delay 2–4 range 2–4"),
        ("5 x-; 4 fly", "'4 fly' is no order that can be given here; #4 may none"),
        ("[", "is no JSON"),
        ('[{"id":3,"movement":"revive"}]', "is not legal here"),
    ],
)
def test_a_mistake_changes_nothing(sheet: OrderSheet, line: str, said: str) -> None:
    sheet.read("3 bomb 2 2")
    with pytest.raises(LudariumError) as refused:
        sheet.read(line)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert words_of(sheet.state, 1, sheet.action()) == "#3 bomb delay 2 range 2"


def test_the_special_players_bombs_are_not_listed_one_by_one() -> None:
    sheet = OrderSheet(ludarium.game("hexabomb", map="star6", mode="sudden-death").start(), 0)
    assert dict(sheet.choices())["#0"][-1] == "bomb delay 2–100 range 2–100"
    sheet.read("0 bomb 100 99")
    assert words_of(sheet.state, 0, sheet.action()) == "#0 bomb delay 100 range 99"
    assert len(sheet.words()) < 40


class Vectors(Matrix):
    """Two choices at once, and no order that does nothing."""

    def make_dimensions(self) -> Dimensions:
        return replace(super().make_dimensions(), slots=2)

    def action_text(self, state: ludarium.State, player: int, action: Any) -> str:
        return " ".join(map(str, action)) if isinstance(action, tuple) else super().action_text(state, player, action)

    def picks(self, state: ludarium.State, action: ludarium.Action) -> tuple[str, ...]:
        return ("pair", action.text)


def test_without_an_idle_order_everybody_needs_one() -> None:
    sheet = OrderSheet(Vectors().start(), 0)
    with pytest.raises(IllegalAction, match="there is no order yet for pair"):
        sheet.action()
    with pytest.raises(BadNotation, match="pair may "):
        sheet.read("pair 17")


def test_orders_are_shown_before_they_are_sent() -> None:
    lines = play("0 x+; 1 bomb 2 4", "2 z-", "", "quit")
    boards = "\n".join(lines).split("Blue> ")
    assert "To be sent: #0 x+; #1 bomb delay 2 range 4\n" in boards[1]
    assert "aA0:→A0:" in boards[1]
    assert "aA1o" in boards[1]
    assert "To be sent: #0 x+; #1 bomb delay 2 range 4; #2 z-\n" in boards[2]
    assert boards[3].startswith("Blue  #0 x+; #1 bomb delay 2 range 4; #2 z-\nOrange  ")
    assert "* bomb of Blue at -4,2, delay 2, range 4" in boards[3]
    assert "→" not in boards[3]


def test_a_game_is_recorded_and_mistakes_lose_nothing(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    lines = play("0 x+", "0 jump", "1 x+", "send", "", "send", options=("map=glade2", "turns=2"), more=("--record", str(record)))
    assert sum("is no order that can be given here" in line for line in lines) == 1
    assert any("There are no orders yet. Type some, or 'send' to do nothing on this turn." in line for line in lines)
    timeline = read_record(record).replay()
    blue = [step.actions[0].text for step in timeline.steps if 0 in step.actions]
    assert blue == ['[{"id":0,"movement":"move","direction":"x+"},{"id":1,"movement":"move","direction":"x+"}]', "[]"]
    printed = run_program("replay", str(record)).stdout
    assert re.search(r"^ +1 +#0 x\+; #1 x\+ ", printed, re.MULTILINE)


def test_commands() -> None:
    lines = play("?", "actions", "0 x+", "clear", "0 y+", "", "moves", "undo", "moves", "quit", options=("map=tiny2",))
    text = "\n".join(lines)
    for word in ("send", "clear", "actions", "undo"):
        assert any(line.startswith(f"  {word} ") for line in lines)
    assert "Directions: x+ right" in text
    assert re.search(r"Blue> #0  none( \| [xyz][+-])+ \| bomb delay 2–4 range 2–4", text)
    assert "To be sent: no orders" in text
    assert re.search(r"Blue> 1\. Blue #0 y\+, Orange .*  2\. Received: \w+, then \w+", text)
    assert "Blue> No turn has been played yet." in text
    assert lines[-1] == "Blue> The game stays unfinished after 0 turns."


def test_dice_that_follow_at_once_are_no_position_to_look_at() -> None:
    lines = play("send", "quit")
    assert sum("all choose" in line for line in lines) == 2
    assert not any("is to be drawn" in line for line in lines)


ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"
"""How a terminal is told to show another screen, which is gone when it is left."""


def test_two_people_do_not_see_each_others_orders() -> None:
    with at_a_terminal("hexabomb", "human", "human", "-o", "map=tiny2", "--seed", "1") as (program, terminal):
        terminal.wait_for(b"Blue alone looks at the screen now. Press Enter.")
        terminal.type(b"\n")
        assert b"bomb" not in terminal.wait_for(ENTER)
        terminal.wait_for(b"Blue> ")
        terminal.type(b"0 bomb 4 4\n")
        terminal.wait_for(b"To be sent: #0 bomb delay 4 range 4")
        terminal.type(b"\n")
        terminal.wait_for(LEAVE)
        assert b"bomb" not in terminal.wait_for(b"Orange alone looks at the screen now. Press Enter.")
        terminal.type(b"\n")
        assert b"bomb" not in terminal.wait_for(b"Orange> ")
        terminal.type(b"\x1b[A\x1b[A" + b"\n")  # the arrow key finds nothing that Blue typed
        terminal.wait_for(b"There are no orders yet.")
        terminal.type(b"send\n")
        terminal.wait_for(LEAVE)
        terminal.wait_for(b"Blue  #0 bomb delay 4 range 4")
        terminal.wait_for(b"Blue alone looks")
        terminal.type(b"!")
        terminal.wait_for(b"!")
        assert interrupt(program) == 130


def test_an_interrupt_leaves_the_screen_of_one_person() -> None:
    with at_a_terminal("hexabomb", "human", "human", "-o", "map=tiny2", "--seed", "1") as (program, terminal):
        terminal.wait_for(b"Press Enter.")
        terminal.type(b"\n")
        terminal.wait_for(b"Blue> ")
        terminal.type(b"!")
        terminal.wait_for(b"!")
        assert interrupt(program) == 130
        terminal.wait_for(LEAVE)


def test_one_person_among_programs_needs_no_screen_of_its_own() -> None:
    with at_a_terminal("hexabomb", "random", "human", "-o", "map=tiny2", "--seed", "1") as (program, terminal):
        assert ENTER not in terminal.wait_for(b"Orange> ")
        terminal.type(b"1 b\t")  # the tab key completes what is typed
        terminal.wait_for(b"bomb")
        terminal.type(b"\x15quit\n")
        terminal.wait_for(b"unfinished")
        assert program.wait(60) == 0
