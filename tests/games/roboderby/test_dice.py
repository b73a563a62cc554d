"""RoboDerby's dice: the TOML of a set, and what is refused and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludarium.errors import BadOption
from ludarium.games.roboderby.notation.program_text import whole_face_text
from ludarium.games.roboderby.sheets.dice import load_dice
from ludarium.games.roboderby.sheets.faces import COMMANDS
from tests.folders import DOCS

SET = """\
note = "made for this test"  # faces = [ in a comment is no list

[[die]]
faces = ["F1 15", "F2 21", "F3 25", "L 2", "R 3*", "CMT 29"]

[[die]]
faces = ["F1 16", "F2 22", "L 4 *", "R 5", "SL 11", "INV 27"]

[[die]]
faces = [
  "F1 17*", "F2 23",
  "L 6",  # one more comment
  "R 7", "SR 12", 'CMT 30',
]

[[die]]
faces = ["F1 18", "F2 24", "F3 26", "SL 13*", "SR 14*", "REV 10*"]

[[die]]
faces = ["F1 19", "F1 20*", "L 8", "R 9", "U 1*", "INV 28"]
"""


def test_a_set_as_it_is_read() -> None:
    dice = load_dice(SET)
    assert dice.note == "made for this test"
    assert [COMMANDS[command] for command in dice.commands[2]] == ["F1", "F2", "L", "R", "SR", "CMT"]
    assert list(dice.priorities[1]) == [16, 22, 4, 5, 11, 27]
    assert dice.lasers.tolist() == [[0, 0, 0, 0, 1, 0], [0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0], [0, 0, 0, 1, 1, 1], [0, 1, 0, 0, 1, 0]]
    assert whole_face_text(dice, 2, 3) == "L 4*"


def test_the_stand_in_dice_are_those_of_the_specification() -> None:
    dice, same = load_dice("stand-in"), load_dice(SET)
    assert "Stand-in" in dice.note
    for ours, theirs in ((dice.commands, same.commands), (dice.priorities, same.priorities), (dice.lasers, same.lasers)):
        assert (ours == theirs).all()
        assert not ours.flags.writeable
    assert sorted(dice.priorities.ravel()) == list(range(1, 31))
    totals = {name: int((dice.commands == number).sum()) for number, name in enumerate(COMMANDS) if number}
    assert totals == {"F1": 6, "F2": 4, "F3": 2, "L": 4, "R": 4, "SL": 2, "SR": 2, "U": 1, "REV": 1, "CMT": 2, "INV": 2}


def test_dice_may_be_written_in_one_list() -> None:
    faces = '{faces = ["F1 1", "F2 2", "F3 3", "L 4", "R 5", "U 6"]}'
    assert load_dice(f"die = [\n{', '.join([faces] * 5)}]\n").commands.shape == (5, 6)
    with pytest.raises(BadOption, match="line 3, column 12: command 'f1'"):
        load_dice(f"die = [\n{faces},\n{faces.replace('F1', 'f1')}, {', '.join([faces] * 3)}]\n")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("note =", "note", "line 1, column 6: this is not TOML: Expected '=' after a key in a key/value pair"),
        ('"made for this test"', "7", "line 1, column 1: note is not text in quotes"),
        ("note =", "Note =", "line 1, column 1: key 'Note' is not one of: note, die; did you mean note?"),
        ("[[die]]\n", "[[dice]]\n", "line 3, column 1: key 'dice' is not one of: note, die; did you mean die?"),
        ('faces = ["F1 15"', 'sides = ["F1 15"', "line 4, column 1: a die has the key faces, not 'sides'"),
        ("faces = [\n", "more = 1\nfaces = [\n", "line 10, column 1: a die has the key faces, not 'more'"),
        ('"INV 28"]', '"INV 28"]\n[[die]]\nfaces = []', "line 21, column 1: a set has 5 dice, each under a line [[die]], not 6"),
        (
            '\n[[die]]\nfaces = ["F1 19", "F1 20*", "L 8", "R 9", "U 1*", "INV 28"]\n',
            "",
            "line 17, column 67: a set has 5 dice, each under a line [[die]], not 4",
        ),
        ('"F2 21"', "21", 'line 4, column 19: a face is text in quotes such as "F2 21" or "R 3*"'),
        ('"F2 21"', '["F2", 21]', 'line 4, column 19: a face is text in quotes such as "F2 21" or "R 3*"'),
        ('"F2 21", ', "", "line 4, column 43: die 1 has 5 faces, not 6"),
        ('"R 7", ', '"R 7", "U 3",', "line 13, column 25: die 3 has 7 faces, not 6"),
        ('["F1 18", "F2 24", "F3 26", "SL 13*", "SR 14*", "REV 10*"]', "[]", "line 16, column 1: die 4 has 0 faces, not 6"),
        (
            '["F1 18", "F2 24", "F3 26", "SL 13*", "SR 14*", "REV 10*"]',
            '"F1 18"',
            "line 16, column 1: die 4 has no list faces = [ … ] of 6 faces",
        ),
        ('"L 6"', '"l 6"', "line 12, column 4: command 'l' is not one of: F1, F2, F3, L, R, SL, SR, U, REV, CMT, INV"),
        (
            '"SR 14*"',
            '"S 14*"',
            "line 17, column 48: command 'S' is not one of: F1, F2, F3, L, R, SL, SR, U, REV, CMT, INV; did you mean SR?",
        ),
        ('"L 6"', '"L"', "line 12, column 5: L has no priority: a whole number from 0 to 999"),
        ('"L 6"', '"L*"', "line 12, column 5: L has no priority: a whole number from 0 to 999"),
        ('"L 6"', '"L six"', "line 12, column 6: priority 'six' is not a whole number from 0 to 999"),
        ('"L 6"', '"L 1000"', "line 12, column 6: priority '1000' is not a whole number from 0 to 999"),
        ('"L 6"', '"L -1"', "line 12, column 6: priority '-1' is not a whole number from 0 to 999"),
        (
            '"L 6"',
            '"L 6 laser"',
            'line 12, column 3: \'L 6 laser\' is not a command, a priority and perhaps a star, such as "F2 21" or "R 3*"',
        ),
        ('"L 6"', '""', 'line 12, column 3: \'\' is not a command, a priority and perhaps a star, such as "F2 21" or "R 3*"'),
    ],
)
def test_what_is_wrong_is_said_with_its_place(old: str, new: str, said: str, tmp_path: Path) -> None:
    assert old in SET
    path = tmp_path / "mine.toml"
    path.write_text(SET.replace(old, new, 1))
    with pytest.raises(BadOption) as refused:
        load_dice(str(path))
    assert str(refused.value) == f"mine.toml, {said}"


def test_the_page_shows_the_stand_in_dice() -> None:
    page = (DOCS / "roboderby.md").read_text(encoding="utf-8")
    shown, same = load_dice(page.split("```toml\n")[1].split("```")[0]), load_dice("stand-in")
    assert (shown.note, [whole_face_text(shown, die, face) for die in range(1, 6) for face in range(1, 7)]) == (
        same.note,
        [whole_face_text(same, die, face) for die in range(1, 6) for face in range(1, 7)],
    )


def test_a_name_that_is_not_shipped() -> None:
    with pytest.raises(BadOption) as refused:
        load_dice("standin")
    assert (
        str(refused.value)
        == "dice: there is no file standin, and as a shipped name 'standin' is not one of: stand-in; did you mean stand-in?"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\n[die]\nfaces = []\n", "line 2, column 2: a die is written as a table: [[die]], and below it faces = [ … ]"),
        ("\ndie = [1]\n", "line 2, column 1: a die is written as a table: [[die]], and below it faces = [ … ]"),
        pytest.param(
            "die = " + "[" * 20_000 + "\n", "line 1, column 1: this is not TOML that can be read: it is nested too deeply", id="nested"
        ),
        ("\n", "line 1, column 1: a set has 5 dice, each under a line [[die]], not 0"),
    ],
)
def test_what_is_no_set_at_all(text: str, said: str) -> None:
    with pytest.raises(BadOption) as refused:
        load_dice(text)
    assert str(refused.value) == f"dice, {said}"
