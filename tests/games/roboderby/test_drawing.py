"""Pictures of RoboDerby: what is where, what can be picked, and that nothing concealed is drawn."""

from __future__ import annotations

import json
import math
import re
import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ludarium.core.game import State
from ludarium.core.rules import CHANCE
from ludarium.games.roboderby.drawing.colours import PAINTS, colour
from ludarium.games.roboderby.drawing.icons import die_svg
from ludarium.games.roboderby.execution.beams import beams_of
from ludarium.games.roboderby.game import RoboDerby
from ludarium.games.roboderby.sheets.faces import WAYS
from ludarium.games.roboderby.sheets.tiles import BELTS, MARKS, PIT
from ludarium.games.roboderby.tables import SHUT_DOWN, WRECK
from tests.folders import DOCS
from tests.games.roboderby.belt_tiles import BELT_TILES

SVG = "{http://www.w3.org/2000/svg}"
SIDE = 20

BLUE = {"heading": "E", "health": 4, "lap": 0, "letter": "A", "square": [4, 3], "status": "active"}
ORANGE = {"heading": "N", "health": 2, "lap": 3, "letter": "B", "square": [9, 3], "status": "active"}
PROGRAMS = {
    "dice": [[0, 0, 6, 0, 5], [0, 0, 5, 0, 1]],
    "programming": ["placed", ""],
    "registers": [["1:2", "2:6n", "", "[4:6]"], ["", "[1:4]", "[4:4]", "[2:3]"]],
}


@cache
def game(**options: Any) -> RoboDerby:
    return RoboDerby(**options)


def position(robots: tuple[dict[str, Any], ...] = (BLUE, ORANGE), fields: dict[str, Any] | None = None, **options: Any) -> State:
    """A position of turn 6 on the board ``furnace``, programming unless fields say otherwise."""
    of = game(**{"board": "furnace", **options})
    value = {
        "deal": "gate slag stacks ovens @ 0 0 0 0",
        "phase": "program",
        "robots": robots,
        "rules": of.rules.differences(),
        "start_edge": "N",
        "turn": 6,
        **(PROGRAMS if fields is None else fields),
    }
    return of.parse(json.dumps(value))


def drawn(state: State, **options: Any) -> ElementTree.Element:
    return ElementTree.fromstring(state.svg(**options))


def having(root: ElementTree.Element, name: str) -> dict[str, ElementTree.Element]:
    """The elements with an attribute, by its value."""
    return {element.attrib[name]: element for element in root.iter() if name in element.attrib}


def place(element: ElementTree.Element) -> tuple[float, float]:
    found = re.match(r"translate\((\S+) (\S+)\)", element.attrib["transform"])
    assert found
    return float(found[1]), float(found[2])


def mat(root: ElementTree.Element, player: int) -> ElementTree.Element:
    return having(root, "data-mat")[str(player)]


def labels(element: ElementTree.Element, name: str) -> list[str]:
    return [found.attrib["aria-label"] for found in having(element, name).values()]


def test_robots_stand_in_the_middle_of_their_squares_and_look_where_they_head() -> None:
    root = drawn(position())
    robots = having(root, "data-robot")
    assert [place(robots[number]) for number in "01"] == [(4 * SIDE + 10, 3 * SIDE + 10), (9 * SIDE + 10, 3 * SIDE + 10)]
    turned = [next(one for one in robots[number].iter() if "data-heading" in one.attrib) for number in "01"]
    assert [(one.attrib["data-heading"], one.attrib["transform"]) for one in turned] == [("E", "rotate(90)"), ("N", "rotate(0)")]
    assert robots["0"].attrib["aria-label"] == "Blue, a square robot with the letter A, column 5 row 4, heading east, health 4 of 6"
    assert [robot.attrib["data-piece"] for robot in robots.values()] == ["robot-0", "robot-1"]


def test_robots_differ_in_shape_and_not_only_in_colour() -> None:
    assert (
        len({paint.body for paint in PAINTS})
        == len({colour("fill", f"f{player}") for player in range(4)})
        == len({paint.name for paint in PAINTS})
        == 4
    )


def test_lamps_show_the_health() -> None:
    robots = having(drawn(position()), "data-robot")
    lit = [sum(one.attrib.get("class") in ("rd-on", "rd-low") for one in robots[number].iter()) for number in "01"]
    assert lit == [4, 2]
    assert any(one.attrib.get("class") == "rd-low" for one in robots["1"].iter())


