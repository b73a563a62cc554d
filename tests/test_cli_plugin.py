"""A game from elsewhere that brings commands of its own."""

from __future__ import annotations

from pathlib import Path

from command_line import run_program


def install(folder: Path) -> None:
    package = folder / "pocket_game"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "game.py").write_text("from ludarium import Game\n\nclass Pocket(Game):\n    id = 'pocket'\n")
    (package / "commands.py").write_text(
        "import typer\n\napp = typer.Typer(help='What pocket can do.')\n\n"
        "@app.command()\ndef count(number: int) -> None:\n    '''Count up.'''\n    print(*range(number))\n\n"
        "@app.command()\ndef other() -> None:\n    '''Another.'''\n"
    )
    info = folder / "pocket_game-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pocket-game\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[ludarium.games]\npocket = pocket_game.game:Pocket\n")


def test_a_games_own_commands(tmp_path: Path) -> None:
    install(tmp_path)
    done = run_program("pocket", "count", "3", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 1 2\n", "")
    assert "What pocket can do." in run_program("pocket", "--help", PYTHONPATH=str(tmp_path)).stdout
    wrong = run_program("pocket", "count", "x", PYTHONPATH=str(tmp_path))
    assert wrong.returncode == 2
    assert wrong.stderr.count("\n") == 1


def test_a_game_without_commands() -> None:
    done = run_program("expendibots")
    assert done.returncode == 2
    assert done.stderr.startswith("error: command 'expendibots' is not one of: games, play, ")
    assert done.stderr.count("\n") == 1
