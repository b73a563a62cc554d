"""Orders that were given and wait for the order of reception are on the picture; nothing of them before and after."""

from __future__ import annotations

from xml.etree import ElementTree

import ludarium

MOVE = '[{"id":0,"movement":"move","direction":"x+"},{"id":1,"movement":"bomb","bomb_delay":3,"bomb_range":2}]'


def layer(state: ludarium.State) -> list[ElementTree.Element]:
    """The paths and circles of orders."""
    classes = ("hb-o", "hb-q")
    tree = ElementTree.fromstring(state.svg())
    return [one for one in tree.iter() if one.get("class", "").split(" ")[0] in classes or one.get("r") == "3.8"]


def test_arrows_and_bombs_show_what_was_ordered() -> None:
    start = ludarium.game("hexabomb").start()
    assert layer(start) == []
    waiting = start.play({0: MOVE, 1: '[{"id":3,"movement":"move","direction":"x-"}]'})
    rims, lines = ([one for one in layer(waiting) if one.get("class", "").startswith(name)] for name in ("hb-o", "hb-q"))
    assert len(rims) == 2  # one path a player
    assert {one.get("class") for one in lines} == {"hb-q hb-e0", "hb-q hb-e1"}
    assert [one.get("class") for one in layer(waiting) if one.tag.endswith("circle")] == ["hb-b hb-e0"]
    assert layer(waiting.play("[0,1]")) == []


def test_an_arrow_ends_near_the_middle_of_the_cell_it_leads_to() -> None:
    start = ludarium.game("hexabomb", map="tiny2").start()
    waiting = start.play({0: '[{"id":0,"movement":"move","direction":"x+"}]', 1: "[]"})
    (rim, _) = layer(waiting)
    assert start.game.tables.neighbour[int(start.record.position[0]), 0] >= 0
    begin, end = (tuple(map(float, point.split(" "))) for point in rim.get("d", "").split("M")[1].split("L"))
    assert end[1] == begin[1]
    assert 5 < end[0] - begin[0] < 17.32