def test_every_square_is_there_once_and_none_where_the_s_has_no_tile() -> None:
    assert sorted(map(int, having(drawn(position()), "data-square"))) == list(range(144))
    race = game(board="furnace", variant="s-race").start()
    squares = {int(square) for square in having(drawn(race), "data-square")}
    assert squares == {18 * y + x for y in range(12) for x in range(18) if (x >= 6 if y < 6 else x < 12)}


def test_walls_are_drawn_once_where_the_state_has_them() -> None:
    root = drawn(position())
    (path,) = (one.attrib["d"] for one in root.iter(f"{SVG}path") if one.attrib.get("class") == "rd-wall")
    segments = re.findall(r"M(\d+) (\d+)([hv])20", path)
    record = position().record
    walls = {(20 * (square % 12), 20 * (square // 12), "h") for square in range(12, 144) if int(record.walls[square]) & 1}
    walls |= {(20 * (square % 12), 20 * (square // 12), "v") for square in range(144) if square % 12 and int(record.walls[square]) & 8}
    assert len(segments) == len(walls) > 20
    assert {(int(x), int(y), way) for x, y, way in segments} == walls


def test_the_aim_ends_at_a_robot_or_at_a_wall() -> None:
    aims = [one.attrib for one in drawn(position()).iter() if one.attrib.get("class", "").startswith("rd-aim")]
    assert [aim["class"] for aim in aims] == ["rd-aim rd-s0", "rd-aim rd-s1"]
    assert aims[0]["d"] == "M99 70L181 70"  # from (4, 3) to the robot on (9, 3)
    assert aims[1]["d"] == "M190 61L190 2"  # to the northern edge


def test_start_and_finish_are_written_on_their_edges() -> None:
    words = [text.text for text in drawn(position()).iter(f"{SVG}text")]
    assert words.count("START") == words.count("FINISH") == 1
    goals = {
        one.attrib["class"]: (one.attrib["cx"], one.attrib["cy"])
        for one in drawn(position()).iter()
        if "rd-goal" in one.attrib.get("class", "")
    }
    assert goals == {"rd-goal rd-s0": ("10", "90"), "rd-goal rd-s1": ("10", "30")}  # A and B on the western edge


def test_own_registers_and_dice_can_be_picked_and_are_named() -> None:
    root = drawn(position(), seat=0)
    picks = having(root, "data-pick")
    assert sorted(picks) == ["d3", "d5", "r1", "r2", "r3", "r4", "roll"]
    assert {name: picks[name].attrib["aria-label"] for name in ("d3", "d5", "r1", "r2", "r3", "r4")} == {
        "d3": "die 3: CMT, priority 30, comment",
        "d5": "die 5: U, priority 1, U-turn, with laser",
        "r1": "register r1: F2, priority 21, 2 forward",
        "r2": "register r2: NO-OP, 27, invert (INV)",
        "r3": "register r3: empty",
        "r4": "register r4: locked, REV, priority 10, reverse, with laser",
    }
    assert "NO-OP" in [text.text for text in picks["r2"].iter(f"{SVG}text")]
    assert list(having(root, "data-mat")) == ["0", "1"]


def test_the_dice_of_the_picture_are_those_that_can_be_placed() -> None:
    state = position()
    picks = having(drawn(state), "data-pick")
    assert {game(board="furnace").picks(state, action)[0] for action in state.actions(0)} == {
        pick for pick in picks if not pick.startswith("r") or pick == "roll"
    }


ALL_WITH_LASERS = """
[[die]]
faces = ["F1 15*", "F2 21*", "F3 25*", "L 2*", "R 3*", "CMT 29*"]
[[die]]
faces = ["SL 11*", "SR 12*", "U 1*", "REV 10*", "INV 27*", "L 34*"]
[[die]]
faces = ["F1 17", "F2 23", "L 6", "R 7", "SR 13", "CMT 30"]
[[die]]
faces = ["F1 18", "F2 24", "F3 26", "SL 14", "SR 16", "REV 19"]
[[die]]
faces = ["F1 31", "F1 20", "L 8", "R 9", "U 32", "INV 28"]
"""


def outline(path: str) -> list[tuple[float, float]]:
    """The corners of a path, and a point halfway along each arc."""
    x = y = 0.0
    points: list[tuple[float, float]] = []
    for letter, listed in re.findall(r"([a-zA-Z])([^a-zA-Z]*)", path):
        numbers = [float(number) for number in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", listed)]
        size = {"h": 1, "v": 1, "a": 7, "z": 0}.get(letter.lower(), 2)
        for at in range(0, len(numbers), size or 1):
            part = numbers[at : at + size]
            from_x, from_y = (x, y) if letter.islower() else (0.0, 0.0)
            was_x, was_y = x, y
            x, y = {"h": (from_x + part[0], y), "v": (x, from_y + part[-1])}.get(letter.lower(), (from_x + part[-2:][0], from_y + part[-1]))
            if letter.lower() == "a":
                chord = math.hypot(x - was_x, y - was_y)
                bulge = (part[0] - math.sqrt(max(0.0, part[0] ** 2 - chord**2 / 4))) / chord * (1 if part[4] else -1)
                points.append(((was_x + x) / 2 + bulge * (y - was_y), (was_y + y) / 2 - bulge * (x - was_x)))
            points.append((x, y))
    return points


def nearest(points: list[tuple[float, float]], x: float, y: float) -> float:
    """How near the polygon through points comes to a place."""
    steps = [number / 40 for number in range(41)]
    pairs = list(zip(points, [*points[1:], points[0]], strict=True))
    return min(math.hypot(a + (c - a) * step - x, b + (d - b) * step - y) for (a, b), (c, d) in pairs for step in steps)


def writing(text: ElementTree.Element, size: float, width: float, *, ends: bool = False) -> list[tuple[float, float]]:
    """The box of a text: bold letters are at most 0.73 of their size high, and so much of it wide each as is told."""
    x, y, wide = float(text.attrib["x"]), float(text.attrib["y"]), width * size * len(text.text or "")
    left = x - wide if ends else x - wide / 2
    return [(left, y), (left, y - 0.73 * size), (left + wide, y - 0.73 * size), (left + wide, y)]


@pytest.mark.parametrize("face", range(11))
def test_the_star_of_a_die_lies_beside_its_command_and_priority(face: int) -> None:
    tables = game(dice=ALL_WITH_LASERS).tables
    root = ElementTree.fromstring(f"<svg>{die_svg(tables, 0, face // 6 + 1, face % 6 + 1)}</svg>")
    (burst,) = (one for one in root.iter() if one.attrib.get("class") == "rd-burst")
    star = outline(burst.attrib["d"])
    across, down = sum(x for x, _ in star) / len(star), sum(y for _, y in star) / len(star)
    radius = max(math.hypot(x - across, y - down) for x, y in star)
    assert radius > 3.3  # it can be seen on small mats
    assert max(x for x, _ in star) <= 20
    assert min(y for _, y in star) >= 0
    drawn_there = [writing(text, 5.2, 0.7, ends=True) for text in root.iter("text") if "rd-p" in text.attrib["class"]]
    drawn_there += [writing(text, 11, 0.4) for text in root.iter("text") if text.attrib["class"] == "rd-sign"]
    for group in root.iter("g"):
        left, top, scale = (float(number) for number in re.findall(r"[\d.]+", group.attrib["transform"]))
        shapes = [outline(path.attrib["d"]) for path in group.iter("path")] + [writing(one, 8.6, 0.58) for one in group.iter("text")]
        drawn_there += [[(left + scale * x, top + scale * y) for x, y in shape] for shape in shapes]
    assert len(drawn_there) >= 2
    assert min(nearest(points, across, down) for points in drawn_there) > radius


def test_the_button_to_roll_again_is_there_when_it_may_be_used() -> None:
    fresh = {
        "dice": [[2, 6, 6, 0, 5], PROGRAMS["dice"][1]],
        "programming": ["", ""],
        "registers": [["", "", "", "[4:6]"], PROGRAMS["registers"][1]],
    }
    assert "roll" not in having(drawn(position(fields=fresh)), "data-pick")
    assert "roll" in having(drawn(position()), "data-pick")


def test_the_one_who_looks_comes_first() -> None:
    root = drawn(position(), seat=1)
    assert list(having(root, "data-mat")) == ["1", "0"]
    assert having(root, "data-pick")["d3"].attrib["aria-label"] == "die 3: SR, priority 12, shift right"


@pytest.mark.parametrize("seat", [0, 1])
def test_concealed_dice_lie_face_down_and_pictures_tell_nothing_of_them(seat: int) -> None:
    state = position()
    other = 1 - seat
    root = drawn(state.seen_by(seat), seat=seat)
    assert "die 3: not to be seen" in labels(mat(root, other), "data-die")
    assert [text.text for text in mat(root, other).iter(f"{SVG}text")].count("?") == (4 if other == 0 else 2)
    changed = json.loads(state.text)
    changed["dice"][other] = [[2, 2, 1, 0, 1], [0, 0, 6, 0, 6]][other]
    changed["registers"][other] = [["", "", "", "[4:6]"], PROGRAMS["registers"][1]][other]
    changed["programming"][other] = ""
    elsewise = game(board="furnace").parse(json.dumps(changed))
    assert elsewise != state
    assert elsewise.seen_by(seat).svg(seat=seat) == state.seen_by(seat).svg(seat=seat)
    assert str(elsewise.seen_by(seat)) == str(state.seen_by(seat))


def test_a_program_that_is_locked_in_lies_face_down_in_its_registers() -> None:
    fields = {
        "dice": [[0, 0, 6, 0, 5], [0, 0, 0, 0, 1]],
        "programming": ["placed", "ready"],
        "registers": [PROGRAMS["registers"][0], ["3:5", "[1:4]", "[4:4]", "[2:3]"]],
    }
    state = position(fields=fields).seen_by(0)
    assert labels(mat(drawn(state), 1), "data-register") == [
        "register r1: face down",
        "register r2: locked, L, priority 2, turn left",
        "register r3: locked, SL, priority 13, shift left, with laser",
        "register r4: locked, L, priority 4, turn left, with laser",
    ]
    assert str(state).endswith("    ??  [L 2]  [SL 13*]  [L 4*]")


def test_the_ground_is_told_in_words() -> None:
    """Those who hear the board plan with it: what is named here are all pits, walls, belts and lasers that rules know."""
    state = of_the_documentation()["roboderby-belts"]
    record, tables = state.record, state.game.tables
    told = next(one.attrib["aria-label"] for one in drawn(state).iter() if one.attrib.get("aria-label", "").startswith("Board of"))
    found = dict(part.split(" ", 1) for part in told.split("; ")[3:] if not part.startswith("tile "))
    width = tables.width
    kinds = {f"{square % width + 1} {square // width + 1}": int(record.kinds[square]) for square in range(tables.squares)}
    assert found["pits"].split(", ") == [name for name, kind in kinds.items() if kind == PIT]
    belts = [f"{name} to the {WAYS[kind - BELTS[0]]}" for name, kind in kinds.items() if kind in BELTS]
    assert found["belts"].split(", ") == belts
    assert len(found["lasers"].split(", ")) == len(beams_of(tables, record)) > 0
    assert len(found["letters"].split(", ")) == sum(kind >= MARKS[0] for kind in kinds.values())
    assert "start at the western edge of the start tile, finish at the" in told
    assert [part[:7] for part in told.split("; ") if part.startswith("tile ")] == ["tile 1 ", "tile 2 ", "tile 3 ", "tile 4 "]
    for wall in found["walls"].split(", "):
        way, column, row = re.fullmatch(r"(\w+) of (\d+) (\d+)", wall).groups()  # type: ignore[union-attr]
        assert int(record.walls[(int(row) - 1) * width + int(column) - 1]) >> WAYS.index(way) & 1


def test_wrecks_and_robots_that_have_shut_down_are_told() -> None:
    records = position().copy_records()
    records[0].status[:2] = SHUT_DOWN, WRECK
    state = State(game(board="furnace"), records)
    robots = having(drawn(state), "data-robot")
    assert robots["0"].attrib["aria-label"].endswith("health 4 of 6, shut down")
    assert robots["1"].attrib["aria-label"] == "Orange, a round robot with the letter B, column 10 row 4: a wreck"
    assert not [one for one in drawn(state).iter() if one.attrib.get("class", "").startswith("rd-aim")]
    assert not [one for one in robots["1"].iter() if one.attrib.get("class") == "rd-lamps"]
    assert {"shut down", "a wreck"} <= {text.text for text in drawn(state).iter(f"{SVG}text")}
    assert " Bx " in str(state)


def test_before_the_deal_the_tiles_lie_face_down_and_nobody_stands_on_them() -> None:
    root = drawn(game().start())
    assert not having(root, "data-square")
    assert not having(root, "data-robot")
    assert [text.text for text in root.iter(f"{SVG}text")].count("?") == 4


def test_the_first_player_picks_the_start_edge_on_the_board() -> None:
    state = game(board="pits walls start cross", start_edge="choose").start()
    picks = having(drawn(state), "data-pick")
    assert {action.text for action in state.actions()} <= set(picks)


def test_edges_that_are_pits_are_marked() -> None:
    assert [one for one in drawn(position(pit_edges="on")).iter() if one.attrib.get("class") == "rd-hazard"]
    assert not [one for one in drawn(position()).iter() if one.attrib.get("class") == "rd-hazard"]


def test_walls_on_the_rim_are_drawn_where_the_board_ends_in_pits() -> None:
    """The tile at the bottom left has two at its southern edge; where the board ends in walls, the frame stands for them."""

    def walls_below(state: State) -> int:
        (path,) = (one for one in drawn(state).iter() if one.attrib.get("class") == "rd-wall")
        return len(re.findall(rf"M\d+ {12 * SIDE}h", path.attrib["d"]))

    assert walls_below(position(pit_edges="on")) == 2
    assert walls_below(position()) == 0


def belt_board(**options: Any) -> State:
    """Belts and lasers on tiles that are turned, each another way."""
    return game(**{"tiles": BELT_TILES, "board": "start rollers chutes sorter @ 0 90 180 270 N", "marks": "fixed", **options}).start()


def belt_parts(state: State, name: str) -> list[tuple[tuple[int, int], int, str]]:
    """Of a group: the square of each part (column and row), the direction to which it is turned, and its path."""
    (group,) = [one for one in drawn(state).iter() if one.attrib.get("class") == name]
    found = []
    for part in group:
        x, y = place(part)
        turn = re.search(r"rotate\((\d+) 10 10\)", part.attrib["transform"])
        found.append(((int(x) // SIDE, int(y) // SIDE), int(turn[1]) // 90 if turn else 0, part.attrib.get("d", "")))
    return found


def test_chevrons_point_where_belts_run_on_turned_tiles_too() -> None:
    state = belt_board()
    chevrons = {at: direction for at, direction, _ in belt_parts(state, "rd-chevron")}
    assert {at: chevrons[at] for at in [(11, row) for row in range(6)]} == dict.fromkeys(
        [(11, row) for row in range(6)], 2
    )  # east in the file
    assert [chevrons[at] for at in ((2, 1), (1, 7), (1, 9), (6, 8), (9, 8))] == [1, 2, 0, 3, 1]
    kinds = [int(kind) for kind in state.record.kinds[:144]]
    assert chevrons == {(square % 12, square // 12): kind - BELTS[0] for square, kind in enumerate(kinds) if kind in BELTS}


def test_a_belt_is_joined_with_the_one_that_it_leads_to() -> None:
    head_on = BELT_TILES.replace(" . . v . . .", " > < v . . .", 1)
    plates = belt_parts(belt_board(tiles=head_on.replace(" A . > . . B", " A . > >|> B")), "rd-belt")
    belts = plates[: len({at for at, *_ in plates})]
    assert len({path for *_, path in belts}) == 1
    joined = {(at, direction) for at, direction, _ in plates[len(belts) :]}
    on_the_start_tile = {one for one in joined if max(one[0]) < 6}
    assert on_the_start_tile == {((2, 2), 2), ((2, 3), 2), ((2, 4), 1)}  # neither head-on, nor to a mark, nor through a wall
    assert {((6, 6), 0), ((10, 6), 0)} <= joined  # from tile to tile


def test_lasers_stand_behind_their_beams_which_end_at_walls() -> None:
    state = belt_board()
    assert [(at, direction) for at, direction, _ in belt_parts(state, "rd-emitter")] == [
        ((11, 0), 3),
        ((7, 1), 2),
        ((0, 9), 1),
        ((1, 7), 1),
        ((7, 8), 3),
        ((7, 11), 0),
    ]
    (ray,) = (one.attrib["d"] for one in drawn(state).iter(f"{SVG}path") if one.attrib.get("class") == "rd-ray")
    assert ray.split("M")[1:] == ["232 10h-232", "150 28v52", "8 190h232", "28 150h212", "152 170h-152", "150 232v-152"]


def test_boards_without_belts_and_lasers_show_none() -> None:
    for root in (drawn(position()), drawn(game(tiles=BELT_TILES).start())):  # which is not dealt yet
        assert not {one.attrib.get("class") for one in root.iter()} & {"rd-belt", "rd-chevron", "rd-ray", "rd-emitter"}
    assert "Lasers" not in str(position())


def test_heat_maps_show_where_belts_run_beside_their_numbers() -> None:
    from ludarium.games.roboderby.options import Rules
    from ludarium.labs.roboderby.par.heat_map import heat_map
    from ludarium.labs.roboderby.par.pars import pars

    rules = Rules.of(tiles=BELT_TILES, board="start rollers chutes sorter @ 0 90 180 270 N", variant="s-race")
    root = ElementTree.fromstring(heat_map(rules, pars(rules)))
    groups = [one for one in root.iter() if one.attrib.get("class") == "rd-tip"]
    belts = sum(BELT_TILES.count(sign) for sign in "^v<>")
    assert [len(group) for group in groups] == [belts, belts]


def test_belts_and_lasers_on_a_terminal() -> None:
    lines = str(belt_board()).splitlines()
    assert lines[1] == "| .   Av  .   .   Bv  .   >   >   >   >   >  !v |"
    assert lines[8] == "| .  !v   .   .   v   .   .   ^   .   ^   .   ^ |"
    assert lines[10] == "|!.   ^   .   .  ###  .   .   .   .   .  ###  . |"
    assert lines[12] == "|_._ _^_ _._ _._ _^_ _._ _v_ !._ _v_ _._ _v_ _._|"
    assert lines[13] == "Lasers shine from 11,0,W 7,1,S 0,9,E 1,7,E 7,8,W 7,11,N"
    assert lines[14].startswith("Turn 1 of 200: from the edge N of the tile with marks")
    many = "\n".join(f"laser: {x},{y},E" for x in range(6) for y in range(6))
    lines = str(belt_board(tiles=BELT_TILES.replace("name: start", f"name: start\n{many}"))).splitlines()
    assert max(map(len, lines)) <= 80
    told = " ".join(line.strip() for line in lines[13:17])
    assert told.startswith("Lasers shine from 0,0,E 0,1,E 0,2,E")
    assert told.endswith(" 5,5,E 11,0,W 7,1,S 0,9,E 1,7,E 7,8,W 7,11,N")
    assert told.count(",E") == 38


def test_lasers_on_pits_and_below_robots_on_a_terminal() -> None:
    tiles = BELT_TILES.replace("name: start", "name: start\nlaser: 1,0,E").replace("laser: 5,2,W", "laser: 1,2,W")
    lines = str(belt_board(tiles=tiles)).splitlines()
    assert lines[1] == "| .  !Av  .   .   Bv  .   >   >   >   >   >  !v |"
    assert lines[10] == "| .   ^   .   .  !##  .   .   .   .   .  ###  . |"
    assert {len(line) for line in lines[:13]} == {49}


def test_where_robots_fill_their_squares_on_a_terminal_lasers_stand_beside_the_other_signs(tmp_path: Path) -> None:
    wide = tmp_path / "wide.tiles"
    wide.write_text("\n\n".join(text.replace("name: t0", "name: t0\nlaser: 2,0,E\nlaser: 7,2,S\nlaser: 0,2,N") for text in wide_tiles()))
    lines = str(RoboDerby(tiles=str(wide), variant="s-race", board="t0 t1 t2 t3 @ 0 0 0 0 W", marks="fixed").start()).splitlines()
    assert lines[17].startswith("|.  .  !a .  .  b  .")
    assert lines[21].startswith("|B> .  .  .  .  .  .  !a .")
    assert lines[33] == "Lasers shine from 2,8,E 7,10,S 0,10,N"


def test_the_board_of_a_terminal() -> None:
    lines = str(position()).splitlines()
    assert lines[0] == " ___" * 12 + " "
    assert lines[1] == "| .   a   .   .   b   .   .   .   .   .   .  ###|"
    assert lines[3] == "| .   .   .   . | .   .   .   .   .   .   .   . |"
    assert lines[4] == "| .   . | .  _._  A>  .   .   .  ###  B^  .   . |"
    assert lines[6] == "|_._  b   .   .   a  _._ ###  .   .   .   .   . |"
    assert lines[12] == "|_._ _._ _._ _._ _._ _._ _#_ _._ _._ _._ _._ _._|"
    assert lines[13:] == [
        "Turn 6 of 200: from the edge N of the tile with marks once around to its edge W.",
        "A Blue  health 4 of 6, tile 1 of 4",
        "    F2 21  NOOP(INV 27)  --  [REV 10*]   in hand 3: CMT 30, 5: U 1*",
        "B Orange  health 2 of 6, tile 4 of 4",
        "    --  [L 2]  [SL 13*]  [L 4*]   in hand 3: SR 12, 5: F1 19",
    ]
    rows = str(position(pit_edges="on")).splitlines()[:13]
    assert rows[0] == " ~~~" * 12 + " "
    assert rows[12] == ":_._ ~.~ ~.~ ~.~ ~.~ _._ ~#~" + " ~.~" * 5 + ":", "walls of the tile at the bottom left"


def test_the_board_of_four_robots_fits_a_terminal_of_24_lines() -> None:
    text = str(game(players=4, board="furnace").start(1))
    assert len(text.splitlines()) <= 24 - len(["Orange has decided whether to shut down", "Blue> "])
    assert max(map(len, text.splitlines())) <= 80


def wide_tiles() -> list[str]:
    """Four tiles of 8 by 8 squares."""
    plain = "\n".join(["+ " * 8 + "+", *([" ." * 8, "+ " * 8 + "+"] * 8)])
    marked = plain.split("\n")
    marked[1], marked[15] = " . . A . . B . .", " . . B . . A . ."
    marked[5], marked[11] = " B . . . . . . A", " A . . . . . . B"
    return [f"name: t{number}\n\n{text}" for number, text in enumerate(["\n".join(marked), plain, plain, plain])]


def test_no_line_of_a_terminal_board_is_wider_than_80_columns(tmp_path: Path) -> None:
    wide = tmp_path / "wide.tiles"
    wide.write_text("\n\n".join(wide_tiles()) + "\n")
    for variant in ("lap", "s-race"):
        state = RoboDerby(tiles=str(wide), variant=variant, board="t0 t1 t2 t3 N", marks="fixed").start()
        lines = str(state).splitlines()
        assert max(map(len, lines)) <= 80
        assert len({len(line) for line in lines[: 17 if variant == "lap" else 25]}) == 1
        assert ">" in str(state) if variant == "s-race" else "Av" in str(state)


def test_pictures_are_drawn_all_through_a_game() -> None:
    state = game(players=3, board="hairpin", screens="off", turn_limit=3).start()
    drawn(state)
    for step in range(400):
        if state.is_over:
            break
        if state.to_move == (CHANCE,):
            outcomes = state.outcomes()
            state = state.play(outcomes[step % len(outcomes)][0])
        else:
            state = state.play({player: state.actions(player)[step % len(state.actions(player))] for player in state.to_move})
        assert len(having(drawn(state, seat=step % 3), "data-mat")) == 3
        assert (state.game.reason(state) if state.is_over else f"Turn {int(state.record.turn)} of 3: ") in str(state)
    assert state.is_over


def of_the_documentation() -> dict[str, State]:
    """The positions of the documentation's pictures."""
    fields = {
        "dice": [[0, 0, 6, 0, 5], [0, 0, 0, 0, 1]],
        "programming": ["placed", "ready"],
        "registers": [PROGRAMS["registers"][0], ["3:5", "[1:4]", "[4:4]", "[2:3]"]],
    }
    robots = ({**BLUE, "lap": 1, "square": [8, 4]}, {**ORANGE, "health": 6, "lap": 1, "square": [6, 4]})
    on_carousel = {
        "deal": "dock loops sorter presses @ 0 270 270 270",
        "dice": [[0, 0, 0, 0, 2], [0, 0, 0, 6, 0]],
        "phase": "shutdown",
        "programming": ["", ""],
        "registers": [["1:2n", "3:6", "4:2n", "[2:5]"], ["3:2", "5:5n", "2:2", "1:2n"]],
        "start_edge": "W",
        "turn": 3,
    }
    return {
        "roboderby": position((BLUE, {**ORANGE, "square": [9, 5]}), fields).seen_by(0),
        "roboderby-belts": position(robots, on_carousel, board="carousel"),
    }


@pytest.mark.parametrize("name", ["roboderby", "roboderby-belts"])
def test_the_pictures_of_the_documentation_are_what_the_game_draws_now(name: str) -> None:
    picture = DOCS / "pictures" / f"{name}.svg"
    assert picture.read_text() == of_the_documentation()[name].svg(size=480) + "\n"
