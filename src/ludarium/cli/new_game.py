"""``ludarium new-game``: begin a game of one's own, from the small one in the folder ``template``."""

from __future__ import annotations

import importlib.util
import keyword
import re
import shutil
from pathlib import Path
from typing import Annotated

import typer

from ludarium.errors import BadOption, StoreError, store_errors

from .common import file_or_folder

TEMPLATE = Path(__file__).with_name("template")


def command(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", parser=file_or_folder, help="A new folder, called as the game: my-game.")],
) -> None:
    """Write the package of a new game: a small one that can be played at once, with a test of what every game keeps.

    Then make it your own, as "Write a game" in the documentation says.
    """
    id = _id_of(folder.resolve().name)
    with store_errors(f"{folder} cannot be written"):
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise StoreError(f"{folder} exists already and is not empty; a new game is written into a new folder")
        try:
            for file in sorted(TEMPLATE.rglob("*.*")):
                if file.suffix in (".md", ".py", ".toml"):
                    target = folder / _named(str(file.relative_to(TEMPLATE)), id)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_text(_named(file.read_text(encoding="utf-8"), id), encoding="utf-8")
        except BaseException:  # half of a package would be in the way of the next try
            shutil.rmtree(folder, ignore_errors=True)
            raise
    print(f"{folder} has a new game. Install it, test it and play it:")
    for line in (f"pip install --editable {folder}", f"pytest {folder}", f"ludarium play {id} human mcts"):
        print(f"  {line}")


def _id_of(name: str) -> str:
    """The id of a game in a folder of that name."""
    from ludarium.core.registry import list_games

    id = re.sub(r"[ _]", "-", name.lower())
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", id):
        raise BadOption(f"'{name}' cannot be a game's name: write words of letters and digits joined by hyphens, such as my-game")
    package = id.replace("-", "_")
    module = importlib.util.find_spec(package)
    if id in list_games() or keyword.iskeyword(package) or (module and module.origin):
        raise BadOption(f"'{name}' is the name of an installed game or module; choose another one")
    return id


def _named(text: str, id: str) -> str:
    """A text of the template with the names of another game."""
    words = id.split("-")
    names = {"heap-of-stones": id, "heap_of_stones": "_".join(words), "HeapOfStones": "".join(map(str.capitalize, words))}
    for name, other in (names | {"Heap of stones": " ".join(words).capitalize()}).items():
        text = text.replace(name, other)
    return text
