"""What the import contracts cannot see: names of games in texts, and who compiles."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import ludarium

SOURCE = Path(ludarium.__file__).parent


def python_files(*without: str) -> list[Path]:
    return [path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] not in without]


def words(path: Path) -> str:
    """A file's names and texts, without the docstrings and comments of Python (which may show an example)."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return text
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = ""
    return ast.unparse(tree)


def test_nothing_outside_games_and_labs_names_a_game() -> None:
    named = re.compile("|".join(f"{re.escape(id)}|{id.replace('-', '_')}" for id in ludarium.list_games()), re.IGNORECASE)
    files = python_files("games", "labs") + [path for path in (SOURCE / "web").rglob("*") if path.suffix in (".js", ".html", ".css")]
    assert len(files) > 50
    assert [path.relative_to(SOURCE).as_posix() for path in files if named.search(words(path))] == []
    assert named.search(words(SOURCE / "games" / "expendibots" / "game.py"))


def test_no_suppress_hides_errors_of_ours() -> None:
    """Ruff's BLE001 holds this for ``except``. The exceptions are one statement long, or a user's code."""
    hides = re.compile(r"suppress\([^)]*\b(Exception|BaseException|RuntimeError)\b")
    found = {path.relative_to(SOURCE).as_posix() for path in python_files() if hides.search(path.read_text(encoding="utf-8"))}
    assert found == {"core/data_folder.py", "games/expendibots/class_adapter.py"}


def test_only_core_compiles() -> None:
    compiles = re.compile(r"\bnumba\.(njit|jit|vectorize|guvectorize|cfunc|stencil)\b|from numba import|import_from_numba")
    assert [path.relative_to(SOURCE).as_posix() for path in python_files() if compiles.search(path.read_text(encoding="utf-8"))] == [
        "core/jit.py"
    ]


def test_importing_the_public_face_loads_no_player_and_no_server() -> None:
    code = "import sys, ludarium; print([name for name in sys.modules if name.partition('.')[0] in ('fastapi', 'uvicorn', 'typer', 'rich', 'jinja2')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "[]"
