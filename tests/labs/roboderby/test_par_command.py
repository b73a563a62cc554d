"""``ludarium roboderby par``."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from ludarium.cli.entry import run
from ludarium.games.roboderby.options import Rules
from ludarium.games.roboderby.sheets.boards import board_names
from ludarium.labs.roboderby.par.pars import shipped_pars
from tests.games.roboderby.belt_tiles import BELT_TILES

pytestmark = pytest.mark.usefixtures("shared_solutions")


def test_the_help_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["roboderby", "--help"]) == 0
    assert " par " in capsys.readouterr().out
    assert run(["roboderby", "pars"]) == 2
    assert capsys.readouterr().err.endswith("did you mean par?\n")


def test_par_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "map.svg"
    assert run(["roboderby", "par", "--board", "furnace", "-o", "variant=s-race", "--svg", str(picture)]) == 0
    assert capsys.readouterr().out == "W A  5.99 turns\nW B  5.28 turns\n"
    texts = [text.text for text in ElementTree.fromstring(picture.read_text(encoding="utf-8")).iter() if text.tag.endswith("text")]
    assert {"From W as A: par 5.99 turns", "From W as B: par 5.28 turns", "6.0", "5.3", "0.0"} <= set(texts)
    assert run(["roboderby", "par", "--board", "furnace", "-o", "variant=s-race", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert (line["board"], line["variant"]) == ("furnace", "s-race")
    assert line["pars"] == shipped_pars(Rules.of(board="furnace", variant="s-race"))
    assert run(["roboderby", "par"]) == 0
    text = capsys.readouterr().out
    assert "first-lap, lap\n  N A  5.86 turns\n  N B  5.38 turns\n" in text
    assert [name for name in board_names() if f"{name}, lap\n" not in text] == []


def test_lasers_are_left_aside_and_that_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Once, on standard error; the pars are those of the same belts without the lasers."""
    unlit = "\n".join(line for line in BELT_TILES.split("\n") if not line.startswith("laser:"))
    printed, told = [], []
    for name, text in (("lit", BELT_TILES), ("unlit", unlit)):
        path = tmp_path / f"{name}.tiles"
        path.write_text(text, encoding="utf-8")
        assert (
            run(["roboderby", "par", "--tiles", str(path), "--board", "start sorter chutes rollers @ 0 90 0 180", "-o", "variant=s-race"])
            == 0
        )
        captured = capsys.readouterr()
        printed.append(captured.out)
        told.append([line for line in captured.err.splitlines() if "lasers" in line])
    assert printed[0] == printed[1]
    assert re.fullmatch(r"W A  \d\.\d\d turns\nW B  \d\.\d\d turns\n", printed[0])
    assert told == [["These pars are those of a robot that the board's lasers do not hurt; a real one can hope for nothing better."], []]


def test_a_board_that_cannot_be_finished_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    wall_of_pits = "\n+ + + + +\n" + " O O O O\n+ + + + +\n" * 4
    start = "\n+ + + + +\n . A B .\n+ + + + +\n B . . A\n+ + + + +\n A . . B\n+ + + + +\n . B A .\n+ + + + +\n"
    tiles = "\n".join([f"name: start\n{start}", *(f"name: {name}\n{wall_of_pits}" for name in ("one", "two", "three"))])
    assert run(["roboderby", "par", "--tiles", tiles, "--board", "start one two three @ 0 0 0 0 N"]) == 0
    assert capsys.readouterr().out == "N A  no way leads to the finish\nN B  no way leads to the finish\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--board", "frist-lap"], "board 'frist-lap' is not one of: random, first-lap"),
        (["--board", "random"], "board=random is another board each time: name one, or give a deal"),
        (["--json"], "which board? Give --board with a name, or with a deal"),
        (["--board", "furnace", "-o", "board=hairpin"], "board is given twice: as --board furnace and as -o board=hairpin"),
        (["--board", "furnace", "--tiles", "stand-in"], "board=furnace is laid with tiles=foundry: leave tiles out"),
        (["--board", "furnace", "--dice", "none"], "'none' is not one of: "),
        (["--board", "furnace", "-o", "rerol=any"], "did you mean reroll?"),
        (["--board", "furnace", "--svg", "no/such/folder.svg"], "no/such/folder.svg cannot be written"),
    ],
)
def test_mistakes_on_the_command_line(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["roboderby", "par", *arguments]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.startswith("error: ")
    assert error.count("\n") == 1
