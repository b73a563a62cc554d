"""What a program needs of this machine: its folder, what runs it, and a few variables."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ludarium.core.data_folder import home_folder
from ludarium.errors import BadOption

from .commands import PYTHON, Command

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix/store")
"""What every program may read, where it exists."""

VARIABLES = ("JAVA_HOME", "LANG", "LANGUAGE", "NODE_PATH", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PATH", "PYTHONPATH", "TZ")
"""Environment variables passed to programs, in addition to ``LC_…``. Others may be secrets."""

ROOM_FOLDER = "/tmp"
"""Writable folder in a bubblewrap sandbox."""

SCRATCH = "LUDARIUM_SCRATCH"
"""Environment variable that names the writable folder."""

_INTERPRETER = re.compile(r"(ba|da|z)?sh|(python|pypy|node|nodejs|ruby|perl|php|lua|luajit|java|deno|bun|julia|guile|tclsh|Rscript)[\d.]*")
"""Names of interpreters whose installation a ``#!`` line makes readable."""

_C_FAMILY = frozenset({".c", ".cc", ".cpp", ".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".ipp", ".tpp"})
"""Endings of files that include each other."""

MAX_LOOKS = 10_000
"""Limit of files checked for readability; a folder with more counts as unreadable for other users."""

MAX_DEPTH = 2
"""Depth to which an installation is checked for readability."""


class Needs(NamedTuple):
    """Files and folders that a program needs, apart from the system's."""

    readable: tuple[Path, ...]
    """Readable files and folders."""
    hidden: tuple[Path, ...] = ()
    """Folders inside ``readable`` that the program must not see."""
    listed: tuple[Path, ...] = ()
    """Folders whose entries the program may list."""
    installed: frozenset[Path] = frozenset()
    """Members of ``readable`` that are installations."""
    written: tuple[Path, ...] = ()
    """Folders that the program may read and change, for a build command."""

    def parts(self) -> list[Path]:
        """Split the readable folders so that no part contains a hidden folder."""
        return [part for path in self.readable for part in _without(path, self.hidden)]

    def divided(self) -> list[Path]:
        """Return the folders that :meth:`parts` splits."""
        return list(
            dict.fromkeys(up for one in self.hidden for up in one.parents if any(up.is_relative_to(path) for path in self.readable))
        )


def environment() -> dict[str, str]:
    """Return the variables of a program in a sandbox."""
    kept = {name: value for name, value in os.environ.items() if name in VARIABLES or name.startswith("LC_")}
    return kept | {"HOME": ROOM_FOLDER, SCRATCH: ROOM_FOLDER}


def needs_of(command: Command, words: Sequence[str], hidden: Sequence[Path] = ()) -> Needs:
    """Return the files and folders that a program needs, apart from the system's.

    That is its folder; where the folder is not the program's alone (a home), the files that its command names and their neighbours of the same kind; and the
    installations of what runs it.

    Args:
        command: the program.
        words: what is run.
        hidden: folders that it does not see: records.

    Raises:
        BadOption: the program's folder would be hidden from it.
    """
    folder = command.folder.resolve()
    hidden = [path.resolve() for path in hidden]
    if clash := next((path for path in hidden if any(one.is_relative_to(path) for one in (folder, *command.reads))), None):
        raise BadOption(
            f"player {command.text} is in {clash}, which is hidden from players because records are stored there; "
            "store them in a folder of their own, such as --records games"
        )
    listed: tuple[Path, ...] = ()
    if is_apart(folder):
        own = [folder]
    else:
        own = [one for word in words for one in _named(folder, word)]
        listed = (folder,) if len(own) > 1 else ()
    installed: dict[Path, None] = {}
    for executable in _executables(folder / words[0]):
        installed.update(dict.fromkeys(_installation(executable)))
        if executable == Path(PYTHON):
            installed.update(dict.fromkeys(path for text in _python_path() if (path := Path(text)).exists() and is_apart(path)))
    found = dict.fromkeys((*own, *command.reads, *installed))
    readable = tuple(path for path in found if not any(one in found or str(one) in SYSTEM for one in path.parents))
    inside = tuple(one for one in hidden if any(one.is_relative_to(path) for path in readable))
    return Needs(readable, inside, listed, frozenset(installed) - {*own})


def may_change(needs: Needs, folder: Path) -> Needs:
    """Return the needs with the right to change a folder."""
    return needs._replace(readable=tuple(path for path in needs.readable if not path.is_relative_to(folder)), written=(folder,))


def named_path(folder: Path, word: str) -> Path | None:
    """Return the file or folder that a word of a command names, or None if there is none of this name."""
    with suppress(OSError):  # longer than any file's name, as a script in a command may be
        path = folder / word
        return path if word and path.exists() else None
    return None


def _named(folder: Path, word: str) -> Iterator[Path]:
    """Yield a file or package and its neighbours of the same kind, which it may import."""
    path = named_path(folder, word)
    if path is None or not path.is_file():
        return
    yield path
    with suppress(OSError):  # a folder that may be passed and not listed
        if path.resolve().parent != folder or not path.suffix:
            return
        kind = _C_FAMILY if path.suffix in _C_FAMILY else {path.suffix}
        for one in sorted(folder.iterdir()):
            if one.is_symlink():  # it may lead to anything
                continue
            if one.is_file() if one.suffix in kind else path.suffix == ".py" and (one / "__init__.py").is_file():
                yield one


def _without(folder: Path, hidden: Sequence[Path]) -> Iterator[Path]:
    """Yield the parts of a folder that are not hidden."""
    if not any(path.is_relative_to(folder) for path in hidden):
        yield folder
    elif folder not in hidden:
        for one in folder.iterdir():
            yield from _without(one, hidden)


def is_apart(folder: Path) -> bool:
    """Return True if a folder is not the home or temporary folder, or a parent of one. Programs may read such a folder completely."""
    home = home_folder()
    homes = (home, home.resolve(), home / ".local", home / ".cache") if home else ()
    return not any(one.is_relative_to(folder) for one in (*homes, Path(tempfile.gettempdir()).resolve()))


def is_public(path: Path, *, with_parents: bool, depth: int = 100) -> bool:
    """Return True if other users can read a file, or a folder with all its contents.

    Args:
        path: the file or folder.
        with_parents: whether they have to pass through the folders above it too.
        depth: how many levels of a folder are looked at.
    """
    if with_parents and not all(_allows(one, stat.S_IXOTH) for one in path.parents):
        return False
    for looks, one in enumerate(_below(path, depth)):
        if looks > MAX_LOOKS or not _allows(one, stat.S_IROTH | stat.S_IXOTH if one.is_dir() else stat.S_IROTH):
            return False
    return True


def public_parts(folder: Path) -> Iterator[Path]:
    """Yield the parts of a folder that other users can read."""
    if not folder.exists() or not _allows(folder, stat.S_IXOTH if folder.is_dir() else stat.S_IROTH):
        return
    if is_public(folder, with_parents=False):
        yield folder
    elif folder.is_dir():
        for one in sorted(folder.iterdir()):
            yield from public_parts(one)


def _below(path: Path, depth: int) -> Iterator[Path]:
    """Yield a path and its descendants, without following links."""
    yield path
    if depth and path.is_dir():
        with suppress(PermissionError):
            for one in os.scandir(path):
                if not one.is_symlink():
                    yield from _below(Path(one.path), depth - 1) if one.is_dir() else (Path(one.path),)


def _allows(path: Path, wanted: int) -> bool:
    try:
        return path.stat().st_mode & wanted == wanted
    except OSError:  # it has been removed meanwhile
        return True


def _executables(path: Path) -> Iterator[Path]:
    """Yield an executable and the interpreters that ``#!`` lines name."""
    for _ in range(4):
        yield path
        try:
            with path.open("rb") as file:
                line = file.readline(256).decode(errors="replace")
        except OSError:
            return
        if not line.startswith("#!"):
            return
        words = line[2:].split()
        if words and words[0] in ("/usr/bin/env", "/bin/env"):
            named = [shutil.which(word) for word in words[1:] if not word.startswith("-") and "=" not in word][:1]
        else:
            named = words[:1]
        if not named or named[0] is None or not _INTERPRETER.fullmatch(Path(named[0]).name) or not os.access(named[0], os.X_OK):
            return  # a program must not name folders of others in this way
        path = Path(named[0])


def _installation(executable: Path) -> Iterator[Path]:
    """Yield the installation of an executable.

    That is the folder that its ``bin`` lies in, and itself; for an interpreter of a virtual environment, that and the base's.
    """
    for file in (executable, executable.resolve()):
        folder = file.parent.parent
        is_whole = file == executable.resolve() or (folder / "pyvenv.cfg").exists() or file.parent.name == "shims"
        if file.parent.name in ("bin", "shims") and is_whole and is_apart(folder):
            yield folder
        else:
            yield file


@cache
def _python_path() -> list[str]:
    """Return ``sys.path`` of a new Python process."""
    code = "import json, sys; print(json.dumps(sys.path))"
    return json.loads(subprocess.run([PYTHON, "-P", "-c", code], capture_output=True, check=True).stdout)


def parents(paths: Iterable[Path]) -> Iterable[Path]:
    """Return the parent folders of paths, outermost first."""
    return dict.fromkeys(parent for path in paths for parent in reversed(path.parents))
