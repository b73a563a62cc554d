"""The folders in which Ludarium stores data and caches, and the files that a user names."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

import platformdirs

from ludarium.errors import StoreError

from .compiling import warn_once


def data_folder() -> Path:
    """Return the folder for what has to last: ``ludarium`` in the user's data folder.

    An ``XDG_DATA_HOME`` that is an absolute path decides, and so does a folder that exists. A user without a home folder that can be written (containers,
    services) gets a folder of their own among the temporary files, with a notice.

    Raises:
        StoreError: there is no folder that can be written.
    """
    folder, problem = _platform_folder("data")
    is_chosen = Path(os.environ.get("XDG_DATA_HOME", "")).is_absolute()
    if folder and (is_chosen or not problem or os.access(f"{folder}/", os.X_OK)):
        return folder
    fallback = _temporary_folder("data")
    warn_once(f"{problem}, so data is stored in {fallback}; set XDG_DATA_HOME to a folder that lasts")
    return fallback


def cache_folder() -> Path:
    """Return the folder for what can be made again: ``ludarium`` in the user's cache folder, else one among the temporary files.

    Raises:
        StoreError: there is no folder that can be written.
    """
    folder, problem = _platform_folder("cache")
    return _temporary_folder("cache") if folder is None or problem else folder


def home_folder() -> Path | None:
    """Return the user's home folder, or None for a user without one."""
    with suppress(RuntimeError):
        return Path.home()
    return None


def seen_from(folder: Path, name: str) -> Path:
    """Return the path that ``name`` means in ``folder``. A leading ``~`` stays as it is where there is no such home."""
    with suppress(RuntimeError):
        return folder / Path(name).expanduser()
    return folder / name


def _platform_folder(kind: str) -> tuple[Path | None, str]:
    """Return the platform's folder for data or caches, and why it cannot be used ('' if it can)."""
    try:
        ask = platformdirs.user_data_path if kind == "data" else platformdirs.user_cache_path
        folder = ask("ludarium", appauthor=False)
    except RuntimeError:
        return None, "this user has no home folder"
    existing = folder
    while not os.path.lexists(existing):
        existing = existing.parent
    is_writable = os.access(f"{existing}/", os.W_OK | os.X_OK)  # the slash: a file is no folder
    return folder, "" if is_writable else f"{folder} cannot be written"


def _temporary_folder(kind: str) -> Path:
    """Return this user's own folder among the temporary files; no other user can write to it or have put it there."""
    try:
        top = Path(tempfile.gettempdir()) / f"ludarium-{os.getuid()}"
        top.mkdir(mode=0o700, exist_ok=True)
        found = top.lstat()
    except OSError as problem:
        raise StoreError(f"no folder for {kind} can be written ({problem.strerror}); set XDG_{kind.upper()}_HOME to one") from None
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o022:
        raise StoreError(f"{top} belongs to another user or is open to others; set XDG_{kind.upper()}_HOME to a folder")
    return top / kind
