"""Files that are written at once, whole or not at all."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import time
from contextlib import suppress
from pathlib import Path

from ludarium.errors import store_errors

from .lines import sync_folder

OLD = 3600
"""Seconds after which a temporary file counts as left behind by a process that was killed."""

_TEMPORARY = re.compile(r"\..+\.[0-9a-f]{16}\.tmp")
_cleaned: set[Path] = set()
"""The folders that this process has looked through for what others left behind."""


def write_text(path: Path, text: str, *, mode: int | None = None) -> None:
    """Write a file of text in UTF-8, whole or not at all, as :func:`write_bytes` does."""
    write_bytes(path, text.encode(), mode=mode)


def write_bytes(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """Write a file, whole or not at all: the earlier content stays until all of the new one is on the disk.

    Several threads and processes may write the same file. A symbolic link stays one, and a pipe or a device is written to directly.

    Args:
        mode: the permissions of the file; None: those of the file that is replaced, or the usual ones of a new file.

    Raises:
        StoreError: it cannot be written.
    """
    with store_errors(f"{path} cannot be written"):
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            replace_file(Path(os.path.realpath(path)), data, mode=mode)


def replace_file(path: Path, data: bytes, *, mode: int | None = None, is_durable: bool = True) -> None:
    """Write a file, whole or not at all, in place of an earlier one.

    Args:
        mode: as in :func:`write_bytes`.
        is_durable: flush the file and its folder to the disk. Without this, a power failure may leave an empty or torn file, which is fine for a cache
            whose files carry checksums: each flush takes milliseconds, and a first start writes hundreds of files.

    Raises:
        OSError: it cannot be written.
    """
    _clean(path.parent)
    aside = path.with_name(f".{path.name[:50]}.{secrets.token_hex(8)}.tmp")
    try:
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else mode), "wb") as file:
            file.write(data)
            if is_durable:
                file.flush()
                os.fsync(file.fileno())
        if mode is None and path.exists():
            shutil.copymode(path, aside)
        aside.replace(path)
        if is_durable:
            sync_folder(path.parent)
    finally:
        aside.unlink(missing_ok=True)


def _clean(folder: Path) -> None:
    """Delete temporary files that killed processes have left in a folder, once in this process."""
    if folder in _cleaned:
        return
    _cleaned.add(folder)
    with suppress(OSError):  # the folder cannot be read, or another process deletes the same file
        for entry in os.scandir(folder):
            if _TEMPORARY.fullmatch(entry.name) and entry.stat(follow_symlinks=False).st_mtime < time.time() - OLD:
                Path(entry.path).unlink(missing_ok=True)
