"""Pictures of Expendibots positions."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

import ludarium
from tests.folders import DOCS

SVG = "{http://www.w3.org/2000/svg}"
STACKS = "......../B..BB(4).B./...W(2)..../..B(2)...../...W(4)..B./W(3)......./......../W.W..B(2).W w 0"


@pytest.fixture(scope="module")
def game():
    return ludarium.game("expendibots")


def squares(picture: str) -> dict[str, ElementTree.Element]:
    root = ElementTree.fromstring(picture)
    return {element.attrib["data-pick"]: element for element in root.iter() if "data-pick" in element.attrib}


def corner(element: ElementTree.Element) -> str:
    return element.attrib["transform"]


def test_every_square_can_be_picked_and_is_named(game):
    found = squares(game.parse(STACKS).svg())
    assert sorted(found) == sorted(file + rank for file in "abcdefgh" for rank in "12345678")
    labels = {name: element.attrib["aria-label"] for name, element in found.items()}
    assert labels["a1"] == "a1, one white token"
    assert labels["a3"] == "a3, white stack of 3"
    assert labels["e7"] == "e7, black stack of 4"
    assert labels["b2"] == "b2, empty"
    for element in found.values():
        surface = element.find(f"{SVG}rect")
        assert surface is not None
        assert surface.attrib["width"] == surface.attrib["height"] == "20"


def test_heights_are_written_and_the_sides_differ_in_shape(game):
    found = squares(game.parse(STACKS).svg())
    assert [text.text for text in found["d4"].iter(f"{SVG}text")] == ["4"]
    assert not list(found["a1"].iter(f"{SVG}text"))
    white, black = (next(found[name].iter(f"{SVG}path")).attrib["d"] for name in ("a1", "a7"))
    assert "a6.4" in white
    assert "a6.4" not in black


def test_the_other_seat_sees_the_board_turned(game):
    state = game.start()
    white, black = squares(state.svg(seat=0)), squares(state.svg(seat=1))
    assert corner(white["a1"]) == corner(black["h8"]) == "translate(0 140)"
    assert corner(white["h1"]) == corner(black["a8"]) == "translate(140 140)"


def test_the_last_move_and_the_last_boom_are_marked(game):
    state = game.start()
    move = state.action("a2-a3")
    found = squares(state.play(move).svg(last=move))
    marks = {
        name: [r.attrib["class"] for r in element.iter(f"{SVG}rect") if "xb-m" in r.attrib.get("class", "")]
        for name, element in found.items()
    }
    assert {name: classes for name, classes in marks.items() if classes} == {"a2": ["xb-m xb-o"], "a3": ["xb-m"]}
    boom = state.action("h2!")
    picture = state.play(boom).svg(last=boom)
    assert picture.count('class="xb-c"') == 1
    assert 'class="xb-z" d="M120.6 100.6H159.4V159.4H120.6z"' in picture


def test_a_picture_is_small(game):
    state = game.start()
    move = state.action("a2-a3")
    assert len(state.play(move).svg(last=move)) < 16_000
    assert 'width="300" height="300"' in state.svg(size=300)


def test_the_terminal_board_tells_everything_without_colours(game):
    state = game.parse(STACKS)
    boom = state.action("c1!")
    lines = game.board(state.play(boom), last=boom).plain.splitlines()
    assert lines[1] == " 7  B    ·    ·    B    B4   ·    B    ·   "
    assert lines[7] == " 1  W    ·   [·]   ·    ·    B2   ·    W   "
    assert lines[-1] == "Black to move"
    tall = game.parse("B......./......../......../......../......../......../......../W(12)....... w 0")
    move = tall.action("12a1-a2")
    assert game.board(tall.play(move), last=move).plain.splitlines()[6] == " 2 [W12] ·    ·    ·    ·    ·    ·    ·   "
    turned = game.board(state, seat=1).plain.splitlines()
    assert turned[0] == " 1  W    ·    B2   ·    ·    W    ·    W   "
    assert turned[8].split() == list("hgfedcba")


def test_the_picture_of_the_readme_is_what_the_game_draws_now(game):
    state = game.parse("BB..B.../B..B(2)B.B(2)B/.......B/...W(2)..../....B.../...W(3)..../W...W.../W.W.W..W b 21")
    action = state.action("2d7-d6")
    picture = DOCS / "pictures" / "board.svg"
    assert picture.read_text() == state.play(action).svg(size=480, last=action) + "\n"
