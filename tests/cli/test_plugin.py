"""Games from elsewhere: one that brings commands of its own, and broken ones, which are in nobody's way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import ludarium
from ludarium.cli.entry import run
from ludarium.core import registry
from tests.command_line import run_program
from tests.folders import ROOT


def install(folder: Path, commands_in: str = "pocket_game", lab: str = "") -> None:
    for name in {"pocket_game", commands_in}:
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("")
    (folder / "pocket_game" / "game.py").write_text(
        "from ludarium import Game\n\nclass Pocket(Game):\n    id, title, summary = 'pocket', '', ''\n"
    )
    (folder / commands_in / "commands.py").write_text(
        "import typer\n\napp = typer.Typer(help='What pocket can do.')\n\n"
        "@app.command()\ndef count(number: int) -> None:\n    '''Count up.'''\n    print(*range(number))\n\n"
        "@app.command()\ndef other() -> None:\n    '''Another.'''\n"
    )
    info = folder / "pocket_game-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pocket-game\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[ludarium.games]\npocket = pocket_game.game:Pocket\n[ludarium.labs]\n" + lab)


def test_a_games_own_commands(tmp_path: Path) -> None:
    install(tmp_path)
    done = run_program("pocket", "count", "3", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 1 2\n", "")
    assert "What pocket can do." in run_program("pocket", "--help", PYTHONPATH=str(tmp_path)).stdout
    wrong = run_program("pocket", "count", "x", PYTHONPATH=str(tmp_path))
    assert wrong.returncode == 2
    assert wrong.stderr.count("\n") == 1


def test_the_commands_of_a_games_lab(tmp_path: Path) -> None:
    install(tmp_path, commands_in="pocket_lab", lab="pocket = pocket_lab\n")
    assert run_program("pocket", "count", "2", PYTHONPATH=str(tmp_path)).stdout == "0 1\n"


def test_a_lab_that_is_not_there(tmp_path: Path) -> None:
    install(tmp_path, commands_in="elsewhere", lab="pocket = pocket_lab\n")
    done = run_program("pocket", "count", "2", PYTHONPATH=str(tmp_path))
    assert done.returncode == 2
    assert (
        done.stderr
        == "error: the commands of game 'pocket' cannot be loaded from pocket_lab: ModuleNotFoundError: No module named 'pocket_lab'\n"
    )


def test_a_games_module_of_that_name_without_commands(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(registry, "game_module", lambda id, name: ModuleType("commands"))
    assert run(["tic-tac-toe"]) == 2
    assert capsys.readouterr().err.startswith("error: command 'tic-tac-toe' is not one of: games, play, ")


def test_a_game_without_commands() -> None:
    done = run_program("tic-tac-toe")
    assert done.returncode == 2
    assert done.stderr.startswith("error: command 'tic-tac-toe' is not one of: games, play, ")
    assert done.stderr.count("\n") == 1


def declare(folder: Path, package: str, id: str, module: str) -> None:
    (folder / f"{package}.py").write_text(module)
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[ludarium.games]\n{id} = {package}:Found\n")


TABLES = """
from typing import NamedTuple
from ludarium.core.rules import to_move

class ExpendibotsTables(NamedTuple):
    size: int

to_move.implement(ExpendibotsTables)(lambda tables, state: 0)
"""

BROKEN = {
    "raises": ("raise RuntimeError('no luck\\ntoday')", "cannot be loaded from raises:Found: RuntimeError: no luck\\ntoday"),
    "adds": ("1 + 'a'", "cannot be loaded from adds:Found: TypeError: unsupported operand type(s) for +: 'int' and 'str'"),
    "leaves": ("raise SystemExit(0)", "cannot be loaded from leaves:Found: SystemExit: 0"),
    "writes": ("def", "cannot be loaded from writes:Found: SyntaxError: invalid syntax (writes.py, line 1)"),
    "lacks": ("import ludarium", "cannot be loaded from lacks:Found: AttributeError: module 'lacks' has no attribute 'Found'"),
    "names": ("class Found:\n    id = 'names'", "cannot be loaded from names:Found: TypeError: this is no Game with the id 'names'"),
    "repeats": (TABLES, "cannot be loaded from repeats:Found: TypeError: a tables class named ExpendibotsTables exists already"),
    "hides": (
        "import ludarium\nclass Found(ludarium.Game):\n    id = summary = 'hides'",
        "cannot be loaded from hides:Found: TypeError: its title and its summary have to be texts",
    ),
    "waits": (
        "import ludarium\nclass Found(ludarium.Game):\n    id, title, summary = 'waits', '', ''",
        "does not work: TypeError: Can't instantiate abstract class Found",
    ),
}


@pytest.fixture
def broken(tmp_path: Path) -> str:
    """A folder with broken games; two packages want to be ``twice``."""
    for id, (module, _) in BROKEN.items():
        declare(tmp_path, id, id, module)
    declare(tmp_path, "first", "twice", "")
    declare(tmp_path, "second", "twice", "")
    return str(tmp_path)


def test_broken_games_are_listed_with_the_reason(broken: str) -> None:
    done = run_program("games", "--json", PYTHONPATH=broken)
    assert (done.returncode, done.stderr) == (0, "")
    listed = json.loads(done.stdout)
    problems = {one["name"]: one["problem"] for one in listed if "problem" in one}
    assert {one["name"] for one in listed} - set(problems) == set(ludarium.list_games())
    assert set(problems) == {*BROKEN, "twice"}
    for id, (_, problem) in BROKEN.items():
        assert problems[id].startswith(f"game '{id}' {problem}")
    assert problems["twice"] == "game 'twice' stands in several packages (first:Found, second:Found); uninstall all but one"
    done = run_program("games", PYTHONPATH=broken, COLUMNS="200")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Paint the most hexagons" in done.stdout
    assert all(problem in " ".join(done.stdout.split()) for problem in problems.values())


ONE_AFTER_THE_OTHER = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from ludarium.cli.entry import run
told = []
for arguments in json.loads(sys.argv[1]):
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as error:
        told.append([run(arguments), out, error])
print(json.dumps([[code, out.getvalue(), error.getvalue()] for code, out, error in told]))
"""


