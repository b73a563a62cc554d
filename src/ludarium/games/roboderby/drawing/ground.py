"""The board below the robots: tiles with their place in the lap, belts, pits, marks, walls, lasers, and the edges of start and finish."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..sheets.faces import DIRECTIONS, WAYS
from ..sheets.tiles import LETTERS, MARKS, PIT, VOID
from ..tables import FINISHED, LEFT, PHASE, are_placed
from .fittings import beams_svg, belts_svg, emitters_svg
from .icons import SIDE
from .words import ground_words, squares_words, walls_of

MARGIN = 12
"""Around the board, for its frame and the bands of start and finish."""

FRAME = 3
BAND = 8

_HOLE = "M1.7 5q0-3.3 3.3-3.3h10q3.3 0 3.3 3.3v10q0 3.3-3.3 3.3h-10q-3.3 0-3.3-3.3z"
_DEPTH = "M5 4.9h10M4.4 7.6h11.2"
_STAR = "M0-5 1.5-1.7 5-1.4 2.4 1 3.1 4.5 0 2.7-3.1 4.5-2.4 1-5-1.4-1.5-1.7z"


def middle(tables: Any, square: int) -> tuple[int, int]:
    """The middle of a square in the drawing's own units."""
    return SIDE * (square % tables.width) + SIDE // 2, SIDE * (square // tables.width) + SIDE // 2


