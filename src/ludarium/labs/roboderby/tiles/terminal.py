"""The tiles of a set in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from ludarium.games.roboderby.drawing.terminal import squares_text

from .tile_board import tile_board

if TYPE_CHECKING:
    from ludarium.games.roboderby.sheets.tiles import Tile, TileSet

GAP = 6
"""Columns between two tiles: more than between two posts."""


def side_by_side(tile_set: TileSet, width: int) -> Text:
    """The tiles, each below its name, with an empty line below: four, two or one beside each other, as fits into ``width`` columns."""
    blocks = [_lines(tile) for tile in tile_set.tiles]
    pitch = max(line.cell_len for block in blocks for line in block) + GAP
    beside = next((number for number in (4, 2) if number * pitch - GAP <= width), 1)
    text = Text()
    for first in range(0, len(blocks), beside):
        for lines in zip(*blocks[first : first + beside], strict=True):
            row = Text()
            for number, line in enumerate(lines):
                row.append(" " * (number * pitch - row.cell_len)).append_text(line)
            text.append_text(row).append("\n")
        text.append("\n" if first + beside < len(blocks) else "")
    return text


def _lines(tile: Tile) -> list[Text]:
    """The name, and the rows of the drawing."""
    drawn = squares_text(tile_board(tile, closed=False), {}, set(tile.lasers[0][:, 0].tolist()))
    return [Text(tile.name, "bold"), *drawn.split("\n")]