def test_what_a_package_prints_is_no_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def load(id: str, **options: object) -> ludarium.Game:
        print("hello")
        return load_quietly(id, **options)

    load_quietly = registry.game
    monkeypatch.setattr(registry, "game", load)
    assert run(["games", "tic-tac-toe", "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["name"] == "tic-tac-toe"
    assert told.err == "hello\n"


def test_whoever_names_a_broken_game_reads_why_in_one_line(broken: str) -> None:
    """Also after others have been named in the same process."""
    typed = [words for id in (*BROKEN, "twice") for words in (["play", id, "human", "human"], ["games", id], [id, "something"])]
    typed.remove(["waits", "something"])  # which could have no commands
    environment = {**os.environ, "COLUMNS": "100", "PYTHONPATH": broken}
    command = [sys.executable, "-c", ONE_AFTER_THE_OTHER, json.dumps(typed)]
    told = json.loads(subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120).stdout)
    for words, (code, out, error) in zip(typed, told, strict=True):
        assert (code, out, error.count("\n")) == (2, "", 1), (words, error)
        assert error.startswith(f"error: game '{words[0] if words[1] == 'something' else words[1]}' "), (words, error)
    done = run_program("play", "raises", "human", "human", PYTHONPATH=broken)
    assert (done.returncode, done.stdout, done.stderr) == tuple(told[0])


def test_broken_games_are_in_nobodys_way(broken: str) -> None:
    assert run_program("perft", "tic-tac-toe", "1", PYTHONPATH=broken).stdout.split()[0] == "9"
    lobby = "from ludarium.web.lobby.pages import lobby_games\nprint(*(game['id'] for game in lobby_games()))"
    done = subprocess.run(
        [sys.executable, "-c", lobby], env={**os.environ, "PYTHONPATH": broken}, capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.split() == list(ludarium.list_games())
    words = {"_LUDARIUM_COMPLETE": "complete_bash", "PYTHONPATH": broken}
    assert "twice" in run_program(COMP_WORDS="ludarium play ", COMP_CWORD="2", **words).stdout.split()
    assert run_program(COMP_WORDS="ludarium play hexa", COMP_CWORD="2", **words).stdout.split() == ["hexabomb"]
    done = run_program(COMP_WORDS="ludarium raises ", COMP_CWORD="2", **words)
    assert done.stdout + done.stderr == ""


def test_who_has_no_class_is_in_nobodys_way(tmp_path: Path) -> None:
    """Gymnasium's environments are called as the games' classes."""
    declare(tmp_path, "nameless", "nameless", "")
    (tmp_path / "nameless-1.0.dist-info" / "entry_points.txt").write_text("[ludarium.games]\nnameless = no name\nfaceless = nameless\n")
    done = run_program("games", "--json", PYTHONPATH=str(tmp_path))
    assert {one["name"] for one in json.loads(done.stdout) if "problem" in one} == {"nameless", "faceless"}
    names = subprocess.run(
        [sys.executable, "-c", "from ludarium.core.registry import class_names\nprint(*class_names())"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT / "src")])},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert names.stdout.split() == list(ludarium.list_games())


def test_a_list_of_games_fits_a_screen() -> None:
    lines = run_program("games", COLUMNS="80").stdout.splitlines()
    assert len(lines) < 24
    assert all(len(line) <= 80 for line in lines)
    assert all(any(line.startswith(id) for line in lines) for id in ludarium.list_games())


def test_one_game_is_told_with_the_players_that_can_play_it() -> None:
    players = {
        id: [player["name"] for player in json.loads(run_program("games", id, "--json").stdout)["players"]]
        for id in ("hexabomb", "expendibots")
    }
    assert players["hexabomb"] == ["human", "random", "painter", "bomber", "search"]
    assert {"human", "random", "greedy", "alphabeta", "mcts"} <= set(players["expendibots"])
    shown = run_program("games", "hexabomb", COLUMNS="200").stdout
    assert "painter" in shown
    assert "alphabeta" not in shown
