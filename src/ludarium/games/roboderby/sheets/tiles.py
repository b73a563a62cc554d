"""Board tiles: squares with floor, pits, belts and marks, the walls between them, and lasers, read from the text of a tile set.

A tile set is one text with four tiles one after another::

    note: anything worth knowing about the set

    name: pits

    + + + + +
     O . . .
    + + +-+ +
     . .|. .
    …

A tile has a line ``name:``, perhaps lines ``laser: x,y,direction`` (a square from the top left, and N, E, S or W), an empty line, then 2N + 1 rows. In the
rows with posts ``+`` a ``-`` is a wall between the squares above and below it; in the others are the squares (``.`` floor, ``O`` pit, ``^>v<`` belts, ``A`` to
``D`` marks), and ``|`` is a wall between two. Lines that begin with ``#`` are comments.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

VOID, FLOOR, PIT = 0, 1, 2
BELTS = (3, 4, 5, 6)
MARKS = (7, 8, 9, 10)
"""What a square is: no square at all, floor, a pit, a belt that runs north, east, south or west, or floor with the mark A, B, C or D."""

LETTERS = "ABCD"

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
"""The bits of a square's walls."""

SIZES = (4, 6, 8)
"""Squares along a side of a tile."""

TILES = 4


@dataclass(frozen=True, eq=False)
class Tile:
    """One tile of ``size`` by ``size`` squares, as the file shows it and turned clockwise by 90, 180 and 270 degrees.

    ``walls`` and ``kinds`` are ``uint8[4, size²]``, read-only: by rotation and square (from the top left, row by row), the bits of the walls as far as this
    tile says (both sides of a wall inside it), and what the square is. ``lasers`` is ``int64[4, lasers, 2]``, read-only: by rotation, the square of each laser
    and the direction in which it shines (0 north to 3 west).
    """

    name: str
    size: int
    walls: np.ndarray
    kinds: np.ndarray
    lasers: np.ndarray

    @property
    def rim_walls(self) -> list[tuple[int, int, int]]:
        """The walls on the tile's rim: the columns and rows of their squares, and the directions in which they stand (0 north to 3 west)."""
        sides = [(x, y, direction) for direction in range(4) for x, y in edge_squares(self.size, direction)]
        return [(x, y, direction) for x, y, direction in sides if int(self.walls[0, y * self.size + x]) >> direction & 1]

    @property
    def has_marks(self) -> bool:
        return bool((self.kinds >= MARKS[0]).any())

    @property
    def has_belts(self) -> bool:
        return bool(np.isin(self.kinds, BELTS).any())


@dataclass(frozen=True, eq=False)
class TileSet:
    """Four tiles of one size; the first is the start tile, the only one with marks. The others stand in the order of the file."""

    name: str
    note: str
    tiles: tuple[Tile, Tile, Tile, Tile]

    @property
    def size(self) -> int:
        return self.tiles[0].size

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(tile.name for tile in self.tiles)

    def stacked(self) -> tuple[np.ndarray, np.ndarray]:
        """The walls and kinds of all four tiles, each ``uint8[4, 4, size²]``: by tile, rotation and square."""
        return np.stack([tile.walls for tile in self.tiles]), np.stack([tile.kinds for tile in self.tiles])

    def all_lasers(self) -> np.ndarray:
        """``int64[lasers, 4, 3]``: by laser and rotation of its tile, the number of that tile, the square on it, and the direction."""
        numbered = [np.insert(tile.lasers, 0, number, axis=2) for number, tile in enumerate(self.tiles)]
        return np.concatenate(numbered, axis=1).transpose(1, 0, 2)


def turned(name: str, walls: np.ndarray, kinds: np.ndarray, lasers: np.ndarray) -> Tile:
    """The tile of ``uint8[size, size]`` arrays and lasers (``int64[lasers, 2]``) in its four rotations."""
    size = len(kinds)
    all_walls, all_kinds = np.zeros((2, 4, size * size), np.uint8)
    all_lasers = np.zeros((4, *lasers.shape), np.int64)
    for rotation in range(4):
        all_walls[rotation], all_kinds[rotation], all_lasers[rotation] = walls.ravel(), kinds.ravel(), lasers
        walls, kinds = np.rot90(walls, -1), np.rot90(kinds, -1)
        walls = ((walls << 1) | (walls >> 3)) & 15  # north becomes east, …, west becomes north
        kinds = np.where(np.isin(kinds, BELTS), BELTS[0] + (kinds + 1 - BELTS[0]) % 4, kinds)
        rows, columns = np.divmod(lasers[:, 0], size)
        lasers = np.stack([columns * size + size - 1 - rows, (lasers[:, 1] + 1) % 4], axis=1)
    for every in (all_walls, all_kinds, all_lasers):
        every.flags.writeable = False
    return Tile(name, size, all_walls, all_kinds, all_lasers)


def edge_squares(size: int, direction: int) -> list[tuple[int, int]]:
    """The squares (x, y) along an edge of a tile (0 north, 1 east, 2 south, 3 west), clockwise."""
    last = size - 1
    return [((step, 0), (last, step), (last - step, last), (0, last - step))[direction] for step in range(size)]


def with_middle_marks(tile: Tile) -> Tile:
    """The start tile with C and D on the middle squares of each edge: C next to A. They must be floor."""
    size, kinds = tile.size, tile.kinds[0].reshape(tile.size, tile.size).copy()
    for direction in range(4):
        around = edge_squares(size, direction)
        marks = [int(kinds[y, x]) for x, y in around]
        letters = MARKS[2:] if marks.index(MARKS[0]) < marks.index(MARKS[1]) else MARKS[:1:-1]
        for (x, y), letter in zip(around[size // 2 - 1 : size // 2 + 1], letters, strict=True):
            kinds[y, x] = letter
    return turned(tile.name, tile.walls[0].reshape(size, size), kinds, tile.lasers[0])
