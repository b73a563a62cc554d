"""Python classes as players, for games that have an adapter: a script that speaks with the judge on behalf of a class.

``class:PATH_OR_MODULE[:ClassName][,python=PYTHON]`` names a class: in a module by its dotted name, as ``import`` finds it in the folder where the command
runs; or in a package (a folder with ``__init__.py``) or file by its path. The judge starts a new process for each game, as
``ADAPTER FOLDER MODULE CLASS [--time SECONDS] [--seed N]``; ``FOLDER`` is the import root.
"""

from __future__ import annotations

import keyword
from importlib.util import find_spec
from pathlib import Path

from ludarium.core.data_folder import seen_from
from ludarium.core.registry import game_module
from ludarium.errors import BadNotation, BadOption

from .commands import CLASS, PYTHON, Command, found_command, link_target

DEFAULT_NAME = "Player"


PYTHON_OPTION = ",python="
"""The text in a spec that precedes the interpreter of a class."""

FORM = f"{CLASS}PATH_OR_MODULE, {CLASS}PATH_OR_MODULE:ClassName, and {PYTHON_OPTION}PYTHON after either"


def class_command(text: str, folder: Path, game: str, seconds: float | None = None) -> Command:
    """Return the program that a class's spec names. Nothing is imported.

    Args:
        text: the spec.
        folder: the folder from which it is seen, the import root of dotted names.
        game: the id of the game.
        seconds: processor time that the class has for a game.

    Raises:
        BadNotation: not of that form.
        BadOption: there is no such module or interpreter, or the game seats no classes.
    """
    adapter: Path | None = getattr(game_module(game, "players"), "CLASS_ADAPTER", None)
    if adapter is None:
        raise BadOption(f"player '{text}': {game} has no interface for classes; write ./FILE or cmd:COMMAND LINE for a program")
    spec, has_python, typed = text.removeprefix(CLASS).partition(PYTHON_OPTION)
    path, colon, name = spec.partition(":")
    if not path or (colon and not name) or not (name or DEFAULT_NAME).isidentifier() or (has_python and not typed):
        raise BadNotation(f"'{text}' is no class; write {FORM}")
    python = (found_command(typed, text, folder),) if has_python else (PYTHON, "-P")
    limits = () if seconds is None else ("--time", str(seconds))
    if (found := _found(path, folder)) is not None:
        root, module = found
        top = root / module.partition(".")[0]
        reads = (top if top.is_dir() else top.with_suffix(".py"), adapter)
        target = link_target(seen_from(folder, path), folder) or link_target(reads[0], folder)
    elif has_python or _is_installed(path):
        root, module, reads, target = folder, path, (adapter,), ""
    else:
        raise BadOption(f"player '{text}': there is no package (a folder with __init__.py), file or module of that name in {folder}")
    return Command(
        text, (*python, str(adapter), str(root), module, name or DEFAULT_NAME, *limits), root, is_fresh=True, reads=reads, target=target
    )


def _found(path: str, folder: Path) -> tuple[Path, str] | None:
    """Return the import root and the dotted name of a module's name or path."""
    folder = folder.resolve()
    parts = path.split(".")
    if all(map(_is_name, parts)) and _is_module(folder.joinpath(*parts)):
        return folder, path
    named = seen_from(folder, path)
    named = named.parent.resolve() / named.name  # a link to a package keeps its name
    if named.suffix == ".py" and named.is_file():
        named = named.with_suffix("")
    elif not (named / "__init__.py").is_file():
        return None
    inside = named.relative_to(folder).parts if named.is_relative_to(folder) else ()
    if inside and all(map(_is_name, inside)):
        return folder, ".".join(inside)
    return (named.parent, named.name) if _is_name(named.name) else None


def _is_name(part: str) -> bool:
    return part.isidentifier() and not keyword.iskeyword(part)


def _is_module(path: Path) -> bool:
    return (path / "__init__.py").is_file() or path.with_name(f"{path.name}.py").is_file()


def _is_installed(path: str) -> bool:
    """Return True if the first part of a module's name is an installed package."""
    parts = path.split(".")
    return all(map(_is_name, parts)) and parts[0] != "__main__" and find_spec(parts[0]) is not None
