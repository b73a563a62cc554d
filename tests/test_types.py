"""Who uses Ludarium with a strict type checker has no errors in what the documentation shows."""

from __future__ import annotations

import ast
import doctest
import json
import re
import subprocess
import sys
from pathlib import Path

from tests.folders import ROOT

RECORDS = """
import numpy as np
from typing import Any, assert_type
from numpy.typing import NDArray
from ludarium.core.game import Game, State
from ludarium.games.expand_conquer.game import ExpandConquer
from ludarium.games.expendibots.game import Expendibots
from ludarium.games.hexabomb.game import Hexabomb
from ludarium.games.roboderby.game import RoboDerby

start = Expendibots(turn_limit=200).start()
assert_type(start.play("a2-a3").record.board, NDArray[np.int8])
assert_type(start.game.tables.turn_limit, int)
assert_type(ExpandConquer().parse("X*O L").record.side, np.int8)
assert_type(Hexabomb().start().seen_by(0).record.score, NDArray[np.int32])
assert_type(RoboDerby().start(seed=1).record.health, NDArray[np.int8])
assert_type(RoboDerby().tables.priorities, NDArray[np.int64])

def first_name(game: Game, state: State) -> str:
    assert_type(state.record, Any)
    return game.player_names[state.to_move[0]]

first_name(start.game, start)
"""


def _shown(source: str) -> str:
    """Code as it may stand in a file: values are printed, as a notebook prints them."""
    try:
        ast.parse(source.strip(), mode="eval")
    except SyntaxError:
        return source
    return f"print({source.strip()})\n"


def _readme() -> str:
    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    return "".join(_shown(line.partition("  # ")[0] + "\n") for line in block.splitlines())


def _page(name: str) -> str:
    examples = doctest.DocTestParser().get_examples((ROOT / "docs" / name).read_text(encoding="utf-8"))
    return "".join(_shown(example.source) for example in examples)


def _complaints(folder: Path, **files: str) -> list[str]:
    """What pyright says of files beside an installed Ludarium when it is as strict as it can be."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    (folder / "pyrightconfig.json").write_text(json.dumps({"typeCheckingMode": "strict"}), encoding="utf-8")
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "--project", str(folder)]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=300).stdout)
    assert found["summary"]["filesAnalyzed"] == len(files)
    return [f"{Path(one['file']).name}:{one['range']['start']['line'] + 1}: {one['message']}" for one in found["generalDiagnostics"]]


def test_strict_users_have_no_errors(tmp_path: Path) -> None:
    assert _complaints(tmp_path, readme=_readme(), python=_page("python.md"), records=RECORDS) == []


def test_strict_users_are_told_of_their_errors(tmp_path: Path) -> None:
    wrong = 'import ludarium\nludarium.game("expendibots").start().play(2.5)\n'
    (complaint,) = _complaints(tmp_path, wrong=wrong)
    assert complaint.startswith("wrong.py:2: Argument of type")
