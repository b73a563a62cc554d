"""How a program is run: what of a player spec is a program's, and with which interpreter or compiler it becomes a process."""

from __future__ import annotations

import codecs
import os
import shlex
import shutil
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from ludarium.core.data_folder import seen_from
from ludarium.errors import BadNotation, BadOption, one_of

COMMAND = "cmd:"
"""What a spec begins with whose rest is a command line."""

BUILT_BY = ",build="
"""The text in a spec that precedes the command line that builds the file."""

CLASS = "class:"
"""What a spec begins with whose rest names a Python class."""

PYTHON = str(Path(sys.executable).parent.resolve() / Path(sys.executable).name)
"""Path of the running Python interpreter, without ``..``."""

INTERPRETERS: dict[str, tuple[str, ...]] = {
    ".jar": ("java", "-jar"),
    ".java": ("java", "-cp", "/nonexistent"),  # classes that were compiled beside it may be older than their sources
    ".js": ("node",),
    ".lua": ("lua",),
    ".mjs": ("node",),
    ".php": ("php",),
    ".pl": ("perl",),
    ".py": (PYTHON,),
    ".rb": ("ruby",),
    ".sh": ("sh",),
}
COMPILERS: dict[str, tuple[str, ...]] = {
    ".c": ("cc", "-O2"),
    ".cc": ("c++", "-O2"),
    ".cpp": ("c++", "-O2"),
    ".rs": ("rustc", "-O"),
}


class Builder(NamedTuple):
    """A bot's own build command."""

    words: tuple[str, ...]
    folder: Path
    """Working directory: the folder from which the spec is resolved."""


@dataclass(frozen=True)
class Command:
    """A program that can be started."""

    text: str
    """The spec."""
    words: tuple[str, ...]
    """What is run."""
    folder: Path
    """Where it runs: beside the program's file, or here."""
    source: Path | None = None
    """The file from which ``words``, a compiler, make the program; see :mod:`.building`."""
    is_fresh: bool = False
    """Whether it is started anew for every game, with ``--seed`` and a number behind its words."""
    reads: tuple[Path, ...] = ()
    """What it reads besides, where its folder is not its own."""
    builder: Builder | None = None
    """The command that builds the program before each start."""
    target: str = ""
    """Path of the program's file or package if the spec names it through a symbolic link."""

    def seeded(self, seed: int) -> Command:
        """What is run for the game of a seed."""
        return replace(self, words=(*self.words, "--seed", str(seed % 2**32))) if self.is_fresh else self


def is_program(text: str) -> bool:
    """Whether a spec names a program: ``cmd:`` and a command line, ``class:`` and a class, or a file.

    A file's name has a dot or a slash, which no built-in player's has.
    """
    head = text.partition(":")[0]
    return text.startswith((COMMAND, CLASS)) or any(mark in head for mark in (".", "/", os.sep))


def is_class(text: str) -> bool:
    """Whether a spec names a class."""
    return text.startswith(CLASS)


def command_of(text: str, folder: Path) -> Command:
    """The program that a spec names, seen from a folder. Nothing is started.

    Raises:
        BadNotation: an empty or unfinished command line.
        BadOption: no such file or command, or nobody knows how to run it.
    """
    if text.startswith(COMMAND):
        return Command(text, _command_line(text.removeprefix(COMMAND), text, folder), folder)
    name, is_built, line = text.partition(BUILT_BY)
    path = seen_from(folder, name)
    if is_built:
        builder = Builder(_command_line(line, text, folder), folder)
        made = path.parent.resolve() / path.name
        if link_target(path.parent, folder) and path.is_relative_to(folder) and not made.is_relative_to(folder.resolve()):
            raise BadOption(f"player '{text}': {path.parent} is a link out of {folder}, where no build command runs")
        words = INTERPRETERS.get(made.suffix, ())
        run = (found_command(words[0], text, folder), *words[1:]) if words else ()
        return Command(text, (*run, str(made)), made.parent, builder=builder)
    if not path.is_file():
        raise BadOption(f"player '{text}': there is no such file" if not path.is_dir() else f"player '{text}' is a folder, not a program")
    return replace(_file_command(text, path, folder), target=link_target(path, folder))


