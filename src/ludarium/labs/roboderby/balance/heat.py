"""Where on the tiles it happens: numbers on a drawing of the tiles, as they were laid or, where chance dealt them, as their files draw them."""

from __future__ import annotations

from html import escape
from pathlib import Path

import numpy as np

from ludarium.core.drawing import svg_element
from ludarium.core.game import State
from ludarium.games.roboderby.drawing.colours import GROUND, style
from ludarium.games.roboderby.drawing.fittings import belt_tips_svg
from ludarium.games.roboderby.drawing.ground import MARGIN, ground_svg
from ludarium.games.roboderby.drawing.icons import SIDE
from ludarium.games.roboderby.game import RoboDerby
from ludarium.games.roboderby.sheets.tiles import PIT
from ludarium.games.roboderby.tables import PHASE

from .counting import unturned_squares
from .findings import Findings

TITLE = 16

LIGHTEST, DARKEST = 0.16, 0.9
"""How much of the colour there is on the squares with the least and the most."""


def heat_svg(found: Findings, numbers: np.ndarray, title: str) -> str:
    """Numbers (``float64[tiles, squares]``, 0 not shown) on the tiles. Beams go on from tile to tile only where the board that was played on is drawn."""
    played = found.series.game
    game = _fixed(played)
    tables = game.tables
    records = game.start().copy_records()
    records["phase"], records["start_edge"] = PHASE.DEAL, -1  # no bands of start and finish
    record = records[0]
    most = float(numbers.max(initial=0.0))
    unturned = unturned_squares(tables.size)
    cells: list[str] = []
    names: list[str] = []
    for place in range(4):
        tile, rotation = int(record.tile[place]), int(record.rotation[place])
        left, top = SIDE * tables.size * int(tables.place_column[place]), SIDE * tables.size * int(tables.place_row[place])
        for inside in range(tables.size**2):
            x, y = left + SIDE * (inside % tables.size), top + SIDE * (inside // tables.size)
            number = float(numbers[tile, unturned[rotation, inside]])
            if number > 0:
                is_pit = int(game.tables.tile_kinds[tile, rotation, inside]) == PIT
                cells.append(_cell(x, y, number, number / most, is_pit))
        beside = top - 4.4 if int(tables.place_row[place]) == 0 else top + SIDE * tables.size + 8.6
        name = game.rules.tile_set.names[tile]
        names.append(f'<text class="rd-name" x="{left + SIDE * tables.size / 2:g}" y="{beside:g}">{escape(name)}</text>')
    ground = ground_svg(State(game, records), tiles_apart=played.tables.fixed_deal < 0)
    width, height = SIDE * tables.width + 2 * MARGIN, SIDE * tables.height + 2 * MARGIN + TITLE
    content = (
        f'<text class="rd-title" x="{MARGIN}" y="11">{escape(title)}</text><g transform="translate({MARGIN} {TITLE + MARGIN})">'
        f"{ground}{''.join(cells)}{belt_tips_svg(tables, record)}{''.join(names)}</g>"
    )
    return (
        svg_element(
            "rd heat", 2 * width, (0, 0, width, height), title, style(GROUND, Path(__file__).with_suffix(".css")), content, role="img"
        )
        + "\n"
    )


def _fixed(game: RoboDerby) -> RoboDerby:
    """The same tiles on the board that is drawn: the board that was played on, or all tiles in their order, not turned."""
    if game.tables.fixed_deal >= 0:
        return game
    names = " ".join(game.rules.tile_set.names)
    return RoboDerby(**{**game.options, "board": f"{names} @ 0 0 0 0", "tiles": game.rules.tiles, "start_edge": "random"})


def _cell(x: int, y: int, number: float, share: float, is_pit: bool) -> str:
    """A number on its colour. Pits stay dark below it; marks, which would be struck through it, are covered."""
    strength = LIGHTEST + (DARKEST - LIGHTEST) * share
    text = f"{number:.0f}" if number >= 9.95 else f"{number:.1f}" if number >= 0.095 else f"{number:.2f}" if number >= 0.005 else "<.01"
    box = f'x="{x + 2}" y="{y + 2}" width="{SIDE - 4}" height="{SIDE - 4}" rx="2.5"'
    cover = "" if is_pit else f'<rect class="rd-floor" {box}/>'
    middle = f'x="{x + SIDE / 2:g}" y="{y + SIDE / 2 + 3.4:g}"'
    return f'{cover}<rect class="rd-warm" {box} fill-opacity="{strength:.2f}"/><text class="rd-number" {middle}>{escape(text)}</text>'
