"""Files that are written at once, whole or not at all."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from ludarium.errors import store_errors


def write_text(path: Path, text: str) -> None:
    """Write a file of text, whole or not at all, as :func:`write_bytes` does."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all: what stood there before stays until all of this is on the disk.

    Raises:
        StoreError: it cannot be written.
    """
    with store_errors(f"{path} cannot be written"):
        if path.exists() and not path.is_file():  # a pipe or a terminal
            path.write_bytes(data)
            return
        whole = path.resolve()  # a link stays one
        aside = whole.with_name(f".{whole.name[:200]}.{os.getpid()}")
        try:
            aside.write_bytes(data)
            if whole.exists():
                shutil.copymode(whole, aside)
            aside.replace(whole)
        finally:
            aside.unlink(missing_ok=True)
