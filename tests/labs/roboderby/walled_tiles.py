"""Tiles of RoboDerby with walls that keep robots from their finish, for tests."""

from __future__ import annotations

from pathlib import Path

from ludarium.games.roboderby.sheets.sources import shipped

__all__ = ["walled_tiles"]


def walled_tiles(size: int) -> str:
    """The stand-ins with walls around the first columns and rows of the start tile: 6 of them are the whole tile, in 2 stand an A and a B."""
    lines = Path(str(shipped("tiles", "stand-in.tiles"))).read_text(encoding="utf-8").splitlines()
    first = lines.index("name: start") + 2
    for row in (first, first + 2 * size):
        lines[row] = "+-" * size + lines[row][2 * size :]
    for row in range(first + 1, first + 2 * size, 2):
        whole = lines[row].ljust(13)
        lines[row] = f"|{whole[1 : 2 * size]}|{whole[2 * size + 1 :]}"
    return "\n".join(lines)
