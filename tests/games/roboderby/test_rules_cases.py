"""RoboDerby's rules, case by case: the files of ``cases`` are played and compared."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.games.roboderby.case import CASES, Laser, Place, Turn, Word, read_case, read_robot, read_word
from tests.games.roboderby.table import Table, differences

FILES = sorted(CASES.glob("*.case"))
WORKED_EXAMPLE = re.findall(r"```\n(.*?)```", (CASES / "README.md").read_text(encoding="utf-8"), re.DOTALL)[0]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    case = read_case(path.stem, path.read_text(encoding="utf-8"))
    table = Table(case)
    turns = 0
    for event in case.events:
        if isinstance(event, Turn):
            turns += 1
            table.play_turn(event)
        else:
            assert differences(table, event) == [], f"{case.title}: after turn {turns}"


def test_every_case_says_what_comes_out() -> None:
    for path in FILES:
        case = read_case(path.stem, path.read_text(encoding="utf-8"))
        assert case.events
        assert isinstance(case.events[0], Turn)
        assert not isinstance(case.events[-1], Turn)
        assert int(path.stem[:2]) in case.rules


ELSEWHERE = {4, 6, 7, 8}
"""Dice faces and the setup, in ``test_rules_setup.py``; what is hidden, in ``test_hidden.py``."""


def test_every_rule_has_a_case() -> None:
    """The numbered rules are 1 to 43, and belts and lasers of the board, our own, 44 and 45."""
    covered = {rule for path in FILES for rule in read_case(path.stem, path.read_text(encoding="utf-8")).rules}
    assert covered | ELSEWHERE == set(range(1, 46))


def test_the_example_of_the_format() -> None:
    case = read_case("example", WORKED_EXAMPLE)
    assert case.title == "A robot that is pushed keeps its heading"
    assert (case.rules, case.options) == ((26,), {"players": "3"})
    assert case.drawings[0].rows == ("+ + + + +", " . .|. O ", "+ + + + +")
    assert [(robot.letter, robot.health, robot.lap) for robot in case.robots] == [("A", 6, None), ("B", 3, 1)]
    assert case.robots[1].mat == (Word("L", 2), Word("L", 4), Word("R", 5, locked=True), Word("U", 1, locked=True))
    turn = case.events[0]
    assert isinstance(turn, Turn)
    assert turn.players["A"].program == (Word("F1", 15), Word(noop=True), Word("R", 5, noop=True), Word("F1", 18))
    assert (turn.players["A"].unused, turn.players["B"].shutdown, turn.roll_offs) == (5, True, ["A:17 B:4"])
    assert len(case.events) == 3


def test_lasers_of_a_case() -> None:
    case = read_case("beam", "Rule 45: A beam\n\nlasers:\n(3,2) E\n(3,2) S\n\nboard (0,0):\n+ +\n v\n+ +")
    assert case.lasers == [Laser(Place(3, 2), "E"), Laser(Place(3, 2), "S")]
    assert case.drawings[0].rows == ("+ +", " v ", "+ +")


@pytest.mark.parametrize("text", ["F1", "F4:15", "[NOOP]", "NOOP(R)", "NOOP(R:5", "[U:1", "U:1]", "(R:5)", "[NOOP(R:5)]"])
def test_words_that_are_no_register(text: str) -> None:
    with pytest.raises(ValueError, match="is no register such as F1:15"):
        read_word(text)


@pytest.mark.parametrize("line", ["A", "E (1,2) N", "A 1,2 N", "A (1,2) Q", "A (1,2) N speed 3", "A (1,2) N mat - - -"])
def test_lines_that_are_no_robot(line: str) -> None:
    with pytest.raises(ValueError, match="'"):
        read_robot(line)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A push", "the first line is not 'Rule 26"),
        ("Rule 26: A push\n\nboard:\n+ +", "a board, and only that, has a place"),
        ("Rule 26: A push\n\nboard (0,0):\n+ +\n .", "an odd number of rows"),
        ("Rule 26: A push\n\nboard (0,0):\n+ +\n X\n+ +", "'X' is none of"),
        ("Rule 45: A beam\n\nlasers:\n(3,2) NE", "is not a laser such as '\\(3,2\\) E'"),
        ("Rule 45: A beam\n\nlasers:\n3,2 N", "'3,2' is not a square such as"),
        ("Rule 45: A beam\n\nlasers (3,2):\nN", "a board, and only that, has a place"),
        ("Rule 26: A push\n\nturn:\nE F1:15", "does not begin with a robot's letter"),
        ("Rule 26: A push\n\nthen:\n\nends: draw", "nothing stands under then"),
    ],
)
def test_texts_that_are_no_case(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_case("wrong", text)
