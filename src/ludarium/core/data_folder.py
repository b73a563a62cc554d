"""Where Ludarium keeps what people have not named a place for."""

from __future__ import annotations

import os
import sys
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