def _corner(tables: Any, square: int) -> tuple[int, int]:
    return SIDE * (square % tables.width), SIDE * (square // tables.width)


def ground_svg(state: Any, *, tiles_apart: bool = False) -> str:
    """The whole ground. Every square has ``data-square``; where the first player chooses the start edge, the edges have ``data-pick``.

    With ``tiles_apart`` the tiles only happen to lie beside each other: beams end at the rim of their tile, and belts lead to none on another.
    """
    tables, record = state.game.tables, state.record
    if not record.dealt:
        return _frame(tables) + _face_down(tables)
    layers = (
        _frame(tables),
        _floors(tables, record),
        _ghosts(tables, record),
        _lines(tables),
        belts_svg(tables, record, tiles_apart=tiles_apart),
        _pits(tables, record),
        beams_svg(tables, record, tiles_apart=tiles_apart),
        _marks(state),
        walls_svg(walls_of(tables, record)),  # the frame stands for those around the board
        emitters_svg(tables, record),
    )
    return f'<g role="img" aria-label="{ground_words(tables, record)}">{"".join(layers)}</g>{_edges(tables, record)}'


def cells_svg(state: Any) -> str:
    """The squares once more, unseen: cells with a name each, for the keyboard and for screen readers."""
    tables, record = state.game.tables, state.record
    if not record.dealt:
        return ""
    kinds = record.kinds[: tables.squares].tolist()
    cells = [
        f'<path data-cell="{square}" d="M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z" role="img" aria-label="{words}"/>'
        for square, (kind, words) in enumerate(zip(kinds, squares_words(state), strict=True))
        for x, y in [_corner(tables, square)]
        if kind != VOID
    ]
    return f'<g class="rd-cells" role="group" aria-label="squares">{"".join(cells)}</g>'


def _places(tables: Any) -> list[tuple[int, int]]:
    """The top left corners of the four tiles."""
    span = SIDE * tables.size
    return [(span * int(column), span * int(row)) for column, row in zip(tables.place_column, tables.place_row, strict=True)]


def _frame(tables: Any) -> str:
    span = SIDE * tables.size + 2 * FRAME
    name = "rd-drop" if tables.pit_edges else "rd-frame"
    corners = [(x - FRAME, y - FRAME) for x, y in _places(tables)]
    rim = "".join(f'<rect class="{name}" x="{x}" y="{y}" width="{span}" height="{span}" rx="2.4"/>' for x, y in corners)
    hazard = "".join(f'<rect class="rd-hazard" x="{x + 1}" y="{y + 1}" width="{span - 2}" height="{span - 2}"/>' for x, y in corners)
    return rim + hazard if tables.pit_edges else rim


def _face_down(tables: Any) -> str:
    span = SIDE * tables.size
    return "".join(
        f'<rect class="rd-back-tile" x="{x + 1}" y="{y + 1}" width="{span - 2}" height="{span - 2}" rx="4"/>'
        f'<text class="rd-ghost" x="{x + span / 2:g}" y="{y + span * 0.68:g}" font-size="{span * 0.5:g}">?</text>'
        for x, y in _places(tables)
    )


def _floors(tables: Any, record: Any) -> str:
    """One element a square, in two shades by tile."""
    shades: list[list[str]] = [[], []]
    for square, kind in enumerate(record.kinds[: tables.squares].tolist()):
        if kind != VOID:
            x, y = _corner(tables, square)
            tile = x // (SIDE * tables.size) + y // (SIDE * tables.size)
            shades[int(tile % 2)].append(f'<path data-square="{square}" d="M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z"/>')
    return "".join(f'<g class="{name}">{"".join(squares)}</g>' for name, squares in zip(("rd-floor", "rd-floor2"), shades, strict=True))


def _ghosts(tables: Any, record: Any) -> str:
    """The number of every tile in the lap, large and faint."""
    span = SIDE * tables.size
    texts: list[str] = []
    for x, y in _places(tables):
        number = int(record.lap_tiles[y // SIDE * tables.width + x // SIDE])
        if number >= 0 and int(record.start_edge) >= 0:
            texts.append(
                f'<text class="rd-ghost" x="{x + span / 2:g}" y="{y + span * 0.715:g}" font-size="{span * 0.6:g}">{number + 1}</text>'
            )
    return f'<g aria-hidden="true">{"".join(texts)}</g>'


def _lines(tables: Any) -> str:
    """The lines between squares, and the seams between tiles."""
    span = SIDE * tables.size
    lines = "".join(f"M{x} {y + step}h{span}M{x + step} {y}v{span}" for x, y in _places(tables) for step in range(SIDE, span, SIDE))
    places = set(_places(tables))
    seams = "".join(f"M{x + span} {y}v{span}" for x, y in places if (x + span, y) in places)
    seams += "".join(f"M{x} {y + span}h{span}" for x, y in places if (x, y + span) in places)
    return f'<path class="rd-grid" d="{lines}"/><path class="rd-seam" d="{seams}"/>'


def _pits(tables: Any, record: Any) -> str:
    holes: list[str] = []
    depths: list[str] = []
    for square, kind in enumerate(record.kinds[: tables.squares].tolist()):
        if kind == PIT:
            x, y = _corner(tables, square)
            holes.append(f'<path transform="translate({x} {y})" d="{_HOLE}"/>')
            depths.append(f'<path transform="translate({x} {y})" d="{_DEPTH}"/>')
    return f'<g class="rd-hole">{"".join(holes)}</g><g class="rd-depth">{"".join(depths)}</g>'


def _marks(state: Any) -> str:
    """All marks; those where a robot's race ends have a ring in its colour. On the S, the marker."""
    tables, record = state.game.tables, state.record
    racing = [robot for robot in range(tables.players) if are_placed(record) and int(record.status[robot]) not in (FINISHED, LEFT)]
    parts: list[str] = []
    for square, kind in enumerate(record.kinds[: tables.squares].tolist()):
        if kind >= MARKS[0]:
            x, y = middle(tables, square)
            parts.append(
                f'<circle class="rd-mark" cx="{x}" cy="{y}" r="6.6"/><text class="rd-word" x="{x}" y="{y + 2.7:g}">{LETTERS[kind - MARKS[0]]}</text>'
            )
    if tables.s_race and racing:
        x, y = middle(tables, int(record.finish[racing[0]]))
        parts.append(f'<g transform="translate({x} {y})"><circle class="rd-coin" r="7.4"/><path class="rd-star" d="{_STAR}"/></g>')
    elif not tables.s_race:
        for robot in racing:
            x, y = middle(tables, int(record.finish[robot]))
            parts.append(f'<circle class="rd-goal rd-s{robot}" cx="{x}" cy="{y}" r="8.3"/>')
    return "".join(parts)


def walls_svg(walls: Iterable[tuple[int, int, int]]) -> str:
    """Walls by the columns and rows of squares, and the direction in which they stand there (0 north to 3 west)."""
    path = "".join(f"M{SIDE * (x + (way == 1))} {SIDE * (y + (way == 2))}{'hv'[way % 2]}{SIDE}" for x, y, way in walls)
    return f'<path class="rd-wall-edge" d="{path}"/><path class="rd-wall" d="{path}"/>'


def _edges(tables: Any, record: Any) -> str:
    """The bands of start and finish outside the start tile; both as choices while the start edge is to be chosen."""
    place = [int(tile) for tile in record.tile].index(0)
    x, y = _places(tables)[place]
    start = int(record.start_edge)
    if start >= 0:
        finish = [int(edge) for edge in tables.outer_edges[place] if int(edge) != start]
        bands = _band(tables, x, y, start, "START") + "".join(_band(tables, x, y, edge, "FINISH") for edge in finish)
        return f'<g aria-hidden="true">{bands}</g>'
    if int(record.phase) == PHASE.EDGE:
        return "".join(
            f'<g data-pick="edge {DIRECTIONS[edge]}" role="img" aria-label="start from the {WAYS[edge]}ern edge">{_band(tables, x, y, edge, "START?")}</g>'
            for edge in map(int, tables.outer_edges[place])
        )
    return ""


def _band(tables: Any, x: int, y: int, edge: int, word: str) -> str:
    """A band along an edge (0 north to 3 west) of the tile with its corner at a place: drawn along the north, then turned around the tile's middle."""
    span = SIDE * tables.size
    turn = f'transform="rotate({90 * edge} {x + span / 2:g} {y + span / 2:g})"'
    top = y - FRAME - BAND - 0.4
    # The text of the southern band would stand on its head.
    upright = f' transform="rotate(180 {x + span / 2:g} {top + BAND / 2:g})"' if edge == 2 else ""
    text = f'<text class="rd-edge" x="{x + span / 2:g}" y="{top + BAND / 2:g}" dy=".35em"{upright}>{word}</text>'
    if word != "FINISH":
        return f'<g {turn}><rect class="rd-band" x="{x}" y="{top:g}" width="{span}" height="{BAND}" rx="1.6"/>{text}</g>'
    half = BAND / 2
    checks = "".join(f"M{x + step * half:g} {top + (step % 2) * half:g}h{half:g}v{half:g}h-{half:g}z" for step in range(int(span / half)))
    plate = f'<rect class="rd-plain" x="{x + span / 2 - 22:g}" y="{top:g}" width="44" height="{BAND}"/>'
    return f'<g {turn}><rect class="rd-checks" x="{x}" y="{top:g}" width="{span}" height="{BAND}"/><path class="rd-check" d="{checks}"/>{plate}{text}</g>'


def aim_svg(state: Any, robot: int) -> str:
    """A dotted line to what a robot's laser would reach from where it stands."""
    tables, record = state.game.tables, state.record
    heading = int(record.heading[robot])
    others = {int(record.square[other]) for other in range(tables.players) if other != robot}
    square = int(record.square[robot])
    x, y = middle(tables, square)
    while int(record.walls[square]) >> heading & 1 == 0 and square not in others:
        square += int(tables.step[heading])
    to_x, to_y = middle(tables, square)
    reach = -SIDE // 2 + 1 if square in others else SIDE // 2 - 2
    across, down = ((0, -1), (1, 0), (0, 1), (-1, 0))[heading]
    return f'<path class="rd-aim rd-s{robot}" d="M{x + 9 * across} {y + 9 * down}L{to_x + reach * across} {to_y + reach * down}"/>'
