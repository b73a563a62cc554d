"""Finds games and their labs, those of Ludarium and those of other installed packages, through two groups of entry points.

In ``ludarium.games`` the name is a game's id, the value the game's class. In ``ludarium.labs`` the name is a game's id too, the value a package with what
is built on top of that game, its *lab*. Modules with these names are looked for beside the game's class and, if there is none, in its lab, and imported
when asked for: ``players`` (what can sit at the board), ``commands`` (``ludarium GAME …``), ``network`` (its players as clients of netorcai). The file
``page.js`` (what its page adds) is looked for beside the game's class.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.util
from collections.abc import Generator, Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from ludarium.errors import BadOption, LudariumError, one_of

from .game import Game, State

GAMES = "ludarium.games"
LABS = "ludarium.labs"


@functools.cache
def _entries(group: str) -> dict[str, tuple[EntryPoint, ...]]:
    """All that is installed under an id, one if all is well. Ludarium's own come first, so that nobody else's package is in their way."""
    found: dict[str, tuple[EntryPoint, ...]] = {}
    for entry in sorted(entry_points(group=group), key=lambda entry: (not entry.value.startswith("ludarium."), entry.name, entry.value)):
        others = found.get(entry.name, ())
        if entry.value not in [other.value for other in others]:
            found[entry.name] = (*others, entry)
    return found


def _entry(group: str, id: str) -> EntryPoint:
    entry, *others = _entries(group)[id]
    if others:
        packages = ", ".join(one.value for one in (entry, *others))
        raise BadOption(f"game '{id}' stands in several packages ({packages}); uninstall all but one")
    return entry


def list_games() -> tuple[str, ...]:
    """The ids of all installed games, Ludarium's own first, both sorted. Some may be broken: :func:`game` says why."""
    return tuple(_entries(GAMES))


def class_names() -> dict[str, str]:
    """By the ids of all installed games what their classes are called, without importing any; nothing of those whose entry point names no class."""
    names = {id: entries[0].value.partition(":")[2].strip() for id, entries in _entries(GAMES).items()}
    return {id: name for id, name in names.items() if name.isidentifier()}


def game_class(id: str) -> type[Game]:
    """The class of a game.

    Raises:
        BadOption: no such game is installed, or several are, or its package cannot be loaded.
    """
    if id not in list_games():
        raise BadOption(f"game {one_of(id, list_games())}")
    found = _load(id)
    if isinstance(found, BadOption):
        raise BadOption(str(found)) from found.__cause__
    return found


@functools.cache
def _load(id: str) -> type[Game] | BadOption:
    """The class, or why there is none. Asked only once: a package that fails after half of its rules would fail for another reason the next time."""
    try:
        entry = _entry(GAMES, id)
        with _named(f"game '{id}' cannot be loaded from {entry.value}"):
            found: Any = entry.load()
            if not (isinstance(found, type) and issubclass(found, Game) and found.id == id):
                raise TypeError(f"this is no Game with the id '{id}'")
            kind = cast("type[Game]", found)
            if not all(isinstance(getattr(kind, name, None), str) for name in ("title", "summary")):
                raise TypeError("its title and its summary have to be texts")
            return kind
    except BadOption as problem:
        return problem


def game(id: str, /, **options: Any) -> Game:
    """A game with its options, the others by their defaults.

    Raises:
        BadOption: no such game, option or value, or the game is broken.
    """
    with _named(f"game '{id}' does not work"):
        return game_class(id)(**options)


def position(id: str, text: str, /, **options: Any) -> State:
    """The position of a text, in a game with some options and those besides that the text itself tells.

    Raises:
        BadOption: as :func:`game`.
        BadNotation: not a position of that game with these options.
    """
    return game(id, **(dict(game_class(id).options_in(text)) | options)).parse(text)


@contextlib.contextmanager
def _named(what: str) -> Generator[None]:
    """Anybody's package may be installed here: say what is wrong with one and whose it is, whatever it raises."""
    try:
        yield
    except LudariumError:
        raise
    except (Exception, SystemExit) as problem:
        raise BadOption(f"{what}: {type(problem).__name__}: {problem}") from problem


def game_without_files(id: str, options: Mapping[str, Any]) -> Game:
    """The game that somebody elsewhere names with its options.

    Raises:
        BadOption: there is no such game, it refuses the options, or one names a file: none is read for whoever asks.
    """
    for option in game_class(id).option_list:
        if option.names_file(options.get(option.name)):
            given = one_of(options[option.name], option.choices)
            raise BadOption(f"{id}: {option.name}={given}; a server reads no files, but takes what stands in one")
    return game(id, **options)


def game_module(id: str, name: str) -> ModuleType | None:
    """The module of that name (``players``, ``commands``) in a game's package, else in its lab; None if neither has one.

    Raises:
        BadOption: no such game is installed, or the module or its lab cannot be loaded.
    """
    packages = [game_class(id).__module__.rpartition(".")[0]]
    packages += [_entry(LABS, id).value] if id in _entries(LABS) else []
    for package in packages:
        with _named(f"the {name} of game '{id}' cannot be loaded from {package}"):
            if package and importlib.util.find_spec(f"{package}.{name}"):
                return importlib.import_module(f"{package}.{name}")
    return None


def game_file(id: str, name: str) -> Path | None:
    """A file in a game's package (``page.js``), None if it has none."""
    module = importlib.import_module(game_class(id).__module__)
    path = Path(str(module.__file__)).with_name(name)
    return path if path.is_file() else None
