"""Classes as players: a game may have a script, its *adapter*, that speaks with the judge for a class of the Python interface which is at home there.

``class:PATH_OR_MODULE[:ClassName]`` names one: a package (a folder with ``__init__.py``), a file, or a module by its dotted name. The adapter is run as
``ADAPTER FOLDER MODULE CLASS [--time SECONDS] [--seed N]`` and starts anew for every game.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from ludarium.core.data_folder import seen_from
from ludarium.core.registry import game_module
from ludarium.errors import BadNotation, BadOption

from .commands import CLASS, Command

DEFAULT_NAME = "Player"


def class_command(text: str, folder: Path, game: str, seconds: float | None = None) -> Command:
    """The program that a class's spec names, seen from a folder; ``seconds`` of processor time are its for a game. Nothing is imported.

    Raises:
        BadNotation: no such form.
        BadOption: no such module, or the game seats no classes.
    """
    adapter: Path | None = getattr(game_module(game, "players"), "CLASS_ADAPTER", None)
    if adapter is None:
        raise BadOption(f"player '{text}': {game} has no interface for classes; write ./FILE or cmd:COMMAND LINE for a program")
    path, colon, name = text.removeprefix(CLASS).partition(":")
    if not path or (colon and not name) or not (name or DEFAULT_NAME).isidentifier():
        raise BadNotation(f"'{text}' is no class; write {CLASS}PATH_OR_MODULE or {CLASS}PATH_OR_MODULE:ClassName")
    source = _source(path, folder)
    words = (sys.executable, "-P", str(adapter))
    limits = () if seconds is None else ("--time", str(seconds))
    if source is None and _is_installed(path):
        return Command(text, (*words, str(folder), path, name or DEFAULT_NAME, *limits), folder, is_fresh=True, reads=(adapter,))
    if source is None:
        raise BadOption(f"player '{text}': there is no package (a folder with __init__.py), file or module of that name in {folder}")
    top = source
    while (top.parent / "__init__.py").is_file():
        top = top.parent
    module = ".".join(source.relative_to(top.parent).with_suffix("").parts)
    return Command(text, (*words, str(top.parent), module, name or DEFAULT_NAME, *limits), top.parent, is_fresh=True, reads=(top, adapter))


def _source(path: str, folder: Path) -> Path | None:
    """The package or file of a path or a module's name."""
    named = seen_from(folder, path)
    dotted = folder.joinpath(*path.split("."))
    for one in (named, dotted, dotted.parent / f"{dotted.name}.py"):
        if (one / "__init__.py").is_file() or (one.suffix == ".py" and one.is_file()):
            return one.resolve()
    return None


def _is_installed(path: str) -> bool:
    """Whether a module's name begins with a package that is installed; what lies in that is known when it is imported."""
    parts = path.split(".")
    return all(part.isidentifier() for part in parts) and parts[0] != "__main__" and find_spec(parts[0]) is not None
