"""Endgame tables on disk: two files for each number of tokens, in Ludarium's data folder.

Each begins with a line that says what it is, filled up to 64 bytes. In ``.outcomes`` follow the outcomes, five to a byte; in ``.distances`` the plies to
the end, a byte each. They are mapped into memory, not read: processes share them, and only what is looked at is loaded.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ludarium.core.data_folder import data_folder
from ludarium.core.jit import JIT
from ludarium.core.writing import write_bytes
from ludarium.errors import StoreError, store_errors

from .index import MOST, table_size
from .known import A_BYTE, EndgameTables, packed, tables_of
from .solving import solve

USUAL = 4 if JIT else 2
"""Tokens of the tables that are made without anybody asking, which takes about a second; in plain Python, those of four would take minutes."""

VERSION = 1
"""Rises when the rules, the order of the entries or the meaning of the bytes changes."""

_HEADER = 64
_making = threading.Lock()


def files_of(most: int) -> tuple[Path, Path]:
    """Where the outcomes and the distances of at most so many tokens are kept."""
    folder = data_folder() / "expendibots"
    return folder / f"endgames-{most}.outcomes", folder / f"endgames-{most}.distances"


def make(most: int, progress: Callable[[str], None] | None = None) -> EndgameTables:
    """Solve all positions of at most so many tokens and keep them.

    Raises:
        StoreError: the files cannot be written.
    """
    paths = files_of(most)
    with store_errors(f"{paths[0]} cannot be written"):  # which is better known before the work than after it
        paths[0].parent.mkdir(parents=True, exist_ok=True)
    endgames = packed(solve(most, progress), most)
    for path, content in zip(paths, (endgames.outcomes, endgames.distances), strict=True):
        write_bytes(path, _header(path, most) + content.tobytes())
    return endgames


def load(most: int) -> EndgameTables | None:
    """The tables of at most so many tokens; None where they are not kept, or not whole, or of another version."""
    found: list[NDArray[np.uint8]] = []
    for path, size in zip(files_of(most), (-(-table_size(most) // A_BYTE), table_size(most)), strict=True):
        try:
            content = np.memmap(path, np.uint8, "c").view(
                np.ndarray
            )  # "c": what nobody writes to is shared, and not read-only, which kernels would be compiled for
        except (OSError, ValueError):
            return None
        if len(content) != _HEADER + size or content[:_HEADER].tobytes() != _header(path, most):
            return None
        found.append(content[_HEADER:])
    return tables_of(most, found[0], found[1])


def _header(path: Path, most: int) -> bytes:
    return f"Ludarium: Expendibots, {path.suffix[1:]}, {most} tokens, {VERSION}".encode().ljust(_HEADER - 1) + b"\n"


def endgames() -> EndgameTables:
    """The largest tables that are kept; where there are none, those of :data:`USUAL` tokens are made."""
    with _making:  # another thread may be at it
        try:
            folder = data_folder()
        except StoreError:
            folder = None
        return _endgames(folder)


@functools.cache
def _endgames(folder: Path | None) -> EndgameTables:
    for most in range(MOST, USUAL - 1, -1) if folder else ():
        if found := load(most):
            return found
    try:
        return make(USUAL)
    except StoreError:  # then they are made in every process
        return packed(solve(USUAL), USUAL)
