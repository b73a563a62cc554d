"""A board's heat map as SVG: for each square how many turns it is from the finish, and which heading is the best there."""

from __future__ import annotations

import math
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from ludarium.core.drawing import svg_element
from ludarium.core.game import State
from ludarium.games.roboderby.drawing.colours import GROUND, colour, style
from ludarium.games.roboderby.drawing.fittings import belt_tips_svg
from ludarium.games.roboderby.drawing.ground import MARGIN, ground_svg
from ludarium.games.roboderby.drawing.icons import SIDE
from ludarium.games.roboderby.game import RoboDerby
from ludarium.games.roboderby.options import Rules
from ludarium.games.roboderby.sheets.faces import DIRECTIONS
from ludarium.games.roboderby.sheets.tiles import BELTS, FLOOR, LETTERS, MARKS
from ludarium.games.roboderby.solo.course import LAP

from .pars import Par

SCALE = ("#fff7c9", "#fddc83", "#f6b463", "#e08a63", "#bb6570", "#8c4a78", "#5b3a75", "#33305f")
"""From the finish to far away: lightness alone tells them apart."""

DARK_FROM = 0.57
"""From here on along the scale text is light."""

GAP = 12
TITLE = 20
BESIDE = 8

_CELL = "M4 1.6h12q2.4 0 2.4 2.4v12q0 2.4-2.4 2.4H4q-2.4 0-2.4-2.4V4q0-2.4 2.4-2.4z"
_ARROW = "M0-3 3 1.4H1V3.2H-1V1.4H-3z"


def heat_map(rules: Rules, found: tuple[Par, ...]) -> str:
    """The maps of a board's start marks, two in a row, with one scale of colours for all.

    A square shows the expected turns to the finish of a robot that begins a turn there with its best heading, to which the arrow points. On a lap, a square's
    robot has come so far as the square's tile; the start tile has a second map, for robots that come home.
    """
    game = RoboDerby(**asdict(rules) | {"marks": "random"})
    homes = (False,) if game.tables.s_race else (False, True)
    turns = [turns for par in found for home in homes for turns, _ in _shown(game.tables, par, home=home).values()]
    most = max((one for one in turns if math.isfinite(one)), default=0.0) or 1.0
    legend = _legend(most, all_lead_home=all(math.isfinite(one) for one in turns))
    width, height = _panel_size(game.tables)
    columns = min(2, len(found))
    rows = math.ceil(len(found) / columns)
    panels = "".join(
        f'<g transform="translate({number % columns * (width + GAP)} {number // columns * (height + GAP)})">{_panel(game, par, most, legend)}</g>'
        for number, par in enumerate(found)
    )
    whole_width, whole_height = columns * (width + GAP) + GAP, rows * (height + GAP) + GAP
    box = (-GAP, -GAP, whole_width, whole_height)
    back = f'<rect class="rd-back" x="{-GAP}" y="{-GAP}" width="{whole_width}" height="{whole_height}" style="{colour("fill", "mat")}"/>'
    return (
        svg_element(
            "rd",
            2 * whole_width,
            box,
            _headline(rules, found),
            style(GROUND, Path(__file__).with_suffix(".css")),
            back + panels,
            role="img",
        )
        + "\n"
    )


def _headline(rules: Rules, found: tuple[Par, ...]) -> str:
    told = ", ".join(f"{par.mark.text} {_turns_text(par.turns)}" for par in found)
    return f"Expected turns to the finish on the board {rules.board}: {told}"


def _turns_text(turns: float) -> str:
    return f"{turns:.2f} turns" if math.isfinite(turns) else "out of reach"


def _panel_size(tables: Any) -> tuple[int, int]:
    """Of one map with its title and, on a lap, the second map of the start tile below it."""
    below = 0 if tables.s_race else SIDE * tables.size + BESIDE + TITLE
    return SIDE * tables.width + 2 * MARGIN, TITLE + SIDE * tables.height + 2 * MARGIN + below


def _panel(game: RoboDerby, par: Par, most: float, legend: str) -> str:
    tables, mark = game.tables, par.mark
    ground = ground_svg(State(game, mark.records))
    title = f"From {DIRECTIONS[mark.edge]} as {LETTERS[mark.letter]}: par {_turns_text(par.turns)}"
    side = SIDE * tables.size
    below = TITLE + 2 * MARGIN + SIDE * tables.height + BESIDE
    if tables.s_race:  # the legend stands in the corner that the S leaves empty
        home, beside = "", (2 * side + 2 * MARGIN, TITLE + MARGIN + side + BESIDE)
    else:
        home = _home(tables, ground + _cells(tables, par, most, home=True), mark.records[0], below)
        beside = (2 * MARGIN + side + BESIDE, below + TITLE)
    return (
        f'<text class="rd-title" x="{MARGIN}" y="11">{escape(title)}</text>'
        f'<g transform="translate({MARGIN} {TITLE + MARGIN})">{ground}{_cells(tables, par, most, home=False)}</g>'
        f'{home}<g transform="translate({beside[0]} {beside[1]})">{legend}</g>'
    )


