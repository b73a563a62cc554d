"""Solutions of courses on disk, in the user's cache folder: a course that was solved once is known to every later process.

A file's name is a digest of everything that decides the values. A file that is damaged, or that this version cannot read, counts as not there.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

import numpy as np

from ludarium.core.data_folder import cache_folder
from ludarium.core.writing import replace_file
from ludarium.errors import StoreError

from .course import Course
from .dice import SoloDice
from .solve import EXACT, Solution

MOST_FILES = 2_000
"""Some 10 kB each; where there are more, those that were not used for longest go."""

VERSION = 3
"""Rises when the meaning of a file, or of what it is found by, changes."""

_SUFFIX = ".solo"
_DIGEST = 32


def solution_key(course: Course, dice: SoloDice, reroll_any: bool) -> str:
    """A digest of a course, of what the dice can do, and of how they are rolled."""
    plain = (
        VERSION,
        course.width,
        course.height,
        course.start,
        course.heading,
        course.finish,
        course.logic,
        course.keeps_progress,
        course.laps,
        reroll_any,
    )
    digest = hashlib.sha256(repr(plain).encode())
    for array, kind in ((course.walls, np.uint8), (course.kinds, np.uint8), (course.lap_tiles, np.int8), (dice.effects, np.int64)):
        digest.update(np.ascontiguousarray(array, dtype=kind).tobytes())
    return digest.hexdigest()[:40]


def load_solution(key: str, places: int) -> Solution | None:
    """Return the exact solution that is stored under a key, or None."""
    try:
        path = cache_folder() / "roboderby" / f"{key}{_SUFFIX}"
        data = path.read_bytes()
    except (OSError, StoreError):
        return None
    content = data[_DIGEST:]
    if hashlib.sha256(content).digest() != data[:_DIGEST] or len(content) != 8 * (places + 1):
        return None
    with contextlib.suppress(OSError):  # used just now
        os.utime(path)
    numbers = np.frombuffer(content, dtype="<f8").astype(np.float64)
    return Solution(numbers[1:], float(numbers[0]))


def save_solution(key: str, solution: Solution) -> None:
    """Store an exact solution, or nothing where no file can be written."""
    if solution.error > EXACT:
        return
    content = np.concatenate([[solution.error], solution.values]).astype("<f8").tobytes()
    with contextlib.suppress(OSError, StoreError):
        folder = cache_folder() / "roboderby"
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(folder / f"{key}{_SUFFIX}", hashlib.sha256(content).digest() + content, is_durable=False)
        _delete_oldest(folder)


def _delete_oldest(folder: Path) -> None:
    files = list(folder.glob(f"*{_SUFFIX}"))
    if len(files) > MOST_FILES:
        with contextlib.suppress(OSError):  # another process was faster
            for path in sorted(files, key=lambda path: path.stat().st_mtime)[: len(files) - MOST_FILES]:
                path.unlink(missing_ok=True)
