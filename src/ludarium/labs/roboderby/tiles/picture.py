"""The tiles of a set as SVG."""

from __future__ import annotations

from pathlib import Path

from ludarium.core.drawing import svg_element
from ludarium.games.roboderby.drawing.colours import GROUND, style
from ludarium.games.roboderby.drawing.ground import MARGIN, ground_svg, walls_svg
from ludarium.games.roboderby.drawing.icons import SIDE
from ludarium.games.roboderby.sheets.tiles import Tile, TileSet

from .facts import set_facts, tile_facts
from .tile_board import tile_board

TITLE = 22
"""The height of the two lines above a tile."""

SCALE = 2
"""Pixels of the whole picture to one of the drawing's own units."""


def picture(tile_set: TileSet) -> str:
    """The four tiles as their file shows them, two in a row, each below its name; the beams of lasers end at a tile's rim."""
    side = SIDE * tile_set.size + 2 * MARGIN
    across = max(side, *(MARGIN + _title_width(tile) for tile in tile_set.tiles))
    down = TITLE + side
    width, height = 2 * across, 2 * down
    panels = "".join(
        f'<g transform="translate({number % 2 * across} {number // 2 * down})">{_panel(tile)}</g>'
        for number, tile in enumerate(tile_set.tiles)
    )
    told = f"The tiles {', '.join(tile_set.names)} of {tile_set.name}: {set_facts(tile_set)}"
    content = f'<rect class="rd-paper" width="{width}" height="{height}"/>{panels}'
    return (
        svg_element(
            "rd", SCALE * width, (0, 0, width, height), told, style(GROUND, Path(__file__).with_suffix(".css")), content, role="img"
        )
        + "\n"
    )


def _title_width(tile: Tile) -> int:
    """Room enough for the lines above a tile, which are wider than a small tile where its name is long."""
    return max(9 * len(tile.name), 4 * len(tile_facts(tile)))


def _panel(tile: Tile) -> str:
    return (
        f'<text class="rd-title" x="{MARGIN}" y="15">{tile.name}</text><text class="rd-note" x="{MARGIN}" y="25">{tile_facts(tile)}</text>'
        f'<g transform="translate({MARGIN} {TITLE + MARGIN})">{ground_svg(tile_board(tile, closed=True))}{_rim_walls(tile)}</g>'
    )


def _rim_walls(tile: Tile) -> str:
    """The walls that the tile has on its rim: a board's frame stands for those around it, here it does not."""
    return walls_svg(tile.rim_walls) if tile.rim_walls else ""
