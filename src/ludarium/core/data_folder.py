"""Where files are: those that people name, and what Ludarium keeps where they name no place."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path


def default_folder() -> Path:
    """``ludarium`` in the user's data folder."""
    if "XDG_DATA_HOME" in os.environ:
        return Path(os.environ["XDG_DATA_HOME"]) / "ludarium"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "ludarium"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "ludarium"
    return Path.home() / ".local" / "share" / "ludarium"


def seen_from(folder: Path, name: str) -> Path:
    """The file that somebody's words name from a folder on. They may begin with ``~``, which stays where it is nobody's home."""
    with suppress(RuntimeError):
        return folder / Path(name).expanduser()
    return folder / name
