"""A game from elsewhere that brings commands of its own."""

from __future__ import annotations

from pathlib import Path

from tests.command_line import run_program


def install(folder: Path, commands_in: str = "pocket_game", lab: str = "") -> None:
    for name in {"pocket_game", commands_in}:
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("")
    (folder / "pocket_game" / "game.py").write_text("from ludarium import Game\n\nclass Pocket(Game):\n    id = 'pocket'\n")
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
    assert done.stderr == "error: the lab of game 'pocket' cannot be loaded from pocket_lab: No module named 'pocket_lab'\n"


def test_a_game_without_commands() -> None:
    done = run_program("expendibots")
    assert done.returncode == 2
    assert done.stderr.startswith("error: command 'expendibots' is not one of: games, play, ")
    assert done.stderr.count("\n") == 1
