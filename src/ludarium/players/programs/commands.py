"""How a program is run: what of a player spec is a program's, and with which interpreter or compiler it becomes a process."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from ludarium.core.data_folder import seen_from
from ludarium.errors import BadNotation, BadOption, one_of

COMMAND = "cmd:"
"""What a spec begins with whose rest is a command line."""

CLASS = "class:"
"""What a spec begins with whose rest names a Python class."""

INTERPRETERS: dict[str, tuple[str, ...]] = {
    ".jar": ("java", "-jar"),
    ".java": ("java", "-cp", "/nonexistent"),  # classes that were compiled beside it may be older than their sources
    ".js": ("node",),
    ".lua": ("lua",),
    ".mjs": ("node",),
    ".php": ("php",),
    ".pl": ("perl",),
    ".py": (sys.executable,),
    ".rb": ("ruby",),
    ".sh": ("sh",),
}
COMPILERS: dict[str, tuple[str, ...]] = {
    ".c": ("cc", "-O2"),
    ".cc": ("c++", "-O2"),
    ".cpp": ("c++", "-O2"),
    ".rs": ("rustc", "-O"),
}


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
        try:
            words = shlex.split(text.removeprefix(COMMAND))
        except ValueError as problem:
            raise BadNotation(f"'{text}' is no command line: {problem}") from None
        if not words:
            raise BadNotation(f"'{text}' names no command; write cmd: and a command line, such as 'cmd:node bot.js'")
        return Command(text, (_found(words[0], text, folder), *words[1:]), folder)
    path = seen_from(folder, text)
    if not path.is_file():
        raise BadOption(f"player '{text}': there is no such file" if not path.is_dir() else f"player '{text}' is a folder, not a program")
    path = path.resolve()
    if os.access(path, os.X_OK):
        return Command(text, (str(path),), path.parent)
    if words := INTERPRETERS.get(path.suffix):
        return Command(text, (_found(words[0], text, folder), *words[1:], str(path)), path.parent)
    if words := COMPILERS.get(path.suffix):
        return Command(text, (_found(words[0], text, folder), *words[1:]), path.parent, source=path)
    raise BadOption(f"player '{text}' is not executable, and its ending {one_of(path.suffix, sorted((*INTERPRETERS, *COMPILERS)))}")


def _found(name: str, text: str, folder: Path) -> str:
    found = shutil.which(name if os.sep not in name else str(folder / name))
    if found is None:
        raise BadOption(f"player '{text}': there is no command '{name}' here")
    return str(Path(found).absolute())
