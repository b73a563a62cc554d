"""Locks that end with the process that has them, however it ends."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


def lock(file: BinaryIO) -> bool:
    """Keep everybody else from locking a file until it is closed; whether nobody else has locked it.

    Raises:
        OSError: the file's folder knows no locks, as some on networks.
    """
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


@contextmanager
def locked(path: Path) -> Generator[bool]:
    """Lock a file that is there only meanwhile; whether nobody else has locked it.

    Raises:
        OSError: as :func:`lock`, or the file cannot be made.
    """
    while True:
        with path.open("wb") as file:
            is_ours = lock(file)
            if is_ours and not os.fstat(file.fileno()).st_nlink:  # whoever had it removed the file before it was locked here
                continue
            try:
                yield is_ours
            finally:
                if is_ours:
                    with suppress(OSError):
                        path.unlink()
            return


@contextmanager
def waited_for(path: Path) -> Generator[None]:
    """Wait for an exclusive lock on a file. The file stays.

    Raises:
        OSError: as :func:`lock`, or the file cannot be made.
    """
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
