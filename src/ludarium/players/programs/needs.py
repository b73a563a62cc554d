"""What a program needs of this machine: its folder, what runs it, and a few variables."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from ludarium.core.data_folder import home_folder

from .commands import Command

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix/store")
"""What every program may read, where it exists."""

VARIABLES = ("JAVA_HOME", "LANG", "LANGUAGE", "NODE_PATH", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PATH", "PYTHONPATH", "TZ")
"""What programs are told of this process's environment, besides ``LC_…``: others may be secrets."""


def environment() -> dict[str, str]:
    """The variables of a program in a sandbox."""
    kept = {name: value for name, value in os.environ.items() if name in VARIABLES or name.startswith("LC_")}
    return kept | {"HOME": "/tmp"}


def needed(command: Command, words: Sequence[str], hidden: Sequence[Path] = ()) -> list[Path]:
    """What the program reads outside of the system's folders: its folder, without what is hidden in it, or where that is not the program's alone (a home), the
    files that its command names; and the installations of what runs it."""
    folder = command.folder
    own = _without(folder, [path.resolve() for path in hidden]) if _is_apart(folder) else _named(folder, words)
    found: dict[Path, None] = dict.fromkeys(own)
    found.update(dict.fromkeys(command.reads))
    for executable in _executables(folder / words[0]):
        found.update(dict.fromkeys(_installation(executable)))
        if executable == Path(sys.executable):
            found.update(dict.fromkeys(path for text in _python_path() if (path := Path(text)).exists() and _is_apart(path)))
    return [path for path in found if not any(one in found or str(one) in SYSTEM for one in path.parents)]


def _named(folder: Path, words: Sequence[str]) -> Iterator[Path]:
    for word in words:
        with suppress(OSError):  # longer than any file's name, as a script in a command may be
            if (path := folder / word).is_file():
                yield path


def _without(folder: Path, hidden: Sequence[Path]) -> Iterator[Path]:
    """A folder, or if something is hidden in it, all the rest."""
    if not any(path != folder and path.is_relative_to(folder) for path in hidden):
        yield folder
        return
    for one in folder.iterdir():
        if one not in hidden:
            yield from _without(one, hidden)


def _is_apart(folder: Path) -> bool:
    """Whether a folder holds nothing but what somebody has put together there: no home, no folder for everybody's temporary files, and none above these."""
    home = home_folder()
    homes = (home, home.resolve(), home / ".local", home / ".cache") if home else ()
    return not any(one.is_relative_to(folder) for one in (*homes, Path(tempfile.gettempdir()).resolve()))


def _executables(path: Path) -> Iterator[Path]:
    """A file that is run, and those that the first lines of scripts name."""
    for _ in range(4):
        yield path
        try:
            with path.open("rb") as file:
                line = file.readline(256).decode(errors="replace")
        except OSError:
            return
        if not line.startswith("#!"):
            return
        words = [word for word in line[2:].split() if not word.startswith("-")]
        interpreter = shutil.which(words[1]) if len(words) > 1 and words[0].endswith("/env") else words[0] if words else None
        if interpreter is None:
            return
        path = Path(interpreter)


def _installation(executable: Path) -> Iterator[Path]:
    """What belongs to an executable: the folder that its ``bin`` lies in, and itself; for an interpreter of a virtual environment, that and the base's."""
    for file in (executable, executable.resolve()):
        folder = file.parent.parent
        is_whole = file == executable.resolve() or (folder / "pyvenv.cfg").exists() or file.parent.name == "shims"
        if file.parent.name in ("bin", "shims") and is_whole and _is_apart(folder):
            yield folder
        else:
            yield file


@cache
def _python_path() -> list[str]:
    """Where a Python that is started anew finds what it imports."""
    code = "import json, sys; print(json.dumps(sys.path))"
    return json.loads(subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, check=True).stdout)