def _home(tables: Any, board: str, record: Any, top: int) -> str:
    """The start tile once more, cut out of a board with what is around it outside the board."""
    place = [int(tile) for tile in record.tile].index(0)
    side = SIDE * tables.size
    column, row = int(tables.place_column[place]), int(tables.place_row[place])
    x, y = side * column - (MARGIN if column == 0 else 0), side * row - (MARGIN if row == 0 else 0)
    cut = side + MARGIN
    return (
        f'<text class="rd-note" x="{MARGIN}" y="{top + 4}">The start tile, after all the others</text>'
        f'<svg x="{0 if column == 0 else MARGIN}" y="{top + TITLE - MARGIN}" width="{cut}" height="{cut}" viewBox="{x} {y} {cut} {cut}">{board}</svg>'
    )


def _shown(tables: Any, par: Par, *, home: bool) -> dict[int, tuple[float, int]]:
    """For each square of a map that can be stood on: the expected turns with the best heading, infinite where no way leads to the finish; that heading."""
    course = par.racer.course
    shown: dict[int, tuple[float, int]] = {}
    for square in map(int, np.flatnonzero(np.isin(course.kinds, (FLOOR, *BELTS, *MARKS)))):
        tile = int(course.lap_tiles[square])
        if home and tile != 0:
            continue
        lap = 0 if tables.s_race else LAP if home else tile
        turns = [par.racer.expected_turns(square, heading, lap) for heading in range(4)]
        best = int(np.argmin(turns))
        shown[square] = turns[best], best
    return shown


def _cells(tables: Any, par: Par, most: float, *, home: bool) -> str:
    course = par.racer.course
    cells: list[str] = []
    for square, (turns, heading) in _shown(tables, par, home=home).items():
        x, y = SIDE * (square % tables.width), SIDE * (square // tables.width)
        if math.isfinite(turns):
            cells.append(_cell(x, y, turns, heading, most))
        marked = square == course.finish if home or tables.s_race else False
        if marked or (square == course.start and not home):
            cells.append(f'<rect class="rd-ring" x="{x + 1.2:g}" y="{y + 1.2:g}" width="17.6" height="17.6" rx="3"/>')
    return "".join(cells) + belt_tips_svg(tables, par.mark.records[0])


def _cell(x: int, y: int, turns: float, heading: int, most: float) -> str:
    share = turns / most
    scheme = "rd-far" if share >= DARK_FROM else "rd-near"
    told = f"{turns:.1f} turns, best heading {DIRECTIONS[heading]}" if turns else "the finish"
    arrow = f'<path transform="translate(10 14){f" rotate({90 * heading})" if heading else ""}" d="{_ARROW}"/>' if turns else ""
    return (
        f'<g class="{scheme}" transform="translate({x} {y})"><title>{told}</title><path class="rd-heat" fill="{_heat(share)}" d="{_CELL}"/>'
        f'<text x="10" y="{9 if turns else 12.3:g}">{turns:.1f}</text>{arrow}</g>'
    )


def _heat(share: float) -> str:
    """The colour at a place along the scale, between its two neighbours there."""
    place = share * (len(SCALE) - 1)
    lower = min(int(place), len(SCALE) - 2)
    pairs = zip(*(bytes.fromhex(SCALE[number][1:]) for number in (lower, lower + 1)), strict=True)
    return "#" + "".join(f"{round(low + (place - lower) * (high - low)):02x}" for low, high in pairs)


def _legend(most: float, *, all_lead_home: bool) -> str:
    """The scale of colours in turns, and what else the signs mean."""
    steps = 16
    bar = "".join(f'<rect x="{step * 6}" y="4" width="6.2" height="8" fill="{_heat((step + 0.5) / steps)}"/>' for step in range(steps))
    numbers = "".join(
        f'<text class="rd-note" x="{place * 96 - (6 if place else 0):g}" y="21">{place * most:.1f}</text>' for place in (0, 0.5, 1)
    )
    lines = (
        "turns to the finish, on",
        "average, when a turn begins",
        "with the heading of the",
        "arrow, the best one there;",
        "frames: start and finish" + ("" if all_lead_home else ";"),
        *(() if all_lead_home else ("squares without a number:", "no way leads to the finish")),
    )
    notes = "".join(f'<text class="rd-note" x="0" y="{34 + 9 * number}">{line}</text>' for number, line in enumerate(lines))
    return f"{bar}{numbers}{notes}"