def link_target(path: Path, folder: Path) -> str:
    """Return the target of a path with a symbolic link below a folder, or '' for a path without links."""
    inside = folder.resolve() / path.relative_to(folder) if path.is_relative_to(folder) else path
    named = Path(os.path.normpath(inside))
    return "" if named == path.resolve() else str(path.resolve())


def _file_command(text: str, typed: Path, folder: Path) -> Command:
    """Return the command for a program file. For a symbolic link, use the link's suffix and the target's folder.

    Raises:
        BadOption: it is unknown how to run it.
    """
    path = typed.resolve()
    named = path if path.suffix == typed.suffix else typed.parent.resolve() / typed.name
    reads = () if named == path else (named,)
    problem = f"is not executable, and its ending {one_of(typed.suffix, sorted((*INTERPRETERS, *COMPILERS)))}"
    if os.access(path, os.X_OK):
        problem = _why_not_run(path, folder)
        if not problem:
            return Command(text, (str(path),), path.parent, reads=reads)
        if problem != NO_INTERPRETER:
            raise BadOption(f"player '{text}' {problem}")
    if words := INTERPRETERS.get(typed.suffix):
        if words[0] == "sh" and has_windows_line_ends(path):
            raise BadOption(f"player '{text}' has Windows line ends, which sh does not read; save it with Unix line ends (LF)")
        return Command(text, (found_command(words[0], text, folder), *words[1:], str(named)), path.parent, reads=reads)
    if words := COMPILERS.get(typed.suffix):
        return Command(text, (found_command(words[0], text, folder), *words[1:]), path.parent, source=named, reads=reads)
    raise BadOption(f"player '{text}' {problem}")


NO_INTERPRETER = "is executable but has no #! line; begin it with '#!/usr/bin/env python3' or the like, or write 'cmd:COMMAND LINE'"


def _why_not_run(path: Path, folder: Path) -> str:
    """Return the reason why the system cannot run an executable file, or ''."""
    try:
        with path.open("rb") as file:
            line = file.readline(256)
    except OSError:  # a program may be executable and not readable
        return ""
    if line.startswith(b"\x7fELF"):
        return ""
    if not line.removeprefix(codecs.BOM_UTF8).startswith(b"#!"):
        return NO_INTERPRETER
    if line.startswith(codecs.BOM_UTF8):
        return "has a byte order mark before its #! line; save it as UTF-8 without BOM"
    if line.endswith(b"\r\n"):
        return f"has Windows line ends, so there is no interpreter '{line[2:-2].decode(errors='replace').strip()}\\r'; save it with Unix line ends (LF)"
    words = line[2:].decode(errors="surrogateescape").split()
    if not words or not (folder / words[0]).exists():
        return f"has the #! line '{line.decode(errors='replace').strip()}', and there is no such interpreter here"
    return ""


def has_windows_line_ends(path: Path) -> bool:
    """Return True if the start of a file has Windows line ends."""
    with suppress(OSError), path.open("rb") as file:
        return b"\r\n" in file.read(4096)
    return False


def _command_line(line: str, text: str, folder: Path) -> tuple[str, ...]:
    try:
        words = shlex.split(line)
    except ValueError as problem:
        raise BadNotation(f"'{text}' is no command line: {problem}") from None
    if not words:
        raise BadNotation(f"'{text}' names no command; write cmd: and a command line, such as 'cmd:node bot.js'")
    return (found_command(words[0], text, folder), *words[1:])


def found_command(name: str, text: str, folder: Path) -> str:
    """Return the path of a command, looked up in PATH or relative to a folder.

    Raises:
        BadOption: there is none.
    """
    found = shutil.which(name if os.sep not in name else str(folder / name))
    if found is None:
        raise BadOption(f"player '{text}': there is no command '{name}' here")
    path = Path(found).absolute()
    return str(path.parent.resolve() / path.name)
