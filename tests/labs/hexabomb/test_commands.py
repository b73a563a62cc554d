"""``ludarium hexabomb``: what it offers, and maps, drawn and checked."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from ludarium.cli.entry import run
from ludarium.games.hexabomb.maps import load_map, map_json, map_names
from tests.folders import DOCS

LINE = {"cells": [{"q": q, "r": 0} for q in range(3)], "initial_positions": {"0": [{"q": 0, "r": 0}], "1": [{"q": 2, "r": 0}]}}


def test_the_help_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hexabomb", "--help"]) == 0
    text = capsys.readouterr().out
    assert all(f" {name} " in text for name in ("maps", "map", "serve", "logic"))
    assert run(["hexabomb", "mpas"]) == 2
    assert capsys.readouterr().err.endswith("did you mean maps?\n")


FLAGS = {
    ("hexabomb", "map"): "svg",
    (
        "hexabomb",
        "serve",
    ): "autostart delay-first-turn delay-turns fast host map no-page players port records seed special-players stay turn-timeout turns visualizations "
    "wait-for-people web-port",
    ("hexabomb", "logic"): "host map port",
    ("netorcai", "join"): "game host nickname port seed special",
}


@pytest.mark.parametrize("command", FLAGS)
def test_the_flags(command: tuple[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run([*command, "--help"]) == 0
    found = re.findall(r"^│ [* ]*--([a-z-]+)", capsys.readouterr().out, re.MULTILINE)
    assert sorted(found) == sorted([*FLAGS[command].split(), "help"])


def test_all_shipped_maps_are_listed_with_a_picture(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hexabomb", "maps"]) == 0
    text = capsys.readouterr().out
    for name in map_names():
        assert f"{name}  {len(load_map(name).teams)} players, " in text
    assert (
        "tiny2  2 players, 1 character each, 19 cells, sudden death against 1\n\n    · · ·\n   · · · B\n  · · @ · ·\n   A · · ·\n    · · ·\n"
        in text
    )
    assert "under 'Seats'" in text
    assert "## Seats\n" in (DOCS / "hexabomb.md").read_text(encoding="utf-8")


def test_a_drawing_without_a_file_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hexabomb", "map", "tiny2", "--svg"]) == 0
    assert ElementTree.fromstring(capsys.readouterr().out).tag.endswith("svg")


def test_a_map_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, picture = tmp_path / "line.json", tmp_path / "line.svg"
    file.write_text(json.dumps(LINE), encoding="utf-8")
    assert run(["hexabomb", "map", str(file), "--svg", str(picture)]) == 0
    assert capsys.readouterr().out == "2 players, 1 character each, 3 cells\nA · B\n"
    labels = [one.get("aria-label", "") for one in ElementTree.parse(picture).iter()]
    assert [label for label in labels if label.startswith("character")] == [
        "character 0 of Blue, alive, 1 bomb",
        "character 1 of Orange, alive, 1 bomb",
    ]


def test_a_map_of_one_cell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "dot.json"
    file.write_text(json.dumps({"cells": LINE["cells"][:1], "initial_positions": {"0": LINE["cells"][:1]}}), encoding="utf-8")
    assert run(["hexabomb", "map", str(file)]) == 0
    assert capsys.readouterr().out == "1 player, 1 character each, 1 cell\nA\n"


def test_the_places_of_sudden_death_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "map.svg"
    assert run(["hexabomb", "map", "lair4", "--svg", str(picture)]) == 0
    assert "character 0 of Special" in picture.read_text(encoding="utf-8")


def test_cells_too_far_apart_are_no_reason_to_refuse_a_map(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "far.json"
    file.write_text(json.dumps(LINE | {"cells": [*LINE["cells"], {"q": 2**31 - 1, "r": -(2**31)}]}), encoding="utf-8")
    assert run(["hexabomb", "map", str(file)]) == 0
    assert "too wide or high" in capsys.readouterr().out


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in LINE.items() if key != name}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", " is empty"),
        ("[" * 100_000, "Invalid JSON: "),
        ("[]", "initial map is not an object"),
        (json.dumps(without("cells")), "Key not found: cells"),
        (json.dumps(LINE | {"initial_positions": []}), "initial_positions is not an object"),
        (json.dumps(LINE | {"initial_positions": {"a": []}}), "invalid key='a' in initial_positions"),
        (json.dumps(LINE | {"initial_positions": {"0": {}}}), "initial positions are not an array for key=0"),
        (json.dumps(LINE | {"initial_positions": {"0": []}}), "initial positions are empty for key=0"),
        (json.dumps(LINE | {"initial_positions": {}}), "There are no initial positions"),
        (json.dumps(LINE | {"initial_positions": {"1": [{"q": 0, "r": 0}]}}), "Initial positions are missing for some players"),
        (json.dumps(LINE | {"initial_positions": {"0": [{"q": 9, "r": 9}]}}), "There is no cell at {q=9,r=9}"),
        (json.dumps(LINE | {"special_initial_positions": [{"q": 0, "r": 0}]}), "Duplication of initial cell {q=0,r=0}"),
        (json.dumps(LINE | {"cells": [*LINE["cells"], {"q": 0, "r": 0}]}), "Duplication of cell {q=0,r=0}"),
    ],
)
def test_a_malformed_map_is_one_clear_line(text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "map.json"
    file.write_text(text, encoding="utf-8")
    assert run(["hexabomb", "map", str(file)]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"error: {file}{said}" if said == " is empty" else f"error: {file}: {said}")
    assert output.err.count("\n") == 1


@pytest.mark.parametrize("name", ["nowhere", "tests", "map\0", map_json(load_map("tiny2"))[:-1]])
def test_what_is_no_file(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hexabomb", "map", name]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
