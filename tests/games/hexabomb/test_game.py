"""hexabomb as people and programs see it: texts, options, pictures, what is told about rejected orders."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.errors import BadNotation, BadOption, IllegalAction
from ludarium.games.hexabomb import Simulation
from ludarium.testing.random_games import play_at_random
from tests.folders import DATA, DOCS


@pytest.fixture(scope="module")
def game() -> ludarium.Game:
    return ludarium.game("hexabomb")


@pytest.fixture(scope="module")
def busy(game: ludarium.Game) -> ludarium.State:
    """The first position of a random game with a bomb under a character, an explosion and somebody dead."""
    for step in play_at_random(game.start(), 4).steps:
        record = step.state.record
        dead = (record.revive_delay[: game.tables.characters] >= 0).any()
        on_bomb = any(record.bomb_here[cell] and record.occupant[cell] for cell in range(game.tables.cells))
        if record.exploded and dead and on_bomb and not record.waiting:
            return step.state
    raise AssertionError("no such position")


def test_orders_are_the_originals_json(game: ludarium.Game) -> None:
    state = game.start()
    text = '[{"id":3,"movement":"move","direction":"x-"},{"id":5,"movement":"bomb","bomb_delay":3,"bomb_range":4}]'
    action = state.action(text, 1)
    assert action.index == (4, 0, 8 + 3 + 2)
    assert action.text == text
    assert state.action('{"id": 3, "movement": "move", "direction": "x-", "extra": [1]}', 1).index == (4, 0, 0)
    assert state.action("[]", 1).index == (0, 0, 0)
    assert state.action('[{"id":4,"movement":"none"}]', 1).text == "[]"
    assert [json.loads(one.text)["id"] for one in state.actions(1, slot=2)] == [5] * len(state.actions(1, slot=2))


def test_one_character_a_player_makes_a_flat_list_of_actions() -> None:
    state = ludarium.game("hexabomb", map="tiny2").start()
    assert state.actions(1)[0].text == '[{"id":1,"movement":"none"}]'
    for action in state.actions(1):
        assert isinstance(action.index, int)
        assert state.action(action.text, 1) == state.action(action.index, 1) == action
        assert state.game.picks(state, action)[0] == "#1"
    assert state.action("[]", 1) == state.actions(1)[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("move", "is no JSON; write orders such as"),
        ("[" * 100_000, "is no JSON"),
        ("7", "7 is no list of orders"),
        ('"x"', '"x" is no list of orders'),
        ("[7]", "no order: CharacterActions value is not an object"),
        ('[{"movement":"revive"}]', "Key not found: id"),
        ('[{"id":3}]', "Key not found: movement"),
        ('[{"id":"3","movement":"revive"}]', "id is not a whole number of 32 bits"),
        ('[{"id":3,"movement":"fly"}]', "CharacterMovement does not have a member named 'fly'"),
        ('[{"id":3,"movement":"move","direction":"up"}]', "Cannot read direction='up'"),
        ('[{"id":3,"movement":"bomb","bomb_delay":5,"bomb_range":2}]', "character 3: bomb_delay is a whole number from 2 to 4, not 5"),
        ('[{"id":3,"movement":"bomb","bomb_delay":2,"bomb_range":1}]', "character 3: bomb_range is a whole number from 2 to 4, not 1"),
        ('[{"id":6,"movement":"revive"}]', "there is no character 6; characters are 0 to 5"),
        ('[{"id":3,"movement":"none"},{"id":3,"movement":"none"}]', "two orders for character 3"),
    ],
)
def test_texts_that_are_no_orders(game: ludarium.Game, text: str, said: str) -> None:
    with pytest.raises(BadNotation) as refused:
        game.start().action(text, 1)
    assert said in str(refused.value)


def test_orders_that_are_not_legal(game: ludarium.Game) -> None:
    state = game.start()
    with pytest.raises(IllegalAction, match="character 0 is another player's; this player has 3 to 5"):
        state.action('[{"id":0,"movement":"revive"}]', 1)
    with pytest.raises(IllegalAction, match="not legal here; Orange is to move"):
        state.action('[{"id":3,"movement":"revive"}]', 1)


def test_orders_of_reception(game: ludarium.Game) -> None:
    waiting = game.start().play({0: "[]", 1: "[]"})
    assert waiting.action(" [1, 0] ").text == "[1,0]"
    for wrong in ("[0]", "[0,0]", "[0,true]", "first", "[0.0,1]", "{}", "[0,1,2]"):
        with pytest.raises(BadNotation, match="is no order of players"):
            waiting.action(wrong)


def test_the_text_of_a_state_is_its_json(game: ludarium.Game, busy: ludarium.State) -> None:
    value = json.loads(busy.text)
    assert list(value) == ["bombs", "cell_count", "cells", "characters", "explosions", "score", "mode", "turn"]
    assert value["mode"] == "classic"
    assert " " not in busy.text
    assert value["explosions"]
    shuffled = json.dumps({key: value[key] for key in reversed(value)}, indent=None)
    assert game.parse(shuffled) == busy
    waiting = busy.play({0: "[]", 1: '[{"id":3,"movement":"none"}]'})
    assert json.loads(waiting.text)["orders"] == [[], []]


def edits() -> list[tuple[str, str]]:
    """What is put in the place of a part of the initial position, and what is said about it."""
    return [
        ("turn = 101", "turn is a whole number from 0 to 100, not 101"),
        ("turn = True", "turn is a whole number from 0 to 100, not true"),
        ("mode = 'sudden-death'", "mode is 'classic' in this game, not \"sudden-death\""),
        ("cells = []", "cells is a list of 55 elements"),
        ("cells[0]['color'] = 3", "cells, element 0: color is a whole number from 0 to 2, not 3"),
        ("cells[0]['q'] = 77", "the map has no cell at (77,0)"),
        ("cells[1] = 5", "cells, element 1: 5 is not an object with the keys color, q, r"),
        ("cells[0], cells[1] = cells[1], cells[0]", "comes here: the cells are the map's, sorted by q and r"),
        ("cells[0]['color'] = 1", "cell_count is [3, 3], but the cells have [4, 3] of each colour"),
        ("characters[1]['id'] = 2", "characters, element 1: id is 1, not 2"),
        ("characters[1]['color'] = 2", "characters, element 1: color is 1, not 2"),
        ("characters[1]['alive'] = False", "a character is alive when its revive_delay is -1, and only then"),
        ("characters[1]['alive'] = 1", "a character is alive when its revive_delay is -1, and only then"),
        ("characters[1]['bomb_count'] = 3", "bomb_count is a whole number from 0 to 2, not 3"),
        ("characters[1]['q'], characters[1]['r'] = -4, 1", "character 0 lives on (-4,1) already"),
        ("bombs += [BOMB, BOMB]", "bombs, element 1: there is a bomb on (0,0) already"),
        ("bombs.append(BOMB | {'range': 5})", "bombs, element 0: range is a whole number from 2 to 4, not 5"),
        ("bombs.append(BOMB | {'delay': 0})", "bombs, element 0: delay is a whole number from 1 to 4, not 0"),
        ("bombs.append(BOMB | {'color': 0})", "bombs, element 0: color is a whole number from 1 to 2, not 0"),
        ("explosions = {'3': [PLACE]}", "explosions is an object whose keys are among 0, 1, 2"),
        ("explosions = {'1': []}", 'explosions, "1" is a list of cells, and not empty'),
        ("explosions = {'1': [PLACE], '2': [PLACE]}", "(0,0) does not fit"),
        ("score = {'0': 0}", "score is an object with the keys 0, 1"),
        ("score = {'0': 1, '1': 0}", "score of player 0 is 0, not 1"),
        ("orders = [[], [], []]", "orders is a list of 2 lists, one a player"),
        ("orders = [[], [{'id': 3, 'movement': 'revive'}]]", "orders of player 1: "),
        ("extra = 1", "a state has the keys"),
    ]


@pytest.mark.parametrize(("edit", "said"), edits())
def test_texts_that_are_no_state(game: ludarium.Game, edit: str, said: str) -> None:
    value = json.loads(game.start().text)
    place = {"q": 0, "r": 0}
    tools: dict[str, Any] = {"PLACE": place, "BOMB": {"color": 1, "delay": 3, "range": 2, **place}}
    exec(edit, tools, value)
    with pytest.raises(BadNotation) as refused:
        game.parse(json.dumps(value))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"map": "meadow"}, "hexabomb: File meadow does not exist, and as the name of a map 'meadow' is not one of: garden3,"),
        ({"players": 3}, "hexabomb: map glade2: Too many players (3) for this map (max=2)."),
        ({"map": "meadow4", "mode": "sudden-death"}, "hexabomb: map meadow4: loaded map does not support sudden death mode"),
        ({"turns": 0}, "hexabomb: turns=0 is not a whole number, at least 1, at most 65,535"),
        ({"reception": "fast"}, "hexabomb: reception='fast' is not one of: random, fixed"),
    ],
)
def test_options(options: dict[str, Any], said: str) -> None:
    with pytest.raises(BadOption) as refused:
        ludarium.game("hexabomb", **options)
    assert str(refused.value).startswith(said)


def test_more_players_than_orders_of_reception_can_be_listed() -> None:
    cells = [{"q": q, "r": 0} for q in range(64)]
    wide = json.dumps({"cells": cells, "initial_positions": {str(player): [cells[player]] for player in range(64)}})
    with pytest.raises(BadOption, match="64 players are too many for reception=random, which takes 8"):
        ludarium.game("hexabomb", map=wide)
    crowd = ludarium.game("hexabomb", map=wide, reception="fixed", players=62)
    assert len(set(crowd.player_names)) == 62
    state = play_at_random(crowd.start(), 1, 3).state
    assert list(json.loads(state.text)["score"])[:4] == ["0", "1", "10", "11"]
    assert crowd.parse(state.text) == state
    assert len(Simulation(wide, 64).state()["characters"]) == 64


def test_what_is_told_about_rejected_orders() -> None:
    told: list[tuple[int, str]] = []
    game = Simulation("lair4", 2, 1, lambda player, reason: told.append((player, reason)))
    move = {"movement": "move", "direction": "x+"}
    bomb = {"movement": "bomb", "bomb_delay": 2, "bomb_range": 2}
    game.play(
        [
            {"player_id": 1, "actions": [None, {"id": 1, "movement": "revive"}, {"id": 1, **move}, {"id": 3, **move}, {"id": -1, **move}]},
            {"player_id": 2, "actions": [{"id": 3, **bomb, "bomb_delay": 9}, {"id": 4, **bomb, "bomb_range": -1}, {"id": True, **move}]},
        ]
    )
    assert told == [
        (1, "CharacterActions value is not an object"),
        (1, "Several actions for id=1"),
        (1, "Player with color=2 cannot do actions on character (id=3, color=3)"),
        (1, "Character id=4294967295 does not exist"),
        (2, "id is not a whole number of 32 bits: true"),
        (1, "Character id=1 cannot be revived (game mode is sudden death)"),
        (2, "Character id=3 cannot spawn a bomb (invalid bomb delay 9)"),
        (2, "Character id=4 cannot spawn a bomb (invalid bomb range 4294967295)"),
    ]
    told.clear()
    for _ in range(2):
        game.play([{"player_id": 2, "actions": [{"id": 4, **bomb}]}])
    edge = game.state()["characters"][1]
    assert told == [(2, "Character id=4 cannot spawn a bomb (does not have any bomb)")]
    told.clear()
    game.play([{"player_id": 1, "actions": [{"id": 1, "movement": "move", "direction": "x-"}]}])
    assert told == [(1, f"Character id=1 cannot be moved (no cell at {{q={edge['q'] - 1},r={edge['r']}}})")]


def elements(picture: str) -> dict[str, Any]:
    return {element.attrib["data-pick"]: element for element in xml.fromstring(picture).iter() if "data-pick" in element.attrib}


def test_pictures_name_cells_characters_and_bombs(busy: ludarium.State) -> None:
    found = elements(busy.svg())
    tables, record = busy.game.tables, busy.record
    cells = [f"{q},{r}" for q, r in zip(tables.q, tables.r, strict=True)]
    assert set(found) == {*cells, *(f"#{number}" for number in range(6))}
    for bomb in range(int(record.bombs)):
        label = found[cells[record.bomb_cell[bomb]]].attrib["aria-label"]
        assert f"delay {record.bomb_delay[bomb]}, range {record.bomb_range[bomb]}" in label
    for cell, name in enumerate(cells):
        assert ("exploded" in found[name].attrib["aria-label"]) == bool(record.blast[cell])
    for character in range(6):
        assert ("dead" in found[f"#{character}"].attrib["aria-label"]) == (record.revive_delay[character] >= 0)
        assert found[f"#{character}"] in list(found[cells[record.position[character]]].iter())


def test_pictures_are_to_scale(game: ludarium.Game) -> None:
    """Neighbours in all six directions are equally far apart."""
    found = elements(game.start().svg())

    def middle(name: str) -> complex:
        x, y = found[name].attrib["transform"].removeprefix("translate(").removesuffix(")").split()
        return complex(float(x), float(y))

    distances = [abs(middle(name) - middle("0,0")) for name in ("1,0", "1,-1", "0,-1", "-1,0", "-1,1", "0,1")]
    assert distances == pytest.approx([17.32] * 6, rel=1e-3)
    assert middle("1,-1").imag < middle("0,0").imag < middle("0,1").imag


@pytest.mark.parametrize("name", ["tiny2", "meadow4", "star6"])
def test_terminals_show_a_map_in_eighty_columns(name: str) -> None:
    state = play_at_random(ludarium.game("hexabomb", map=name).start(), 2, 30).state
    lines = str(state).splitlines()
    assert max(map(len, lines)) <= 80
    for number, owner in enumerate("ABCDEF"[: state.game.players]):
        assert any(line.startswith(f"{owner} {state.game.player_names[number]}: score ") for line in lines)


def test_a_wide_map_has_narrow_cells() -> None:
    cells = [{"q": q, "r": 0} for q in range(30)]
    value = {"cells": cells, "initial_positions": {"0": [cells[0]], "1": [cells[29]]}}
    game = ludarium.game("hexabomb", map=json.dumps(value), reception="fixed")
    after = game.start().play({0: 8, 1: "[]"})
    assert str(after).splitlines()[0].rstrip() == "A*" + "· " * 28 + "B"


def test_the_terminal_tells_everything(game: ludarium.Game, busy: ludarium.State) -> None:
    text = str(busy)
    record = busy.record
    assert text.count("!") == int((record.blast[: game.tables.cells] > 0).sum())
    assert text.count("* bomb of ") == int(record.bombs)
    assert text.count(" is dead at ") == int((record.revive_delay[: game.tables.characters] >= 0).sum())
    assert text.splitlines()[-1] == f"Turn {int(record.turn) + 1} of 100: all choose"


def test_facts_and_reasons(busy: ludarium.State) -> None:
    turn, *players = busy.game.facts(busy)
    assert turn == f"Turn {int(busy.record.turn) + 1} of 100"
    assert [fact.split(":")[0] for fact in players] == ["Blue", "Orange"]
    end = play_at_random(ludarium.game("hexabomb", map="tiny2", turns=3).start(), 1).state
    assert end.game.facts(end)[0] == "Turns played: 3 of 3"
    assert end.outcome is not None
    assert end.outcome.reason.startswith("3 turns were played and ")
    assert ">3 turns were played</text>" in end.svg()


def test_the_picture_of_the_documentation_is_what_the_game_draws_now() -> None:
    state = ludarium.game("hexabomb", map="garden3").parse((DATA / "hexabomb" / "picture.json").read_text())
    assert (DOCS / "pictures" / "hexabomb.svg").read_text() == state.svg(size=480) + "\n"


def luminance(colour: str) -> float:
    """As WCAG defines it, of a colour such as ``#c6d0d7``."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("surroundings", ["ground", "panel"])
def test_neutral_cells_stand_out_from_the_page_that_holes_show(game: ludarium.Game, surroundings: str) -> None:
    page = (Path(ludarium.__file__).parent / "web" / "static" / "style.css").read_text()
    behind = re.search(rf"--{surroundings}: light-dark\((#\w+), (#\w+)\)", page)
    assert behind is not None
    cells = re.findall(r"--hb-neutral:(#\w+)", game.start().svg(size=100))[:2]
    for one, other in zip(cells, behind.groups(), strict=True):
        darker, lighter = sorted((luminance(one), luminance(other)))
        assert (lighter + 0.05) / (darker + 0.05) > 1.2
