"""Tile sets by shipped name, path or text."""

from __future__ import annotations

import functools

from .sources import read_source, shipped_names
from .tile_text import read_tile_set
from .tiles import TileSet

_SUFFIX = ".tiles"


def tile_names() -> tuple[str, ...]:
    """The names of the shipped tile sets, sorted."""
    return shipped_names("tiles", _SUFFIX)


def load_tiles(source: str, players: int = 2) -> TileSet:
    """The tile set of a shipped name, of a file's path, or of a text of several lines that is the set itself.

    For more than two players the start tile has the marks C and D too: on the two middle squares of each edge, so that the marks read A, C, D, B clockwise
    where they read A, B before. A set whose start tile has marks C and D of its own keeps them.

    Raises:
        BadOption: there is no such set or file, or something is wrong in it: one line says where (line and column) and what is accepted.
    """
    name, text = read_source(source, "tiles", _SUFFIX)
    return _parsed(name, text, players > 2)


@functools.lru_cache(maxsize=32)
def _parsed(name: str, text: str, four_letters: bool) -> TileSet:
    return read_tile_set(name.removesuffix(_SUFFIX), name, text, four_letters)
