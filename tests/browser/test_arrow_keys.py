"""The keyboard on the board: arrows go to the adjacent cell in every game, and a key goes to the next piece that can act."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

import ludarium
from tests.browser.table import Table

ARROWS = {"ArrowLeft": (-1, 0), "ArrowRight": (1, 0), "ArrowUp": (0, -1), "ArrowDown": (0, 1)}
OPPOSITE = {"ArrowLeft": "ArrowRight", "ArrowRight": "ArrowLeft", "ArrowUp": "ArrowDown", "ArrowDown": "ArrowUp"}

NAMES = "[...document.querySelectorAll('#board > svg [data-cell], #board > svg [data-pick]')].filter(e => e.hasAttribute('tabindex'))"

EVERY_STEP = """opposite => {
    const named = (element) => element.dataset.cell ?? element.dataset.pick;
    const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    return NAMES.flatMap((place) => Object.entries(opposite).map(([arrow, back]) => {
        place.focus();
        const start = place.closest("[data-cell]") ?? place;
        press(arrow);
        const found = document.activeElement;
        press(back);
        return [named(start), arrow, found === place ? named(start) : named(found), named(document.activeElement)];
    }));
}""".replace("NAMES", NAMES)
"""All arrows from all places at once: by the keyboard itself it takes a minute."""

Neighbours = Callable[[str, tuple[int, int]], tuple[str, ...]]
"""The cells that lie nearest to a direction from a cell, whether or not the board has them."""


def _lettered(name: str, step: tuple[int, int]) -> tuple[str, ...]:
    return (f"{chr(ord(name[0]) + step[0])}{int(name[1]) - step[1]}",)


def _in_rows(name: str, step: tuple[int, int]) -> tuple[str, ...]:
    row, column = map(int, name.strip("()").split(","))
    return (f"({row + step[1]},{column + step[0]})",)


def _counted(name: str, step: tuple[int, int]) -> tuple[str, ...]:
    row, column = divmod(int(name), 12)
    return (str(12 * (row + step[1]) + column + step[0]),) if 0 <= column + step[0] < 12 else ()


def _hexagons(name: str, step: tuple[int, int]) -> tuple[str, ...]:
    q, r = map(int, name.split(","))
    found = {(-1, 0): [(-1, 0)], (1, 0): [(1, 0)], (0, -1): [(0, -1), (1, -1)], (0, 1): [(-1, 1), (0, 1)]}[step]
    return tuple(f"{q + dq},{r + dr}" for dq, dr in found)


def cells(table: Table) -> list[str]:
    """Every cell of the board, each of which has a name for those who hear it."""
    table.expect_status("Your turn")
    found = table.page.evaluate(f"{NAMES}.map(e => [e.dataset.cell ?? e.dataset.pick, e.ariaLabel])")
    assert all(label for _, label in found)
    return [name for name, _ in found]


def go_to(table: Table, name: str) -> None:
    table.page.evaluate(f"name => {NAMES}.find(e => (e.dataset.cell ?? e.dataset.pick) === name).focus()", name)


def check_every_step(table: Table, neighbours: Neighbours) -> None:
    """From every cell each arrow ends on the neighbouring cell, from where the opposite one leads back, or leaves or stays at the edge."""
    board = {name for name in cells(table) if not name.startswith("#")}
    steps = table.page.evaluate(EVERY_STEP, OPPOSITE)
    wrong: list[list[str]] = []
    for start, arrow, found, back in steps:
        expected = board.intersection(neighbours(start, ARROWS[arrow]))
        if (found not in expected or back != start) if expected else (found != start and found in board):
            wrong.append([start, arrow, found, back])
    assert len(steps) >= 4 * len(board)
    assert wrong == []


GAMES: dict[str, tuple[dict[str, Any], Neighbours, int]] = {
    "expendibots": ({}, _lettered, 64),
    "expand-conquer": ({"position": "OO*X*OX|*O**X*X|**XX*OX|O**XO*X|OOOOO*X L"}, _in_rows, 35),
    "tic-tac-toe": ({}, _lettered, 9),
    "roboderby": ({"options": {"board": "first-lap", "marks": "fixed"}}, _counted, 144),
}


@pytest.mark.parametrize("game", GAMES)
def test_every_arrow_goes_to_the_adjacent_square(table: Table, game: str) -> None:
    request, neighbours, count = GAMES[game]
    table.sit(table.make(game=game, **request)["seats"][0]["link"])
    assert len(cells(table)) == count
    check_every_step(table, neighbours)


@pytest.mark.parametrize("map_", ["garden3", "lair4"])
def test_every_arrow_goes_to_the_adjacent_hexagon(table: Table, map_: str) -> None:
    """Maps with holes; where two cells are equally near, either."""
    options = {"map": map_, "players": 2}
    table.sit(table.make(game="hexabomb", options=options)["seats"][0]["link"])
    tables = ludarium.game("hexabomb", **options).tables
    assert len(cells(table)) == tables.cells + tables.characters
    check_every_step(table, _hexagons)


def test_a_column_of_hexagons_is_kept(table: Table) -> None:
    """They do not stand one above the other: arrows up and down go to and fro around the line on which they began."""
    table.sit(table.make(game="hexabomb")["seats"][0]["link"])
    assert "0,0" in cells(table)
    go_to(table, "0,0")
    walked = [table.keys("ArrowUp").focused() for _ in range(4)]
    assert walked[1::2] == ["1,-2", "2,-4"]
    assert [table.keys("ArrowDown").focused() for _ in range(4)] == [*walked[2::-1], "0,0"]


def test_a_group_is_pressed_on_any_of_its_squares(table: Table) -> None:
    table.sit(table.make(game="expand-conquer", position="OO*X|*O**|***X L")["seats"][0]["link"])
    assert len(cells(table)) == 12
    go_to(table, "(0,2)")
    assert table.keys("ArrowLeft").focused() == "(0,1)"
    square = table.page.locator('#board [data-cell="(0,1)"]')
    expect(square).to_have_attribute("aria-label", "(0,1), Left, group of 3 stones: (0,0) (0,1) (1,1), fills 4 squares")
    expect(square).to_have_attribute("role", "button")
    expect(table.page.locator("#board .ring")).to_be_visible()
    expect(table.square("(0,0)").locator(".xc-v")).to_have_css("display", "inline")
    table.keys("Enter")
    table.expect_moves(2)
    assert table.focused() == "(0,1)"


def test_a_key_goes_to_the_next_piece_that_can_act(table: Table) -> None:
    table.sit(table.make(game="expand-conquer", position="OO*X*|OO**X|O*X*O L")["seats"][0]["link"])
    table.expect_status("Your turn")
    table.button("Resign").focus()
    assert [table.keys("m").focused() for _ in range(3)] == ["(0,0)", "(2,4)", "(0,0)"]
    assert table.keys("ArrowDown", "ArrowRight").focused() == "(1,1)"
    assert table.keys("m").focused() == "(2,4)", "the rest of a group is no other piece"
    assert [table.keys("Shift+M").focused() for _ in range(2)] == ["(0,0)", "(2,4)"]


def test_the_key_goes_to_where_a_chosen_piece_can_go(table: Table) -> None:
    table.play_from("......../......../......../......../......../......../.B....../W......W w 0")
    table.expect_status("Your turn")
    assert [table.keys("m").focused() for _ in range(2)] == ["a1", "h1"]
    table.keys("Enter")
    assert [table.keys("m").focused() for _ in range(2)] == ["h2", "g1"]
    table.keys("Enter")
    table.expect_moves(2)


def test_characters_on_one_cell_are_reached_by_the_key(table: Table) -> None:
    table.sit(table.make(game="hexabomb")["seats"][0]["link"])
    table.expect_status("Your turn: 0 of 3")
    go_to(table, "0,0")
    assert sorted(table.keys("m").focused() or "" for _ in range(3)) == ["#0", "#1", "#2"]


def test_one_comes_from_the_board_to_what_stands_beside_it_and_back(table: Table) -> None:
    table.sit(table.make(game="roboderby", options={"board": "first-lap", "marks": "fixed"})["seats"][0]["link"])
    assert len(cells(table)) == 144
    table.page.locator("#board [data-pick='d1']").focus()
    for _ in range(20):
        table.keys("ArrowLeft")
        if table.page.evaluate("'cell' in document.activeElement.dataset"):
            break
    label = table.page.evaluate("document.activeElement.ariaLabel")
    assert label.startswith("column 12 row ")
    table.keys("ArrowRight")
    assert table.page.evaluate("Boolean(document.activeElement.dataset.pick)")
