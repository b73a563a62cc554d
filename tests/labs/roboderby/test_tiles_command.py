"""``ludarium roboderby tiles``: what is listed, what is checked, and what is drawn."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

from ludarium.cli.entry import run
from ludarium.games.roboderby.sheets.tile_sets import load_tiles, tile_names
from ludarium.games.roboderby.sheets.tiles import BELTS, PIT
from tests.folders import DOCS
from tests.labs.roboderby.walled_tiles import walled_tiles

TWO_TILES = """\
note: rims \x1b[31m and more

name: odd
laser: 0,0,E
laser: 3,3,N

+-+ + +-+
|. ^ > .
+ + +-+ +
 . . v .|
+ + + + +
|< . O .
+ + + + +
 . . . O|
+ +-+ +-+

name: gate

+ + + + +
 . A B .
+ + + + +
 B . . A
+ + + + +
 A . . B
+ + + + +
 . B A .
+ + + + +
"""
EMPTY = "\n\n" + "+ + + + +\n . . . .\n" * 4 + "+ + + + +\n"
SMALL = TWO_TILES + f"\nname: third{EMPTY}\nname: a-name-of-24-characters_{EMPTY}"

IN_A_TERMINAL = """\
gate                          odd
+   +   +   +   +             +---+   +   +---+
  .   a   b   .               |!.   ^   >   .
+   +   +   +   +             +   +   +---+   +
  b   .   .   a                 .   .   v   . |
+   +   +   +   +             +   +   +   +   +
  a   .   .   b               | <   .  ###  .
+   +   +   +   +             +   +   +   +   +
  .   b   a   .                 .   .   .  !##|
+   +   +   +   +             +   +---+   +---+

third                         a-name-of-24-characters_
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.tiles"
    path.write_text(SMALL, encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def without_trailing_blanks(text: str) -> str:
    return re.sub(r" +$", "", text, flags=re.MULTILINE)


def test_the_flags(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["roboderby", "tiles", "--help"]) == 0
    assert re.findall(r"^│ [* ]*--([a-z-]+)", capsys.readouterr().out, re.MULTILINE) == ["players", "svg", "help"]
    assert run(["roboderby", "tile"]) == 2
    assert capsys.readouterr().err.endswith("did you mean tiles?\n")


def test_the_shipped_sets_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["roboderby", "tiles"]) == 0
    text = capsys.readouterr().out
    for name in tile_names():
        tiles = load_tiles(name)
        pits = sum(int((tile.kinds[0] == PIT).sum()) for tile in tiles.tiles)
        belts = sum(int(np.isin(tile.kinds[0], BELTS).sum()) for tile in tiles.tiles)
        told = f"{name}  {tiles.size} squares a side, {pits} pits"
        told += f", {belts} belts, {len(tiles.all_lasers())} lasers" if belts else ""
        assert f"{told}\n  {', '.join(tiles.names)}\n  {tiles.note}\n" in text
    assert "assembly  6 squares a side, 12 pits, 28 belts, 2 lasers\n  dock, loops, sorter, presses\n" in text


def test_tiles_of_a_file_in_a_terminal(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As they stand in the file, the start tile first; what a terminal would obey is not printed."""
    assert run(["roboderby", "tiles", str(small)]) == 0
    text = without_trailing_blanks(capsys.readouterr().out)
    assert text.startswith(f"4 squares a side, 2 pits, 4 belts, 2 lasers\nrims \ufffd[31m and more\n\n{IN_A_TERMINAL}")
    assert text.endswith("\n+   +   +   +   +             +   +   +   +   +\n\nLasers of odd shine from 0,0,E 3,3,N\n")


@pytest.mark.parametrize(("columns", "beside"), [(25, 1), (55, 1), (56, 2), (117, 2), (118, 4)])
def test_as_many_tiles_beside_each_other_as_fit(
    columns: int, beside: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from ludarium.cli.common import screen

    monkeypatch.setattr(screen(), "width", columns)
    assert run(["roboderby", "tiles", "assembly"]) == 0
    lines = capsys.readouterr().out.split("\n")
    names = [line.split() for line in lines if re.fullmatch(r"[a-z]+( +[a-z]+)*", line)]
    assert [len(line) for line in names] == [beside] * (4 // beside)
    assert [name for line in names for name in line] == ["dock", "loops", "sorter", "presses"]
    assert max(len(line) for line in lines[3:-3]) <= columns


def test_more_than_two_players(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["roboderby", "tiles", "foundry", "--players", "3"]) == 0
    assert "  .   a   c   d   b   .  " in capsys.readouterr().out
    assert run(["roboderby", "tiles", str(small), "--players", "3"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: small.tiles, line 20, column 4: for more than two players the middle squares of the north edge")


def of_class(drawing: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [one for one in drawing.iter() if name in one.get("class", "").split()]


def test_the_picture(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["roboderby", "tiles", str(small), "--svg"]) == 0
    drawing = ElementTree.fromstring(capsys.readouterr().out)
    assert drawing.get("aria-label") == (
        "The tiles gate, odd, third, a-name-of-24-characters_ of small: 4 squares a side, 2 pits, 4 belts, 2 lasers"
    )
    assert [one.text for one in of_class(drawing, "rd-title")] == ["gate", "odd", "third", "a-name-of-24-characters_"]
    assert [one.text for one in of_class(drawing, "rd-note")][1] == "2 pits, 4 belts, 2 lasers"
    # Beams end at the rim, 80 units from the other one; each begins 12 from the far side of its square.
    assert [one.get("d") for one in of_class(drawing, "rd-ray")] == ["M8 10h72M70 72v-72"]
    inside, rim = [one.get("d") for one in of_class(drawing, "rd-wall") if one.get("d")]
    assert inside == "M40 20h20"
    walls = re.findall(r"M\d+ \d+[hv]20", str(rim))
    assert sorted(walls) == sorted(["M0 0h20", "M60 0h20", "M80 20v20", "M80 60v20", "M60 80h20", "M20 80h20", "M0 40v20", "M0 0v20"])
    path = tmp_path / "out.svg"
    assert run(["roboderby", "tiles", str(small), "--svg", str(path)]) == 0
    assert capsys.readouterr().out.startswith("4 squares a side, 2 pits")
    assert ElementTree.parse(path).getroot().get("aria-label") == drawing.get("aria-label")


@pytest.mark.parametrize("name", tile_names())
def test_tiles_do_not_touch_in_the_picture(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["roboderby", "tiles", name, "--svg", "-"]) == 0
    drawing = ElementTree.fromstring(capsys.readouterr().out)
    panels = [tuple(map(int, re.findall(r"\d+", one.get("transform", "")))) for one in drawing if one.tag.endswith("}g")]
    frames = [int(one.get("width", "")) for one in of_class(drawing, "rd-frame")]
    assert len(frames) == 4
    assert panels[0] == (0, 0)
    assert panels[1][0] == panels[2 + 1][0] > max(frames)
    assert panels[2][1] == panels[2 + 1][1] > max(frames)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["foundri"], "tiles: there is no file foundri, and as a shipped name 'foundri' is not one of: assembly, foundry, stand-in"),
        (["--svg"], "which tiles? Give a file, or one of: assembly, foundry, stand-in"),
        (["--players", "3"], "which tiles? Give a file, or one of: assembly, foundry, stand-in"),
        (["foundry", "--players", "5"], "'--players': '5' is not a whole number, at least 1, at most 4"),
        (["foundry", "--svg", "no/such/folder.svg"], "no/such/folder.svg cannot be written"),
    ],
)
def test_mistakes_on_the_command_line(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["roboderby", "tiles", *arguments]) == 2
    captured = capsys.readouterr()
    assert told in captured.err
    assert captured.err.startswith("error: ")
    assert captured.err.count("\n") == 1
    assert captured.out == ""


@pytest.mark.parametrize(
    ("size", "told"),
    [
        (6, "Nobody can finish: from none of 96 starts on 24 deals that were tried a way leads to the finish.\n"),
        (2, "From 50 of 96 starts on 24 deals that were tried no way leads to the finish.\n"),
    ],
)
def test_tiles_that_cannot_be_finished(size: int, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where an A and a B are walled in, of two edges 0, 2 or 4 of the four starts are closed, as the start tile lies: half of them, give or take."""
    path = tmp_path / "walled.tiles"
    path.write_text(walled_tiles(size), encoding="utf-8")
    assert run(["roboderby", "tiles", str(path)]) == 0
    output = capsys.readouterr()
    assert "start" in output.out
    assert output.err == told


def test_what_is_wrong_in_a_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, picture = tmp_path / "mine.tiles", tmp_path / "mine.svg"
    path.write_text(SMALL.replace(" . . v .|", " . . V .|"), encoding="utf-8")
    assert run(["roboderby", "tiles", str(path), "--svg", str(picture)]) == 2
    captured = capsys.readouterr()
    said = "error: mine.tiles, line 10, column 6: a square is one of . O ^ > v < A B C D and not 'V'; did you mean v?\n"
    assert (captured.out, captured.err) == ("", said)
    assert not picture.exists()


def test_the_drawing_of_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    page = (DOCS / "roboderby.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```\n\$ ludarium roboderby tiles assembly\n(.*?)```", page, re.DOTALL)
    assert run(["roboderby", "tiles", "assembly"]) == 0
    text = without_trailing_blanks(capsys.readouterr().out)
    parts = shown.split("…\n")
    assert len(parts) == 3
    assert all(part in text for part in parts)
