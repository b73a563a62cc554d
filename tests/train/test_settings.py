"""What a file of settings may say."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ludarium.errors import BadOption
from ludarium.train.settings import read_settings
from tests.command_line import start_program


def write(folder: Path, text: str) -> Path:
    path = folder / "small.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("game", "text", "problem"),
    [
        ("tic-tac-toe", "generations = 0", "generations: Input should be greater than or equal to 1, not 0"),
        ("tic-tac-toe", "generatoins = 3", "key 'generatoins' is not one of: options, generations, "),
        (
            "tic-tac-toe",
            "[network]\nchanels = 8",
            "network: key 'chanels' is not one of: channels, blocks, actions_per_cell, connected; did you mean channels?",
        ),
        ("tic-tac-toe", "[network]\nactions_per_cell = [2]", "network.actions_per_cell=[2] on 9 cells makes 18 actions; Tic-tac-toe has 9"),
        ("tic-tac-toe", "[network]\nconnected = [0]", "network.connected: only a network with actions_per_cell knows cells"),
        ("tic-tac-toe", "[network]\nactions_per_cell = [1]\nconnected = [2]", "network.connected=[2]: Tic-tac-toe has planes 0 to 1"),
        ("expand-conquer", "[teacher]\ngame = 3", "teacher: key 'game' is not one of: games, "),
        ("tic-tac-toe", "[teacher]", "teacher: the rules of Tic-tac-toe do not tell how its actions end"),
        ("tic-tac-toe", "generations", "small.toml is no TOML"),
        ("tic-tac-toe", 'openings = "none.txt"', "openings=none.txt cannot be read"),
        ("tic-tac-toe", 'initial = "none.pt"', "initial=none.pt cannot be read"),
        ("expand-conquer", "[options]\nsize = 7", "option 'size'"),
        ("roboderby", "", "two players who move in turn, without dice and secrets"),
    ],
)
def test_wrong_settings_are_refused_in_one_line(game: str, text: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(BadOption) as refused:
        read_settings(game, write(tmp_path, text))
    assert problem in str(refused.value)
    assert "\n" not in str(refused.value)


def test_openings_are_on_the_board_of_the_options(tmp_path: Path) -> None:
    (tmp_path / "boards.txt").write_text("O*X|***|X*O L\n")
    with pytest.raises(BadOption, match="on another board than the options say"):
        read_settings("expand-conquer", write(tmp_path, 'openings = "boards.txt"\n[options]\nstart = "ring"'))


def test_without_pytorch_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u\nfound = u.find_spec\nu.find_spec = lambda name, *a: None if name == 'torch' else found(name, *a)\n"
    )
    done = start_program(
        "train", "tic-tac-toe", "--config", "x.toml", PYTHONPATH=os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    )
    assert (done.returncode, done.stderr) == (2, "error: training needs PyTorch, which is not installed: pip install 'ludarium[train]'\n")
