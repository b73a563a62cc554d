"""Finds games: those of Ludarium and those of other installed packages, through the entry point group ``ludarium.games``.

An entry point's name is the game's id, its value the game's class. Beside the module of that class, a game's package may hold ``players.py`` (what can
sit at its board), ``commands.py`` (its own commands), ``network.py`` (its players as clients of netorcai) and ``page.js`` (what its page adds); they are
imported when asked for.
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

GROUP = "ludarium.games"


@functools.cache
def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name)}


def list_games() -> tuple[str, ...]:
    """The ids of all installed games, sorted."""
    return tuple(_entries())


@functools.cache
def game_class(id: str) -> type[Game]:
    """The class of a game.

    Raises:
        BadOption: no such game is installed, or its package cannot be loaded.
    """
    entry = _entries().get(id)
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
    """The module of that name in a game's package (``players``, ``commands``), None if it has none."""
    package = game_class(id).__module__.rpartition(".")[0]
    if not package or importlib.util.find_spec(f"{package}.{name}") is None:
        return None
    return importlib.import_module(f"{package}.{name}")


def game_file(id: str, name: str) -> Path | None:
    """A file in a game's package (``page.js``), None if it has none."""
    module = importlib.import_module(game_class(id).__module__)
    path = Path(str(module.__file__)).with_name(name)
    return path if path.is_file() else None
