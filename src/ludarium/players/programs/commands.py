"""How a program is run: what of a player spec is a program's, and with which interpreter or compiler it becomes a process."""

from __future__ import annotations

import hashlib
import os
import secrets
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from ludarium.core.data_folder import cache_folder, seen_from
from ludarium.errors import BadNotation, BadOption, PlayerCrashed, StoreError, one_of

COMMAND = "cmd:"
"""What a spec begins with whose rest is a command line."""

CLASS = "class:"
"""What a spec begins with whose rest names a Python class."""

INTERPRETERS: dict[str, tuple[str, ...]] = {
    ".jar": ("java", "-jar"),
    ".java": ("java",),
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
    ".c": ("cc", "-O2", "-o"),
    ".cc": ("c++", "-O2", "-o"),
    ".cpp": ("c++", "-O2", "-o"),
    ".rs": ("rustc", "-O", "-o"),
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
    """What is compiled before, by ``words`` with the file to make and this one."""
    is_fresh: bool = False
    """Whether it is started anew for every game, with ``--seed`` and a number behind its words."""
    reads: tuple[Path, ...] = ()
    """What it reads besides, where its folder is not its own."""

    def seeded(self, seed: int) -> Command:
        """What is run for the game of a seed."""
        return replace(self, words=(*self.words, "--seed", str(seed % 2**32))) if self.is_fresh else self

    def compiled(self) -> tuple[str, ...]:
        """What is run, compiled if it has to be. The result is kept, and made anew when the source has changed.

        Raises:
            PlayerCrashed: the compiler refuses it, or the result cannot be kept.
        """
        if self.source is None:
            return self.words
        try:
            content = self.source.read_bytes()
            kept = cache_folder() / "programs" / hashlib.sha256(repr((self.words, self.source.suffix)).encode() + content).hexdigest()[:24]
            if not kept.exists():
                kept.parent.mkdir(parents=True, exist_ok=True)
                made = kept.with_name(f"{kept.name}.{secrets.token_hex(4)}")  # several may be at it
                done = subprocess.run(
                    [*self.words, str(made), str(self.source)],
                    capture_output=True,
                    text=True,
                    errors="replace",
                    check=False,
                    start_new_session=True,  # Ctrl-C would end the compiler, and the game would be lost by that
                )
                if done.returncode:
                    raise PlayerCrashed(f"crash: {self.text} cannot be compiled: {done.stderr.strip()[:500]}")
                made.replace(kept)
        except OSError as problem:
            raise PlayerCrashed(f"crash: {self.text} cannot be compiled: {problem.strerror}") from None
        except StoreError as problem:
            raise PlayerCrashed(f"crash: {self.text} cannot be compiled: {problem}") from None
        return (str(kept),)


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
