"""What is in a tile set, in words."""

from __future__ import annotations

import numpy as np

from ludarium.games.roboderby.sheets.faces import DIRECTIONS
from ludarium.games.roboderby.sheets.tiles import BELTS, PIT, Tile, TileSet


def set_facts(tile_set: TileSet) -> str:
    """``6 squares a side, 22 pits, 34 belts, 2 lasers``."""
    return f"{tile_set.size} squares a side, {tile_facts(*tile_set.tiles)}"


def tile_facts(*tiles: Tile) -> str:
    """``6 pits, 1 laser``: what there is of them."""
    numbers = {
        "pit": sum(int((tile.kinds[0] == PIT).sum()) for tile in tiles),
        "belt": sum(int(np.isin(tile.kinds[0], BELTS).sum()) for tile in tiles),
        "laser": sum(len(tile.lasers[0]) for tile in tiles),
    }
    told = [f"{number} {name}{'s' * (number > 1)}" for name, number in numbers.items() if number]
    return ", ".join(told) or "no pits, belts or lasers"


def laser_text(tile: Tile) -> str:
    """The lasers of a tile as its file has them: ``3,0,S 1,2,N``."""
    return " ".join(f"{square % tile.size},{square // tile.size},{DIRECTIONS[direction]}" for square, direction in tile.lasers[0].tolist())


def shown_note(tile_set: TileSet) -> str:
    """The note, without what would not be shown but obeyed by a terminal."""
    return "".join(one if one.isprintable() else "\ufffd" for one in tile_set.note)
