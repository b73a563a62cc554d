"""Finds games and their labs, those of Ludarium and those of other installed packages, through two groups of entry points.

In ``ludarium.games`` the name is a game's id, the value the game's class. In ``ludarium.labs`` the name is a game's id too, the value a package with what
is built on top of that game, its *lab*. Modules with these names are looked for beside the game's class and, if there is none, in its lab, and imported
when asked for: ``players`` (what can sit at the board), ``commands`` (``ludarium GAME …``), ``network`` (its players as clients of netorcai). The file
``page.js`` (what its page adds) is looked for beside the game's class.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from ludarium.errors import BadOption, one_of

from .game import Game

__all__ = ["game", "game_class", "game_file", "game_module", "list_games"]

GAMES = "ludarium.games"
LABS = "ludarium.labs"


@functools.cache
def _entries(group: str) -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in sorted(entry_points(group=group), key=lambda entry: entry.name)}


def list_games() -> tuple[str, ...]:
    """The ids of all installed games, sorted."""
    return tuple(_entries(GAMES))


@functools.cache
def game_class(id: str) -> type[Game]:
    """The class of a game.

    Raises:
        BadOption: no such game is installed, or its package cannot be loaded.
    """
    entry = _entries(GAMES).get(id)
    if entry is None:
        raise BadOption(f"game {one_of(id, list_games())}")
    try:
        found: Any = entry.load()
    except (ImportError, AttributeError) as problem:
        raise BadOption(f"game '{id}' cannot be loaded from {entry.value}: {problem}") from problem
    if not (isinstance(found, type) and issubclass(found, Game) and found.id == id):
        raise BadOption(f"game '{id}' cannot be loaded: {entry.value} is not a Game with the id '{id}'")
    return found


def game(id: str, /, **options: Any) -> Game:
    """A game with its options, the others by their defaults.

    Raises:
        BadOption: no such game, option or value.
    """
    return game_class(id)(**options)


def game_module(id: str, name: str) -> ModuleType | None:
    """The module of that name (``players``, ``commands``) in a game's package, else in its lab; None if neither has one.

    Raises:
        BadOption: no such game is installed, or the package of its lab is not.
    """
    lab = _entries(LABS).get(id)
    for package in (game_class(id).__module__.rpartition(".")[0], lab.value if lab else ""):
        try:
            if package and importlib.util.find_spec(f"{package}.{name}"):
                return importlib.import_module(f"{package}.{name}")
        except ModuleNotFoundError as problem:
            if not package.startswith(str(problem.name)):
                raise
            raise BadOption(f"the lab of game '{id}' cannot be loaded from {package}: {problem}") from problem
    return None


def game_file(id: str, name: str) -> Path | None:
    """A file in a game's package (``page.js``), None if it has none."""
    module = importlib.import_module(game_class(id).__module__)
    path = Path(str(module.__file__)).with_name(name)
    return path if path.is_file() else None
