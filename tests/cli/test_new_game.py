"""``ludarium new-game``: what it writes is a game that plays, and keeps what every game keeps."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from heap_of_stones.game import HeapOfStones

from ludarium.cli.entry import run
from ludarium.cli.new_game import TEMPLATE
from ludarium.testing import contracts_of
from ludarium.testing.plugin import conformance
from tests.disks import room_for

test_template = conformance(HeapOfStones(), HeapOfStones(stones=40))


def install(folder: Path, site: Path) -> None:
    """Do what installing the package in development mode does: its modules and entry points are found from ``site`` on."""
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in found.items()) for group, found in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(groups))


def test_a_new_game_passes_its_tests_and_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "River_Stones 2"
    assert run(["new-game", str(folder)]) == 0
    assert f"pip install --editable {folder}" in capsys.readouterr().out
    assert "heap" not in "".join(file.read_text(encoding="utf-8") + str(file.relative_to(tmp_path)) for file in folder.rglob("*.toml"))
    install(folder, tmp_path / "site")
    path = os.pathsep.join([str(tmp_path / "site"), str(folder / "src")])
    # pytest shuts everybody else out of the folder above its temporary ones, in which others' sandboxes are at work.
    environment = {**os.environ, "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "1", "PYTEST_DEBUG_TEMPROOT": str(tmp_path)}

    def python(*arguments: str) -> str:
        command = [sys.executable, "-m", *arguments]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert f"{len(contracts_of(HeapOfStones()))} passed" in python("pytest", "-p", "no:cacheprovider")
    assert "River stones 2" in python("ludarium", "games")
    assert "2 games" in python("ludarium", "match", "river-stones-2", "random", "mcts:sims=10", "--games", "2", "--seed", "1")


def test_every_file_of_the_template_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "a" / "pebbles"
    assert run(["new-game", str(folder)]) == 0
    written = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    assert written == {
        str(file.relative_to(TEMPLATE)).replace("heap_of_stones", "pebbles")
        for file in TEMPLATE.rglob("*")
        if file.is_file() and file.suffix != ".pyc"
    }
    text = "".join(file.read_text(encoding="utf-8") for file in folder.rglob("*.*") if file.is_file())
    assert "Pebbles, a game for Ludarium" in text
    assert not [name for name in ("Heap of stones", "heap-of-stones", "heap_of_stones", "HeapOfStones") if name in text]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("full", "exists already and is not empty"),
        ("a-file", "exists already and is not empty"),
        ("42", "'42' cannot be a game's name: write words of letters and digits joined by hyphens"),
        ("my--game", "cannot be a game's name"),
        ("random", "'random' is the name of an installed game or module"),
        ("expendibots", "is the name of an installed game or module"),
        ("class", "is the name of an installed game or module"),
        ("a-file/below", "cannot be written"),
    ],
)
def test_what_it_refuses(name: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "something").touch()
    (tmp_path / "a-file").touch()
    assert run(["new-game", str(tmp_path / name)]) == 2
    told = capsys.readouterr()
    assert message in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a-file", "full"]


def test_a_full_disk_leaves_no_half_of_a_package(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with room_for(1000):
        assert run(["new-game", str(tmp_path / "my-game")]) == 2
    assert capsys.readouterr().err == f"error: {tmp_path / 'my-game'} cannot be written: File too large\n"
    assert list(tmp_path.iterdir()) == []
