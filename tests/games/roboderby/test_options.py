"""RoboDerby's options as one value, and the boards that they name."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

import pytest

from ludarium.errors import BadOption
from ludarium.games.roboderby.options import OPTIONS, Rules
from ludarium.games.roboderby.sheets.boards import Deal, board_names, deal_text, demonstration_board, parse_deal
from ludarium.games.roboderby.sheets.tile_sets import load_tiles
from ludarium.games.roboderby.sheets.tiles import MARKS
from tests.folders import DOCS


def test_the_rules_have_exactly_the_options_with_their_defaults() -> None:
    assert [field.name for field in fields(Rules)] == [option.name for option in OPTIONS]
    assert Rules.of() == Rules()
    assert Rules.of().differences() == {}


def test_options_of_two_words_default_to_the_first() -> None:
    for option in OPTIONS:
        if option.kind == "word":
            assert option.default == option.choices[0]
            for choice in option.choices[1:]:
                assert Rules.of(**{option.name: choice}).differences() == {option.name: choice}


@pytest.mark.parametrize("name", board_names())
def test_a_demonstration_board_brings_its_tiles(name: str) -> None:
    rules = Rules.of(board=name)
    deal = rules.fixed_deal()
    assert deal is not None
    assert parse_deal(deal_text(rules.tile_set, deal), rules.tile_set, s_race=False) == deal
    assert Rules.of(board=name, tiles=rules.tiles) == rules


def test_deals_as_they_are_typed() -> None:
    tiles = load_tiles("stand-in")
    full = parse_deal("pits walls start cross @ 0 90 180 270 S", tiles, s_race=False)
    assert full == Deal((1, 2, 0, 3), (0, 1, 2, 3), 2)
    assert deal_text(tiles, full) == "pits walls start cross @ 0 90 180 270 S"
    open_edge = parse_deal(" pits  walls start cross @0 90 180 270", tiles, s_race=False)
    assert open_edge == Deal((1, 2, 0, 3), (0, 1, 2, 3), -1)
    assert deal_text(tiles, open_edge) == "pits walls start cross @ 0 90 180 270"
    assert parse_deal("pits walls start cross W", tiles, s_race=False) == Deal((1, 2, 0, 3), (0, 0, 0, 0), 3)
    assert parse_deal("start pits walls cross N", tiles, s_race=True) == Deal((0, 1, 2, 3), (0, 0, 0, 0), 3)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"screens": True}, "roboderby: screens='True' is not one of: on, off"),
        ({"players": 5}, "roboderby: players=5 is not a whole number, at least 1, at most 4"),
        ({"hack_target": "next-seat"}, "roboderby: option 'hack_target' is not one of: "),
        ({"board": "furnace", "tiles": "stand-in"}, "roboderby: board=furnace is laid with tiles=foundry: leave tiles out"),
        (
            {"board": "back-door", "variant": "s-race"},
            "roboderby: as an S, board='back-door' is not one of: first-lap, hairpin, furnace, chimneys, first-shift, carousel",
        ),
        (
            {"board": "hairpins"},
            "board 'hairpins' is not one of: random, first-lap, hairpin, last-corner, furnace, chimneys, back-door, "
            "first-shift, carousel, overtime, or a deal of four tiles such as 'start pits walls cross @ 0 90 180 270 N'",
        ),
        ({"board": "start pits walls @ 0 0 0 0"}, "board 'start pits walls @ 0 0 0 0' is not one of: random, "),
        ({"board": "start pits walls gate"}, "board 'start pits walls gate': tile 'gate' is not one of: start, pits, walls, cross"),
        ({"board": "start pits walls pits"}, "board 'start pits walls pits' has the tile pits twice"),
        ({"board": "start pits walls cross @ 0 0 0"}, "board 'start pits walls cross @ 0 0 0' has 3 rotations, not 4"),
        ({"board": "start pits walls cross @ 0 0 0 0 X"}, "board 'start pits walls cross @ 0 0 0 0 X': edge 'X' is not one of: N, E, S, W"),
        (
            {"board": "start pits walls cross @ 0 0 0 45"},
            "board 'start pits walls cross @ 0 0 0 45': rotation '45' is not one of: 0, 90, 180, 270",
        ),
        ({"board": "start pits walls cross @ 0 @ 0"}, "board 'start pits walls cross @ 0 @ 0' has more than one @"),
        (
            {"board": "start pits walls cross S"},
            "board 'start pits walls cross S': the start tile start lies at the outer edges N or W, not S",
        ),
        (
            {"board": "pits start walls cross", "variant": "s-race"},
            "board 'pits start walls cross': in the S-race the start tile start comes first",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line(options: dict[str, Any], said: str) -> None:
    with pytest.raises(BadOption) as refused:
        Rules.of(**options).fixed_deal()
    assert str(refused.value).startswith(said)


def test_random_boards_have_no_fixed_deal() -> None:
    assert Rules.of().fixed_deal() is None


def test_four_players_have_four_letters_to_start_from() -> None:
    assert Rules.of(players=2).tile_set.tiles[0].kinds.max() == MARKS[1]
    assert Rules.of(players=3).tile_set.tiles[0].kinds.max() == MARKS[3]


PAGE = DOCS / "roboderby.md"


def table(heading: str) -> list[list[str]]:
    """The rows of the table under a heading of the page."""
    section = PAGE.read_text(encoding="utf-8").split(f"\n{heading}\n")[1].split("\n## ")[0]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in section.splitlines() if line.startswith("| `")]


def test_the_page_tells_every_option_with_what_it_accepts_and_its_default() -> None:
    rows = table("## Options")
    assert [row[0] for row in rows] == [f"`{option.name}`" for option in OPTIONS]
    for (_, accepted, default, what), option in zip(rows, OPTIONS, strict=True):
        assert what
        if option.kind == "word":
            assert re.findall(r"`(.*?)`", accepted) == list(option.choices)
        if option.default is not None:
            assert default == f"`{option.default}`"


def test_the_page_tells_every_board() -> None:
    told = {row[0].strip("`"): row[1:] for row in table("## Boards")}
    assert tuple(told) == board_names()
    for name, (tiles, deal, s_race) in told.items():
        board = demonstration_board(name)
        assert board is not None
        assert (tiles.strip("`"), deal.strip("`"), s_race == "yes") == (board.tiles, board.deal, board.s_race)
