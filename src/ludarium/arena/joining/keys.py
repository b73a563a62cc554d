"""The keys of names on ladders, each in a file that its user alone can read."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from ludarium.core.data_folder import data_folder
from ludarium.core.user_text import read_user_text
from ludarium.core.writing import write_text
from ludarium.errors import StoreError, store_errors

from .addresses import Ladder


def _folder() -> Path:
    return data_folder() / "keys"


def _part(words: str) -> str:
    return quote(words, safe="").replace(".", "%2E")


def _file(ladder: Ladder, name: str) -> Path:
    return _folder() / _part(ladder.server) / _part(ladder.game) / _part(name.casefold())


def kept_elsewhere(ladder: Ladder, name: str) -> Path | None:
    """Where a key of the name is kept for a ladder of the same game at another address, which may be the same ladder: the newest one."""
    found = _folder().glob(f"*/{_part(ladder.game)}/{_part(name.casefold()) or '-'}")
    return max((file for file in found if file != _file(ladder, name)), key=lambda file: file.stat().st_mtime, default=None)


def kept_key(ladder: Ladder, name: str) -> str | None:
    """The key of a name, if it has been kept.

    Raises:
        StoreError: it cannot be read.
    """
    file = _file(ladder, name)
    with store_errors(f"the key in {file} cannot be read"):
        return read_user_text(file, StoreError).strip() if file.is_file() else None


def keep_key(ladder: Ladder, name: str, key: str) -> Path:
    """Store the key of a name in a file that only its owner may read; return the file.

    Raises:
        StoreError: it cannot be written.
    """
    file = _file(ladder, name)
    with store_errors(f"the key cannot be kept in {file}"):
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_text(file, f"{key}\n", mode=0o600)
    return file
